"""A page elsewhere, such as a payment, whose server reports back with a signed token.

Owns: the way there, and what a report has to be. Knows nothing of: what is done on that page.
Above it: `service`. Below it: `visiting`, `attempt`, the store, `joserfc`.

A report is a JWT in the body of a POST: `iss` is the reporter, `aud` the address that it is posted
to, `reference` what came with the user, `status` `completed` or `failed`, `exp` still to come; and
`account`, if the user is to be told which. It counts once: the reference is claimed.
"""

import secrets
import warnings
from collections.abc import Mapping
from typing import Literal
from urllib.parse import urlencode, urlsplit

from joserfc import jwt
from joserfc.errors import JoseError, SecurityWarning
from joserfc.jwk import Key, OctKey, import_key
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response

from acp_elicitation.connect.attempt import Begun, attempt_key, open_begun, seal_begun
from acp_elicitation.connect.credential import Credential
from acp_elicitation.connect.pages import render_departure
from acp_elicitation.connect.providers import Callback
from acp_elicitation.connect.reasons import Reason
from acp_elicitation.connect.secret import Secret
from acp_elicitation.connect.visiting import Place
from acp_elicitation.protocol.errors import UnknownLink
from acp_elicitation.stores.errors import LinkClaimed, LinkEnded
from acp_elicitation.stores.records import Attempt, StoredLink

__all__ = ["Reporting"]

_LEEWAY = 60
"""Seconds by which the clocks of both sides may differ."""

_SHORTEST = 32
"""Characters of a secret that signs (RFC 7518, 3.2)."""


class Reporting:
    """The pages elsewhere of one service."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._keys = {
            provider.name: (provider, _key(provider))
            for provider in place.providers.values()
            if isinstance(provider, Callback)
        }

    async def send_away(self, request: Request, link: StoredLink, provider: Callback) -> Response:
        """Lead to the page, with a reference that its server reports back.

        Raises:
            LinkEnded, UnknownLink: the link is over.
            StoreUnavailable: the store cannot be reached.
        """
        place, reference = self._place, secrets.token_urlsafe(24)
        data = seal_begun(place.vault.sealer, link.id, Begun(provider=provider.name))
        attempt = Attempt(key=attempt_key(reference), data=data)
        await place.store.start(link.id, identity=link.identity, attempt=attempt)
        back = f"{place.base_url}/link/{link.id}/end"
        joint = "&" if urlsplit(provider.page).query else "?"
        url = f"{provider.page}{joint}{urlencode({'reference': reference, 'return_to': back})}"
        response = HTMLResponse(render_departure(place.path, provider, url))
        place.identity.remember(request, link, response)
        return response

    async def report(self, request: Request) -> Response:
        """Take a report: 204 where it counted, 409 where it came before, 400 where it is none.

        Raises:
            StoreUnavailable: the store cannot be reached; report again.
        """
        found = self._keys.get(request.path_params["provider"])
        if found is None:
            return PlainTextResponse("404\n", 404)
        provider, key = found
        claims = self._read(await request.body(), provider, key)
        if claims is None:
            return PlainTextResponse("400\n", 400)
        try:
            await self._end(provider, claims)
        except (LinkClaimed, LinkEnded):
            return PlainTextResponse("409\n", 409)
        except UnknownLink:
            return PlainTextResponse("404\n", 404)
        return Response(status_code=204)

    def _read(self, body: bytes, provider: Callback, key: Key) -> Mapping[str, str] | None:
        address = f"{self._place.base_url}/report/{provider.name}"
        registry = jwt.JWTClaimsRegistry(
            now=self._place.clock() // 1000,
            leeway=_LEEWAY,
            iss={"essential": True, "value": provider.reporter},
            aud={"essential": True, "value": address},
            exp={"essential": True},
            reference={"essential": True},
            status={"essential": True, "values": ["completed", "failed"]},
        )
        try:
            algorithms = _names(provider.algorithm)
            claims = jwt.decode(body.strip(), key, algorithms=algorithms).claims
            registry.validate(claims)
        except (JoseError, ValueError, TypeError):
            return None
        account = claims.get("account", "")
        if not isinstance(account, str) or not isinstance(claims["reference"], str):
            return None
        return {
            "reference": claims["reference"],
            "status": claims["status"],
            "account": account[:200] if account.isprintable() else "",
        }

    async def _end(self, provider: Callback, claims: Mapping[str, str]) -> None:
        place, key = self._place, attempt_key(claims["reference"])
        link = await place.store.claim(key)
        assert link.attempt is not None  # it was found by it
        if open_begun(place.vault.sealer, link.id, link.attempt.data).provider != provider.name:
            raise UnknownLink(link.id)  # of a link that is another provider's
        if claims["status"] == "failed":
            await place.store.fail(link.id, reason=Reason.DENIED.value, attempt_key=key)
            return
        kept = Credential(secret=Secret(""), account=claims["account"])
        grant = place.vault.seal(link.identity, provider.name, kept)
        await place.store.complete(link.id, identity=link.identity, attempt_key=key, grant=grant)


def _names(algorithm: str) -> list[str]:
    """Return what an algorithm is called; EdDSA is the older name of what is Ed25519 today."""
    return ["EdDSA", "Ed25519"] if algorithm.startswith("Ed") else [algorithm]


def _key(provider: Callback) -> Key:
    """Return what a reporter's signatures are checked with.

    Raises:
        ValueError: its key is none for its algorithm.
    """
    text, kind = provider.key.reveal().strip(), _KINDS.get(provider.algorithm[:2])
    try:
        if kind is None:
            raise ValueError  # `none` needs no key, and is none of ours
        if kind == "oct" and len(text) < _SHORTEST:
            raise ValueError
        with warnings.catch_warnings():
            # A weak key, or a public one as the secret, with which everybody could sign.
            warnings.simplefilter("error", SecurityWarning)
            return OctKey.import_key(text) if kind == "oct" else import_key(text, kind)
    except (JoseError, ValueError, SecurityWarning):
        raise ValueError(
            f"provider {provider.name!r}: its key is none for its algorithm; give the public key "
            f"as PEM, or for HS256 the secret of both sides, of at least {_SHORTEST} characters"
        ) from None


_KINDS: Mapping[str, Literal["oct", "RSA", "EC", "OKP"]] = {
    "HS": "oct",
    "RS": "RSA",
    "PS": "RSA",
    "ES": "EC",
    "Ed": "OKP",
}

"""One provider, spoken to as an OAuth client: away, back, and what comes after.

Owns: the authorization request, the checks of its answer, and the requests for tokens.
Knows nothing of: links, browsers, stores. Above it: `coming_back`, `identities`, agents that
refresh. Below it: `metadata`, `fetching`, `id_token`, `tracebacks`.

PKCE with S256, state, nonce and the exact redirect URI go with every request; what the widespread
libraries leave to their caller is checked here (RFC 9700, RFC 9207).
"""

import base64
import hashlib
import secrets
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

import httpx2
from msgspec.structs import replace

from acp_elicitation.connect.attempt import Begun
from acp_elicitation.connect.credential import Credential
from acp_elicitation.connect.errors import (
    ProviderDenied,
    ProviderDown,
    ProviderFault,
    WrongIssuer,
)
from acp_elicitation.connect.oauth.addresses import host_of
from acp_elicitation.connect.oauth.fetching import Fetched, Fetching
from acp_elicitation.connect.oauth.id_token import UnknownKey, read_id_token
from acp_elicitation.connect.oauth.metadata import Metadata, discover
from acp_elicitation.connect.oauth.tokens import account_of, read_tokens, refusal
from acp_elicitation.connect.providers import OAuthProvider
from acp_elicitation.connect.secret import Secret
from acp_elicitation.connect.tracebacks import keeps_to_itself_async
from acp_elicitation.stores.settings import wall_clock

__all__ = ["OAuthClient"]

_FRESH = 3_600_000
"""Milliseconds for which a provider's metadata and keys are taken as they were."""


class OAuthClient:
    """Speaks to one provider. Its metadata is looked up when it is first needed, and kept."""

    def __init__(
        self,
        provider: OAuthProvider,
        *,
        http: httpx2.AsyncClient,
        clock: Callable[[], int] = wall_clock,
    ) -> None:
        self._provider = provider
        self._clock = clock
        named = (provider.issuer, provider.token_endpoint, provider.userinfo_endpoint)
        hosts = [host_of(url) for url in (*named, provider.revocation_endpoint) if url]
        self._fetching = Fetching(
            http, provider=provider.name, local=provider.is_local, trusted=hosts
        )
        self._metadata: Metadata | None = None
        self._keys: Mapping[str, Any] | None = None
        self._looked_up_at = 0

    @keeps_to_itself_async
    async def begin(
        self, *, redirect_uri: str, scopes: tuple[str, ...] = ()
    ) -> tuple[str, str, Begun]:
        """Return where to send the user, the state that has to come back, and what to remember.

        Raises:
            ProviderError: its endpoints cannot be looked up.
        """
        metadata = await self._look_up()
        state, verifier, nonce = (secrets.token_urlsafe(32) for _ in range(3))
        wanted = tuple(dict.fromkeys((*self._provider.scopes, *scopes)))
        challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest())
        asked = {
            **self._provider.parameters,
            "response_type": "code",
            "client_id": self._provider.client_id,
            "redirect_uri": redirect_uri,
            "state": state,
            "code_challenge": challenge.rstrip(b"=").decode(),
            "code_challenge_method": "S256",
        }
        if wanted:
            asked["scope"] = " ".join(wanted)
        if "openid" in wanted:
            asked["nonce"] = nonce
        endpoint = metadata.authorization_endpoint
        joint = "&" if urlsplit(endpoint).query else "?"
        begun = Begun(
            provider=self._provider.name,
            redirect_uri=redirect_uri,
            verifier=verifier,
            nonce=nonce,
            scopes=wanted,
        )
        return f"{endpoint}{joint}{urlencode(asked, quote_via=quote)}", state, begun

    async def check_issuer(self, params: Mapping[str, str]) -> None:
        """Return when an answer is this provider's (RFC 9207).

        Raises:
            WrongIssuer: it is another's, or does not say whose though this provider always does.
            ProviderError: what it always does cannot be looked up.
        """
        # Another process may have begun: whether `iss` is promised is looked up, not remembered.
        metadata = await self._look_up()
        said, expected = params.get("iss"), self._provider.issuer
        if said is None and not metadata.says_issuer:
            return
        # Where no issuer is known, nothing that is said can be held against it.
        if expected is None:
            return
        if said is None or said != expected:
            raise WrongIssuer(
                self._provider.name, "the answer names another issuer than the one that was asked"
            )

    def check_error(self, params: Mapping[str, str]) -> None:
        """Return when an answer brings a code.

        Raises:
            ProviderDenied: the user, or the provider for its user, said no.
            ProviderDown, ProviderFault: it could not, or refused; or there is neither.
        """
        error = params.get("error")
        if error is not None:
            raise refusal(self._provider.name, error)
        if not params.get("code"):
            raise ProviderFault(self._provider.name, "its answer brings no code")

    @keeps_to_itself_async
    async def redeem(self, params: Mapping[str, str], begun: Begun) -> Credential:
        """Return what the code of an answer is good for.

        Raises:
            ProviderDown: it cannot be reached.
            ProviderFault: it refused, or what it gave is not to be believed.
        """
        metadata = await self._look_up()
        credential, claims = await self._redeem(metadata, params, begun)
        account = account_of(claims) or await self._account_of(metadata, credential.secret, claims)
        return replace(credential, account=account)

    @keeps_to_itself_async
    async def redeem_identity(self, params: Mapping[str, str], begun: Begun) -> Mapping[str, Any]:
        """Return the checked claims of the id token, and ask for nothing that is not in it.

        Raises as `redeem`. Without the scope `openid` there is no id token, and no claims.
        """
        _, claims = await self._redeem(await self._look_up(), params, begun)
        return claims

    @keeps_to_itself_async
    async def refresh(self, credential: Credential) -> Credential:
        """Return a fresh credential for one that runs out.

        Raises:
            ProviderDenied: the provider has taken it back: ask the user again.
            ProviderDown, ProviderFault: as for `redeem`; or it cannot be refreshed.
        """
        if credential.refresh is None:
            raise ProviderFault(self._provider.name, "it gave nothing to refresh with; ask again")
        metadata = await self._look_up()
        form = {"grant_type": "refresh_token", "refresh_token": credential.refresh.reveal()}
        tokens = await self._ask_for_token(metadata, form, refreshing=True)
        fresh = self._read(tokens, credential.scopes)
        return replace(
            fresh,
            refresh=fresh.refresh or credential.refresh,
            account=credential.account,
            asked=credential.asked,
        )

    @keeps_to_itself_async
    async def revoke(self, credential: Credential) -> None:
        """Tell the provider that a credential is not needed any more (RFC 7009), if it listens.

        Raises:
            ProviderDown, ProviderFault: it could not, or refused.
        """
        metadata = await self._look_up()
        if metadata.revocation_endpoint is None:
            return
        secret = credential.refresh or credential.secret
        kind = "access_token" if credential.refresh is None else "refresh_token"
        form = {"token": secret.reveal(), "token_type_hint": kind}
        answer = await self._post(metadata, metadata.revocation_endpoint, form)
        if answer.status != 200:
            raise refusal(self._provider.name, (answer.body or {}).get("error"))

    # --- requests ---------------------------------------------------------------------------------

    async def _redeem(
        self, metadata: Metadata, params: Mapping[str, str], begun: Begun
    ) -> tuple[Credential, Mapping[str, Any]]:
        tokens = await self._ask_for_token(
            metadata,
            {
                "grant_type": "authorization_code",
                "code": params["code"],
                "redirect_uri": begun.redirect_uri,
                "code_verifier": begun.verifier,
            },
        )
        credential = self._read(tokens, begun.scopes)
        if "openid" not in begun.scopes:
            return credential, {}
        return credential, await self._claims(metadata, tokens, begun, credential.secret)

    async def _look_up(self) -> Metadata:
        if self._metadata is None or self._clock() - self._looked_up_at >= _FRESH:
            self._metadata = await discover(self._provider, self._fetching)
            # A key that the provider has withdrawn is not to be believed for ever.
            self._keys, self._looked_up_at = None, self._clock()
        return self._metadata

    async def _ask_for_token(
        self, metadata: Metadata, form: dict[str, str], *, refreshing: bool = False
    ) -> dict[str, Any]:
        answer = await self._post(metadata, metadata.token_endpoint, form)
        body = answer.body or {}
        if refreshing and body.get("error") == "invalid_grant":
            raise ProviderDenied(self._provider.name, "it takes this grant no more; ask again")
        if answer.status != 200 or "error" in body:
            raise refusal(self._provider.name, body.get("error"))
        return body

    async def _post(self, metadata: Metadata, url: str, form: dict[str, str]) -> Fetched:
        secret = self._provider.client_secret
        if secret is None:
            return await self._fetching.post(url, {**form, "client_id": self._provider.client_id})
        if "client_secret_basic" in metadata.token_auth:
            auth = httpx2.BasicAuth(
                quote(self._provider.client_id, safe=""), quote(secret.reveal(), safe="")
            )
            return await self._fetching.post(url, form, auth=auth)
        own = {"client_id": self._provider.client_id, "client_secret": secret.reveal()}
        return await self._fetching.post(url, {**form, **own})

    def _read(self, tokens: Mapping[str, Any], asked: tuple[str, ...]) -> Credential:
        return read_tokens(tokens, provider=self._provider.name, asked=asked, now=self._clock())

    async def _claims(
        self, metadata: Metadata, tokens: Mapping[str, Any], begun: Begun, access: Secret
    ) -> Mapping[str, Any]:
        text, issuer = tokens.get("id_token"), metadata.issuer
        if not isinstance(text, str) or issuer is None:
            raise ProviderFault(self._provider.name, "it was asked for an id token and gave none")
        for is_fresh in (False, True):
            keys = await self._look_up_keys(metadata, again=is_fresh)
            try:
                return read_id_token(
                    text,
                    keys=keys,
                    algorithms=metadata.algorithms,
                    provider=self._provider.name,
                    issuer=issuer,
                    client_id=self._provider.client_id,
                    nonce=begun.nonce,
                    access_token=access.reveal(),
                    now=self._clock() // 1000,
                )
            except UnknownKey:
                continue  # the provider may have taken a new key since
        raise ProviderFault(self._provider.name, "its id token is signed with no key of its own")

    async def _look_up_keys(self, metadata: Metadata, *, again: bool) -> Mapping[str, Any]:
        if self._keys is None or again:
            if metadata.jwks_uri is None:
                raise ProviderFault(self._provider.name, "its metadata names no keys")
            answer = await self._fetching.get(metadata.jwks_uri)
            if answer.status != 200 or answer.body is None:
                raise ProviderFault(self._provider.name, "its keys cannot be read")
            self._keys = answer.body
        return self._keys

    async def _account_of(
        self, metadata: Metadata, secret: Secret, claims: Mapping[str, Any]
    ) -> str:
        """Return whose account it is, as its user reads it; "" where the provider does not say."""
        if metadata.userinfo_endpoint is not None:
            try:
                answer = await self._fetching.get(
                    metadata.userinfo_endpoint, bearer=secret.reveal()
                )
            except (ProviderDown, ProviderFault):
                answer = Fetched(0, None)  # only its name is missing then
            said = answer.body or {}
            # What is said about another subject is about somebody else (OpenID Connect, 5.3.2).
            same_user = "sub" not in claims or said.get("sub") == claims["sub"]
            if answer.status == 200 and same_user and account_of(said):
                return account_of(said)
        subject = claims.get("sub", "")
        return subject if isinstance(subject, str) else ""

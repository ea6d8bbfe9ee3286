"""Away to the provider and back: the order in which what comes back is judged.

Owns: that order. Knows nothing of: how a provider is spoken to (`oauth`), how a user is known.
Above it: `service`. Below it: `visiting`, `returning`, `attempt`, `oauth`, the vault,
the store.

What comes back counts once, and is judged in this order; each step is of no use to whoever fails
the one before:

1. The attempt is claimed, atomically: a replay ends here, in whatever process.
2. The browser is the one that began: PKCE alone does not stop somebody from having a victim finish
   what he began himself, or from finishing with what a victim began (session fixation).
3. The user is the one that the link was made for (URL-13).
4. The issuer is the provider that was asked (RFC 9207): no mix-up.
5. The provider did not refuse.
6. Only now is the code redeemed, and the grant is kept with the end of the link in one transaction.
"""

import logging
from contextlib import suppress

import httpx2
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from acp_elicitation.connect.attempt import (
    Begun,
    attempt_key,
    binding_of,
    open_begun,
    seal_begun,
)
from acp_elicitation.connect.credential import Credential
from acp_elicitation.connect.details import LinkDetails
from acp_elicitation.connect.endings import NO_LINK, REASONS, USED
from acp_elicitation.connect.errors import ProviderError
from acp_elicitation.connect.identity import Known
from acp_elicitation.connect.oauth.client import OAuthClient
from acp_elicitation.connect.pages import render_departure
from acp_elicitation.connect.providers import OAuthProvider
from acp_elicitation.connect.reasons import Reason
from acp_elicitation.connect.returning import brought_back
from acp_elicitation.connect.visiting import Place, answer, leave
from acp_elicitation.protocol.errors import UnknownLink
from acp_elicitation.stores.errors import LinkClaimed, LinkEnded
from acp_elicitation.stores.records import Attempt, StoredLink

__all__ = ["ComingBack"]

_log = logging.getLogger(__name__)


class ComingBack:
    """The OAuth providers of one service."""

    def __init__(self, place: Place, http: httpx2.AsyncClient) -> None:
        self._place = place
        self._clients = {
            provider.name: OAuthClient(provider, http=http, clock=place.clock)
            for provider in place.providers.values()
            if isinstance(provider, OAuthProvider)
        }

    async def send_away(
        self, request: Request, link: StoredLink, provider: OAuthProvider, details: LinkDetails
    ) -> Response:
        """Begin: remember what has to be known at the coming back, and lead to the provider.

        Raises:
            LinkEnded, UnknownLink: the link is over.
            StoreUnavailable: the store cannot be reached.
        """
        place = self._place
        redirect_uri = f"{place.base_url}/callback/{provider.name}"
        try:
            url, state, begun = await self._clients[provider.name].begin(
                redirect_uri=redirect_uri, scopes=details.scopes
            )
        except ProviderError as error:
            return await self._fail(link, error.reason, error)
        binding = place.cookies.new_binding()
        begun = replace(begun, binding=binding_of(binding))
        attempt = Attempt(
            key=attempt_key(state), data=seal_begun(place.vault.sealer, link.id, begun)
        )
        await place.store.start(link.id, identity=link.identity, attempt=attempt)
        response = HTMLResponse(render_departure(place.path, provider, url))
        age = max((link.expires_at - place.clock()) // 1000, 1)
        place.cookies.bind(response, link.id, binding, age=age)
        place.identity.remember(request, link, response)
        return response

    async def callback(self, request: Request) -> Response:
        """Take what comes back from a provider.

        Raises:
            StoreUnavailable: the store cannot be reached.
        """
        name = request.path_params["provider"]
        client = self._clients.get(name)
        params = brought_back(request)
        if client is None or params is None or not params.get("state"):
            return answer(self._place, NO_LINK)
        key = attempt_key(params["state"])
        try:
            link = await self._place.store.claim(key)  # 1
        except (LinkClaimed, LinkEnded):
            return answer(self._place, USED)
        except UnknownLink:
            return answer(self._place, NO_LINK)
        assert link.attempt is not None  # it was found by it
        begun = open_begun(self._place.vault.sealer, link.id, link.attempt.data)
        reason = await self._refuse(request, link, begun, name)
        if reason is not None:
            return await self._fail(link, reason, None, key)
        try:
            await client.check_issuer(params)  # 4
            client.check_error(params)  # 5
            credential = await client.redeem(params, begun)  # 6
        except ProviderError as error:
            return await self._fail(link, error.reason, error, key)
        return await self._keep(link, name, credential, key)

    async def _refuse(
        self, request: Request, link: StoredLink, begun: Begun, name: str
    ) -> Reason | None:
        if begun.provider != name:  # one redirect path for each provider
            return Reason.WRONG_ISSUER
        if not begun.is_bound_to(self._place.cookies.binding(request, link.id)):  # 2
            return Reason.OTHER_BROWSER
        match await self._place.identity.identify(request, link):  # 3
            case Known() as known if known.owns(link):
                return None
            case _:
                return Reason.WRONG_USER

    async def _keep(
        self, link: StoredLink, name: str, credential: Credential, key: str
    ) -> Response:
        grant = self._place.vault.seal(link.identity, name, credential)
        try:
            await self._place.store.complete(
                link.id, identity=link.identity, attempt_key=key, grant=grant
            )
        except (LinkEnded, LinkClaimed, UnknownLink):
            # Its time ran out, or it was taken back, while the provider answered: what nobody
            # waits for is not kept, and is given back.
            with suppress(ProviderError):
                await self._clients[name].revoke(credential)
        return self._back(link)

    async def _fail(
        self, link: StoredLink, reason: Reason, error: Exception | None, key: str | None = None
    ) -> Response:
        """End the link, for the agent and for the user alike."""
        level = logging.INFO if reason is Reason.DENIED else logging.WARNING  # a "no" is no fault
        _log.log(level, "a link failed: %s", reason.value if error is None else error)
        with suppress(LinkEnded, LinkClaimed, UnknownLink):
            await self._place.store.fail(link.id, reason=reason.value, attempt_key=key)
        if reason in (Reason.OTHER_BROWSER, Reason.WRONG_USER):
            return answer(self._place, REASONS[reason])  # its end is for its own user to read
        return self._back(link)

    def _back(self, link: StoredLink) -> Response:
        response = leave(self._place, link.id)
        self._place.cookies.unbind(response, link.id)
        return response

"""A user who signs in on the connect page, at an OpenID provider: for a hosted agent (URL-13).

Owns: when a browser is sent to sign in, and the order in which what comes back is judged.
Knows nothing of: how a provider is spoken to (`oauth`), what is connected.
Above it: the service, the command line. Below it: `visits`, `signing_in`, `oauth`.

The agent makes a link for the user that it has verified on its ACP connection, by
`oidc_identity(issuer, subject)` of that user's claims; here the same has to sign in. Another one
gets no further, though the link be open: whoever is sent somebody's link cannot finish it, and
whoever signs in cannot be made to finish somebody else's.

What comes back is judged in this order: the browser is the one that was sent away (login CSRF), in
time, for the first time; the issuer is the one that was asked (RFC 9207); it did not refuse; the id
token holds, with the nonce of this beginning; and it names the user of the link. Only then does the
browser get a session: a fresh one, sealed, and short. The way on is made of the link's id alone, so
that there is none to anywhere else.
"""

import hmac
import logging
from collections.abc import Callable, Mapping, Sequence
from urllib.parse import quote, urlsplit

import httpx2
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from acp_elicitation.connect.errors import ProviderError, ProviderFault
from acp_elicitation.connect.identities.signing_in import (
    AS_OTHER,
    NOT_BEGUN,
    PROBLEMS,
    render_other_user,
    render_problem,
)
from acp_elicitation.connect.identities.visits import LONGEST_SIGN_IN, Visit, Visitor, Visits
from acp_elicitation.connect.identity import Identified, Known, SignIn
from acp_elicitation.connect.oauth.client import OAuthClient
from acp_elicitation.connect.oauth.fetching import provider_http
from acp_elicitation.connect.pages import render_departure
from acp_elicitation.connect.providers import OAuthProvider
from acp_elicitation.connect.returning import brought_back
from acp_elicitation.connect.sealing import Sealer
from acp_elicitation.protocol.requests import ElicitationId
from acp_elicitation.stores.records import Identity, StoredLink, check_text
from acp_elicitation.stores.settings import wall_clock

__all__ = ["OidcIdentity", "oidc_identity"]

_log = logging.getLogger(__name__)

_CALLBACK = "/sign-in/callback"
_LONGEST_SESSION = 86_400_000
"""Milliseconds, however long a link lives."""


def oidc_identity(issuer: str, subject: str) -> Identity:
    """Return the identity of a user, from the `iss` and `sub` of verified claims.

    It is `ISSUER#SUBJECT`, each exactly as it was said: a subject is unique at its issuer alone,
    and an issuer has no `#` in it.

    Raises:
        ValueError: one is empty, the issuer has a `#`, or they are too long.
    """
    if not issuer or not subject or "#" in issuer:
        raise ValueError("an identity is made of an issuer without a fragment and of a subject")
    identity = Identity(f"{issuer}#{subject}")
    check_text(identity=identity)
    return identity


class OidcIdentity:
    """Knows a user by signing in at one provider. It belongs to one service.

    The provider has to know `BASE_URL/sign-in/callback` as a redirect URI.
    """

    def __init__(
        self,
        provider: OAuthProvider,
        *,
        sealer: Sealer,
        session: float = 1800.0,
        http: httpx2.AsyncClient | None = None,
        clock: Callable[[], int] = wall_clock,
    ) -> None:
        """Make it.

        Args:
            provider: where users sign in; it has an issuer. It is asked who the user is, and for
                none of the scopes that it is set up with for connecting an account.
            sealer: seals its cookies: the vault's, the same for every worker.
            session: seconds for which having signed in counts. Once a user has begun a link, it
                counts until that link is over.
            http: what the provider is spoken to with, which stays the caller's to close; by
                default one of its own (`aclose`).
            clock: the time in milliseconds since 1970.

        Raises:
            ValueError: the provider has no issuer, so that nobody says who a user is.
        """
        if provider.issuer is None:
            raise ValueError(f"provider {provider.name!r}: users sign in at one with an issuer")
        self._own_http: httpx2.AsyncClient | None = None
        if http is None:
            http = self._own_http = provider_http()
        self._provider = replace(provider, scopes=("openid",))
        self._client = OAuthClient(self._provider, http=http, clock=clock)
        # Otherwise a provider that remembers its user lets nobody change to another account.
        afresh = replace(self._provider, parameters={**provider.parameters, "prompt": "login"})
        self._client_afresh = OAuthClient(afresh, http=http, clock=clock)
        self._sealer = sealer
        self._session = round(session * 1000)
        self._clock = clock
        self._base_url = ""
        self._visits = self._visits_at("")

    async def aclose(self) -> None:
        """Close the client of its own, if it has made one; it may be called more than once.

        A service that was given this identity leaves that to whoever made it. From here on, the
        provider is one that cannot be reached.
        """
        if self._own_http is not None:
            await self._own_http.aclose()

    def check_address(self, host: str) -> None:
        """Return: users sign in wherever the service is."""

    def routes(self, base: str) -> Sequence[BaseRoute]:
        """Return where the provider sends users back to."""
        self._base_url = base.rstrip("/")
        self._visits = self._visits_at(base)
        return (Route(_CALLBACK, self._callback, methods=["GET"]),)

    def _visits_at(self, base: str) -> Visits:
        users = f"{self._provider.issuer} {self._provider.client_id}"
        return Visits(self._sealer, base_url=base, users=users, clock=self._clock)

    # --- away -------------------------------------------------------------------------------------

    async def identify(self, request: Request, link: StoredLink) -> Identified:
        """Return who has signed in at this browser, or the way to sign in."""
        visitor = self._visits.visitor(request)
        wants_other = AS_OTHER in request.query_params
        if visitor is not None and not wants_other:
            return Known(visitor.identity)
        client = self._client_afresh if wants_other else self._client
        return SignIn(await self._send_away(request, link, client))

    async def _send_away(self, request: Request, link: StoredLink, client: OAuthClient) -> Response:
        try:
            url, state, begun = await client.begin(redirect_uri=self._base_url + _CALLBACK)
        except ProviderError as error:
            return self._stop(error)
        response: Response = RedirectResponse(url, 303)
        if request.method == "POST":
            # Browsers hold it against `form-action` where a form is redirected elsewhere.
            response = HTMLResponse(render_departure(self._path, self._provider, url))
        until = self._clock() + LONGEST_SIGN_IN
        visit = Visit(link=link.id, identity=link.identity, until=until, begun=begun)
        self._visits.leave(response, state, visit)
        return response

    def remember(self, request: Request, link: StoredLink, response: Response) -> None:
        """Let the session last as long as the link: its user has begun, and is to come back."""
        visitor = self._visits.visitor(request)
        if visitor is None:
            return
        now = self._clock()
        until = min(max(visitor.until, link.expires_at), now + _LONGEST_SESSION)
        self._visits.greet(response, replace(visitor, until=until))

    # --- and back ---------------------------------------------------------------------------------

    async def _callback(self, request: Request) -> Response:
        params = brought_back(request)
        state = "" if params is None else params.get("state", "")
        visit = self._visits.come_back(request, state)
        if params is None or visit is None:
            return HTMLResponse(render_problem(self._path, NOT_BEGUN), NOT_BEGUN.status)
        response = await self._judge(params, visit)
        self._visits.forget(response, state)
        return response

    async def _judge(self, params: dict[str, str], visit: Visit) -> Response:
        client = self._client
        try:
            await client.check_issuer(params)
            client.check_error(params)
            claims = await client.redeem_identity(params, visit.begun)
            identity = self._identity_of(claims)
        except ProviderError as error:
            return self._stop(error)
        if not hmac.compare_digest(identity.encode(), visit.identity.encode()):
            # No session: the next try begins with signing in again.
            _log.warning("another user has signed in than the one whom a link was made for")
            return HTMLResponse(render_other_user(self._path, self._page_of(visit.link)), 403)
        response = RedirectResponse(self._page_of(visit.link), 303)
        until = self._clock() + self._session
        self._visits.greet(response, Visitor(identity=identity, until=until))
        return response

    def _identity_of(self, claims: Mapping[str, object]) -> Identity:
        try:
            return oidc_identity(str(claims["iss"]), str(claims["sub"]))
        except (KeyError, ValueError):
            raise ProviderFault(self._provider.name, "it does not say who the user is") from None

    def _stop(self, error: ProviderError) -> Response:
        _log.warning("signing in failed: %s", error)
        problem = PROBLEMS[error.reason]
        return HTMLResponse(render_problem(self._path, problem), problem.status)

    @property
    def _path(self) -> str:
        return urlsplit(self._base_url).path

    def _page_of(self, link_id: ElicitationId) -> str:
        return f"{self._path}/link/{quote(link_id, safe='')}"

"""The connect service: the agent's own pages behind its links, as one ASGI application.

Owns: the addresses, and what is read and posted on the page of a link. The order of the callback is
in `coming_back`.
Knows nothing of: sockets, ACP, how a provider is spoken to. Above it: any ASGI host, `acp-elicit
connect serve`. Below it: `gate`, `visiting`, `coming_back`, `entering`, `reporting`, `pages`.

Reading a page changes nothing, whatever its state: link previews, mail scanners and prefetching
browsers may come as often as they like.
"""

import logging
import re
from collections.abc import Awaitable, Callable
from contextlib import suppress
from urllib.parse import parse_qs, urlsplit

import httpx2
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route, Router
from starlette.types import Receive, Scope, Send

from acp_elicitation.connect.coming_back import ComingBack
from acp_elicitation.connect.cookies import Cookies
from acp_elicitation.connect.details import LinkDetails, read_details
from acp_elicitation.connect.endings import NO_COOKIE, NO_STORE
from acp_elicitation.connect.entering import enter
from acp_elicitation.connect.errors import NotSafeHere, VaultError
from acp_elicitation.connect.gate import REPORTS, Gate
from acp_elicitation.connect.identity import Identify
from acp_elicitation.connect.loopback import is_loopback
from acp_elicitation.connect.oauth.fetching import provider_http
from acp_elicitation.connect.pages import Asked, render_asked
from acp_elicitation.connect.providers import (
    Callback,
    OAuthProvider,
    Provider,
    Providers,
    SecretEntry,
)
from acp_elicitation.connect.reasons import Reason
from acp_elicitation.connect.reporting import Reporting
from acp_elicitation.connect.vault import Vault
from acp_elicitation.connect.visiting import Place, answer, ending_of, leave, visit
from acp_elicitation.presenters.web.shell import STATIC_FILES, read_static
from acp_elicitation.protocol.errors import UnknownLink
from acp_elicitation.protocol.requests import ElicitationId
from acp_elicitation.stores.errors import LinkClaimed, LinkEnded, StoreUnavailable
from acp_elicitation.stores.port import Store
from acp_elicitation.stores.records import StoredLink
from acp_elicitation.stores.settings import wall_clock

__all__ = ["ConnectService", "check_base_url"]

_log = logging.getLogger(__name__)

_Handler = Callable[[Request], Awaitable[Response]]

_AS_BROWSERS_SAY = re.compile(
    r"https?://(?:[a-z0-9.-]+|\[[0-9a-f:]+\])(?::[1-9][0-9]{0,4})?(?:/(?!\.\.?(?:/|$))[\w.~-]+)*/?",
    re.ASCII,
)


class ConnectService:
    """The pages of the links of an agent. Mount it in any ASGI application, or serve it alone."""

    def __init__(
        self,
        store: Store,
        vault: Vault,
        identity: Identify,
        providers: Providers,
        *,
        base_url: str,
        http: httpx2.AsyncClient | None = None,
        clock: Callable[[], int] = wall_clock,
    ) -> None:
        """Make the service.

        Args:
            store: where the links are; the agents have the same one. It is open.
            vault: where goes what is granted; it seals with the same keys in every process.
            identity: how the user of a browser is known (URL-13).
            providers: what can be connected, by name (`providers.by_name`).
            base_url: where browsers find it, such as `https://agent.example/connect`; a path may be
                in it. Each provider is to know `BASE_URL/callback/NAME` as the redirect URI.
            http: what providers are spoken to with, which stays the caller's to close; by default
                one of its own (`aclose`).
            clock: the time in milliseconds since 1970.

        Raises:
            NotSafeHere: `identity` does not hold at this address (URL-13), or it is neither https
                nor on this machine.
        """
        base_url = base_url.rstrip("/")
        check_base_url(base_url)
        identity.check_address(urlsplit(base_url).hostname or "")
        self._place = Place(
            store=store,
            vault=vault,
            identity=identity,
            providers=providers,
            cookies=Cookies(vault.sealer, base_url=base_url),
            base_url=base_url,
            clock=clock,
        )
        self._own_http: httpx2.AsyncClient | None = None
        if http is None:
            http = self._own_http = provider_http()
        self._coming_back = ComingBack(self._place, http)
        self._reporting = Reporting(self._place)
        self._app = Gate(Router(routes=self._routes(), redirect_slashes=False), base_url=base_url)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Take one request, mounted at the path of the base URL or alone."""
        base = self._place.path
        alone = scope["type"] == "http" and not scope.get("root_path", "").endswith(base)
        if base and alone and scope["path"].startswith(f"{base}/"):
            scope = {**scope, "root_path": base}
        await self._app(scope, receive, send)

    def link_url(self, link_id: ElicitationId) -> str:
        """Return the address of the page of a link: nothing in it but the opaque id (URL-9)."""
        return f"{self._place.base_url}/link/{link_id}"

    async def aclose(self) -> None:
        """Close the client of its own, if it has made one; it may be called more than once.

        What the service was given stays open: `http`, the store, and `identity`, which whoever made
        it closes. From here on, to the service, every provider is one that cannot be reached.
        """
        if self._own_http is not None:
            await self._own_http.aclose()

    def _routes(self) -> list[BaseRoute]:
        at = "/link/{link_id}"
        return [
            Route(at, self._kept(self._show), methods=["GET"]),
            Route(f"{at}/begin", self._kept(self._begin), methods=["POST"]),
            Route(f"{at}/refuse", self._kept(self._refuse), methods=["POST"]),
            Route(f"{at}/end", self._kept(self._end), methods=["GET"]),
            Route("/callback/{provider}", self._kept(self._coming_back.callback), methods=["GET"]),
            Route(REPORTS + "{provider}", self._kept(self._reporting.report), methods=["POST"]),
            Route("/static/{name}", _send_static, methods=["GET"]),
            *self._place.identity.routes(self._place.base_url),
        ]

    def _kept(self, handler: _Handler) -> _Handler:
        """Return a handler that says so where the store is away: nothing was lost by that."""

        async def keeping(request: Request) -> Response:
            try:
                return await handler(request)
            except StoreUnavailable as error:
                _log.error("%s", error)
                return answer(self._place, NO_STORE)

        return keeping

    # --- the page of a link -----------------------------------------------------------------------

    async def _show(self, request: Request) -> Response:
        link = await visit(self._place, request)
        if isinstance(link, Response):
            return link
        return self._ask(request, link)

    def _ask(self, request: Request, link: StoredLink, problem: str = "") -> Response:
        if link.ended:
            return answer(self._place, ending_of(link))
        cookies = self._place.cookies
        response = HTMLResponse(status_code=422 if problem else 200)
        browser = cookies.of_browser(request) or cookies.greet(response)
        details, provider = self._wanted(link)
        page = render_asked(
            Asked(
                base=self._place.path,
                here=self._place.here(link.id),
                token=cookies.token(browser, link.id),
                details=details,
                provider=provider,
                problem=problem,
            )
        )
        response.body = response.render(page)
        response.headers["content-length"] = str(len(response.body))
        return response

    def _wanted(self, link: StoredLink) -> tuple[LinkDetails, Provider]:
        """Return what the link is for.

        Raises:
            VaultError: it was made for a provider that this service was not given.
        """
        details = read_details(link.details)
        provider = self._place.providers.get(details.provider)
        if provider is None:
            raise VaultError("a link is for a provider that this service was not given")
        return details, provider

    # --- what is posted there ---------------------------------------------------------------------

    async def _begin(self, request: Request) -> Response:
        posted = await self._take(request)
        if isinstance(posted, Response):
            return posted
        link, fields = posted
        details, provider = self._wanted(link)
        try:
            match provider:
                case OAuthProvider():
                    return await self._coming_back.send_away(request, link, provider, details)
                case Callback():
                    return await self._reporting.send_away(request, link, provider)
                case SecretEntry():
                    problem = await enter(self._place, link, provider, fields.get("secret", ""))
                    if problem is not None:
                        return self._ask(request, link, problem)
        except (LinkEnded, LinkClaimed, UnknownLink):
            pass  # it has ended, or another page of it was faster: the end says how
        response = leave(self._place, link.id)
        self._place.identity.remember(request, link, response)
        return response

    async def _refuse(self, request: Request) -> Response:
        posted = await self._take(request)
        if isinstance(posted, Response):
            return posted
        link, _ = posted
        with suppress(LinkEnded, LinkClaimed, UnknownLink):
            await self._place.store.fail(link.id, reason=Reason.DENIED.value)
        return leave(self._place, link.id)

    async def _end(self, request: Request) -> Response:
        link = await visit(self._place, request)
        if isinstance(link, Response):
            return link
        return answer(self._place, ending_of(link)) if link.ended else self._ask(request, link)

    async def _take(self, request: Request) -> tuple[StoredLink, dict[str, str]] | Response:
        """Return the link that a form of its own page was posted for, and what was in the form."""
        link = await visit(self._place, request)
        if isinstance(link, Response):
            return link
        body = (await request.body()).decode("ascii", "replace")
        try:
            found = parse_qs(body, keep_blank_values=True, max_num_fields=8)
        except ValueError:
            return PlainTextResponse("413\n", 413)
        fields = {name: values[-1] for name, values in found.items()}
        if not self._place.cookies.knows(fields.get("token", ""), request, link.id):
            return answer(self._place, NO_COOKIE)
        if link.ended:
            return leave(self._place, link.id)
        return link, fields


def check_base_url(url: str) -> None:
    """Return where a service may have this address: https, or http on this machine.

    Raises:
        NotSafeHere: it may not, with what to do.
    """
    parts = urlsplit(url)
    if parts.scheme not in ("https", "http") or not parts.hostname or parts.query or parts.fragment:
        raise NotSafeHere(
            "the base URL of the connect service is an absolute https URL without a query"
        )
    # `Host`, `Origin` and redirect URIs are compared with it letter by letter.
    unsaid = ":443" if parts.scheme == "https" else ":80"
    if not _AS_BROWSERS_SAY.fullmatch(url) or parts.netloc.endswith(unsaid):
        raise NotSafeHere(
            "the base URL of the connect service has to be as browsers say it: the host in lower "
            "case, no user, no port that goes without saying, plain letters in the path"
        )
    if parts.scheme == "http" and not is_loopback(parts.hostname):
        raise NotSafeHere(
            "the base URL of the connect service is http, which others can read and change on the "
            "way; serve it with https; only this machine itself needs none"
        )


async def _send_static(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in STATIC_FILES or name == "page.js":  # these pages have no script
        return PlainTextResponse("404\n", 404)
    return Response(read_static(name), media_type=STATIC_FILES[name])

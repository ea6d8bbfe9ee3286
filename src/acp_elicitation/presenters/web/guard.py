"""Who may speak to the server of the page: one browser of this machine's user, and nobody else.

Owns: every check of a request that needs no knowledge of questions, and the headers of every
answer. Knows nothing of: pages, questions, and the tokens in their forms (see `app`).
Above it: `app`. Below it: `origin`, `text.html`.

Any program and any web page can send requests to a port of this machine. What keeps them out:

- `Host` names this machine, so that no name of a stranger's leads here (DNS rebinding);
- the path begins with a secret of this run;
- a cookie, given to the browser that came first: who reads the address later, in a list of
  processes or over a shoulder, gets nothing with it;
- what is posted comes from a page of ours, by `Origin` and `Sec-Fetch-Site`.
"""

import secrets
from collections.abc import Collection, Iterator, Mapping
from types import MappingProxyType

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.responses import HTMLResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from acp_elicitation.presenters.web.origin import (
    plain_answer,
    read_posted,
    refuse_ambiguous,
    refuse_fetched,
    refuse_method,
    refuse_posted,
)
from acp_elicitation.text.html import element
from acp_elicitation.text.language import tr

__all__ = ["HEADERS", "MOST_POSTED", "Guard"]

MOST_POSTED = 4_000_000
"""Bytes of what a form posts."""

HEADERS: Mapping[str, str] = MappingProxyType(
    {
        "Content-Security-Policy": (
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
            "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
        ),
        # Not `no-referrer`: with that, browsers say of their own forms that they come from nowhere
        # (`Origin: null`). To other servers nothing is sent either way (URL-10).
        "Referrer-Policy": "same-origin",
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
        "X-DNS-Prefetch-Control": "off",
        "Cache-Control": "no-store",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Origin-Agent-Cluster": "?1",
        "Permissions-Policy": (
            "camera=(), clipboard-read=(), display-capture=(), geolocation=(), microphone=(), "
            "payment=(), usb=()"
        ),
    }
)
"""What every answer says to the browser, whatever it is an answer to."""


class Guard:
    """Lets requests through to an application, or answers them itself."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        base: str,
        origins: Collection[str],
        cookie: str,
        most_posted: int = MOST_POSTED,
    ) -> None:
        """Guard `app`.

        Args:
            app: gets what is let through.
            base: the path under which it is reached, with the secret at its end.
            origins: where the page is, as a browser writes it: `http://127.0.0.1:8000`.
            cookie: the name of the cookie, one that no other run uses.
            most_posted: bytes.
        """
        self._app = app
        self._base = base.encode()
        self._origins = frozenset(origins)
        self._hosts = frozenset(origin.partition("://")[2] for origin in origins)
        self._cookie = cookie
        self._key = secrets.token_urlsafe(32)
        self._is_taken = False
        self._most_posted = most_posted

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Take one request. WebSockets are refused."""
        if scope["type"] != "http":
            if scope["type"] == "websocket":
                await send({"type": "websocket.close", "code": 1008})
            return
        headers = Headers(scope=scope)
        refused = self._refuse(scope, headers)
        given: str | None = None
        if refused is None and not self._knows(headers):
            if self._may_claim(scope, headers):
                self._is_taken = True
                given = self._key
            else:
                refused = self._send_away()
        if refused is not None:
            await refused(scope, receive, self._with_headers(send))
        elif scope["method"] == "POST":
            await self._pass_on_posted(scope, receive, self._with_headers(send, given))
        else:
            await self._app(scope, receive, self._with_headers(send, given))

    # --- what is let through ----------------------------------------------------------------------

    def _refuse(self, scope: Scope, headers: Headers) -> Response | None:
        status = refuse_ambiguous(headers)
        if status is None and headers.get("host") not in self._hosts:
            status = 403
        if status is None and not self._is_below_base(scope["path"]):
            status = 404
        if status is None:
            status = refuse_method(scope) or self._refuse_page_elsewhere(scope, headers)
        return None if status is None else plain_answer(status)

    def _refuse_page_elsewhere(self, scope: Scope, headers: Headers) -> int | None:
        if scope["method"] == "POST":
            return refuse_posted(headers, origins=self._origins, most=self._most_posted)
        return refuse_fetched(headers)

    def _is_below_base(self, path: str) -> bool:
        sent = path.encode("utf-8", "replace")
        start, rest = sent[: len(self._base)], sent[len(self._base) :]
        return secrets.compare_digest(start, self._base) and rest[:1] == b"/"

    def _knows(self, headers: Headers) -> bool:
        """Whether this is the browser that came first."""
        expected = self._key.encode()
        sent = [value.encode("utf-8", "replace") for value in _cookies(headers, self._cookie)]
        return any(secrets.compare_digest(value, expected) for value in sent)

    def _may_claim(self, scope: Scope, headers: Headers) -> bool:
        """Whether the page is this browser's from now on: it opens a page, and is the first."""
        wants_page = "text/html" in headers.get("accept", "")
        return not self._is_taken and scope["method"] == "GET" and wants_page

    def _send_away(self) -> Response:
        """Tell a browser that is not the first one. Nothing of any question is in it."""
        why = tr(
            "This page was opened in another browser first, and works only there. If this is "
            "that browser: it came here from another site, or keeps no cookies."
        )
        again = element("a", {"href": f"{self._base.decode()}/"}, tr("Try again"))
        page = element(
            "html",
            {},
            element("head", {}, element("title", {}, "acp-elicit")),
            element("body", {}, element("p", {}, why), element("p", {}, again)),
        )
        return HTMLResponse(f"<!doctype html>\n{page}", 403)

    # --- passing on -------------------------------------------------------------------------------

    async def _pass_on_posted(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            posted = await read_posted(receive, most=self._most_posted)
        except ClientDisconnect:
            return
        if isinstance(posted, int):
            await plain_answer(posted)(scope, receive, send)
        else:
            await self._app(scope, posted, send)

    def _with_headers(self, send: Send, given: str | None = None) -> Send:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(HEADERS)
                if given is not None:
                    path = self._base.decode()
                    kept = f"{self._cookie}={given}; Path={path}; HttpOnly; SameSite=Strict"
                    headers.append("Set-Cookie", kept)
            await send(message)

        return send_with_headers


def _cookies(headers: Headers, name: str) -> Iterator[str]:
    for header in headers.getlist("cookie"):
        for pair in header.split(";"):
            key, _, value = pair.strip().partition("=")
            if key == name:
                yield value

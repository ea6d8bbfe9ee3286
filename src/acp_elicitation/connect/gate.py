"""What no page of the service has to care for: foreign hosts, foreign forms, headers, size.

Owns: the checks of a request that need no knowledge of links, and the headers of every answer.
Knows nothing of: links, users, providers. Above it: `service`. Below it: `presenters.web.origin`
and the headers of `presenters.web.guard`.
"""

import logging
from collections.abc import Awaitable, Callable
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from acp_elicitation.presenters.web.guard import HEADERS
from acp_elicitation.presenters.web.origin import (
    plain_answer,
    read_posted,
    refuse_ambiguous,
    refuse_fetched,
    refuse_method,
    refuse_posted,
)

__all__ = ["MOST_POSTED", "REPORTS", "Gate"]

MOST_POSTED = 64 * 1024
"""Bytes of what a form, or a report, posts."""

REPORTS = "/report/"
"""Below it other servers post, which are no browsers: what they say is signed."""

_log = logging.getLogger(__name__)


class Gate:
    """Lets requests through to an application, or answers them itself."""

    def __init__(self, app: ASGIApp, *, base_url: str) -> None:
        self._app = app
        parts = urlsplit(base_url)
        self._host = parts.netloc
        self._origin = f"{parts.scheme}://{parts.netloc}"
        self._secure = parts.scheme == "https"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Take one request. WebSockets are refused."""
        if scope["type"] != "http":
            if scope["type"] == "websocket":
                await send({"type": "websocket.close", "code": 1008})
            return
        answer = self._with_headers(send)
        try:
            await self._pass_on(scope, receive, answer)
        except ClientDisconnect:
            return
        except Exception as error:
            # Its text may quote a user or a provider, and nobody but the log is told of its kind.
            _log.error("a request to the connect service failed with %s", type(error).__name__)
            await answer.unless_begun(plain_answer(500), scope, receive)

    async def _pass_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        status = self._refuse(scope, headers)
        if status is not None:
            await plain_answer(status)(scope, receive, send)
            return
        if scope["method"] == "POST":
            posted = await read_posted(receive, most=MOST_POSTED)
            if isinstance(posted, int):
                await plain_answer(posted)(scope, receive, send)
                return
            receive = posted
        await self._app(scope, receive, send)

    def _refuse(self, scope: Scope, headers: Headers) -> int | None:
        status = refuse_ambiguous(headers) or refuse_method(scope)
        if status is None and headers.get("host") != self._host:
            status = 403  # a name of a stranger's that leads here (DNS rebinding)
        if status is not None:
            return status
        if scope["method"] != "POST":
            return refuse_fetched(headers)
        if scope["path"].removeprefix(scope.get("root_path", "")).startswith(REPORTS):
            return None
        return refuse_posted(headers, origins=[self._origin], most=MOST_POSTED)

    def _with_headers(self, send: Send) -> "_Answer":
        return _Answer(send, self._secure)


class _Answer:
    """Sends an answer with the headers that every answer has."""

    def __init__(self, send: Callable[[Message], Awaitable[None]], secure: bool) -> None:
        self._send = send
        self._secure = secure
        self._has_begun = False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._has_begun = True
            headers = MutableHeaders(scope=message)
            headers.update(HEADERS)
            if self._secure:
                headers["Strict-Transport-Security"] = "max-age=31536000"
        await self._send(message)

    async def unless_begun(self, response: Response, scope: Scope, receive: Receive) -> None:
        if not self._has_begun:
            await response(scope, receive, self)

"""The page as a web application: what is read, and what is posted, at which address.

Owns: the addresses below the secret path, and the answer to each request.
Knows nothing of: sockets, who may send a request (see `guard`), and how anything looks.
Above it: `server`, any ASGI server or host. Below it: `guard`, `presenter`, Starlette's router.

All that a page does without a script works by posting a form and being sent back to the page.
"""

import contextlib
import logging
import secrets
from collections.abc import Collection
from urllib.parse import parse_qs

from starlette.requests import ClientDisconnect, Request
from starlette.responses import (
    HTMLResponse,
    JSONResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
    StreamingResponse,
)
from starlette.routing import Route, Router
from starlette.types import ASGIApp, Receive, Scope, Send

from acp_elicitation.client.prompts import LinkPrompt
from acp_elicitation.presenters.web.guard import Guard
from acp_elicitation.presenters.web.link import render_departure
from acp_elicitation.presenters.web.presenter import WebPresenter
from acp_elicitation.presenters.web.questions import Posted, Question
from acp_elicitation.presenters.web.shell import STATIC_FILES, read_static

__all__ = ["web_app"]

_MOST_FIELDS = 20_000
_log = logging.getLogger(__name__)


def web_app(presenter: WebPresenter, *, origins: Collection[str]) -> ASGIApp:
    """Return an ASGI application that serves the page of `presenter`, under `desk.base`.

    `origins` are where a browser finds it, such as `http://127.0.0.1:8000`: requests that name
    another host are refused. To mount it in an application of yours, give the desk the prefix of
    the mount. The page belongs to the browser that opens it first.
    """
    desk = presenter.desk
    routes = _Routes(presenter).routes(f"/{desk.secret}")
    cookie = f"acp-elicit-{secrets.token_hex(8)}"
    router = Router(routes=routes, redirect_slashes=False)
    return _unfailing(Guard(router, base=desk.base, origins=origins, cookie=cookie))


class _Routes:
    def __init__(self, presenter: WebPresenter) -> None:
        self._presenter = presenter
        self._desk = presenter.desk

    def routes(self, base: str) -> list[Route]:
        return [
            Route(f"{base}/", self._show, methods=["GET"]),
            Route(f"{base}/events", self._stream, methods=["GET"]),
            Route(f"{base}/static/{{name}}", self._send_static, methods=["GET"]),
            Route(f"{base}/q/{{id}}", self._show_question, methods=["GET"]),
            Route(f"{base}/q/{{id}}", self._take_answer, methods=["POST"]),
            Route(f"{base}/q/{{id}}/draft", self._save_draft, methods=["POST"]),
            Route(f"{base}/{{action}}", self._act, methods=["GET", "POST"]),
        ]

    # --- reading ----------------------------------------------------------------------------------

    async def _show(self, request: Request) -> Response:
        return HTMLResponse(await self._draw(self._presenter.questions.current))

    async def _draw(self, question: Question | None) -> str:
        if question is None:
            return self._desk.page()
        presenter = self._presenter
        return presenter.page_with(await question.draw(presenter.draw))

    async def _stream(self, request: Request) -> Response:
        sent = request.headers.get("last-event-id") or request.query_params.get("after", "")
        after = int(sent) if sent.isascii() and sent.isdigit() and len(sent) < 10 else None
        stream = self._desk.events.stream(after)
        return StreamingResponse(stream, media_type="text/event-stream")

    async def _send_static(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in STATIC_FILES:
            return _not_found()
        return Response(read_static(name), media_type=STATIC_FILES[name])

    async def _show_question(self, request: Request) -> Response:
        found = self._presenter.questions.find(request.path_params["id"])
        match found:
            case None:
                return _not_found()
            case Question():
                return HTMLResponse(await self._draw(found))
            case ending:
                return HTMLResponse(self._presenter.page_of(ending))

    # --- posting ----------------------------------------------------------------------------------

    async def _take_answer(self, request: Request) -> Response:
        data = await self._read(request)
        if isinstance(data, Response):
            return data
        question = self._presenter.questions.find(request.path_params["id"])
        if question is None:
            return _not_found()
        here = self._back(f"q/{request.path_params['id']}")
        if not isinstance(question, Question) or not question.is_open:
            return here  # nothing of the answer is kept
        if not await question.take(data):
            return await self._show_problems(question, data)
        if isinstance(question.prompt, LinkPrompt) and question.is_accepted:
            return self._depart(question.prompt)
        return here

    async def _show_problems(self, question: Question, data: Posted) -> Response:
        """Show the form once more, with all that was typed, and what is wrong with it."""
        presenter = self._presenter
        asked = await question.draw(lambda: presenter.draw_question(question, show_problems=True))
        if not question.is_open:
            return self._back(f"q/{question.id}")
        return HTMLResponse(presenter.page_with(asked), 422)

    def _depart(self, prompt: LinkPrompt) -> Response:
        """Answer a consent, which was posted in a new tab: that tab goes on to the address.

        A redirect would do as well, but for the browsers that hold it against `form-action`.
        """
        return HTMLResponse(self._desk.page_beside(render_departure(prompt), go_to=prompt))

    async def _save_draft(self, request: Request) -> Response:
        data = await self._read(request)
        if isinstance(data, Response):
            return data
        question = self._presenter.questions.find(request.path_params["id"])
        if not isinstance(question, Question):
            return JSONResponse({"problems": {}}, 404 if question is None else 410)
        return JSONResponse({"problems": await question.save(data)})

    async def _act(self, request: Request) -> Response:
        if request.method != "POST":
            return _not_found()
        data = await self._read(request)
        if isinstance(data, Response):
            return data
        action = self._desk.actions.get(request.path_params["action"])
        if action is None:
            return _not_found()
        await action(data)
        return self._back("")

    async def _read(self, request: Request) -> dict[str, list[str]] | Response:
        """Return what was posted, or the answer where it comes from no form of this page."""
        body = (await request.body()).decode("ascii", "replace")
        try:
            data = parse_qs(body, keep_blank_values=True, max_num_fields=_MOST_FIELDS)
        except ValueError:
            return PlainTextResponse("413\n", 413)
        sent = "".join(data.pop("token", ())).encode("utf-8", "replace")
        if not secrets.compare_digest(sent, self._desk.token.encode()):
            return PlainTextResponse("403\n", 403)
        return data

    def _back(self, place: str) -> Response:
        """Send the browser on to read a page, so that reloading it posts nothing again."""
        landing = f"#{self._desk.landing}" if self._desk.landing else ""
        return RedirectResponse(f"{self._desk.base}/{place}{landing}", 303)


def _not_found() -> Response:
    return PlainTextResponse("404\n", 404)


def _unfailing(app: ASGIApp) -> ASGIApp:
    """Return `app` without its exceptions: their texts may quote the user, and nobody logs them."""

    async def unfailing(scope: Scope, receive: Receive, send: Send) -> None:
        try:
            with contextlib.suppress(ClientDisconnect):
                await app(scope, receive, send)
        except Exception as error:
            _log.error("a request to the page failed with %s", type(error).__name__)

    return unfailing

"""A page on this machine where the demo's user approves something: the outside part of a link.

Owns: the little web server behind the link, on a free port of the loopback interface.
Knows nothing of: elicitation, and what is approved. Above it: `agent`. Below it: asyncio.
"""

import asyncio
import secrets
from collections.abc import Callable
from types import TracebackType
from typing import Self

__all__ = ["ApprovalPage"]

_LONGEST_HEAD = 16_384
_PATIENCE = 10.0
"""Seconds for a browser to send its request."""

_PAGE = """\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Demo: {title}</title>
<style>body {{ font: 1.2rem/1.5 sans-serif; max-width: 34rem; margin: 3rem auto; padding: 0 1rem }}
button {{ font: inherit; padding: .5rem 1rem }}</style>
<h1>{title}</h1>
{body}
</html>
"""
_ASK = _PAGE.format(
    title="Connect the repository",
    body="""\
<p>The demo agent of acp-elicitation asks to connect your new project to a repository.
Nothing is connected in truth: this page stands on your own machine.</p>
<form method="post"><button autofocus>Approve</button></form>""",
)
_THANKS = _PAGE.format(
    title="Approved",
    body="<p>Close this page and go back to the terminal: the agent knows already.</p>",
)
_MISSING = _PAGE.format(title="No such page", body="<p>Open the link as the agent gave it.</p>")


class ApprovalPage:
    """Serves the page for the length of an `async with` block."""

    def __init__(self, on_approval: Callable[[], None]) -> None:
        """Call `on_approval` once, when the button was pressed."""
        self._on_approval = on_approval
        self._approved = False
        # Whoever can open the page can approve: only the holder of the link finds it.
        self._path = f"/connect/{secrets.token_urlsafe(16)}"
        self._server: asyncio.Server | None = None

    @property
    def url(self) -> str:
        """The address of the page, while it is served."""
        assert self._server is not None, "the page is served within `async with`"
        port = self._server.sockets[0].getsockname()[1]
        return f"http://127.0.0.1:{port}{self._path}"

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, limit=_LONGEST_HEAD)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        assert self._server is not None
        self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(_PATIENCE):
                head = await reader.readuntil(b"\r\n\r\n")
                writer.write(self._respond(head))
                await writer.drain()
        except (TimeoutError, OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass  # no browser does this; whoever does gets no answer
        finally:
            writer.close()

    def _respond(self, head: bytes) -> bytes:
        method, _, rest = head.decode("latin-1").partition(" ")
        target = rest.partition(" ")[0]
        if target != self._path:
            return _response("404 Not Found", _MISSING)
        match method:
            case "GET":
                return _response("200 OK", _THANKS if self._approved else _ASK)
            case "POST":
                if not self._approved:
                    self._approved = True
                    self._on_approval()
                return _response("200 OK", _THANKS)
            case _:
                return _response("405 Method Not Allowed", _MISSING)


def _response(status: str, page: str) -> bytes:
    body = page.encode()
    head = (
        f"HTTP/1.1 {status}\r\n"
        "Content-Type: text/html; charset=utf-8\r\n"
        f"Content-Length: {len(body)}\r\n"
        "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; "
        "form-action 'self'; frame-ancestors 'none'\r\n"
        "Referrer-Policy: no-referrer\r\n"
        "Cache-Control: no-store\r\n"
        "Connection: close\r\n"
        "\r\n"
    )
    return head.encode("ascii") + body

"""The pages of `presenters.web` in a browser, with a server that the test plays itself.

Owns: answering the browser's requests by what a test says, under the policy that the pages are made
for, and what was posted. Knows nothing of: the real server.
Above it: the tests of the pages' script. Below it: `tests.serving`, `presenters.web`.
"""

import asyncio
import contextlib
import json
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs

from playwright.async_api import Page

from acp_elicitation.presenters.web.shell import STATIC_FILES, read_static, render_page
from acp_elicitation.text.html import Html, element
from tests.browser.visit import Visit
from tests.serving import serving

__all__ = ["Served", "served"]

_POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_LENGTH = re.compile("content-length: ([0-9]+)", re.IGNORECASE)
_Post = tuple[str, dict[str, list[str]]]


@dataclass(eq=False)
class Served:
    """A server of pages, and what came back from them."""

    main: Html = field(default_factory=Html)
    """What the page shows, in an element with the id `region`."""
    posts: asyncio.Queue[_Post] = field(default_factory=asyncio.Queue)
    """The path and the data of all that was posted."""
    problems: dict[str, list[str]] = field(default_factory=dict)
    """What the server finds wrong with a draft."""
    address: str = ""
    _streams: asyncio.Queue[asyncio.StreamWriter] = field(default_factory=asyncio.Queue)

    async def show(self, visit: Visit, main: Html) -> Page:
        """Open a page that shows `main`."""
        self.main = main
        return await visit.open(f"{self.address}/b/")

    async def tell(self, **change: Any) -> None:
        """Tell the page that listens that something has changed."""
        async with asyncio.timeout(5):
            stream = await self._streams.get()
        stream.write(f"event: changed\ndata: {json.dumps(change)}\n\n".encode())
        await stream.drain()
        self._streams.put_nowait(stream)

    async def next_post(self) -> _Post:
        """Return the path and the data of the next thing that was posted."""
        async with asyncio.timeout(5):
            return await self.posts.get()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one request."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        method, path, _ = head.split(" ", 2)
        length = _LENGTH.search(head)
        body = await reader.readexactly(int(length[1]) if length else 0)
        name = path.removeprefix("/b/static/")
        if method == "POST":
            self.posts.put_nowait((path, parse_qs(body.decode(), keep_blank_values=True)))
            if path.endswith("/draft"):
                problems = json.dumps({"problems": self.problems}).encode()
                await _answer(writer, "application/json", problems)
            else:
                await _answer(writer, "text/html", b"<!doctype html><p id=done>done")
        elif path.partition("?")[0] == "/b/events":
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
            await writer.drain()
            self._streams.put_nowait(writer)
            await reader.read()
        elif name in STATIC_FILES:
            await _answer(writer, STATIC_FILES[name], read_static(name))
        else:
            region = element("div", {"id": "region"}, self.main)
            await _answer(writer, "text/html", render_page("Ada", region, base="/b").encode())


async def _answer(writer: asyncio.StreamWriter, kind: str, body: bytes) -> None:
    head = (
        "HTTP/1.1 200 OK",
        f"Content-Type: {kind}",
        f"Content-Security-Policy: {_POLICY}",
        f"Content-Length: {len(body)}",
        "Connection: close",
    )
    writer.write("\r\n".join((*head, "", "")).encode() + body)
    await writer.drain()


@contextlib.asynccontextmanager
async def served() -> AsyncIterator[Served]:
    """Have such a server for the length of the block."""
    server = Served()
    async with serving(server.serve) as port:
        server.address = f"http://127.0.0.1:{port}"
        yield server

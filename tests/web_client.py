"""A browser without a screen: raw HTTP over a real socket, its cookies, and the forms of a page.

Owns: what a browser sends, and can be made to send by an attacker. Knows nothing of: scripts.
Above it: the tests of the web server. Below it: `tests.posting`, asyncio.
"""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode, urlsplit

from selectolax.lexbor import LexborNode

from tests.posting import fill, posted, read_page

__all__ = ["Answer", "Client", "Stream", "found"]

_LIMIT = 10.0


def found(markup: str, selector: str) -> LexborNode:
    """The first element that the selector names; there has to be one."""
    node = read_page(markup).css_first(selector)
    assert node is not None, selector
    return node


@dataclass(frozen=True)
class Answer:
    """What the server answered."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def place(self) -> str:
        """Where it sends the browser, without the place within the page."""
        return self.headers["location"].partition("#")[0]


class Stream:
    """The events that a tab gets."""

    def __init__(self, reader: asyncio.StreamReader) -> None:
        self._reader = reader
        self._buffer = b""

    async def block(self) -> str:
        """The next block of lines, whatever it is; empty at the end of the stream."""
        async with asyncio.timeout(_LIMIT):
            while b"\n\n" not in self._buffer:
                size = await self._reader.readline()
                if not size.strip():
                    if not size:
                        return ""
                    continue
                piece = await self._reader.readexactly(int(size, 16) + 2)
                if int(size, 16) == 0:
                    return ""
                self._buffer += piece[:-2]
        block, _, self._buffer = self._buffer.partition(b"\n\n")
        return block.decode()

    async def change(self) -> tuple[int, dict[str, Any]]:
        """The number and the content of the next change."""
        while not (block := await self.block()).startswith("id: "):
            assert block, "the stream has ended"
        number, event, data = block.split("\n")
        assert event == "event: changed"
        return int(number.removeprefix("id: ")), json.loads(data.removeprefix("data: "))


@dataclass
class Client:
    """One browser."""

    address: str
    cookie: str = ""
    accept: str = "text/html"
    sent: dict[str, str] = field(default_factory=dict)
    """Headers that replace those of a browser; an empty one is left out."""

    @property
    def host(self) -> str:
        return urlsplit(self.address).netloc

    @property
    def base(self) -> str:
        """The path of the page, without a slash at its end."""
        return urlsplit(self.address).path.removesuffix("/")

    async def get(self, place: str = "/", **headers: str) -> Answer:
        """Read a page; `place` comes after the secret."""
        return await self.request("GET", f"{self.base}{place}", b"", headers)

    async def post(self, place: str, data: Mapping[str, Any], **headers: str) -> Answer:
        """Post data as a form of the page does."""
        return await self.post_body(place, urlencode(data, doseq=True).encode(), **headers)

    async def post_body(self, place: str, body: bytes, **headers: str) -> Answer:
        """Post bytes."""
        own = {
            "Origin": f"http://{self.host}",
            "Content-Type": "application/x-www-form-urlencoded",
            "Content-Length": str(len(body)),
        }
        own.update({name.replace("_", "-"): value for name, value in headers.items()})
        return await self.request("POST", f"{self.base}{place}", body, own)

    async def submit(self, page: Answer, do: str, *, form: str = "", **typed: str) -> Answer:
        """Type into the controls of a page's question, and press the button `do`."""
        tree = read_page(page.text)
        for name, text in typed.items():
            fill(tree, f"question-{name}", text)
        chosen = form or ("question-no" if do in ("decline", "cancel") else "question-yes")
        data = posted(tree, chosen, do)
        action = found(page.text, f"#{chosen}").attributes["action"]
        assert action is not None
        return await self.post(action.removeprefix(self.base), data)

    async def follow(self, answer: Answer) -> Answer:
        """Read the page that the server sends the browser to."""
        assert answer.status == 303, answer
        return await self.get(answer.place.removeprefix(self.base))

    async def request(
        self, method: str, target: str, body: bytes, headers: Mapping[str, str]
    ) -> Answer:
        own = {
            "Host": self.host,
            "Accept": self.accept,
            "Sec-Fetch-Site": "same-origin",
            "Sec-Fetch-Mode": "navigate",
            "Cookie": self.cookie,
        }
        own |= {name.replace("_", "-"): value for name, value in headers.items()} | self.sent
        lines = [f"{name}: {value}" for name, value in own.items() if value]
        head = "\r\n".join([f"{method} {target} HTTP/1.1", *lines, "Connection: close", "", ""])
        answer = await self.raw(head.encode() + body)
        if "set-cookie" in answer.headers:
            self.cookie = answer.headers["set-cookie"].partition(";")[0]
        return answer

    async def raw(self, sent: bytes) -> Answer:
        """Send these bytes, and return the answer to them."""
        async with asyncio.timeout(_LIMIT), self._connected() as (reader, writer):
            writer.write(sent)
            with contextlib.suppress(ConnectionError):
                await writer.drain()
            head = await reader.readuntil(b"\r\n\r\n")
            first, *lines = head.decode("latin-1").strip().split("\r\n")
            pairs = [line.split(": ", 1) for line in lines]
            headers = {name.lower(): value for name, value in pairs}
            length = headers.get("content-length")
            body = await (reader.read() if length is None else reader.readexactly(int(length)))
            return Answer(int(first.split(" ")[1]), headers, body)

    @contextlib.asynccontextmanager
    async def listening(self, after: int | None = None, **headers: str) -> AsyncIterator[Stream]:
        """Listen to the events of the page."""
        place = f"{self.base}/events" + ("" if after is None else f"?after={after}")
        own = {"Host": self.host, "Cookie": self.cookie} | {
            name.replace("_", "-"): value for name, value in headers.items()
        }
        lines = "".join(f"{name}: {value}\r\n" for name, value in own.items())
        async with self._connected() as (reader, writer):
            writer.write(f"GET {place} HTTP/1.1\r\n{lines}\r\n".encode())
            async with asyncio.timeout(_LIMIT):
                head = await reader.readuntil(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 200"), head
            assert b"text/event-stream" in head
            yield Stream(reader)

    @contextlib.asynccontextmanager
    async def _connected(self) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
        address = urlsplit(self.address)
        reader, writer = await asyncio.open_connection(address.hostname, address.port)
        try:
            yield reader, writer
        finally:
            writer.close()
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()

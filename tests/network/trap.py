"""The host behind a link: it notes whoever knocks, and answers with a page."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable

__all__ = ["ADDRESS", "Trap", "listening_trap"]

ADDRESS = "127.0.0.2"
"""An address of this machine that nothing else uses: Linux answers on all of 127.0.0.0/8."""

_PAGE = (
    b"<!doctype html><html lang=en><title>The page behind the link</title>"
    b"<link rel=icon href='data:,'><h1>The page behind the link</h1>"
)
_LIMIT = 20.0


class Trap:
    """What was asked of it so far."""

    def __init__(self) -> None:
        self.port = 0
        self.connections = 0
        """How many connections were made, be it that nothing was asked on them."""
        self.requests: list[str] = []
        """The first line of each request."""
        self.headers: list[dict[str, str]] = []
        """The headers of each request, by their names in lower case."""
        self._more = asyncio.Event()

    async def connected(self, count: int = 1) -> None:
        """Return when there were this many connections."""
        await self._until(lambda: self.connections >= count)

    async def requested(self) -> None:
        """Return when there was a request."""
        await self._until(lambda: bool(self.requests))

    async def _until(self, holds: Callable[[], bool]) -> None:
        async with asyncio.timeout(_LIMIT):
            while not holds():
                self._more.clear()
                await self._more.wait()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one request."""
        self.connections += 1
        self._more.set()
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            first, *lines = head.strip().split("\r\n")
            self.requests.append(first)
            split = (line.partition(":") for line in lines)
            self.headers.append({name.lower(): value.strip() for name, _, value in split})
            self._more.set()
            writer.write(
                b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n"
                b"Content-Length: %d\r\n\r\n%s" % (len(_PAGE), _PAGE)
            )
            await writer.drain()
        writer.close()


@contextlib.asynccontextmanager
async def listening_trap(address: str = ADDRESS) -> AsyncIterator[Trap]:
    """Listen for the length of the block, on a port of its own."""
    trap = Trap()
    server = await asyncio.start_server(trap.serve, address, 0)
    async with server:
        trap.port = server.sockets[0].getsockname()[1]
        yield trap

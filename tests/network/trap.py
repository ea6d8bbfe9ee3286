"""The host behind a link: it notes whoever knocks, and answers with a page."""

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator, Callable

from tests.serving import answer, serving

__all__ = ["Trap", "listening_trap"]

_PAGE = (
    b"<!doctype html><html lang=en><title>The page behind the link</title>"
    b"<link rel=icon href='data:,'><h1>The page behind the link</h1>"
)
_LIMIT = 20.0


class Trap:
    """What was asked of it so far."""

    def __init__(self) -> None:
        # Nothing else uses it: Linux answers on all of 127.0.0.0/8.
        self.address = f"127.{random.randrange(1, 255)}.{random.randrange(256)}.2"
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
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        first, *lines = head.strip().split("\r\n")
        self.requests.append(first)
        split = (line.partition(":") for line in lines)
        self.headers.append({name.lower(): value.strip() for name, _, value in split})
        self._more.set()
        await answer(writer, _PAGE)


@contextlib.asynccontextmanager
async def listening_trap() -> AsyncIterator[Trap]:
    """Listen for the length of the block, on an address and a port of its own."""
    trap = Trap()
    async with serving(trap.serve, trap.address) as trap.port:
        yield trap

"""A web site of somebody else, open in the same browser: it knows the address of our page."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

from tests.serving import answer, serving

__all__ = ["ForeignSite", "foreign_site"]


class ForeignSite:
    """Serves what a test puts on it, with no policy at all."""

    def __init__(self) -> None:
        self.port = 0
        self._pages: list[str] = []
        self.heads: list[str] = []
        """The first lines and headers of each request."""

    def put(self, markup: str, *, host: str = "127.0.0.1") -> str:
        """Put a page on it and return its address, at any name that leads here.

        With the default host it is of another origin and yet of the same site as our page: cookies
        know no ports.
        """
        self._pages.append(f"<!doctype html><title>A foreign page</title><body>{markup}")
        return f"http://{host}:{self.port}/{len(self._pages) - 1}"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one request."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        self.heads.append(head)
        number = head.split(" ")[1].strip("/")
        await answer(writer, self._pages[int(number)].encode() if number.isdigit() else b"")


@contextlib.asynccontextmanager
async def foreign_site() -> AsyncIterator[ForeignSite]:
    """Have such a site for the length of the block."""
    site = ForeignSite()
    async with serving(site.serve) as site.port:
        yield site

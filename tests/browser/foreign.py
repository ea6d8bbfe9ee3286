"""A web site of somebody else, open in the same browser: it knows the address of our page."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

__all__ = ["ForeignSite", "foreign_site"]


class ForeignSite:
    """Serves what a test puts on it, with no policy at all."""

    def __init__(self) -> None:
        self._port = 0
        self._pages: list[str] = []
        self.heads: list[str] = []
        """The first lines and headers of each request."""

    def put(self, markup: str, *, host: str = "127.0.0.1") -> str:
        """Put a page on it and return its address, at any name that leads here.

        With the default host it is of another origin and yet of the same site as our page: cookies
        know no ports.
        """
        self._pages.append(f"<!doctype html><title>A foreign page</title><body>{markup}")
        return f"http://{host}:{self._port}/{len(self._pages) - 1}"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one request."""
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            self.heads.append(head)
            number = head.split(" ")[1].strip("/")
            body = self._pages[int(number)].encode() if number.isdigit() else b""
            writer.write(
                b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n"
                b"Connection: close\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)
            )
            await writer.drain()
        writer.close()

    def listens_on(self, port: int) -> None:
        """Note where it is."""
        self._port = port


@contextlib.asynccontextmanager
async def foreign_site() -> AsyncIterator[ForeignSite]:
    """Have such a site for the length of the block."""
    site = ForeignSite()
    server = await asyncio.start_server(site.serve, "127.0.0.1", 0)
    async with server:
        site.listens_on(server.sockets[0].getsockname()[1])
        yield site

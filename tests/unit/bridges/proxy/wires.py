"""Two ends of a socket: one for the proxy, one for the test."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from acp_elicitation.bridges.proxy.lines import LineReader, LineWriter

__all__ = ["End", "wire"]

_LIMIT = 20.0


class End:
    """The end at which a test speaks and hears."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    def say(self, data: bytes) -> None:
        self._writer.write(data)

    def tell(self, **members: Any) -> bytes:
        data = json.dumps({"jsonrpc": "2.0", **members}).encode() + b"\n"
        self.say(data)
        return data

    def leave(self) -> None:
        self._writer.write_eof()

    async def hear(self) -> bytes:
        """Return the next line; empty at the end."""
        async with asyncio.timeout(_LIMIT):
            return await self._reader.readline()

    async def hear_message(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(await self.hear())
        return message

    def close(self) -> None:
        self._writer.close()


@asynccontextmanager
async def wire(*, limit: int = 1024 * 1024) -> AsyncIterator[tuple[LineReader, LineWriter, End]]:
    """Join an end of the proxy's with one of the test's."""
    here, there = socket.socketpair()
    reader, writer = await asyncio.open_connection(sock=here)
    end = End(*await asyncio.open_connection(sock=there, limit=64 * 1024 * 1024))
    try:
        yield LineReader(reader, limit=limit), LineWriter(writer), end
    finally:
        end.close()
        writer.close()

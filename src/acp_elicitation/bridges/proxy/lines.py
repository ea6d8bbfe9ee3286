"""Lines that are passed on as they came, byte for byte, and looked into on their way.

Owns: reading whole lines, and writing without getting into one.
Knows nothing of: methods, and which lines are of interest. Above it: `passing`.
Below it: `line`, asyncio streams.

A line that is too long to be looked into is passed on in pieces, and nothing is ever written
between them: memory stays bounded whatever the other side sends.
"""

import asyncio
from typing import Any

from acp_elicitation.bridges.proxy.line import Line, Opaque, Passing, encode, look_into

__all__ = ["LineReader", "LineTransport", "LineWriter"]

_LOOKED_INTO = 16 * 1024 * 1024
"""Bytes of the longest line that is looked into."""
_CHUNK = 64 * 1024


class LineReader:
    """The lines of one stream."""

    def __init__(self, reader: asyncio.StreamReader, *, limit: int = _LOOKED_INTO) -> None:
        """Read from `reader`; a line of more than `limit` bytes comes in pieces."""
        self._reader = reader
        self._limit = limit
        self._buffer = bytearray()
        self._scanned = 0
        self._in_pieces = False

    async def read(self) -> Line | Opaque | None:
        """Return the next line or piece of one; None at the end of the stream."""
        while True:
            end = self._buffer.find(b"\n", self._scanned)
            if end >= 0:
                return self._take(end + 1)
            self._scanned = len(self._buffer)
            if self._scanned and (self._in_pieces or self._scanned > self._limit):
                self._in_pieces = True
                return self._cut(self._scanned)
            try:
                data = await self._reader.read(_CHUNK)
            except ConnectionError:
                data = b""
            if not data:
                return self._take(len(self._buffer)) if self._buffer else None
            self._buffer += data

    def _take(self, end: int) -> Line | Opaque:
        whole = not self._in_pieces
        raw = self._cut(end)
        self._in_pieces = False
        return look_into(raw) if whole else raw

    def _cut(self, end: int) -> Opaque:
        raw = Opaque(self._buffer[:end])
        del self._buffer[:end]
        self._scanned = 0
        return raw


class LineWriter:
    """One stream to write to, for what passes and for messages of our own."""

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self._writer = writer
        self._within_line = False
        self._held: list[bytes] = []

    async def write(self, passing: Passing) -> None:
        """Write what passes, as it came, or a message of our own.

        Raises ConnectionError when nobody reads any more.
        """
        match passing:
            case Opaque():
                self._pass_on(passing)
            case Line():
                self._pass_on(passing.raw)
            case _:
                self.put(passing)
        await self._writer.drain()

    async def drain(self) -> None:
        """Wait until whoever reads has caught up. Raises as `write`."""
        await self._writer.drain()

    def put(self, message: dict[str, Any]) -> None:
        """Write a message of our own; behind a line that is being passed on in pieces."""
        data = encode(message) + b"\n"
        if self._within_line:
            self._held.append(data)
        else:
            self._writer.write(data)

    def _pass_on(self, data: bytes) -> None:
        self._writer.write(data)
        self._within_line = not data.endswith(b"\n")
        if not self._within_line and self._held:
            held, self._held = self._held, []
            self._writer.writelines(held)

    def close(self) -> None:
        """Say that nothing more will come, after what was written."""
        self._writer.close()


class LineTransport:
    """A transport as the bridges know it, of lines that keep their bytes."""

    def __init__(self, reader: LineReader, writer: LineWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def send(self, message: Passing) -> None:
        """Send what passes, or a message of our own."""
        await self._writer.write(message)

    async def receive(self) -> Line | Opaque | None:
        """Return what comes next, or None at the end."""
        return await self._reader.read()

    async def close(self) -> None:
        """Close the writing end."""
        self._writer.close()

"""A transport over a pair of streams, one message a line, and that of stdin and stdout.

Owns: lines out of messages and messages out of lines, as the SDK reads and writes them.
Knows nothing of: what a message says. Above it: `acp_sdk`. Below it: `transport`, `wire`, msgspec.
"""

import asyncio
import contextlib
import json
import logging
import os
import sys
from collections import deque
from typing import Any

import msgspec

from acp_elicitation.bridges.transport import Message
from acp_elicitation.protocol.errors import ConnectionLost
from acp_elicitation.wire.events import INVALID_REQUEST, PARSE_ERROR
from acp_elicitation.wire.framing import LineFramer, Oversized
from acp_elicitation.wire.pipes import open_pipes

__all__ = ["StreamTransport", "open_stdio", "open_stdio_streams"]

_MESSAGE_BYTES = 64 * 1024 * 1024
"""A longer line is refused, and skipped without being kept."""

_CHUNK_BYTES = 64 * 1024

_log = logging.getLogger(__name__)


class StreamTransport:
    """A transport over asyncio streams, whatever the limit of their buffers is.

    A line that is no JSON ends nothing. With `answer_noise`, which is for the side that a client
    writes to, it is answered with an error; an agent's may be an accidental `print`.
    """

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        *,
        answer_noise: bool = False,
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._answer_noise = answer_noise
        self._framer = LineFramer(_MESSAGE_BYTES)
        self._lines: deque[bytes | Oversized] = deque()

    async def send(self, message: Message) -> None:
        """Send one message. Raises ConnectionError when the other side is gone."""
        self._writer.write(_encode(message) + b"\n")
        await self._writer.drain()

    async def receive(self) -> Any:
        """Return the next message, decoded, or None when there is no more."""
        while True:
            while self._lines:
                line = self._lines.popleft()
                if isinstance(line, Oversized):
                    await self._refuse(INVALID_REQUEST, "the message is too long")
                elif line and not line.isspace():
                    try:
                        return _decode(line)
                    except (ValueError, RecursionError):
                        await self._refuse(PARSE_ERROR, "not valid JSON")
            if not await self._read():
                return None

    async def _read(self) -> bool:
        """Read more lines; False at the end."""
        try:
            data = await self._reader.read(_CHUNK_BYTES)
        except ConnectionError:
            data = b""
        if data:
            self._lines.extend(self._framer.feed(data))
            return True
        last = self._framer.finish()
        if last is not None:
            self._lines.append(last)
        return last is not None

    async def _refuse(self, code: int, why: str) -> None:
        _log.warning("skipped a line: %s", why)  # what it says may be what a user typed
        if self._answer_noise:
            error = {"code": code, "message": why}
            with contextlib.suppress(ConnectionError):
                await self.send({"jsonrpc": "2.0", "id": None, "error": error})

    async def close(self) -> None:
        """Close the writing end, after what was sent."""
        self._writer.close()
        with contextlib.suppress(ConnectionError):
            await self._writer.wait_closed()


def _decode(line: bytes) -> Any:
    try:
        return msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return json.loads(line)  # NaN and lone surrogates: what the SDK reads, it gets


def _encode(message: Message) -> bytes:
    try:
        return msgspec.json.encode(message)
    except UnicodeEncodeError:
        return json.dumps(message, separators=(",", ":")).encode()  # as the SDK writes surrogates


async def open_stdio() -> StreamTransport:
    """Return the transport of this process's stdin and stdout.

    Raises as `open_stdio_streams` does, and does with both what that does.
    """
    reader, writer = await open_stdio_streams()
    return StreamTransport(reader, writer, answer_noise=True)


async def open_stdio_streams() -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Return this process's stdin and stdout, for messages.

    From here on only messages travel there: what else is printed goes to stderr, and stdin is
    empty for everything else.

    Raises:
        ConnectionLost: stdin or stdout is closed already.
    """
    if sys.__stdin__ is None or sys.__stdout__ is None:
        raise ConnectionLost("stdin or stdout is closed")
    read_fd, write_fd = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null if sys.__stderr__ is None else 2, 1)
    os.close(null)
    reader = asyncio.StreamReader()
    protocol = asyncio.StreamReaderProtocol(reader)
    pipes = await open_pipes(protocol, read_fd, write_fd)
    return reader, asyncio.StreamWriter(pipes, protocol, reader, asyncio.get_running_loop())

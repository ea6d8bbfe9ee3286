"""Two file descriptors, one to read and one to write, as the transport of one connection.

Owns: joining the two into one transport.
Knows nothing of: messages, or where the descriptors come from.
Above it: `stdio`. Below it: `files` for what an event loop cannot watch, and any protocol.
"""

import asyncio
import os
import stat
import sys

from acp_elicitation.wire.files import FileWriter, ThreadReader

__all__ = ["PipePair", "open_pipes"]

_DRAIN_SECONDS = 0.5
"""How long a side that has closed its input is still read from, before it counts as gone."""


async def open_pipes(protocol: asyncio.Protocol, read_fd: int, write_fd: int) -> "PipePair":
    """Let `protocol` read from and write to these descriptors, which are owned from now on.

    Nothing is read before the caller runs on: it has its connection before a handler is called.
    """
    pair = PipePair(protocol)
    protocol.connection_made(pair)
    try:
        await pair.open_writer(write_fd)
    except BaseException:
        os.close(read_fd)
        raise
    try:
        await pair.open_reader(read_fd)
    except BaseException:
        pair.abort()
        raise
    asyncio.get_running_loop().call_soon(pair.resume_reading)
    return pair


class PipePair(asyncio.Transport):
    """The transport. It is closed when both of its ends are."""

    def __init__(self, protocol: asyncio.Protocol) -> None:
        super().__init__()
        self._loop = asyncio.get_running_loop()
        self._protocol = protocol
        self._reader: asyncio.ReadTransport | None = None
        self._writer: asyncio.WriteTransport | None = None
        # Until it is closed an end counts as open, also before it is there.
        self._input_open = self._output_open = True
        self._output_ended = False
        self._error: Exception | None = None

    async def open_writer(self, fd: int) -> None:
        """Take the descriptor to write to."""
        end = _WriteEnd(self, self._protocol)
        if _watchable(fd):
            pipe = os.fdopen(fd, "wb", buffering=0)
            self._writer, _ = await self._loop.connect_write_pipe(lambda: end, pipe)
        else:
            self._writer = FileWriter(fd, end)

    async def open_reader(self, fd: int) -> None:
        """Take the descriptor to read from; `resume_reading` begins to."""
        end = _ReadEnd(self, self._protocol)
        if _watchable(fd):
            pipe = os.fdopen(fd, "rb", buffering=0)
            self._reader, _ = await self._loop.connect_read_pipe(lambda: end, pipe)
        else:
            self._reader = ThreadReader(fd, end)

    def input_closed(self, exc: Exception | None) -> None:
        """The end to read from is closed. Called by that end."""
        self._reader, self._input_open = None, False
        self._error = self._error or exc
        if not self._output_open:
            self._protocol.connection_lost(self._error)
        elif exc is not None:
            self.abort()

    def output_closed(self, exc: Exception | None) -> None:
        """The end to write to is closed. Called by that end."""
        self._writer, self._output_open = None, False
        self._error = self._error or exc
        if not self._input_open:
            self._protocol.connection_lost(self._error)
        elif not self._output_ended:
            # The other side takes nothing more. What it wrote before that is still to be read.
            self._loop.call_later(_DRAIN_SECONDS, self.close)

    # --- asyncio.Transport ---

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Send, or hold until the other side reads."""
        # Once it is closing, asyncio would only warn of every write.
        if self._writer is not None and not self._writer.is_closing():
            self._writer.write(data)

    def get_write_buffer_size(self) -> int:
        """How many bytes are held."""
        return 0 if self._writer is None else self._writer.get_write_buffer_size()

    def write_eof(self) -> None:
        """Close the output after what is held. Reading goes on."""
        self._output_ended = True
        if self._writer is not None:
            self._writer.close()

    def can_write_eof(self) -> bool:
        """It can."""
        return True

    def pause_reading(self) -> None:
        """Read nothing for now."""
        if self._reader is not None:
            self._reader.pause_reading()

    def resume_reading(self) -> None:
        """Read again."""
        if self._reader is not None:
            self._reader.resume_reading()

    def is_closing(self) -> bool:
        """No more can be sent."""
        return self._writer is None or self._writer.is_closing()

    def close(self) -> None:
        """Close both ends, the output after what is held."""
        self.write_eof()
        if self._reader is not None:
            self._reader.close()

    def abort(self) -> None:
        """Close both ends at once."""
        # A transport that has nothing to send is closing for good already, and minds a second time.
        if self._writer is not None and self._writer.get_write_buffer_size():
            self._writer.abort()
        self.close()


class _ReadEnd(asyncio.Protocol):
    def __init__(self, pair: PipePair, protocol: asyncio.Protocol) -> None:
        self._pair = pair
        self._protocol = protocol

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.ReadTransport)
        transport.pause_reading()

    def data_received(self, data: bytes) -> None:
        self._protocol.data_received(data)

    def eof_received(self) -> None:
        self._protocol.eof_received()

    def connection_lost(self, exc: Exception | None) -> None:
        self._pair.input_closed(exc)


class _WriteEnd(asyncio.BaseProtocol):
    def __init__(self, pair: PipePair, protocol: asyncio.Protocol) -> None:
        self._pair = pair
        self._protocol = protocol

    def pause_writing(self) -> None:
        self._protocol.pause_writing()

    def resume_writing(self) -> None:
        self._protocol.resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        self._pair.output_closed(exc)


def _watchable(fd: int) -> bool:
    """Whether an event loop can watch `fd`.

    Terminals could be watched, but only after making them non-blocking for every process that
    shares them.
    """
    mode = os.fstat(fd).st_mode
    return sys.platform != "win32" and (stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode))

"""Transports for descriptors that an event loop cannot watch: files, terminals, /dev/null.

Owns: a thread that reads ahead by one chunk, and writing that blocks.
Knows nothing of: messages, or the other descriptor of a connection.
Above it: `pipes`. Below it: the operating system.
"""

import asyncio
import os
import threading

__all__ = ["FileWriter", "ThreadReader"]

_CHUNK_BYTES = 64 * 1024


class ThreadReader(asyncio.ReadTransport):
    """Reads `fd` in a thread, for a protocol whose `connection_made` is not called.

    It begins with the first `resume_reading`. A read that never returns, as of a terminal where
    nobody types, keeps its thread but not the process.
    """

    def __init__(self, fd: int, protocol: asyncio.Protocol) -> None:
        super().__init__()
        self._fd = fd
        self._protocol = protocol
        self._loop = asyncio.get_running_loop()
        self._thread: threading.Thread | None = None
        self._go_on = threading.Event()
        self._paused = True
        self._closing = False

    def resume_reading(self) -> None:
        """Read, or read again."""
        self._paused = False
        self._go_on.set()
        if self._thread is None and not self._closing:
            self._thread = threading.Thread(target=self._read, name="acp reader", daemon=True)
            self._thread.start()

    def pause_reading(self) -> None:
        """Hand over nothing more than what is being handed over."""
        self._paused = True
        self._go_on.clear()

    def is_reading(self) -> bool:
        """Whether it reads."""
        return not self._paused and not self._closing

    def is_closing(self) -> bool:
        """Whether it has ended, or is about to."""
        return self._closing

    def close(self) -> None:
        """Read no more."""
        if not self._closing:
            self._closing = True
            self._go_on.set()
            self._loop.call_soon(self._protocol.connection_lost, None)
            if self._thread is None:
                os.close(self._fd)

    def _read(self) -> None:
        data = b"-"
        while data and not self._closing:
            try:
                data = os.read(self._fd, _CHUNK_BYTES)
            except OSError:
                data = b""
            # The next chunk is read when this one is handled, so that a slow loop is not flooded.
            self._go_on.clear()
            try:
                self._loop.call_soon_threadsafe(self._take, data)
            except RuntimeError:  # the loop is gone
                break
            self._go_on.wait()
        os.close(self._fd)

    def _take(self, data: bytes) -> None:
        if self._closing:
            self._go_on.set()  # to its end
        elif data:
            self._protocol.data_received(data)
            # After what that has started: see the order that `connection` promises.
            self._loop.call_soon(self._taken)
        else:
            self._protocol.eof_received()
            self.close()

    def _taken(self) -> None:
        if not self._paused:
            self._go_on.set()


class FileWriter(asyncio.WriteTransport):
    """Writes to `fd`, and returns when it is written."""

    def __init__(self, fd: int, protocol: asyncio.BaseProtocol) -> None:
        super().__init__()
        os.set_blocking(fd, True)
        self._fd = fd
        self._protocol = protocol
        self._closing = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Write all of it. A failure closes the transport."""
        rest = memoryview(data)
        try:
            while rest and not self._closing:
                rest = rest[os.write(self._fd, rest) :]
        except OSError as error:
            self._end(error)

    def get_write_buffer_size(self) -> int:
        """Nothing is ever held."""
        return 0

    def is_closing(self) -> bool:
        """Whether it has ended."""
        return self._closing

    def close(self) -> None:
        """Write no more."""
        self._end(None)

    def abort(self) -> None:
        """The same as `close`."""
        self._end(None)

    def _end(self, error: OSError | None) -> None:
        if not self._closing:
            self._closing = True
            os.close(self._fd)
            loop = asyncio.get_running_loop()
            loop.call_soon(self._protocol.connection_lost, error)

"""Lines that a user types: read one at a time, cancellable, from a terminal, a pipe or a file.

Owns: the `LineSource` port, its implementation over a file descriptor, and what happens to input
that nobody asked for. Knows nothing of: questions, and what a line means.
Above it: `plain`, the command line. Below it: asyncio and the operating system.

Input is read only while somebody waits for a line: what a user types ahead stays with the terminal,
which can throw it away, and other programs on the terminal can read.
"""

import asyncio
import contextlib
import enum
import os
import select
import sys
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import Protocol, TypeAlias

if sys.platform != "win32":
    import termios

__all__ = ["DescriptorLines", "Line", "LineSource", "Stop"]

_CHUNK = 65_536
_LOCAL_MODES = 3
_TERMINAL_CUTS_AT = 4_095
"""Bytes of a line that a terminal keeps; what is typed or pasted beyond is lost without a word."""


class Stop(enum.Enum):
    """Why there is no line."""

    END = "end of input"
    INTERRUPT = "Ctrl-C"


Line: TypeAlias = str | Stop
"""A line without its end, or why there is none."""


class LineSource(Protocol):
    """Where a presenter gets its user's lines from.

    Obligations:
    - One reader at a time. Cancelling `read_line` leaves nothing behind: the next reader gets the
      next line.
    - After the end of a pipe or a file every call returns `Stop.END`. At a terminal the end
      (Ctrl-D) counts once.
    - What did not arrive as it was entered has U+FFFD in it, for the reader to refuse.
    - Nothing that arrived before a call of `drop_pending` is ever returned after it.
    """

    async def read_line(self) -> Line:
        """Return the next line, or why there is none."""
        ...

    def hidden(self) -> AbstractContextManager[None]:
        """Return what keeps a terminal from showing what is typed, for the length of a block."""
        ...

    def drop_typeahead(self) -> None:
        """Forget what a person typed at a terminal before now.

        What a program wrote into a pipe or a file is kept: there, order is all that counts.
        """
        ...

    def drop_pending(self) -> None:
        """Forget everything that has arrived, from wherever it comes."""
        ...


class DescriptorLines:
    """A `LineSource` over a file descriptor, by default standard input."""

    def __init__(self, descriptor: int = 0, *, encoding: str = "utf-8") -> None:
        """Read from `descriptor`. What does not decode, and the end of a line that the terminal
        may have cut, becomes U+FFFD.
        """
        self._descriptor = descriptor
        self._encoding = encoding
        self._kept = bytearray()
        self._waiter: asyncio.Future[bytes | Stop] | None = None
        self._thread_reads = False

    @property
    def is_terminal(self) -> bool:
        """Whether a person types here."""
        return os.isatty(self._descriptor)

    async def read_line(self) -> Line:
        """Return the next line, or why there is none."""
        if self._waiter is not None:
            raise RuntimeError("a line is awaited already")
        while (line := self._take_line()) is None:
            chunk = await self._next_chunk()
            if isinstance(chunk, Stop):
                return chunk
            if not chunk:
                return self._take_rest()
            self._kept += chunk
        return line

    def interrupt(self) -> bool:
        """Make the reader that waits get `Stop.INTERRUPT`; False when nobody waits."""
        if self._waiter is None or self._waiter.done():
            return False
        self._waiter.set_result(Stop.INTERRUPT)
        return True

    @contextlib.contextmanager
    def hidden(self) -> Iterator[None]:
        """Keep a terminal from showing what is typed, but for the end of a line."""
        if not self.is_terminal or sys.platform == "win32":
            yield
            return
        before = termios.tcgetattr(self._descriptor)
        without = before.copy()
        without[_LOCAL_MODES] = (before[_LOCAL_MODES] & ~termios.ECHO) | termios.ECHONL
        termios.tcsetattr(self._descriptor, termios.TCSADRAIN, without)
        try:
            yield
        finally:
            with contextlib.suppress(termios.error):  # the terminal is gone
                termios.tcsetattr(self._descriptor, termios.TCSADRAIN, before)

    def drop_typeahead(self) -> None:
        """Forget what a person typed at a terminal before now."""
        if self.is_terminal:
            self.drop_pending()

    def drop_pending(self) -> None:
        """Forget everything that has arrived."""
        self._kept.clear()
        if self.is_terminal:
            _flush_terminal(self._descriptor)
        else:
            _drain(self._descriptor)

    def _take_line(self) -> str | None:
        line, newline, rest = self._kept.partition(b"\n")
        if not newline:
            return None
        self._kept = rest
        return self._decode(line)

    def _take_rest(self) -> Line:
        """Return a last line that has no end, or the end of input."""
        rest = bytes(self._kept)
        self._kept.clear()
        return self._decode(rest) if rest else Stop.END

    def _decode(self, line: bytes | bytearray) -> str:
        text = line.decode(self._encoding, "replace").removesuffix("\r")
        is_cut = len(line) >= _TERMINAL_CUTS_AT and self.is_terminal
        return text + "\ufffd" if is_cut else text

    async def _next_chunk(self) -> bytes | Stop:
        loop = asyncio.get_running_loop()
        waiter: asyncio.Future[bytes | Stop] = loop.create_future()
        self._waiter = waiter
        watched = self._start_reading(loop)
        try:
            return await waiter
        except asyncio.CancelledError:
            # The chunk may have arrived in the very moment of the cancellation.
            if waiter.done() and not waiter.cancelled():
                chunk = waiter.result()
                self._kept += b"" if isinstance(chunk, Stop) else chunk
            raise
        finally:
            self._waiter = None
            if watched:
                loop.remove_reader(self._descriptor)

    def _start_reading(self, loop: asyncio.AbstractEventLoop) -> bool:
        """Have the next chunk delivered; returns whether the loop watches the descriptor."""
        if self._thread_reads:
            return False  # the thread of a reader that was cancelled has not come back yet
        try:
            loop.add_reader(self._descriptor, self._on_readable)
        except (NotImplementedError, OSError):
            # No selector takes a regular file, and Windows takes nothing but sockets.
            self._thread_reads = True
            threading.Thread(
                target=self._read_in_thread, args=(loop,), name="lines", daemon=True
            ).start()
            return False
        return True

    def _on_readable(self) -> None:
        self._arrive(_read(self._descriptor))

    def _read_in_thread(self, loop: asyncio.AbstractEventLoop) -> None:
        chunk = _read(self._descriptor)
        if not loop.is_closed():
            loop.call_soon_threadsafe(self._arrive_from_thread, chunk)

    def _arrive_from_thread(self, chunk: bytes) -> None:
        self._thread_reads = False
        self._arrive(chunk)

    def _arrive(self, chunk: bytes) -> None:
        if self._waiter is None or self._waiter.done():
            self._kept += chunk  # the reader has just left: the next one gets it
        else:
            self._waiter.set_result(chunk)


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, _CHUNK)
    except OSError:  # the terminal is gone, or was never there
        return b""


def _drain(descriptor: int) -> None:
    """Read what has arrived, without waiting for more."""
    try:
        while select.select([descriptor], [], [], 0)[0] and _read(descriptor):
            pass
    except OSError:  # nothing that can be waited for, so nothing that has arrived
        return


def _flush_terminal(descriptor: int) -> None:
    if sys.platform == "win32":  # pragma: no cover
        import msvcrt

        while msvcrt.kbhit():
            msvcrt.getwch()
    else:
        termios.tcflush(descriptor, termios.TCIFLUSH)

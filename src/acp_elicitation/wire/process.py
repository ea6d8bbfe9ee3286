"""A child process: its start, its stderr, its end.

Owns: the process group, and the lines of its stderr.
Knows nothing of: its stdin and stdout but their descriptors.
Above it: `stdio`. Below it: `framing`, and asyncio's subprocess support.
"""

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import cast

from acp_elicitation.wire.callouts import guarded
from acp_elicitation.wire.framing import LineFramer, Oversized

__all__ = ["KILL", "Process", "start"]

KILL = getattr(signal, "SIGKILL", signal.SIGTERM)
"""The signal that nothing survives."""

_LINE_BYTES = 64 * 1024

_SWEEPS_WITHIN = 10.0
"""Seconds after its end within which what a program left behind is still known to be its own."""

_LOOKS_EVERY = 0.02


async def start(
    command: Sequence[str],
    *,
    stdin: int,
    stdout: int,
    cwd: str | os.PathLike[str] | None,
    env: Mapping[str, str] | None,
    on_stderr: Callable[[bytes], None] | None,
) -> "Process":
    """Start `command` in a process group of its own. Raises OSError or ValueError."""
    _, process = await asyncio.get_running_loop().subprocess_exec(
        lambda: Process(on_stderr),
        *command,
        stdin=stdin,
        stdout=stdout,
        stderr=None if on_stderr is None else subprocess.PIPE,
        cwd=cwd,
        env=env,
        # Ctrl-C in the terminal is for us; what the child starts is ended together with it.
        start_new_session=True,
    )
    return process


class Process(asyncio.SubprocessProtocol):
    """A running program. `ended` gets its exit status.

    `sweep_at_end`: what is left of its group when it ends is asked to terminate as well.
    """

    _left_behind_at: float | None = None

    def __init__(self, on_stderr: Callable[[bytes], None] | None) -> None:
        self.ended: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self.sweep_at_end = False
        self._on_stderr = on_stderr
        self._lines = LineFramer(_LINE_BYTES)
        self._transport: asyncio.SubprocessTransport
        self._stderr_open = on_stderr is not None

    @property
    def pid(self) -> int:
        """Its process id, which is that of its group too."""
        return self._transport.get_pid()

    @property
    def returncode(self) -> int | None:
        """The exit status, once it has ended."""
        return self.ended.result() if self.ended.done() else None

    def signal(self, number: int) -> None:
        """Send a signal to its group, unless it has ended: its id may be another's by then."""
        if not self.ended.done():
            self._signal_group(number)

    async def sweep(self, grace_seconds: float) -> None:
        """End what is left of its group after it has ended: ask first, kill after the grace.

        Nothing is done where nothing was left, or long after: the number of the group may be
        another's by then.
        """
        loop = asyncio.get_running_loop()
        if self._left_behind_at is None or loop.time() - self._left_behind_at > _SWEEPS_WITHIN:
            return
        for number in (signal.SIGTERM, KILL):
            self._signal_group(number)
            until = loop.time() + grace_seconds
            while self._group_lives():
                if loop.time() > until:
                    break
                await asyncio.sleep(_LOOKS_EVERY)
            else:
                return

    def close(self) -> None:
        """Let go of it, and of its stderr."""
        self._transport.close()

    # --- asyncio.SubprocessProtocol ---

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the transport."""
        self._transport = cast(asyncio.SubprocessTransport, transport)

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        """Hand on the lines of stderr."""
        for line in self._lines.feed(data):
            self._show(line)

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        """Hand on the last line of stderr."""
        self._stderr_open = False
        line = self._lines.finish()
        if line is not None:
            self._show(line)
        self._close_if_done()

    def process_exited(self) -> None:
        """It has ended."""
        self.ended.set_result(self._transport.get_returncode() or 0)
        if self._group_lives():
            self._left_behind_at = asyncio.get_running_loop().time()
        if self.sweep_at_end:
            self._signal_group(signal.SIGTERM)
        self._close_if_done()

    def _show(self, line: bytes | Oversized) -> None:
        assert self._on_stderr is not None, "without it there is no pipe to read from"
        text = line.head if isinstance(line, Oversized) else line
        guarded(self._on_stderr, text.removesuffix(b"\r"))

    def _close_if_done(self) -> None:
        if self.ended.done() and not self._stderr_open:
            self._transport.close()

    def _group_lives(self) -> bool:
        if sys.platform == "win32":
            return False
        try:
            os.killpg(self._transport.get_pid(), 0)
        except (ProcessLookupError, PermissionError):
            return False
        return _has_living(self._transport.get_pid())

    def _signal_group(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if sys.platform == "win32":
                self._transport.terminate()
            else:
                os.killpg(self._transport.get_pid(), number)


def _has_living(group: int) -> bool:
    """Whether a process of the group is more than an entry that nobody has collected yet.

    Where a container has no process that collects them, the dead stay for good.
    """
    try:
        names = [name for name in os.listdir("/proc") if name.isdigit()]
    except OSError:
        return True  # no way to tell
    for name in names:
        with contextlib.suppress(OSError), open(f"/proc/{name}/stat", "rb") as file:
            state, _, its_group = file.read().rpartition(b") ")[2].split()[:3]
            if int(its_group) == group and state not in (b"Z", b"X"):
                return True
    return False

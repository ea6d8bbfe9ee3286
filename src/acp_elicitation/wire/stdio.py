"""Connections over standard input and output: to a child process, and as such a child.

Owns: starting, watching and ending a child; taking over this process's own stdin and stdout.
Knows nothing of: what is said, or which program is an agent.
Above it: the client and agent sides, conformance. Below it: `connection`, `pipes`, `process`.
"""

import asyncio
import contextlib
import io
import os
import signal
import socket
import stat
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from acp_elicitation.protocol.errors import ConnectionLost, MisuseError, NotStarted
from acp_elicitation.wire.connection import Connection, Handler, OnNoise
from acp_elicitation.wire.events import Limits
from acp_elicitation.wire.messages import CheckOutgoing
from acp_elicitation.wire.pipes import PipePair, open_pipes
from acp_elicitation.wire.process import KILL, Process, start
from acp_elicitation.wire.tap import OnRaw

__all__ = ["Child", "OnLine", "serve_stdio", "spawn"]

OnLine: TypeAlias = Callable[[bytes], None]

_LEFT_OPEN_SECONDS = 0.5
"""How long the output of a child that has ended is still read: another process may hold it."""


class Child:
    """A program that was started, and the connection to it."""

    def __init__(self, connection: Connection, pipes: PipePair, process: Process) -> None:
        self.connection = connection
        self.pid = process.pid
        self._pipes = pipes
        self._process = process

    @property
    def returncode(self) -> int | None:
        """The exit status; minus the signal's number when one ended it; None while it runs."""
        return self._process.returncode

    async def wait(self) -> int:
        """Return the exit status when the program has ended."""
        return await asyncio.shield(self._process.ended)

    async def stop(self, grace_seconds: float = 2.0) -> None:
        """End the program and its process group, and the connection.

        Its stdin is closed. If it has not ended after `grace_seconds`, it is asked to terminate,
        and as long after that it is killed; so is what it leaves behind, also where it has just
        ended by itself.
        """
        self._process.sweep_at_end = True
        self._pipes.write_eof()
        for step in (None, signal.SIGTERM, KILL):
            if step is not None:
                self._process.signal(step)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(grace_seconds):
                    await self.wait()
                    break
        await self._process.sweep(grace_seconds)
        self.connection.abort()
        await self.connection.wait_closed()
        self._process.close()


async def spawn(
    command: Sequence[str],
    handler: Handler,
    *,
    cwd: str | os.PathLike[str] | None = None,
    env: Mapping[str, str] | None = None,
    on_stderr: OnLine | None = None,
    on_noise: OnNoise | None = None,
    on_raw: OnRaw | None = None,
    id_prefix: str | None = None,
    limits: Limits | None = None,
) -> Child:
    """Start a program and speak with it over its stdin and stdout.

    Args:
        command: the program and its arguments; no shell sees them.
        handler: answers what the program asks.
        cwd: the folder to start it in.
        env: its whole environment; None hands on ours.
        on_stderr: takes each line that it writes to stderr, of one over 64 KiB the beginning; None
            lets it write to ours.
        on_noise: takes the beginning of each line on its stdout that is no message; None logs it.
        on_raw: takes every line with its direction, "in" or "out".
        id_prefix: see `Peer`.
        limits: of the connection.

    Raises:
        NotStarted: it could not be started; the reason says why.
        MisuseError: the command is empty.
    """
    if not command:
        raise MisuseError("the command is empty; give it the program to start")
    connection = Connection(
        handler,
        answer_noise=False,
        id_prefix=id_prefix,
        limits=limits,
        name=repr(command[0]),
        on_noise=on_noise,
        on_raw=on_raw,
    )
    child_in, our_out = os.pipe()
    our_in, child_out = os.pipe()
    try:
        process = await start(
            command, stdin=child_in, stdout=child_out, cwd=cwd, env=env, on_stderr=on_stderr
        )
    except BaseException as error:
        os.close(our_in)
        os.close(our_out)
        if isinstance(error, OSError | ValueError):
            raise NotStarted(command[0], _why_not_started(cwd, error)) from None
        raise
    finally:
        os.close(child_in)
        os.close(child_out)
    try:
        pipes = await open_pipes(connection, our_in, our_out)
    except BaseException:
        process.signal(KILL)
        await process.ended
        raise

    def ended(_: asyncio.Future[int]) -> None:
        asyncio.get_running_loop().call_later(_LEFT_OPEN_SECONDS, pipes.close)

    process.ended.add_done_callback(ended)
    return Child(connection, pipes, process)


def _why_not_started(cwd: str | os.PathLike[str] | None, error: OSError | ValueError) -> str:
    if isinstance(error, ValueError):
        return "no valid command; check it for null characters"
    if cwd is not None and not os.path.isdir(cwd):
        return f"the folder {os.fspath(cwd)!r} does not exist"
    if isinstance(error, FileNotFoundError):
        return "not found; check the command"
    if isinstance(error, PermissionError):
        return "not allowed; check that it may be executed"
    return error.strerror or type(error).__name__


async def serve_stdio(
    handler: Handler,
    *,
    check_outgoing: CheckOutgoing | None = None,
    on_raw: OnRaw | None = None,
    id_prefix: str | None = None,
    limits: Limits | None = None,
) -> Connection:
    """Speak with whoever started this process, over its stdin and stdout.

    From here on what anything else in the process, or a child of it, writes to stdout goes to
    stderr, and stdin is empty for it: only messages travel there. Pipes, sockets, files and
    terminals will do.

    Raises `ConnectionLost` when stdin or stdout is closed already.
    """
    connection = Connection(
        handler,
        check_outgoing=check_outgoing,
        id_prefix=id_prefix,
        limits=limits,
        name="the client",
        on_raw=on_raw,
    )
    read_fd, write_fd = _take_standard_streams()
    if _is_one_socket(read_fd, write_fd):
        os.close(write_fd)
        loop = asyncio.get_running_loop()
        sock = socket.socket(fileno=read_fd)
        sock.setblocking(False)
        await loop.create_connection(lambda: connection, sock=sock)
    else:
        await open_pipes(connection, read_fd, write_fd)
    return connection


def _take_standard_streams() -> tuple[int, int]:
    # A descriptor that was closed from the start may be anything by now, such as the event loop's.
    if sys.__stdin__ is None or sys.__stdout__ is None:
        raise ConnectionLost("stdin or stdout is closed")
    read_fd, write_fd = os.dup(0), os.dup(1)  # not inherited by children
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null if sys.__stderr__ is None else 2, 1)
    os.close(null)
    if isinstance(sys.stdout, io.TextIOWrapper):
        # What was printed so far and not flushed goes to stderr with the rest, as it comes.
        sys.stdout.reconfigure(line_buffering=True)
    return read_fd, write_fd


def _is_one_socket(read_fd: int, write_fd: int) -> bool:
    """Both are one socket. As a pair, what comes in would look like the output being closed."""
    one, other = os.fstat(read_fd), os.fstat(write_fd)
    return stat.S_ISSOCK(one.st_mode) and os.path.samestat(one, other)

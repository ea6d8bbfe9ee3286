"""A program on a pseudo-terminal of its own, and the person in front of it."""

import asyncio
import contextlib
import fcntl
import os
import pty
import signal
import struct
import termios
from collections.abc import AsyncIterator

__all__ = ["TerminalProgram", "on_a_terminal"]

_LIMIT = 20.0


class TerminalProgram:
    """Output is what the program has written so far, as the terminal got it."""

    def __init__(self, keys: int, process: asyncio.subprocess.Process) -> None:
        self._keys = keys
        self._process = process
        self._more = asyncio.Event()
        self.output = ""
        os.set_blocking(keys, False)
        asyncio.get_running_loop().add_reader(keys, self._read)

    def _read(self) -> None:
        with contextlib.suppress(OSError):
            self.output += os.read(self._keys, 65_536).decode("utf-8", "replace")
        self._more.set()

    def types(self, *lines: str) -> None:
        """Type lines, each with Enter."""
        for line in lines:
            os.write(self._keys, line.encode() + b"\r")

    def presses(self, keys: bytes) -> None:
        """Press keys, such as Ctrl-C, which is 3."""
        os.write(self._keys, keys)

    async def expects(self, text: str, *, count: int = 1) -> str:
        """Return the output when `text` stands in it `count` times."""
        try:
            async with asyncio.timeout(_LIMIT):
                while self.output.count(text) < count:
                    self._more.clear()
                    await self._more.wait()
        except TimeoutError:
            raise AssertionError(f"{text!r} was never shown, but:\n{self.output}") from None
        return self.output

    async def expects_prompt(self, after: str, *, count: int = 1) -> None:
        """Return when `after` stands `count` times, and it waits for a line: nothing follows."""
        await self.expects(after, count=count)
        try:
            async with asyncio.timeout(_LIMIT):
                while not self.output.endswith("> "):
                    self._more.clear()
                    await self._more.wait()
        except TimeoutError:
            raise AssertionError(f"it asks for no line, but wrote:\n{self.output}") from None

    def gets(self, ending: signal.Signals) -> None:
        """Send it a signal."""
        self._process.send_signal(ending)

    async def ends(self) -> int:
        """Return the exit code once the program has ended."""
        async with asyncio.timeout(_LIMIT):
            code = await self._process.wait()
        self._read()
        return code

    async def close(self) -> None:
        """Be gone, and the program with it."""
        asyncio.get_running_loop().remove_reader(self._keys)
        if self._process.returncode is None:
            self._process.kill()
            await self._process.wait()
        os.close(self._keys)


@contextlib.asynccontextmanager
async def on_a_terminal(
    *command: str, columns: int = 80, rows: int = 24
) -> AsyncIterator[TerminalProgram]:
    """Run `command` on a terminal of this size for the length of the block."""
    keys, device = pty.openpty()
    fcntl.ioctl(device, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    process = await asyncio.create_subprocess_exec(
        # The first terminal that the leader of a session opens controls it: Ctrl-C arrives there.
        *("sh", "-c", 'tty=$1; shift; exec "$@" <>"$tty" >&0 2>&0', "sh", os.ttyname(device)),
        *command,
        stdin=asyncio.subprocess.DEVNULL,
        start_new_session=True,
        env={**os.environ, "PYTHONUNBUFFERED": "", "ACP_ELICIT_UI": "plain"},
    )
    program = TerminalProgram(keys, process)
    try:
        yield program
    finally:
        await program.close()
        os.close(device)

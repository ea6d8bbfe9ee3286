"""A terminal emulator, `tmux`, and the person in front of it."""

import asyncio
import contextlib
import os
import shlex
import tempfile
from collections.abc import AsyncIterator, Callable

__all__ = ["Screen", "on_a_screen"]

_LIMIT = 20.0


class Screen:
    """A program in tmux. What it writes is followed through a pipe; the screen is asked for."""

    def __init__(self, socket: str, followed: int) -> None:
        self._socket = socket
        self._followed = followed
        self._more = asyncio.Event()
        self.written = ""
        """All that the program wrote, as it wrote it."""
        asyncio.get_running_loop().add_reader(followed, self._read)

    def _read(self) -> None:
        with contextlib.suppress(OSError):
            self.written += os.read(self._followed, 65_536).decode("utf-8", "replace")
        self._more.set()

    async def tmux(self, *arguments: str) -> str:
        """Run a tmux command against this screen and return its output."""
        process = await asyncio.create_subprocess_exec(
            *("tmux", "-f", os.devnull, "-S", self._socket),
            *arguments,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
        )
        output, _ = await process.communicate()
        return output.decode()

    async def types(self, *lines: str) -> None:
        """Type lines, each with Enter."""
        for line in lines:
            if line:
                await self.tmux("send-keys", "-l", line)
            await self.tmux("send-keys", "Enter")

    async def presses(self, *keys: str) -> None:
        """Press keys by their names in tmux, such as C-c or Left."""
        await self.tmux("send-keys", *keys)

    async def expects(self, text: str, *, count: int = 1) -> None:
        """Return when `text` has been written `count` times."""
        try:
            async with asyncio.timeout(_LIMIT):
                while self.written.count(text) < count:
                    self._more.clear()
                    await self._more.wait()
        except TimeoutError:
            raise AssertionError(f"{text!r} was never shown, but:\n{self.written}") from None

    async def shows(self, *texts: str, limit: float = _LIMIT) -> list[str]:
        """Return the rows of the screen as soon as all the texts stand on it.

        A text may be wrapped anywhere between its words, within a frame or not.
        """
        return await self.becomes(
            lambda rows: all(" ".join(text.split()) in _unframed(rows) for text in texts),
            repr(texts),
            limit=limit,
        )

    async def becomes(
        self,
        is_so: Callable[[list[str]], bool],
        what: str,
        *,
        limit: float = _LIMIT,
        styled: bool = False,
    ) -> list[str]:
        """Return the rows of the screen, with their styles on request, as soon as it is so."""
        rows: list[str] = []
        try:
            async with asyncio.timeout(limit):
                while True:
                    self._more.clear()
                    rows = await self.rows(styled=styled)
                    if is_so(rows):
                        return rows
                    await self._more.wait()
        except TimeoutError:
            screen = "\n".join(rows)
            raise AssertionError(f"{what} never stood on the screen, but:\n{screen}") from None

    def close(self) -> None:
        """Stop following."""
        asyncio.get_running_loop().remove_reader(self._followed)
        os.close(self._followed)

    async def rows(self, *, styled: bool = False) -> list[str]:
        """Return the rows of the screen as they stand now, without the empty ones at its end."""
        how = ("-p", "-e") if styled else ("-p",)
        return (await self.tmux("capture-pane", *how)).rstrip("\n").split("\n")


_FRAME = str.maketrans(dict.fromkeys("│▌▊▎┃▁▂▃▄▅▆▇█▔", " "))


def _unframed(rows: list[str]) -> str:
    """Return what stands on the rows as one line, without the lines that are drawn beside it."""
    return " ".join(" ".join(rows).translate(_FRAME).split())


@contextlib.asynccontextmanager
async def on_a_screen(*command: str, columns: int = 80, rows: int = 24) -> AsyncIterator[Screen]:
    """Run `command` on a screen; its exit code is written as `EXIT 0` at the end."""
    with tempfile.TemporaryDirectory(prefix="tmux") as folder:
        pipe = os.path.join(folder, "written")
        os.mkfifo(pipe)
        screen = Screen(os.path.join(folder, "s"), os.open(pipe, os.O_RDWR | os.O_NONBLOCK))
        # The program waits for a line, so that nothing is written before it is followed.
        # Output is buffered as it is where nobody asked for anything else.
        surroundings = "unset PYTHONUNBUFFERED COLUMNS LINES; export ACP_ELICIT_UI=plain"
        run = f"{surroundings}; {shlex.join(command)}; echo EXIT $?; read end"
        waiting = f"trap : INT; stty -echo; read go; stty echo; {run}"
        try:
            size = ("-x", str(columns), "-y", str(rows))
            await screen.tmux("new-session", "-d", *size, "sh", "-c", waiting)
            await screen.tmux("pipe-pane", f"exec cat >{shlex.quote(pipe)}")
            await screen.tmux("send-keys", "Enter")
            yield screen
        finally:
            await screen.tmux("kill-server")
            screen.close()

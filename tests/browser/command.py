"""`acp-elicit chat --ui web` as its user starts it: a process that says where its page is."""

import asyncio
import contextlib
import os
import re
import sys
from collections.abc import AsyncIterator

from tests.told import ToldAgent, told_agent

__all__ = ["WebCommand", "web_command"]

_LIMIT = 20.0
_MAIN = "import sys; from acp_elicitation.cli import main; sys.exit(main())"
_ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+/\S*")


class WebCommand:
    """The running command, and the agent that it started."""

    def __init__(self, process: asyncio.subprocess.Process, agent: ToldAgent) -> None:
        self._process = process
        self.agent = agent
        self.address = ""
        """Where the page is, as the command says it."""
        self.written = ""
        """What it has written so far."""

    async def starts(self) -> None:
        """Return when the address is known."""
        async with asyncio.timeout(_LIMIT):
            while not (found := _ADDRESS.search(self.written)):
                assert await self._read(), self.written
        self.address = found.group()

    async def _read(self) -> bool:
        assert self._process.stdout is not None
        line = (await self._process.stdout.readline()).decode()
        self.written += line
        return bool(line)

    async def ends(self) -> int:
        """Return the exit code once it has ended by itself."""
        async with asyncio.timeout(_LIMIT):
            while await self._read():
                pass
            return await self._process.wait()

    def kill(self) -> None:
        """Let it be gone without a word."""
        self._process.kill()

    async def close(self) -> None:
        """Be sure that it is gone."""
        if self._process.returncode is None:
            self._process.terminate()
        await self.ends()


@contextlib.asynccontextmanager
async def web_command(*options: str) -> AsyncIterator[WebCommand]:
    """Run the command for the length of the block; its agent awaits the orders of the test."""
    async with told_agent() as agent:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", _MAIN, "chat", "--ui", "web", "--no-browser"),
            *("--protocol", "2", *options, "--", *agent.command),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        command = WebCommand(process, agent)
        try:
            await command.starts()
            yield command
        finally:
            await command.close()

"""`acp-elicit chat --ui web` and `demo --ui web` as programs, with a browser without scripts."""

import asyncio
import contextlib
import re
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path

from tests.posting import read_page
from tests.web_client import Answer, Client, found

__all__ = ["CHAT", "DEMO", "Program", "running"]

_LIMIT = 20.0
_MAIN = "import sys; from acp_elicitation.cli import main; sys.exit(main())"
_ADDRESS = re.compile(rb"http://127\.0\.0\.1:[0-9]+/[A-Za-z0-9_-]{43}/")
_AGENT = Path(__file__).parent / "unit/cli/obedient_agent.py"
DEMO = ("demo", "--ui", "web", "--no-browser")
CHAT = ("chat", "--ui", "web", "--no-browser", "--", sys.executable, str(_AGENT))


class Program:
    """The running command, and its user's browser."""

    def __init__(self, process: asyncio.subprocess.Process, browser: Client) -> None:
        self.process = process
        self.browser = browser

    async def until(self, is_so: Callable[[Answer], object]) -> Answer:
        """The page, as soon as it is so; looked at again whenever something has changed."""
        await self.browser.get()  # which makes the page this browser's, if it is nobody's yet
        async with asyncio.timeout(_LIMIT):
            async with self.browser.listening() as tab:
                while True:
                    page = await self.browser.get()
                    if is_so(page):
                        return page
                    await tab.block()

    async def shows(self, selector: str) -> Answer:
        return await self.until(lambda page: read_page(page.text).css(selector))

    async def says(self, text: str) -> Answer:
        return await self.until(lambda page: text in read_page(page.text).body.text())  # type: ignore[union-attr]

    async def is_ready(self) -> Answer:
        """Return when it is the user's turn to speak."""
        return await self.until(
            lambda page: "your turn" in found(page.text, "#state").text() and "speak" in page.text
        )

    async def press(self, name: str, **data: str) -> Answer:
        """Post one of the page's own forms."""
        token = found((await self.browser.get()).text, "main [name=token]").attributes["value"]
        answer = await self.browser.post(f"/{name}", {"token": token or "", **data})
        return await self.browser.get(answer.place.removeprefix(self.browser.base))

    async def ended(self) -> int:
        async with asyncio.timeout(_LIMIT):
            return await self.process.wait()


@contextlib.asynccontextmanager
async def running(*arguments: str) -> AsyncIterator[Program]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", _MAIN, *arguments, stdout=-1, stderr=-1, stdin=-3
    )
    try:
        assert process.stdout is not None
        async with asyncio.timeout(_LIMIT):
            while not (place := _ADDRESS.search(line := await process.stdout.readline())):
                assert line, await process.communicate()
        yield Program(process, Client(place[0].decode()))
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()

"""`acp-elicit chat --ui web` as a whole: a program, an agent, and a browser without scripts."""

import asyncio
import contextlib
import re
import signal
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path

from tests.posting import read_page
from tests.web_client import Answer, Client, found

_LIMIT = 20.0
_MAIN = "import sys; from acp_elicitation.cli import main; sys.exit(main())"
_ADDRESS = re.compile(rb"http://127\.0\.0\.1:[0-9]+/[A-Za-z0-9_-]{43}/")
_AGENT = Path(__file__).parents[1] / "obedient_agent.py"
_DEMO = ("demo", "--ui", "web", "--no-browser")
_CHAT = ("chat", "--ui", "web", "--no-browser", "--", sys.executable, str(_AGENT))


class Program:
    """The running command, and its user's browser."""

    def __init__(self, process: asyncio.subprocess.Process, browser: Client) -> None:
        self.process = process
        self.browser = browser

    async def until(self, is_so: Callable[[Answer], object]) -> Answer:
        """The page, as soon as it is so; looked at again whenever something has changed."""
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
        browser = Client(place[0].decode())
        assert (await browser.get()).status == 200
        yield Program(process, browser)
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def test_the_demo_can_be_answered_to_its_end_in_a_page() -> None:
    async with running(*_DEMO) as program:
        page = await program.shows("#question-yes [value=submit]")
        assert "Set up a new project for me." in page.text
        await program.browser.submit(page, "decline")
        page = await program.says("The conversation is over.")
        assert "Declined. Nothing that you typed was sent." in page.text
        assert await program.ended() == 0  # nobody listens any more


async def test_a_prompt_is_said_and_answered_and_the_conversation_ended_in_a_page() -> None:
    async with running(*_CHAT) as program:
        await program.shows("#speak")
        await program.press("say", text="ask")
        page = await program.shows("#question-yes")
        await program.browser.submit(page, "submit", f0="red")
        page = await program.says("Answered: accepted")
        assert "accepted {'colour': 'red'}" in read_page(page.text).body.text()  # type: ignore[union-attr]
        await program.press("say", text="stall")
        page = await program.shows("[value=stop]")
        await program.press("stop")
        await program.says("The turn ended: cancelled")
        last = await program.press("end")
        assert "The conversation is over. You can close this page." in last.text
        assert await program.ended() == 0


async def test_ctrl_c_in_the_terminal_cancels_the_question_then_ends_it_all() -> None:
    async with running(*_DEMO) as program:
        await program.shows("#question-yes")
        program.process.send_signal(signal.SIGINT)
        await program.says("Cancelled. Nothing that you typed was sent.")
        await program.says("The conversation is over.")
        program.process.send_signal(signal.SIGINT)
        assert await program.ended() == 0


async def test_a_link_is_agreed_to_waited_for_and_done_with_in_a_page() -> None:
    async with running(*_CHAT) as program:
        await program.shows("#speak")
        await program.press("say", text="wait for link")
        page = await program.shows("#question-yes [value=open]")
        departing = await program.browser.submit(page, "open")
        assert read_page(departing.text).css("meta[http-equiv=refresh]")
        await program.shows("#waiting")
        await program.press("waiting", do="done")
        await program.says("Done waiting.")


async def test_ctrl_c_at_the_prompt_ends_it() -> None:
    async with running(*_CHAT) as program:
        await program.shows("#speak")
        program.process.send_signal(signal.SIGINT)
        assert await program.ended() == 130


async def test_the_end_of_the_terminal_ends_the_page() -> None:
    async with running(*_CHAT) as program:
        await program.shows("#speak")
        async with program.browser.listening() as tab:
            program.process.send_signal(signal.SIGTERM)
            assert await program.ended() == 130
            blocks = []
            while block := await tab.block():
                blocks.append(block)
            assert blocks[-1] == "event: over\ndata:"

"""A prompt that steps aside for what else is written, and comes back below it."""

import asyncio

from acp_elicitation.cli.standing import StandingPrompt


class Written:
    """What a prompt wrote, with a way to wait for it."""

    def __init__(self) -> None:
        self.text = ""
        self.more = asyncio.Event()

    def __call__(self, text: str) -> None:
        self.text += text
        self.more.set()

    async def until(self, text: str) -> None:
        async with asyncio.timeout(10):
            while self.text != text:
                self.more.clear()
                await self.more.wait()


async def test_it_steps_aside_once_and_comes_back_after_a_pause() -> None:
    written = Written()
    standing = StandingPrompt(written, pause=0.01)
    standing.stand("you> ")
    standing.step_aside()
    written("one\n")
    standing.step_aside()
    written("two\n")
    await written.until("you> \none\ntwo\nyou> ")
    standing.step_aside()
    assert written.text.endswith("two\nyou> \n")
    standing.fall()


async def test_nothing_comes_back_where_nothing_stands() -> None:
    written, other = Written(), Written()
    standing, later = StandingPrompt(written, pause=0.001), StandingPrompt(other, pause=0.002)
    standing.step_aside()
    standing.stand("you> ")
    standing.step_aside()
    standing.fall()
    later.stand("> ")
    later.step_aside()
    await other.until("> \n> ")
    assert written.text == "you> \n"
    standing.step_aside()
    assert written.text == "you> \n"


async def test_the_end_of_its_line_may_be_written_by_what_it_stands_aside_for() -> None:
    text = ""

    def write(more: str) -> None:
        nonlocal text
        standing.step_aside()  # as a gate does for all that is written
        text += more

    standing = StandingPrompt(write, pause=60)
    standing.stand("you> ")
    write("one\n")
    assert text == "you> \none\n"
    standing.fall()

"""The wait for the completion of a link, on a full screen."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from textual.app import App
from textual.pilot import Pilot

from acp_elicitation.client.prompts import LinkPrompt
from acp_elicitation.presenters.plain import OpenUrl
from acp_elicitation.presenters.tui.completion import CompletionScreen
from tests.contract.presenters import link_prompt
from tests.unit.presenters.tui.shown import shown
from tests.unit.presenters.tui.test_link_body import Browser

SIZES = [(40, 12), (80, 24), (200, 60)]


@asynccontextmanager
async def waiting(
    prompt: LinkPrompt, *, open_url: OpenUrl | None = None, size: tuple[int, int] = (80, 24)
) -> AsyncIterator[tuple[Pilot[None], CompletionScreen]]:
    app: App[None] = App()
    async with app.run_test(size=size) as pilot:
        screen = CompletionScreen(prompt, open_url=open_url)
        app.push_screen(screen)
        await pilot.pause()
        yield pilot, screen


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.requirement("URL-8")
async def test_the_wait_its_length_the_address_and_the_ways_on_are_shown(
    size: tuple[int, int],
) -> None:
    async with waiting(link_prompt(), open_url=Browser(), size=size) as (_, screen):
        seen = shown(screen)
        for words in ("Waiting", "0 s", "example.com/connect?id=1", "Done", "again", "Copy"):
            assert words in seen


@pytest.mark.requirement("URL-8")
async def test_the_length_of_the_wait_is_told_as_it_grows() -> None:
    async with waiting(link_prompt()) as (pilot, screen):
        screen.since -= 125
        screen.tell_how_long()
        await pilot.pause()
        assert "2 min 5 s" in shown(screen)


@pytest.mark.requirement("URL-8")
async def test_it_goes_when_the_agent_says_that_the_link_is_complete() -> None:
    prompt = link_prompt()
    async with waiting(prompt) as (pilot, screen):
        prompt.completed.set()
        await screen.gone.wait()
        assert pilot.app.screen is not screen


@pytest.mark.parametrize("keys", [("enter",), ("escape",)])
@pytest.mark.requirement("URL-8")
async def test_its_user_may_be_done_waiting(keys: tuple[str, ...]) -> None:
    async with waiting(link_prompt()) as (pilot, screen):
        await pilot.press(*keys)
        await screen.gone.wait()
        assert pilot.app.screen is not screen


@pytest.mark.requirement("URL-8", "URL-10")
async def test_the_link_can_be_opened_again() -> None:
    opened: asyncio.Queue[str] = asyncio.Queue()
    loop = asyncio.get_running_loop()

    def open_url(url: str) -> bool:
        loop.call_soon_threadsafe(opened.put_nowait, url)
        return True

    async with waiting(link_prompt(), open_url=open_url) as (pilot, _):
        await pilot.press("right", "enter")
        assert await opened.get() == link_prompt().url


async def test_the_address_can_be_copied() -> None:
    async with waiting(link_prompt()) as (pilot, _):
        await pilot.click("#copy")
        await pilot.pause()
        assert pilot.app.clipboard == link_prompt().url

"""axe-core finds nothing serious in any state of the page: light and dark, wide and narrow."""

from collections.abc import Awaitable, Callable
from typing import Any, Literal

import pytest
from playwright.async_api import Page

from tests.browser.axe import grave_violations
from tests.browser.chat import Meeting, button
from tests.told import ToldAgent

EVERYTHING: dict[str, Any] = {
    "name": {"type": "string", "title": "Name", "description": "How it is called.", "maxLength": 9},
    "text": {"type": "string", "title": "Summary"},
    "day": {"type": "string", "title": "Day", "format": "date"},
    "size": {"type": "integer", "title": "Size", "minimum": 3, "default": 1},
    "sure": {"type": "boolean", "title": "Sure"},
    "one": {"type": "string", "title": "One", "enum": ["a", "b"]},
    "one_other": {"type": "string", "title": "Another"},
    "many": {
        "type": "array",
        "title": "Many",
        "items": {"type": "string", "enum": [f"choice {n}" for n in range(20)]},
    },
    "odd": {"type": "object", "title": "Odd"},
}


async def form(page: Page, agent: ToldAgent) -> None:
    agent.form("What is it?", EVERYTHING, required=["name"], title="T", description="D")
    await page.get_by_text("What is it?").wait_for()


async def problems(page: Page, agent: ToldAgent) -> None:
    await form(page, agent)
    await page.locator("button[name=do][value=submit]").click()
    await page.get_by_role("alert").wait_for()


async def secret(page: Page, agent: ToldAgent) -> None:
    agent.form("What is it?", {"password": {"type": "string", "title": "Password"}})
    await page.get_by_text("What is it?").wait_for()


async def link(page: Page, agent: ToldAgent) -> None:
    agent.link("Please connect.", "https://example.com/connect")
    await page.get_by_text("https://example.com/connect").first.wait_for()


async def odd_link(page: Page, agent: ToldAgent) -> None:
    agent.link("Please connect.", "http://github.com.evil.example:8080/login?user=a@b.example")
    await page.get_by_text("Please connect.").wait_for()


async def permission(page: Page, agent: ToldAgent) -> None:
    agent.ask(
        "session/request_permission",
        title="Delete it",
        toolCall={"toolCallId": "1", "title": "Delete it"},
        options=[{"optionId": "1", "name": "Allow", "kind": "allow_once"}],
    )
    await page.get_by_text("Delete it").first.wait_for()


async def several(page: Page, agent: ToldAgent) -> None:
    await form(page, agent)
    agent.form("And this?", {})
    await page.get_by_text("1 more question waits").wait_for()


async def waiting(page: Page, agent: ToldAgent) -> None:
    await link(page, agent)
    async with page.context.expect_page() as opened:  # nobody answers there
        await button(page, "open").click()
    await (await opened.value).close()
    await page.get_by_role("heading", name="Waiting for the agent").wait_for()


async def nothing(page: Page, agent: ToldAgent) -> None:
    await page.locator("main").wait_for()


SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")

STATES: list[Callable[[Page, ToldAgent], Awaitable[None]]] = [
    nothing,
    form,
    problems,
    secret,
    link,
    odd_link,
    permission,
    several,
    waiting,
]


@pytest.mark.parametrize("state", STATES, ids=lambda state: state.__name__)
async def test_everybody_can_use_it(
    long_meeting: Meeting, state: Callable[[Page, ToldAgent], Awaitable[None]]
) -> None:
    async with long_meeting.tab() as page:
        await state(page, long_meeting.agent)
        for width in (1280, 360):
            await page.set_viewport_size({"width": width, "height": 740})
            for scheme in SCHEMES:
                await page.emulate_media(color_scheme=scheme)
                assert await grave_violations(page) == [], f"{width} {scheme}"
            assert await page.evaluate("document.documentElement.scrollWidth") <= width
        assert await long_meeting.visit.notes(page) == []

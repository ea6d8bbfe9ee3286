"""A conversation in the page, while its user types and in several tabs; see `test_chat`."""

import pytest
from playwright.async_api import Page, expect

from tests.browser.visit import Visit
from tests.web_program import CHAT, running


async def say(page: Page, text: str) -> None:
    """Type something and press Enter."""
    await page.get_by_label("Say something to the agent").fill(text)
    await page.keyboard.press("Enter")


async def test_a_prompt_that_is_being_typed_is_left_alone_by_what_happens(visit: Visit) -> None:
    async with running(*CHAT) as program:
        page = await visit.open(program.browser.address)
        await say(page, "stall")
        await expect(page.get_by_role("log")).to_contain_text("Waiting now.")
        await page.wait_for_load_state()  # with which a browser goes to where the page begins
        prompt = page.get_by_label("Say something to the agent")
        await prompt.fill("half a sen")
        await page.keyboard.press("Shift+Enter")
        await page.keyboard.type("tence")
        await page.evaluate("document.querySelector('[value=stop]').form.target = '_blank'")
        async with visit.context.expect_page():
            await page.get_by_role("button", name="Cancel the turn").click()
        await expect(page.get_by_role("log")).to_contain_text("The turn ended: cancelled")
        await expect(prompt).to_have_value("half a sen\ntence")
        assert await visit.notes(page) == []


@pytest.mark.requirement("RES-1")
async def test_two_tabs_are_one_conversation(visit: Visit) -> None:
    async with running(*CHAT) as program:
        one = await visit.open(program.browser.address)
        other = await visit.open(program.browser.address)
        await say(one, "ask")
        await other.get_by_role("button", name="Decline").click()
        for page in (one, other):
            await expect(page.get_by_role("log")).to_contain_text("Answered: declined")
            await expect(page.get_by_role("article")).to_have_count(0)
        assert await visit.notes(one) == []

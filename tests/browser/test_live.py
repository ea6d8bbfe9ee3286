"""What a page keeps, and hears of: reloads, other tabs, double clicks, lost connections."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect

from tests.browser.chat import Meeting, button, settled, web_chat
from tests.browser.visit import visiting

PROPERTIES: dict[str, Any] = {
    "name": {"type": "string", "title": "Name", "maxLength": 40},
    "size": {"type": "string", "title": "Size", "enum": ["small", "large"]},
}


async def fill_in(page: Page, name: str) -> None:
    """Fill in the form as a person does, and return when the page has saved it."""
    await page.get_by_role("radio", name="large").check(force=True)
    async with page.expect_response(lambda answer: answer.url.endswith("/draft")):
        await page.get_by_label("Name (optional)").press_sequentially(name)
    await page.wait_for_load_state("networkidle")


async def test_a_reload_keeps_the_question_and_what_was_typed(meeting: Meeting) -> None:
    asked = meeting.agent.form("Who?", PROPERTIES)
    page = await meeting.page()
    await fill_in(page, "Ada")
    await page.reload()
    assert await page.get_by_label("Name (optional)").input_value() == "Ada"
    assert await page.get_by_role("radio", name="large").is_checked()
    await button(page, "submit").click()
    assert (await asked.result())["content"] == {"name": "Ada", "size": "large"}
    assert await meeting.visit.notes(page) == []


@pytest.mark.requirement("RES-1", "UI-2")
async def test_closing_the_page_is_no_answer(meeting: Meeting) -> None:
    asked = meeting.agent.form("Who?", PROPERTIES)
    page = await meeting.page()
    await fill_in(page, "Ada")
    await page.close()
    page = await meeting.page()
    assert not asked.came.done()
    assert await page.get_by_label("Name (optional)").input_value() == "Ada"
    await button(page, "decline").click()
    assert await asked.result() == {"action": "decline"}


async def test_a_second_tab_says_that_the_first_has_answered(meeting: Meeting) -> None:
    asked = meeting.agent.form("Who?", PROPERTIES)
    first, second = await meeting.page(), await meeting.page()
    await second.get_by_label("Name (optional)").wait_for()
    await button(first, "submit").click()
    assert await asked.result() == {"action": "accept"}
    await second.get_by_text("Nothing is asked now.").wait_for()
    await expect(second.locator("article")).to_have_count(0)
    assert await meeting.visit.notes(second) == []


@pytest.mark.requirement("REQ-6")
async def test_a_withdrawn_question_goes_away_and_says_so(meeting: Meeting) -> None:
    asked = meeting.agent.form("Who?", PROPERTIES)
    page = await meeting.page()
    await page.get_by_label("Name (optional)").fill("Ada")
    asked.withdraw()
    await page.get_by_text("This question was withdrawn.").first.wait_for()
    assert await page.get_by_label("Name (optional)").count() == 0


async def test_a_double_click_answers_once_and_never_the_next_question(meeting: Meeting) -> None:
    first = meeting.agent.form("First?", PROPERTIES)
    second = meeting.agent.form("Second?", PROPERTIES)
    page = await meeting.page()
    await button(page, "submit").dblclick()
    assert await first.result() == {"action": "accept"}
    await page.get_by_text("Second?").wait_for()
    assert await meeting.visit.notes(page) == []
    assert not second.came.done()
    await settled(page)
    await button(page, "cancel").click()
    assert await second.result() == {"action": "cancel"}


async def test_the_second_half_of_a_double_click_answers_no_question_that_came_between(
    meeting: Meeting,
) -> None:
    first = meeting.agent.form("First?", {})
    page = await meeting.page()
    for decision in ("submit", "decline"):
        second = meeting.agent.form(f"Second, after {decision}?", {})
        await button(page, decision).click()
        await page.get_by_text(f"Second, after {decision}?").wait_for()
        await button(page, decision).click()
        await page.evaluate("0")
        sent = [one for one in meeting.visit.requested if one.startswith("POST ")]
        assert len(sent) == (1 if decision == "submit" else 2)
        assert first.came.done()
        assert not second.came.done()
        first = second
        await settled(page)
    await button(page, "cancel").click()
    assert await first.result() == {"action": "cancel"}


async def test_a_page_that_hears_nothing_says_so_and_catches_up(meeting: Meeting) -> None:
    context = meeting.visit.context
    await context.route("**/events?*", lambda route: route.abort("connectionrefused"))
    page = await meeting.page()
    asked = meeting.agent.form("Who?", PROPERTIES)
    lost = page.get_by_text("The connection is lost.")
    await expect(lost).to_be_visible()
    assert await page.locator("article").count() == 0
    await context.unroute("**/events?*")
    await page.get_by_text("Who?").wait_for()
    await expect(lost).to_be_hidden()
    await button(page, "submit").click()
    assert await asked.result() == {"action": "accept"}


@pytest_asyncio.fixture(loop_scope="session")
async def plain(chromium: Browser) -> AsyncIterator[Meeting]:
    """Someone whose browser runs no scripts."""
    async with web_chat() as chat, visiting(chromium, java_script_enabled=False) as visit:
        yield Meeting(chat, visit)


async def test_an_answer_from_a_page_that_is_out_of_date_is_told_so(plain: Meeting) -> None:
    asked = plain.agent.form("Who?", PROPERTIES)
    first, second = await plain.page(), await plain.page()
    await button(first, "decline").click()
    assert await asked.result() == {"action": "decline"}
    await button(second, "submit").click()
    assert "Declined." in await second.locator("main").inner_text()


async def test_an_answer_to_a_withdrawn_question_is_told_so(plain: Meeting) -> None:
    asked = plain.agent.form("Who?", PROPERTIES)
    page = await plain.page()
    asked.withdraw()
    behind = plain.agent.form("Next?", PROPERTIES)
    await button(page, "submit").click()
    assert "withdrawn" in await page.locator("main").inner_text()
    assert not behind.came.done()

"""Links in the page: consent, the new tab, waiting for the completion, and trying again."""

import pytest
from playwright.async_api import Page, expect

from tests.browser.chat import Meeting, button, settled
from tests.browser.keyboard import focused, press_to
from tests.network.trap import Trap, listening_trap


def address(trap: Trap) -> str:
    return f"http://{trap.address}:{trap.port}/connect?state=1"


async def consent(meeting: Meeting, page: Page) -> Page:
    """Agree, and return the tab that was opened."""
    async with meeting.visit.context.expect_page() as opened:
        await button(page, "open").click()
    return await opened.value


@pytest.mark.requirement("URL-1", "URL-8", "URL-11", "RES-4")
async def test_a_consent_opens_a_tab_that_knows_nothing_of_ours(meeting: Meeting) -> None:
    async with listening_trap() as trap:
        page = await meeting.page()
        asked = meeting.agent.link("Please connect.", address(trap))
        await page.get_by_text(address(trap)).first.wait_for()
        assert await page.locator("main a[href^='http']").count() == 0
        tab = await consent(meeting, page)
        assert await asked.result() == {"action": "accept"}
        await tab.wait_for_url(address(trap))
        assert await tab.evaluate("window.opener") is None
        assert trap.requests == ["GET /connect?state=1 HTTP/1.1"]
        assert {"referer", "origin", "cookie"}.isdisjoint(trap.headers[0])
        # The page waits, and says so; only there the address can be clicked.
        await page.get_by_role("heading", name="Waiting for the agent").wait_for()
        way_out = page.locator("main a[href^='http']")
        assert await way_out.count() == 1
        assert await way_out.get_attribute("href") == address(trap)
        meeting.agent.complete()
        await page.get_by_text("The agent says that the link is complete.").first.wait_for()
        await expect(page.locator("main a[href^='http']")).to_have_count(0)
        assert await meeting.visit.notes(page) == []


@pytest.mark.requirement("URL-8")
async def test_a_link_can_be_tried_again_and_given_up(meeting: Meeting) -> None:
    async with listening_trap() as trap:
        page = await meeting.page()
        asked = meeting.agent.link("Please connect.", address(trap))
        tab = await consent(meeting, page)
        await tab.wait_for_url(address(trap))
        await tab.close()
        await asked.result()
        async with meeting.visit.context.expect_page() as opened:
            await page.get_by_role("link", name="Open again").click()
        again = await opened.value
        await again.wait_for_load_state()
        assert await again.evaluate("window.opener") is None
        assert trap.requests[-1] == "GET /connect?state=1 HTTP/1.1"
        assert len(trap.requests) == 2
        await settled(page)
        await button(page, "done").click()
        await page.get_by_text("Done waiting.").wait_for()
        assert await meeting.visit.notes(page) == []


@pytest.mark.requirement("URL-5", "URL-10", "RES-1")
@pytest.mark.parametrize("decision", ["decline", "cancel"])
async def test_a_link_that_is_refused_is_not_opened(meeting: Meeting, decision: str) -> None:
    async with listening_trap() as trap:
        page = await meeting.page()
        asked = meeting.agent.link("Please connect.", address(trap))
        await button(page, decision).click()
        assert await asked.result() == {"action": decision}
        await expect(page.locator("article")).to_have_count(0)
        assert trap.connections == 0
        assert meeting.visit.context.pages == [page]


@pytest.mark.requirement("UI-5", "URL-12")
async def test_warnings_are_in_words_and_agreeing_is_not_the_first_thing_to_press(
    meeting: Meeting,
) -> None:
    page = await meeting.page()
    asked = meeting.agent.link("Please connect.", "https://github.com.evil.example/login")
    warning = page.get_by_text("It begins like github.com, but is a host of evil.example.")
    await warning.wait_for()
    await expect(page.locator(".address strong")).to_have_text("evil.example")
    assert not await focused(button(page, "open"))
    await press_to(page, button(page, "decline"))
    assert not await focused(button(page, "open"))
    await page.keyboard.press("Enter")
    assert await asked.result() == {"action": "decline"}


@pytest.mark.requirement("URL-7", "URL-8")
async def test_a_completion_before_the_consent_leaves_nothing_to_wait_for(
    meeting: Meeting,
) -> None:
    async with listening_trap() as trap:
        page = await meeting.page()
        asked = meeting.agent.link("Please connect.", address(trap))
        await button(page, "open").wait_for()
        meeting.agent.complete()
        tab = await consent(meeting, page)
        assert await asked.result() == {"action": "accept"}
        await tab.wait_for_url(address(trap))
        await expect(page.locator("article")).to_have_count(0)

"""Everything that a question needs works in a browser that runs no scripts."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Locator, Page

from tests.browser.chat import Meeting, button, web_chat
from tests.browser.visit import visiting
from tests.network.trap import listening_trap

_MOST_LOOKS = 100
PROPERTIES: dict[str, Any] = {
    "name": {"type": "string", "title": "Name", "maxLength": 5},
    "text": {"type": "string", "title": "Text"},
    "size": {"type": "integer", "title": "Size", "minimum": 1, "maximum": 9},
    "sure": {"type": "boolean", "title": "Sure"},
    "colour": {"type": "string", "title": "Colour", "enum": ["red", "blue"]},
    "extras": {
        "type": "array",
        "title": "Extras",
        "items": {"type": "string", "enum": [f"extra {n}" for n in range(12)]},
    },
}


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def plain(chromium: Browser) -> AsyncIterator[Meeting]:
    """Someone whose browser runs no scripts."""
    async with web_chat() as chat, visiting(chromium, java_script_enabled=False) as visit:
        yield Meeting(chat, visit)


async def page_that_asks(plain: Meeting) -> Page:
    """Open the page, and return it with the question on it."""
    page = await plain.page()
    await look_until_shown(page.locator("article"))
    return page


async def look_until_shown(wanted: Locator) -> None:
    """Look at the page again until it has something: nothing tells it of what comes."""
    for _ in range(_MOST_LOOKS):
        if await wanted.count():
            return
        await wanted.page.reload()
    raise AssertionError(f"{wanted} never came")


async def click(page: Page, decision: str) -> None:
    await button(page, decision).click()


@pytest.mark.requirement("FORM-2", "UI-4")
async def test_a_form_is_mended_and_accepted(plain: Meeting) -> None:
    asked = plain.agent.form("Tell me.", PROPERTIES, required=["name", "size"])
    page = await page_that_asks(plain)
    await page.get_by_label("Name (required)").fill("Ada Lovelace")
    await page.get_by_label("Text (optional)").fill("one\ntwo")
    await page.get_by_role("radio", name="Yes").check(force=True)
    await page.get_by_role("radio", name="blue").check(force=True)
    await page.get_by_role("checkbox", name="extra 11").check(force=True)
    await click(page, "submit")
    summary = page.get_by_role("alert")
    assert "2 answers need another look" in await summary.inner_text()
    await summary.get_by_role("link", name="Question 3").click()
    assert page.url.endswith("#" + str(await page.get_by_label("Size").get_attribute("id")))
    assert await page.get_by_label("Text (optional)").input_value() == "one\ntwo"
    await page.get_by_label("Name (required)").fill("Ada")
    await page.get_by_label("Size (required)").fill("7")
    await click(page, "submit")
    assert await asked.result() == {
        "action": "accept",
        "content": {
            "name": "Ada",
            "text": "one\ntwo",
            "size": 7,
            "sure": True,
            "colour": "blue",
            "extras": ["extra 11"],
        },
    }


@pytest.mark.requirement("UI-2", "UI-3", "RES-1")
@pytest.mark.parametrize("decision", ["decline", "cancel"])
async def test_a_form_is_refused_and_nothing_typed_is_sent(plain: Meeting, decision: str) -> None:
    asked = plain.agent.form("Tell me.", PROPERTIES)
    page = await page_that_asks(plain)
    await page.get_by_label("Name (optional)").fill("Ada")
    async with page.expect_request(lambda request: request.method == "POST") as posted:
        await click(page, decision)
    assert "Ada" not in ((await posted.value).post_data or "")
    assert await asked.result() == {"action": decision}


async def test_a_permission_is_given(plain: Meeting) -> None:
    asked = plain.agent.ask(
        "session/request_permission",
        title="Delete it",
        toolCall={"toolCallId": "1", "title": "Delete it"},
        options=[
            {"optionId": "id-1", "name": "Allow it", "kind": "allow_once"},
            {"optionId": "id-2", "name": "Reject it", "kind": "reject_once"},
        ],
    )
    page = await page_that_asks(plain)
    await page.get_by_role("button", name="Reject it").click()
    assert await asked.result() == {"outcome": {"outcome": "selected", "optionId": "id-2"}}


@pytest.mark.requirement("URL-1", "URL-8", "URL-10", "URL-11")
async def test_a_link_is_opened_with_consent(plain: Meeting) -> None:
    async with listening_trap() as trap:
        url = f"http://{trap.address}:{trap.port}/connect?state=1"
        asked = plain.agent.link("Please connect.", url)
        page = await page_that_asks(plain)
        assert url in await page.locator("article").inner_text()
        assert await page.locator(f"a[href='{url}']").count() == 0
        async with plain.visit.context.expect_page() as opened:
            await click(page, "open")
        await (await opened.value).wait_for_url(url)
        assert await asked.result() == {"action": "accept"}
        assert trap.requests == ["GET /connect?state=1 HTTP/1.1"]
        assert "referer" not in trap.headers[0]
        again = page.get_by_role("link", name="Open again")
        await look_until_shown(again)
        assert await again.get_attribute("href") == url
        await click(page, "done")
        await look_until_shown(page.get_by_text("Done waiting."))

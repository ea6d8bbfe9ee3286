"""`acp-elicit chat --ui web`: a whole conversation in the page, from the first prompt on."""

import re

import pytest
from playwright.async_api import Page, expect

from acp_elicitation.text.terminal import visible
from tests.browser.axe import grave_violations
from tests.browser.chat import button, settled
from tests.browser.command import WebCommand, web_command
from tests.browser.test_markup import TEXTS
from tests.browser.visit import Visit

FORM = {"name": {"type": "string", "title": "Name", "maxLength": 20}}


async def say(command: WebCommand, page: Page, text: str) -> None:
    """Type a prompt, and return when the agent has it."""
    await page.locator("#text").fill(text)
    await page.locator("#text").press("Enter")
    assert await command.agent.turn() == text


@pytest.mark.requirement("UI-1", "UI-6")
async def test_a_conversation_is_held_in_the_page(visit: Visit) -> None:
    async with web_command() as command:
        page, other = await visit.open(command.address), await visit.open(command.address)
        await say(command, page, "Set it up.")
        command.agent.order("say", text="I need a name.\n")
        asked = command.agent.form("Which name?", FORM)
        await page.get_by_text("I need a name.").wait_for()
        await page.get_by_label("Name (optional)").fill("sunflower")
        await settled(page)
        await button(page, "submit").click()
        assert await asked.result() == {"action": "accept", "content": {"name": "sunflower"}}
        await expect(other.get_by_role("log").get_by_text("Answered.")).to_be_visible()
        await other.close()
        command.agent.order("say", text="So be it.\n")
        command.agent.order("end")
        await page.get_by_text("So be it.").wait_for()
        said = await page.get_by_role("log").inner_text()
        in_order = ("You:", "Set it up.", "Agent:", "I need a name.", "Answered.", "So be it.")
        assert re.search(".*".join(map(re.escape, in_order)), said, re.DOTALL), said
        assert await grave_violations(page) == []
        assert await visit.notes(page) == []
        await button(page, "end").click()
        await expect(page.locator("#text")).to_have_count(0)
        await page.close()
        assert await command.ends() == 0


@pytest.mark.requirement("FORM-8", "URL-10")
async def test_markup_in_the_conversation_is_text(visit: Visit) -> None:
    async with web_command() as command:
        page = await visit.open(command.address)
        await say(command, page, TEXTS[0])
        for way in ("think", "tool", "stderr", "say"):  # together: of a flood only a part is shown
            command.agent.order(way, text="\n".join(TEXTS))
        entries = [{"content": text, "status": text, "priority": text} for text in TEXTS[:20]]
        command.agent.order("update", update={"name": "plan", "entries": entries})
        command.agent.order("say", text="That was all.\n")
        await page.get_by_text("That was all.").wait_for()
        shown = await page.get_by_role("log").inner_text()
        for text in TEXTS:
            words = visible(text).split()
            assert re.search(r"\s+".join(map(re.escape, words)), shown), text
        assert all(head in shown for head in ("Thought:", "Tool:", "Plan:", "Agent:"))
        allowed = {"bdi", "code", "div", "p", "span"}
        found = await page.get_by_role("log").evaluate(
            "log => Array.from(log.querySelectorAll('*'), (element) => element.localName)"
        )
        assert set(found) <= allowed
        assert await visit.notes(page) == []
        assert not [one for one in visit.requested if "127.0.0.1" not in one]


@pytest.mark.requirement("UI-3")
async def test_the_page_speaks_chinese(visit: Visit) -> None:
    async with web_command("--lang", "zh-CN") as command:
        page = await visit.open(command.address)
        assert await page.locator("html").get_attribute("lang") == "zh-CN"
        await say(command, page, "开始吧。")
        asked = command.agent.form("叫什么名字？", FORM, required=["name"])
        await page.get_by_text("叫什么名字？").wait_for()
        await settled(page)
        await button(page, "submit").click()
        await page.get_by_role("alert").filter(has_text="1").wait_for()
        shown = await page.locator("body").inner_text()
        ours = re.sub(r"Told Agent 1\.0|Name|Enter|Shift|acp-elicit|.*told_agent\.py.*", "", shown)
        assert re.findall("[A-Za-z]{3,}", ours) == []
        assert await grave_violations(page) == []
        await page.get_by_label("Name").fill("向日葵")
        await settled(page)
        await button(page, "submit").click()
        assert await asked.result() == {"action": "accept", "content": {"name": "向日葵"}}


async def test_a_page_whose_server_is_gone_says_so(visit: Visit) -> None:
    async with web_command() as command:
        page = await visit.open(command.address)
        await page.locator("#text").wait_for()
        command.kill()
        await expect(page.get_by_text("The connection is lost.")).to_be_visible()

import asyncio
import json
from typing import Any

import pytest

from acp_elicitation.cli.feed import Feed
from acp_elicitation.cli.web.log import PageLog
from acp_elicitation.presenters.web.desk import Desk
from tests.posting import read_page


@pytest.fixture
async def desk() -> Desk:
    return Desk()


async def changes(desk: Desk, after: int) -> list[dict[str, Any]]:
    """What the tabs are told after this change."""
    found: list[dict[str, Any]] = []
    async for block in desk.events.stream(after):
        if block.startswith(b"id"):
            found.append(json.loads(block.split(b"data: ")[1]))
        if after + len(found) == desk.events.number:
            return found
    raise AssertionError


def said(markup: str) -> list[tuple[str, str]]:
    """The kind and the text of each block."""
    blocks = read_page(markup).css(".said")
    return [(str(block.attributes["class"]).split()[1], block.text()) for block in blocks]


async def test_what_is_said_stands_in_the_page_in_order(desk: Desk) -> None:
    feed = Feed()
    PageLog(feed, desk)
    feed.say("Hello")
    feed.show_text("thought", "1", "Hm.", anew=False)
    feed.show_text("agent", "2", "Hello to ", anew=False)
    feed.show_text("agent", "2", "you.\n", anew=False)
    feed.show_tool("t", "Look", "pending")
    feed.show_plan("p", [("now", "look"), ("later", "write")])
    feed.tell("Note: {}", "x")
    feed.tell("Bad", bad=True)
    feed.add_noise("stderr: ", b"line")
    assert said(desk.page()) == [
        ("you", "You:Hello"),
        ("thought", "Thought:Hm."),
        ("agent", "Agent:Hello to you."),
        ("tool", "Tool:Look (pending)"),
        ("plan", "Plan:now: look\nlater: write"),
        ("own", "Note: x"),
        ("bad", "Bad"),
        ("noise", "stderr: line"),
    ]


async def test_the_tabs_are_told_of_what_is_new_changed_and_gone(desk: Desk) -> None:
    feed = Feed()
    log = PageLog(feed, desk)
    feed.show_text("agent", "1", "One ", anew=False)
    feed.show_plan("p", [("now", "look")])
    log.tell()
    [change] = await changes(desk, 0)
    assert said(change["append"]["log"]) == [("agent", "Agent:One "), ("plan", "Plan:now: look")]
    feed.show_tool("t", "Look", "pending")
    log.tell()
    feed.show_tool("t", "Look", "completed")
    feed.show_plan("p", [("done", "look")])
    log.tell()
    _, change = await changes(desk, 1)
    assert change["remove"] == ["said-2"]
    assert "completed" in change["replace"]["said-3"]
    assert said(change["append"]["log"]) == [("plan", "Plan:done: look")]
    assert [kind for kind, _ in said(desk.page())] == ["agent", "tool", "plan"]


async def test_text_that_runs_is_told_in_pieces_and_not_word_by_word(desk: Desk) -> None:
    feed = Feed()
    log = PageLog(feed, desk)
    for word in range(100):
        feed.show_text("agent", "1", f"{word} ", anew=False)
        log.touch()
    async for block in desk.events.stream(0):
        if block.startswith(b"id"):
            assert b"0 1 2 " in block
            assert b" 99 " in block
            break
    assert desk.events.number == 1


async def test_nothing_is_told_where_nothing_was_said(desk: Desk) -> None:
    log = PageLog(Feed(), desk)
    log.touch()
    log.tell()
    assert desk.events.number == 0


async def test_a_page_that_is_drawn_has_what_was_not_told_yet(desk: Desk) -> None:
    feed = Feed()
    log = PageLog(feed, desk)
    feed.say("Hello")
    log.touch()
    page = desk.page()
    assert said(page) == [("you", "You:Hello")]
    assert 'data-after="1"' in page  # so that the page is not told of it again


async def test_a_long_text_goes_on_without_another_head(desk: Desk) -> None:
    feed = Feed()
    PageLog(feed, desk)
    feed.show_text("agent", "1", "word " * 2_000, anew=False)
    feed.show_text("agent", "2", "next", anew=False)
    heads = [text.startswith("Agent:") for _, text in said(desk.page())]
    assert heads[0] is True
    assert heads.count(True) == 1
    assert len(heads) == 4


@pytest.mark.requirement("FORM-8")
async def test_nothing_that_an_agent_says_is_markup(desk: Desk) -> None:
    feed = Feed()
    PageLog(feed, desk)
    hostile = "</section><a href=//evil>x</a><script>1</script>\u202e https://evil.example"
    feed.show_text("agent", hostile, hostile, anew=False)
    feed.show_tool(hostile, hostile, hostile)
    feed.show_plan(hostile, [(hostile, hostile)])
    feed.show_failure(hostile)
    feed.add_noise("stderr: ", hostile.encode())
    tree = read_page(desk.page())
    assert len(tree.css(".said")) == 5
    assert all("<U+202E>" in block.text() for block in tree.css(".said"))
    assert not tree.css("main a, main script, main img")


async def test_a_flood_is_bounded_in_the_page(desk: Desk) -> None:
    feed = Feed()
    PageLog(feed, desk)
    for number in range(5_000):
        feed.show_tool(str(number), "x" * 1_000, "pending")
        if number % 500 == 0:
            desk.page()
            await asyncio.sleep(0)
    page = desk.page()
    assert len(read_page(page).css(".said")) <= 301
    assert len(page) < 1_000_000

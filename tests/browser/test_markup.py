"""Markup in every text of an agent stays text: nothing runs, loads, opens or can be clicked.

The texts are `tests/cases/markup.jsonl`. What shows it: no violation of the page's policy (markup
that the policy had to stop would be one), a canary that nothing touched, no dialog, no request to
anywhere else, and no element of a kind that the page has not got for harmless texts.
"""

import json
from collections import Counter
from collections.abc import Sequence
from itertools import cycle
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Page

from acp_elicitation.protocol.schema_wire import write_schema
from acp_elicitation.protocol.version import V2
from acp_elicitation.text.terminal import visible
from tests.browser.chat import Meeting, button, settled
from tests.contract.presenters import form_full_of
from tests.told import Asked

CASES = Path(__file__).resolve().parents[1] / "cases" / "markup.jsonl"
# Half a surrogate pair cannot be sent, so no agent can show one.
TEXTS = [
    case["text"]
    for case in map(json.loads, CASES.read_text(encoding="utf-8").splitlines())
    if not any("\ud800" <= character <= "\udfff" for character in case["text"])
]
TOGETHER = 10
"""How many texts stand in one question: a page takes its time."""
HARMLESS = ["plain", "two\nlines", "turned \u202e around", "x\ry", "your access token"]
COUNTED = ("a", "article", "base", "button", "form", "iframe", "link", "main", "meta", "script")


def batch(texts: Sequence[str]) -> list[str]:
    """As many texts as stand in one question, each a little different from the others."""
    return [f"{text} {n}" for n, text in zip(range(TOGETHER), cycle(texts), strict=False)]


def batches(texts: Sequence[str]) -> list[list[str]]:
    """All texts, in questions of equal size; each number keeps equal ones apart."""
    return [batch(texts[n : n + TOGETHER]) for n in range(0, len(texts), TOGETHER)]


class Screen:
    """A page, and what a chat shows there."""

    def __init__(self, meeting: Meeting, page: Page) -> None:
        self.visit = meeting.visit
        self.chat = meeting.chat
        self.page = page

    async def elements(self) -> tuple[set[str], Counter[str]]:
        """Return the kinds of elements, with their attributes, and how many of the weighty ones."""
        found: list[list[str]] = await self.page.evaluate(
            """Array.from(document.querySelectorAll('*'), (element) =>
                [element.localName, element.getAttributeNames().sort().join(' ')])"""
        )
        return {" ".join(kind) for kind in found}, Counter(
            name for name, _ in found if name in COUNTED
        )

    def ask(self, question: str, texts: Sequence[str]) -> Asked:
        """Have the agent ask with the texts in every place."""
        message = "\n".join(texts)
        match question:
            case "form":
                schema, *others = [write_schema(form_full_of(text), V2) for text in texts]
                for other in others:
                    schema["properties"] |= other["properties"]
                return self.chat.agent.ask(
                    "elicitation/create", mode="form", message=message, requestedSchema=schema
                )
            case "link":
                return self.chat.agent.link(message, "https://example.com/")
            case _:
                return self.chat.agent.ask(
                    "session/request_permission",
                    title=message,
                    description=message,
                    toolCall={"toolCallId": message, "title": message},
                    options=[
                        {"optionId": text, "name": text, "kind": "allow_once"} for text in texts
                    ],
                )

    async def decline(self, question: str, asked: Asked) -> None:
        """Get rid of the question."""
        decision = "cancel" if question == "permission" else "decline"
        await button(self.page, decision).click()
        await settled(self.page)
        await asked.result()

    def elsewhere(self) -> list[str]:
        """The requests to anywhere but our page."""
        ours = self.chat.address[: self.chat.address.index("/", 8)]
        return [it for it in self.visit.requested if not it.split(" ")[1].startswith(ours)]


@pytest_asyncio.fixture(loop_scope="session")
async def screen(meeting: Meeting) -> Screen:
    return Screen(meeting, await meeting.page())


@pytest.mark.requirement("FORM-8", "UI-6", "URL-10")
@pytest.mark.parametrize("question", ["form", "link", "permission"])
async def test_markup_in_a_question_is_text(screen: Screen, question: str) -> None:
    kinds: set[str] = set()
    counts: Counter[str] = Counter()
    for harmless, texts in [(True, batch(HARMLESS)), *((False, some) for some in batches(TEXTS))]:
        asked = screen.ask(question, texts)
        article = screen.page.locator("article")
        await article.wait_for()
        shown = await article.text_content() or ""
        assert [text for text in texts if visible(text).strip() not in shown] == []
        found, counted = await screen.elements()
        if harmless:
            kinds, counts = found, counted
        assert found - kinds == set(), texts
        assert counted == counts, texts
        assert await screen.visit.notes(screen.page) == [], texts
        await screen.decline(question, asked)
        await article.wait_for(state="detached")
    assert screen.elsewhere() == []
    assert len(screen.visit.context.pages) == 1

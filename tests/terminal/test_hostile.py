"""Every hostile text at once, sent by a real agent, on a real terminal."""

import re
import sys
from pathlib import Path

import pytest

from tests.terminal.screen import on_a_screen

AGENT = Path(__file__).with_name("hostile_agent.py")
CORPUS = Path(__file__).resolve().parents[1] / "cases" / "terminal.jsonl"
MAIN = "import sys; from acp_elicitation.cli import main; sys.exit(main())"
TYPED = {
    "form": ("", "1", "1", "x", "", "", "decline"),
    "link": ("decline",),
    "permission": ("1",),
}
OPENING = {"form": "Question from", "link": "Link from", "permission": "Permission request from"}


@pytest.mark.requirement("UI-1", "FORM-8", "URL-10")
@pytest.mark.parametrize("question", ["form", "link", "permission"])
async def test_nothing_that_an_agent_says_acts_on_the_terminal(question: str) -> None:
    chat = (sys.executable, "-c", MAIN, "chat", "--no-browser", "--prompt", question)
    async with on_a_screen(*chat, "--", sys.executable, str(AGENT), str(CORPUS)) as screen:
        await screen.expects(OPENING[question])
        await screen.types(*TYPED[question])
        await screen.expects("| The end of it.")
        await screen.expects("EXIT 0")
        acting = {character for character in screen.written if character < " "} - {"\r", "\n"}
        # The agent's stderr is dimmed by the client itself, and by nobody else.
        left = re.sub("\x1b\\[2m([^\x1b]*)\x1b\\[0m", r"\1", screen.written)
        assert acting <= {"\x1b"}
        assert "\x1b" not in left
        assert not any("\x7f" <= character <= "\x9f" for character in screen.written)


@pytest.mark.requirement("UI-1")
async def test_every_row_of_the_agent_carries_its_mark() -> None:
    chat = (sys.executable, "-c", MAIN, "chat", "--no-browser", "--prompt", "link")
    async with on_a_screen(*chat, "--", sys.executable, str(AGENT), str(CORPUS)) as screen:
        await screen.expects("yes, decline or cancel> ")
        rows = await screen.rows()
        end = rows.index("It asks you to open this address:") - 1
        assert end > 5
        assert all(row.startswith("|") for row in rows[:end])
        await screen.types("cancel")
        await screen.expects("EXIT 0")

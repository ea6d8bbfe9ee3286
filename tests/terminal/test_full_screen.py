"""The chat on a full screen, on real terminals of three sizes, as its user sees it."""

import contextlib
import re
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from acp_elicitation.presenters.tui.screen import ElicitationScreen
from tests.terminal.screen import Screen, on_a_screen

AGENT = Path(__file__).with_name("kinds_agent.py")
HOSTILE = Path(__file__).with_name("hostile_agent.py")
CORPUS = Path(__file__).resolve().parents[1] / "cases" / "terminal.jsonl"
MAIN = "import sys; from acp_elicitation.cli import main; sys.exit(main())"
SIZES = [(40, 12), (80, 24), (200, 60)]
_SOON = 2 * ElicitationScreen.settle_seconds + 0.1
_TIMES = 6
_OPENINGS = ("Question from", "Link from", "Permission request from")
_BAR = re.compile("\x1b\\[38;([0-9;]+)m(?:\x1b\\[48;[0-9;]+m)?▌")
"""A bar, by the colour that it has."""


@contextlib.asynccontextmanager
async def chat(
    size: tuple[int, int], *options: str, agent: tuple[str, ...] = (str(AGENT),)
) -> AsyncIterator[Screen]:
    command = (sys.executable, "-c", MAIN, "chat", "--ui", "tui", "--no-browser", *options)
    columns, rows = size
    async with on_a_screen(
        *command, "--", sys.executable, *agent, columns=columns, rows=rows
    ) as screen:
        await screen.shows("your turn")
        yield screen


async def presses_until(screen: Screen, key: str, *texts: str) -> list[str]:
    """Press a key until the texts are shown: a question takes no answer in its first moment.

    Once the question is gone the key is not pressed again: it would do something else there.
    """
    for times in range(1, _TIMES):  # a key that comes too early has the question wait on
        await screen.presses(key)
        with contextlib.suppress(AssertionError):
            return await screen.shows(*texts, limit=_SOON * times)
        if not any(opening in row for row in await screen.rows() for opening in _OPENINGS):
            break
    return await screen.shows(*texts)


async def takes_keys(screen: Screen) -> None:
    """Return once a field has the focus: its bar has the colour of the one beside the message."""

    def is_so(rows: list[str]) -> bool:
        message = next((n for n, row in enumerate(rows) if "Give me: " in row), len(rows))
        bars = [found[-1] for row in rows[message:] if (found := _BAR.findall(row))]
        return bars[:1] != [] and bars[0] in bars[1:]

    await screen.becomes(is_so, "a field with the focus", styled=True)


async def asks(screen: Screen, prompt: str, *texts: str) -> list[str]:
    """Type a prompt, and return the rows of the question that it brings."""
    await screen.types(prompt)
    return await screen.shows("Asker 1.0", *texts)


async def leaves(screen: Screen) -> None:
    """End the conversation, and see that the terminal is what it was."""
    await screen.shows("your turn")
    await screen.presses("C-q")
    await screen.shows("EXIT 0")
    state = await screen.tmux(
        "display-message", "-p", "#{alternate_on} #{cursor_flag} #{mouse_any_flag} #{pane_title}"
    )
    alternate, cursor, mouse, _ = state.split(" ", 3)
    assert (alternate, cursor, mouse) == ("0", "1", "0")


async def sends(screen: Screen, answer: str) -> list[str]:
    """Send the form with what stands in it."""
    return await presses_until(screen, "C-s", f"Answer: accepted {answer}.")


async def enters(screen: Screen, text: str) -> None:
    """Type into the field that has the focus, once it has it: what comes before that is lost."""
    await takes_keys(screen)
    await screen.tmux("send-keys", "-l", text)
    await screen.shows(f" {text}")


TYPED = [
    ("word", "green", "{'word': 'green'}"),
    ("mail", "bob@example.org", "{'mail': 'bob@example.org'}"),
    ("date", "2031-05-06", "{'date': '2031-05-06'}"),
    ("number", "6.25", "{'number': 6.25}"),
    ("integer", "7391", "{'integer': 7391}"),
]
CHOSEN = [
    ("boolean", "(●) Yes", "{'boolean': True}"),
    ("select", "(●) Red", "{'select': 'r'}"),
    ("several", "[x] Red", "{'several': ['r']}"),
]


@pytest.mark.requirement("FORM-2", "FORM-4", "UI-1", "UI-4")
@pytest.mark.parametrize("size", SIZES, ids=str)
async def test_every_kind_of_value_is_typed_and_sent_by_keyboard(size: tuple[int, int]) -> None:
    async with chat(size) as screen:
        for kind, text, answer in TYPED:
            await asks(screen, kind, f"Give me: {kind}")
            await enters(screen, text)
            await sends(screen, answer)
        await leaves(screen)


@pytest.mark.requirement("FORM-2", "FORM-4", "UI-1", "UI-4")
@pytest.mark.parametrize("size", SIZES, ids=str)
async def test_every_kind_of_choice_and_a_text_of_several_lines_is_entered_by_keyboard(
    size: tuple[int, int],
) -> None:
    async with chat(size) as screen:
        for kind, chosen, answer in CHOSEN:
            await asks(screen, kind, f"Give me: {kind}")
            await takes_keys(screen)
            await screen.presses("Space")
            await screen.shows(chosen)
            await sends(screen, answer)
        await asks(screen, "text", "Give me: text")
        await enters(screen, "quux")
        await screen.presses("Enter", "t", "w", "o")
        rows = await sends(screen, r"{'text': 'quux\ntwo'}")
        assert max(map(len, rows)) <= size[0]
        assert len(rows) <= size[1]
        await leaves(screen)


@pytest.mark.requirement("FORM-4", "UI-2", "UI-3", "RES-1")
@pytest.mark.parametrize("size", SIZES, ids=str)
async def test_a_problem_is_told_as_it_is_typed_and_the_ways_out_are_apart(
    size: tuple[int, int],
) -> None:
    async with chat(size) as screen:
        await asks(screen, "word", "Submit", "Decline", "Cancel")
        await enters(screen, "gr")
        await screen.shows("! Enter at least 3 characters.")
        await screen.presses("e", "e", "n")
        await sends(screen, "{'word': 'green'}")

        await asks(screen, "word", "Word")
        await presses_until(screen, "C-d", "Answer: declined.")
        await asks(screen, "mail", "Mail")
        await presses_until(screen, "Escape", "Answer: cancelled.")
        await asks(screen, "unknown", "Left out, since its kind is not known here: Unknown")
        await presses_until(screen, "C-d", "unknown Declined.")
        await leaves(screen)


@pytest.mark.requirement("UI-2")
@pytest.mark.parametrize("size", SIZES, ids=str)
async def test_a_withdrawn_question_goes_and_says_why(size: tuple[int, int]) -> None:
    async with chat(size) as screen:
        await asks(screen, "withdraw", "Quick!", "Word")
        await screen.presses("g", "r")
        await screen.shows("This question was withdrawn. Nothing that you typed was sent.")
        await screen.shows("It went.", "Type a prompt")
        await screen.types("date")
        await screen.shows("Give me: date")
        await screen.presses("C-c")
        await screen.shows("Answer: cancelled.")
        await leaves(screen)


@pytest.mark.requirement("UI-5", "URL-8", "URL-10", "URL-12")
@pytest.mark.parametrize("size", SIZES, ids=str)
async def test_a_link_is_judged_agreed_to_and_waited_for(size: tuple[int, int]) -> None:
    async with chat(size) as screen:
        await asks(screen, "link", "https://example.com/connect", "Agree", "Decline", "Cancel")
        await presses_until(screen, "Enter", "Answer: accepted None.")
        await screen.shows("The agent says that the link is complete.")

        await asks(screen, "odd", "Please connect.", "https://login.example.com:8443/")
        await presses_until(screen, "Enter", "Answer: declined.")
        await asks(screen, "odd", "Please connect.")
        await presses_until(screen, "NPage", "! It uses the unusual port 8443.")
        await presses_until(screen, "Escape", "Answer: cancelled.")
        await leaves(screen)


@pytest.mark.requirement("UI-1", "FORM-8", "URL-10")
@pytest.mark.parametrize(
    ("question", "opening"),
    [
        ("form", "Question from"),
        ("link", "Link from"),
        ("permission", "Permission request from"),
    ],
)
async def test_nothing_that_an_agent_says_changes_the_terminal(question: str, opening: str) -> None:
    async with chat((80, 24), agent=(str(HOSTILE), str(CORPUS))) as screen:
        title = await screen.tmux("display-message", "-p", "#{pane_title}")
        await screen.types(question)
        await screen.shows(opening)
        assert await screen.tmux("display-message", "-p", "#{pane_title}") == title
        await presses_until(screen, "Escape", "The end of it.")
        await leaves(screen)
        assert await screen.tmux("display-message", "-p", "#{pane_title}") == title

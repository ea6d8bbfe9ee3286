"""The whole demo on a terminal of 80 columns and 24 rows, as its user sees it."""

import asyncio
import sys

import pytest

from acp_elicitation.cli.demo import press_the_button
from tests.terminal.screen import Screen, on_a_screen

DEMO = (
    sys.executable,
    "-c",
    "import sys; from acp_elicitation.cli import main; sys.exit(main())",
    "demo",
    "--no-browser",
)


async def answer(screen: Screen, place: str, *lines: str) -> None:
    """Wait for a field and answer it."""
    await screen.expects(place)
    await screen.expects("> ", count=screen.written.partition(place)[0].count("> ") + 1)
    await screen.types(*lines)


async def address(screen: Screen) -> str:
    """Return the address that the link shows, which stands on a row of its own."""
    await screen.expects("It asks you to open this address:\r\n")
    await screen.expects("yes, decline or cancel> ")
    rows = await screen.rows()
    shown = rows.index("It asks you to open this address:")
    assert rows[shown + 2] == "A page of the host:"
    assert rows[shown + 3] == "127.0.0.1"
    return rows[shown + 1]


@pytest.mark.requirement("UI-1", "UI-3", "UI-4", "UI-5", "UI-6", "FORM-4", "URL-8", "RES-1")
async def test_the_whole_demo_can_be_answered_in_a_terminal() -> None:
    async with on_a_screen(*DEMO) as screen:
        await screen.expects("Question from Project setup (demo) 1.0")
        await answer(screen, "1/10 Project name (required)", "My Project")
        await screen.expects("! Enter a text that matches the pattern ^[a-z][a-z0-9-]*$")
        rows = await screen.rows()
        assert max(map(len, rows)) < 80
        assert "| What should the new project look like?" in rows
        assert rows[-1] == ">"
        await screen.types("sunflower")
        await answer(screen, "2/10 Summary", '"""', "Counts sunflowers.", "From above.", '"""')
        await answer(screen, "3/10 Contact address", "nobody")
        await screen.expects("! Enter an e-mail address like ada@example.org.")
        await screen.types("ada@example.org")
        await answer(screen, "4/10 First day of work", "2027-01-04")
        await answer(screen, "5/10 License", "2")
        await answer(screen, "6/10 Database", "sqlite")
        await answer(screen, "7/10 Extras", "1, 3")
        await answer(screen, "8/10 Worker processes", "65")
        await screen.expects("! Enter 64 or less.")
        await screen.types("")
        await answer(screen, "9/10 Least test coverage", "0.75")
        await answer(screen, "10/10 Keep the repository private", "no")
        await answer(screen, "Review. This is what will be sent:", "change 1")
        await screen.expects("[sunflower]> ")
        await screen.types("rose")
        await screen.expects("submit, change NUMBER, decline or cancel> ", count=2)
        rows = await screen.rows()
        assert rows[rows.index("  1. Project name: rose") :] == [
            "  1. Project name: rose",
            "  2. Summary:",
            "| Counts sunflowers.",
            "| From above.",
            "  3. Contact address: ada@example.org",
            "  4. First day of work: 2027-01-04",
            "  5. License: MIT",
            "  6. Database: SQLite",
            "  7. Extras: Tests, Continuous integration",
            "  8. Worker processes: 4",
            "  9. Least test coverage: 0.75",
            "  10. Keep the repository private: no",
            "submit, change NUMBER, decline or cancel>",
        ]
        await screen.types("submit")

        await screen.expects("| How is SQLite to be used?")  # the follow-up
        await answer(screen, "1/2 Database file", "/decline")
        await screen.expects("Declined. Nothing that you typed was sent.")

        url = await address(screen)
        await screen.types("yes")
        await screen.expects("Open this address in your browser:")
        await screen.expects("Waiting for completion: r tries the link again, d is done waiting.")
        assert await asyncio.to_thread(press_the_button, url)
        await screen.expects("The agent says that the link is complete.")
        await screen.expects("| The repository is connected.")

        await screen.expects("| Shall I announce rose to the whole company by e-mail?")
        await screen.expects("yes, decline or cancel> ", count=2)
        await screen.types("decline")
        await screen.expects("| No announcement, then. All done.")
        await screen.expects("EXIT 0")
        assert "\x1b" not in screen.written


@pytest.mark.requirement("UI-3", "RES-1")
async def test_the_demo_can_be_declined_from_its_first_field() -> None:
    async with on_a_screen(*DEMO) as screen:
        await answer(screen, "1/10 Project name", "/decline")
        await screen.expects("| Understood, no project then.")
        await screen.expects("EXIT 0")
        assert "Declined. Nothing that you typed was sent." in await screen.rows()


@pytest.mark.requirement("RES-1")
async def test_a_key_that_dismisses_cancels() -> None:
    for key in ("C-c", "C-d"):
        async with on_a_screen(*DEMO) as screen:
            await answer(screen, "1/10 Project name")
            await screen.presses(key)
            await screen.expects("| I have stopped. Ask me again when you know more.")
            await screen.expects("EXIT 0")
            assert "Cancelled. Nothing that you typed was sent." in screen.written


async def test_an_arrow_key_does_not_end_up_in_the_answer() -> None:
    async with on_a_screen(*DEMO) as screen:
        await answer(screen, "1/10 Project name")
        await screen.presses("r", "o", "s", "e", "Left", "Enter")
        await screen.expects("! That line was not taken: it has control characters")
        await screen.types("/cancel")
        await screen.expects("EXIT 0")

"""How a full screen is left once there is nothing more to do on it."""

import sys
from pathlib import Path

import pytest

from tests.terminal.screen import on_a_screen

AGENT = Path(__file__).parent.parent / "unit" / "cli" / "obedient_agent.py"
MAIN = "import sys; from acp_elicitation.cli import main; sys.exit(main())"


@pytest.mark.parametrize("key", ["Enter", "Escape", "C-d", "C-c", "C-q"])
async def test_a_conversation_that_is_over_is_left_by_the_keys_for_that(key: str) -> None:
    command = (sys.executable, "-c", MAIN, "chat", "--ui", "tui", "--prompt", "hello")
    async with on_a_screen(*command, "--", sys.executable, str(AGENT)) as screen:
        await screen.shows("The conversation is over.", "Enter leaves")
        await screen.presses(key)
        rows = await screen.shows("EXIT 0")
        assert "Enter leaves" not in "".join(rows)

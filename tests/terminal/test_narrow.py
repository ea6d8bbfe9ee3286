"""Line mode on a terminal of 40 columns: nothing is cut, and every line is ended by us."""

import sys

import pytest

from acp_elicitation.presenters.page import width
from tests.terminal.program import on_a_terminal

MAIN = "import sys; from acp_elicitation.cli import main; sys.exit(main())"


@pytest.mark.requirement("UI-3", "UI-4")
@pytest.mark.parametrize("language", ["en", "zh-CN"])
async def test_a_form_fits_a_narrow_terminal(language: str) -> None:
    command = (sys.executable, "-c", MAIN, "demo", "--ui", "plain", "--no-browser")
    async with on_a_terminal(*command, "--lang", language, columns=40, rows=12) as program:
        await program.expects_prompt("\r\n1/10 ")
        program.types("sunflower")
        await program.expects_prompt("\r\n2/10 ")
        program.types("/help")
        await program.expects_prompt("\r\n  /cancel ")
        program.types("/review")
        await program.expects_prompt("\r\n  10. ")
        program.types("change 99")
        await program.expects_prompt("cancel", count=3)
        program.types("submit")
        await program.expects_prompt("\r\n6/10 ")
        program.types("/decline")
        await program.ends()
        lines = program.output.replace("\r", "").split("\n")
        own = [line.partition("> ")[0] for line in lines]  # without what was typed
        assert [line for line in own if width(line) > 39] == []
        assert "/decline" in program.output

"""Lines on a screen: where the next words stand."""

import pytest

from acp_elicitation.presenters.lines import DescriptorLines, Line, Stop
from acp_elicitation.presenters.page import Page
from acp_elicitation.presenters.screen_lines import ScreenLines
from tests.unit.presenters.dialogue import Shown


class OnTerminal(Shown):
    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        raise OSError  # it has no size


class Lines(DescriptorLines):
    def __init__(self, line: Line) -> None:
        super().__init__()
        self._line = line

    async def read_line(self) -> Line:
        return self._line


@pytest.mark.parametrize(
    ("line", "written"), [(Stop.END, "\n"), (Stop.INTERRUPT, "\n"), ("text", "")]
)
async def test_what_ends_a_line_without_enter_is_followed_by_a_new_one(
    line: Line, written: str
) -> None:
    terminal, pipe = OnTerminal(), Shown()
    assert await ScreenLines(Lines(line), Page(terminal)).read_line() is line
    assert await ScreenLines(Lines(line), Page(pipe)).read_line() is line
    assert (terminal.getvalue(), pipe.getvalue()) == (written, "")

"""The port between the frame of a question and what is particular to its kind.

Owns: `Body`, which a form, a link and a permission implement, and its messages to the frame.
Knows nothing of: any of the three, and how the frame looks.
Above it: `screen`, the bodies. Below it: `client.prompts`.
"""

from collections.abc import Sequence
from typing import NamedTuple

from textual.containers import Vertical
from textual.content import Content
from textual.message import Message

from acp_elicitation.client.prompts import Reply

__all__ = ["MAIN_KEY", "Body", "Control"]

MAIN_KEY = "ctrl+s"
"""The key for the way on, from wherever the focus is."""


class Control(NamedTuple):
    """A button of the body's own, which the frame keeps in view beside Decline and Cancel."""

    id: str
    label: Content | str
    """A plain string is own words."""
    is_main: bool = False
    """Whether it is the way on, to be drawn as such."""
    key: str | None = None
    """The key that presses it too: `MAIN_KEY`, or None for none."""


class Body(Vertical):
    """What stands below the message of a question, and scrolls with it.

    Obligations:
    - It posts `Answered` for an explicit answer of the user's, and never for anything else (RES-1).
    - What it shows of the agent's goes through `said`.
    - The user's input stays in it until it posts `Answered` (UI-2).
    """

    class Answered(Message):
        """The user has answered."""

        def __init__(self, reply: Reply) -> None:
            super().__init__()
            self.reply = reply

    class ControlsChanged(Message):
        """`controls` returns others than before."""

        def __init__(self, focus: str | None = None) -> None:
            """`focus` is the id of the control to put the focus on; None leaves the focus."""
            super().__init__()
            self.focus = focus

    class Edited(Message):
        """The user goes on with the question: what was about to be lost stays."""

    @property
    def opening(self) -> str:
        """Own words for what is asked, with `{}` for the agent's name: "Question from {}"."""
        raise NotImplementedError

    @property
    def message(self) -> str:
        """What the agent says above the body, untrusted (UI-6)."""
        raise NotImplementedError

    @property
    def can_decline(self) -> bool:
        """Whether declining is an answer here; a permission request knows only cancel."""
        return True

    @property
    def is_touched(self) -> bool:
        """Whether the user has put something in that a cancel or decline would lose."""
        return False

    def controls(self) -> Sequence[Control]:
        """Return the buttons to show before Decline and Cancel, now."""
        return ()

    async def press(self, id: str) -> None:
        """Act on the button `id` of `controls`."""

    def focus_first(self) -> bool:
        """Put the focus where the user begins; False leaves that to the frame: on Decline."""
        return False

    def step_back(self) -> bool:
        """Take an Escape that leads back within the body, as from a review; else return False."""
        return False

"""What the widgets of a field tell it, whatever kind of widget they are.

Owns: the two messages. Knows nothing of: the widgets and the draft.
Above it: `editors`, `choosing`, `yes_no`, `field_view`. Below it: nothing.
"""

from textual.message import Message
from textual.widget import Widget

__all__ = ["GoOn", "Put"]


class Put(Message):
    """The user has put this in: a text, or the values of the options that are chosen now."""

    def __init__(self, sender: Widget, entry: str | tuple[str, ...]) -> None:
        super().__init__()
        self.sender = sender
        self.entry = entry


class GoOn(Message):
    """The user is done here and wants to go to what comes next."""

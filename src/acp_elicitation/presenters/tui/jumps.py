"""A line that leads to a field: in the list of what is wrong, and in the review.

Owns: `Jump`. Knows nothing of: fields. Above it: `form_body`, `review`. Below it: `said`.
"""

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message

from acp_elicitation.presenters.tui.said import Words

__all__ = ["Jump"]


class Jump(Words, can_focus=True):
    """Words that can be chosen by Enter or a click."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter,space", "go", show=False)]

    class Chosen(Message):
        """The user wants to go to the field `name`."""

        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name

    def __init__(self, words: Content, name: str) -> None:
        """Lead to the field `name`."""
        super().__init__(words)
        self._to = name

    def action_go(self) -> None:
        """Go there."""
        self.post_message(self.Chosen(self._to))

    def on_click(self) -> None:
        """Go there, unless text has just been selected."""
        if not self.screen.get_selected_text():
            self.action_go()

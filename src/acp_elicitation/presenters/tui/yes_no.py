"""A yes or no on one line, which may also be left unanswered.

Owns: `YesNo`. Knows nothing of: what is sent. Above it: `field_view`. Below it: `entering`.

A switch is on or off, and so shows an answer that nobody gave: this has none marked at first.
"""

from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from acp_elicitation.forms.parse import NO, YES
from acp_elicitation.presenters.tui.entering import GoOn, Put
from acp_elicitation.text.language import tr

__all__ = ["YesNo"]

_GAP = 3


class YesNo(Widget, can_focus=True):
    """Posts `Put` with the text that stands for the answer, and `GoOn`."""

    ALLOW_SELECT = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,up", "move(-1)", show=False),
        Binding("right,down", "move(1)", show=False),
        Binding("space", "choose", show=False),
        Binding("enter", "go_on", show=False),
        Binding("y", f"answer('{YES}')", show=False),
        Binding("n", f"answer('{NO}')", show=False),
        Binding("delete,backspace", "answer('')", show=False),
    ]

    answer = reactive("")
    """What is answered: yes, no, or nothing."""
    at = reactive(0)
    """Which of the answers the keys are at."""

    def __init__(self, answer: str, *, can_be_empty: bool) -> None:
        """Begin with `answer`."""
        super().__init__()
        self._answers = [(YES, tr("Yes")), (NO, tr("No"))]
        if can_be_empty:
            self._answers.append(("", tr("No answer")))
        self._can_be_empty = can_be_empty
        self.put(answer)

    def put(self, answer: str) -> None:
        """Have another answer, without telling anyone."""
        self.set_reactive(YesNo.answer, answer)
        values = [value for value, _ in self._answers]
        if answer and answer in values:
            self.set_reactive(YesNo.at, values.index(answer))
        self.refresh()

    def render(self) -> Content:
        """Draw the answers side by side."""
        parts: list[Content | str] = []
        for index, (value, words) in enumerate(self._answers):
            marked = value == self.answer and (value != "" or self._can_be_empty)
            style = "reverse bold" if self.has_focus and index == self.at else ""
            italic = "italic" if value == "" else ""
            words_drawn = Content.styled(f" {words} ", f"{style} {italic}".strip())
            parts += ["(●)" if marked else "( )", words_drawn, " " * (_GAP - 1)]
        return Content.assemble(*parts)

    def action_move(self, by: int) -> None:
        """Go to another answer, without choosing it."""
        self.at = (self.at + by) % len(self._answers)

    def action_choose(self) -> None:
        """Choose the answer that the keys are at."""
        self.action_answer(self._answers[self.at][0])

    def action_go_on(self) -> None:
        """Choose the answer that the keys are at, and go on."""
        self.action_choose()
        self.post_message(GoOn())

    def action_answer(self, answer: str) -> None:
        """Give an answer, or take it back."""
        self.put(answer)
        self.post_message(Put(self, answer))

    def on_click(self, event: events.Click) -> None:
        """Choose the answer that was clicked."""
        end = 0
        for value, words in self._answers:
            end += 3 + Content(f" {words} ").cell_length + _GAP - 1
            if event.x < end:
                self.action_answer(value)
                return

    def get_content_height(self, *_: object) -> int:
        """Return that it is one line."""
        return 1

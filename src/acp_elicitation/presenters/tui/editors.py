"""Where text is typed: a line, a line that is a date, or an area of several lines.

Owns: which of them a question gets, and what keys do in them. Knows nothing of: what may be
entered (the draft judges that), and the rest of the field.
Above it: `field_view`. Below it: `entering`, `said`, Textual's own editors.

What a user pastes, and what an agent has put in as a default, may hold characters that a terminal
acts on: editors draw the text through `said.in_editor`, and keep it as it is.
"""

import datetime
from typing import ClassVar, TypeAlias

from rich.highlighter import Highlighter
from rich.text import Text
from textual import events, on
from textual.binding import Binding, BindingType
from textual.widgets import Input, TextArea

from acp_elicitation.forms.draft_field import DraftField
from acp_elicitation.presenters.tui.entering import GoOn, Put
from acp_elicitation.presenters.tui.said import in_editor
from acp_elicitation.protocol.schema import StringProperty

__all__ = ["Area", "DateLine", "Editor", "Line", "editor_of"]

_SHORT = 120
"""Up to this `maxLength`, a text is asked for on one line."""


class _Shown(Highlighter):
    """Makes what a line draws visible; it is drawn afresh after each change."""

    def highlight(self, text: Text) -> None:
        """Put the visible text in place of the one that is to be drawn."""
        text.plain = in_editor(text.plain)


class Line(Input):
    """A text on one line. Enter goes on."""

    def __init__(self, text: str = "", *, masked: bool = False, placeholder: str = "") -> None:
        """Begin with `text`; `masked` shows a dot for each of its characters."""
        super().__init__(
            text,
            placeholder=placeholder,
            password=masked,
            highlighter=_Shown(),
            select_on_focus=False,
            validate_on=(),
        )

    def put(self, text: str) -> None:
        """Have another text, without telling anyone."""
        if text != self.value:
            with self.prevent(Input.Changed):
                self.value = text

    @on(Input.Changed)
    def _tell(self, event: Input.Changed) -> None:
        event.stop()
        self.post_message(Put(self, event.value))

    @on(Input.Submitted)
    def _go_on(self, event: Input.Submitted) -> None:
        event.stop()
        self.post_message(GoOn())

    def _on_paste(self, event: events.Paste) -> None:
        """Take all lines of what is pasted, with spaces between: Textual takes only the first."""
        event.prevent_default()
        event.stop()
        lines = [line.strip() for line in event.text.splitlines()]
        text = event.text if len(lines) == 1 else " ".join(filter(None, lines))
        self.replace(text.rstrip("\r\n"), *self.selection)


class DateLine(Line):
    """A date on one line, which the arrow keys change by a day."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "change(1)", show=False),
        Binding("down", "change(-1)", show=False),
        Binding("pageup", "change(7)", show=False),
        Binding("pagedown", "change(-7)", show=False),
    ]

    def action_change(self, days: int) -> None:
        """Go some days on or back; where no date stands, to today."""
        try:
            date = datetime.date.fromisoformat(self.value.strip()) + datetime.timedelta(days)
        except (ValueError, OverflowError):
            if self.value.strip():
                return  # something is being typed
            date = datetime.date.today()
        self.value = date.isoformat()
        self.cursor_position = len(self.value)


class Area(TextArea):
    """A text of any number of lines. Enter begins a new one, Tab goes on."""

    def __init__(self, text: str = "") -> None:
        """Begin with `text`."""
        super().__init__(text, soft_wrap=True, tab_behavior="focus", highlight_cursor_line=False)

    def on_mount(self) -> None:
        """Begin where the text ends."""
        self.move_cursor(self.document.end)

    def put(self, text: str) -> None:
        """Have another text, without telling anyone."""
        if text != self.text:
            with self.prevent(TextArea.Changed):
                self.load_text(text)

    def get_line(self, line_index: int) -> Text:
        """Return a line as it is to be drawn."""
        return Text(in_editor(self.document.get_line(line_index)), end="", no_wrap=True)

    @on(TextArea.Changed)
    def _tell(self, event: TextArea.Changed) -> None:
        event.stop()
        self.post_message(Put(self, self.text))


Editor: TypeAlias = Line | Area


def editor_of(field: DraftField, text: str, *, masked: bool) -> Editor:
    """Return the editor for a question that is answered by text, beginning with `text`."""
    member = field.property
    if masked:
        return Line(text, masked=True)
    if not isinstance(member, StringProperty):
        return Line(text)
    if member.format == "date":
        return DateLine(text, placeholder="YYYY-MM-DD")
    if "\n" in text or _may_be_long(member):
        return Area(text)
    return Line(text)


def _may_be_long(member: StringProperty) -> bool:
    if member.format is not None or member.pattern is not None:
        return False
    return member.max_length is None or member.max_length > _SHORT

"""The options of a question on the screen: marked, described, and found by a filter.

Owns: `Choosing`: which options are listed, which are chosen, and that one or several may be.
Knows nothing of: what is sent, and what may be chosen (the draft judges that).
Above it: `field_view`. Below it: `entering`, `marked`, `protocol.schema`.

A question that may be left unanswered has a row for that: what was chosen can be taken back. No
row is chosen unless the user chose it, or the agent declared it as the default. Space chooses;
Enter goes on, and chooses before that where one option is the answer.
"""

from collections.abc import Iterable, Sequence
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import OptionList
from textual.widgets.option_list import Option as Row

from acp_elicitation.presenters.tui.editors import Line
from acp_elicitation.presenters.tui.entering import GoOn, Put
from acp_elicitation.presenters.tui.marked import Marked
from acp_elicitation.presenters.tui.said import Words, said_line
from acp_elicitation.protocol.schema import Option
from acp_elicitation.text.language import tr, tr_count

__all__ = ["Choosing", "Rows"]

_FILTERED_ABOVE = 10
_MARKS = {(False, True): "(●)", (False, False): "( )", (True, True): "[x]", (True, False): "[ ]"}


class Rows(OptionList):
    """The list itself."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "select", show=False),
        Binding("enter", "go_on", show=False),
        Binding("delete,backspace", "clear", show=False),
    ]

    class Left(Message):
        """The user goes on from the list; `choosing` says that the highlighted row is meant."""

    class Cleared(Message):
        """The user takes back what is chosen."""

    def action_go_on(self) -> None:
        """Leave the list."""
        self.post_message(self.Left())

    def action_clear(self) -> None:
        """Choose nothing."""
        self.post_message(self.Cleared())


class Choosing(Vertical):
    """Lists options; posts `Put` with the values that are chosen, and `GoOn`."""

    def __init__(
        self,
        options: Sequence[Option],
        chosen: Iterable[str],
        *,
        several: bool,
        can_be_empty: bool,
    ) -> None:
        """List `options`; one row more leaves the question unanswered where it `can_be_empty`."""
        super().__init__()
        self._options = options
        self._chosen = set(chosen)
        self._several = several
        self._has_none = can_be_empty and not several
        self._filter = ""

    def compose(self) -> ComposeResult:
        """Build the filter, where there are many, and the list."""
        if len(self._options) > _FILTERED_ABOVE:
            yield Line(placeholder=tr("Type to search the choices"))
            yield Words(classes="found")
        yield Rows(*self._rows(), markup=False)

    def on_mount(self) -> None:
        """Begin at what is chosen."""
        rows = self.query_one(Rows)
        at = [i for i, option in enumerate(self._options) if option.value in self._chosen]
        rows.highlighted = at[0] if at else 0
        self._tell_found()

    def put(self, chosen: Iterable[str]) -> None:
        """Have others chosen, without telling anyone."""
        self._mark(set(chosen))

    @property
    def first(self) -> Widget:
        """Where the user begins."""
        return self.query("Line, Rows").first()

    @on(Rows.OptionSelected)
    def _choose(self, event: Rows.OptionSelected) -> None:
        event.stop()
        self._take(event.option.id)

    @on(Rows.Cleared)
    def _clear(self, event: Rows.Cleared) -> None:
        event.stop()
        self._change(set())

    @on(Rows.Left)
    def _leave(self, event: Rows.Left) -> None:
        event.stop()
        row = self.query_one(Rows).highlighted_option
        if not self._several and row is not None:
            self._take(row.id)
        self.post_message(GoOn())

    @on(Put)
    def _narrow(self, event: Put) -> None:
        """List what has the typed words in it."""
        if event.sender is self:
            return
        event.stop()
        self._filter = str(event.entry).casefold().strip()
        self._list()
        self._tell_found()

    @on(GoOn)
    def _enter_list(self, event: GoOn) -> None:
        """Enter in the filter goes to the list."""
        if event._sender is not self:
            event.stop()
            self.query_one(Rows).focus()

    def on_key(self, event: events.Key) -> None:
        """From the filter, down goes to the list; from the list, letters go to the filter."""
        line, rows = self.query(Line), self.query_one(Rows)
        if event.key == "down" and not rows.has_focus:
            event.stop()
            rows.focus()
        elif line and rows.has_focus and event.character and event.character.isalnum():
            event.stop()
            line.first().focus()
            line.first().insert_text_at_cursor(event.character)

    def _take(self, id: str | None) -> None:
        if id is None or id == "none":
            self._change(set())
            return
        value = self._options[int(id)].value
        if not self._several:
            self._change({value})
        else:
            self._change(self._chosen ^ {value})

    def _change(self, chosen: set[str]) -> None:
        self._mark(chosen)
        self.post_message(Put(self, tuple(o.value for o in self._options if o.value in chosen)))

    def _mark(self, chosen: set[str]) -> None:
        """Draw again what has changed; there may be thousands of options."""
        changed = chosen ^ self._chosen
        self._chosen = chosen
        rows = self.query_one(Rows)
        for at, row in enumerate(rows.options):
            if row.id == "none":
                rows.replace_option_prompt_at_index(at, self._draw_none())
            elif self._options[int(row.id or 0)].value in changed:
                option = self._options[int(row.id or 0)]
                rows.replace_option_prompt_at_index(at, self._draw(option))

    def _list(self) -> None:
        """List what the filter leaves."""
        rows = self.query_one(Rows)
        rows.set_options(self._rows())
        rows.highlighted = 0

    def _rows(self) -> list[Row]:
        rows = [
            Row(self._draw(option), id=str(index))
            for index, option in enumerate(self._options)
            if self._filter in _all_words(option)
        ]
        if self._has_none:
            rows.append(Row(self._draw_none(), id="none"))
        return rows

    def _draw_none(self) -> Marked:
        mark = _MARKS[False, not self._chosen]
        return Marked(mark, Content.styled(tr("No answer"), "italic"))

    def _draw(self, option: Option) -> Marked:
        mark = _MARKS[self._several, option.value in self._chosen]
        title = said_line(option.title or option.value)
        described = (option.description or "").strip()
        if not described or described == (option.title or option.value).strip():
            return Marked(mark, title)
        return Marked(mark, Content.assemble(title, "\n", said_line(described).stylize("dim")))

    def _tell_found(self) -> None:
        if not self._filter:
            count = len(self._options)
            text = tr_count("{count} choice", "{count} choices", count)
        else:
            count = sum(self._filter in _all_words(option) for option in self._options)
            text = tr_count("{count} choice found", "{count} choices found", count)
        for words in self.query(".found").results(Words):
            words.say(text)


def _all_words(option: Option) -> str:
    return "\n".join((option.value, option.title or "", option.description or "")).casefold()

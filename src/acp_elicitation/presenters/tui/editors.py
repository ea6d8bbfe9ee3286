"""What a user fills in a field with: a line, an area of text, or a list to choose from.

Owns: which widget a kind of field gets, and what its changes do to the draft.
Knows nothing of: what may be entered (the draft judges that), labels and problems.
Above it: `field_view`. Below it: `choice_list`, `forms.draft`, Textual.
"""

from collections.abc import Callable
from typing import assert_never

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input, Static, TextArea

from acp_elicitation.forms.draft import FormDraft
from acp_elicitation.forms.draft_field import DraftField
from acp_elicitation.forms.parse import boolean_text
from acp_elicitation.presenters.tui.choice_list import FILTER_ABOVE, ChoiceList
from acp_elicitation.protocol.schema import Option, StringProperty
from acp_elicitation.text.language import tr
from acp_elicitation.text.terminal import one_line

__all__ = ["ChoiceEditor", "Editor", "TextEditor", "editor_of"]

_LONG = 120
"""Code points: a text that may be longer gets an area of several lines."""


class Editor(Vertical):
    """The part of a field that the user changes."""

    class Edited(Message):
        """The user changed the field `name`; `change` puts it into the draft."""

        def __init__(self, editor: "Editor", name: str, change: Callable[[], None]) -> None:
            self.editor = editor
            self.name = name
            self.change = change
            super().__init__()

    def __init__(self, draft: FormDraft, field: DraftField) -> None:
        super().__init__()
        self.draft = draft
        self.field = field

    def begin(self, *, scroll: bool) -> None:
        """Take the focus."""
        for widget in self.query(Widget):
            if widget.focusable:
                widget.focus(scroll_visible=scroll)
                return


def editor_of(draft: FormDraft, field: DraftField, *, hidden: bool = False) -> Editor:
    """Return the editor for a field; `hidden` masks what is typed."""
    match field.kind:
        case "text" | "number" | "integer":
            return TextEditor(draft, field, hidden=hidden)
        case "select" | "multi-select" | "boolean":
            return ChoiceEditor(draft, field)
        case "unknown":
            return Editor(draft, field)  # FWD-3: nothing to fill in
        case _ as never:
            assert_never(never)


class TextEditor(Editor):
    """A line, or an area of text where there may be much."""

    def __init__(self, draft: FormDraft, field: DraftField, *, hidden: bool = False) -> None:
        super().__init__(draft, field)
        self._hidden = hidden
        self._shown = draft.text(field.name)

    def compose(self) -> ComposeResult:
        """Draw it with what stands in the draft."""
        text = self._shown
        if _is_long(self.field) and not self._hidden:
            yield TextArea(text, compact=True)
        else:
            yield Input(text, password=self._hidden, compact=True, select_on_focus=False)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Pass the text on."""
        event.stop()
        self._enter(event.value)

    def on_text_area_changed(self, event: TextArea.Changed) -> None:
        """Pass the text on."""
        event.stop()
        self._enter(event.text_area.text)

    def show_text(self, text: str) -> None:
        """Show another text, without a message."""
        self._shown = text
        with self.prevent(Input.Changed, TextArea.Changed):
            for line in self.query(Input):
                line.value = text
            for area in self.query(TextArea):
                area.text = text

    def _enter(self, text: str) -> None:
        name, draft = self.field.name, self.draft
        if text != self._shown:  # a widget also tells of its first text
            self._shown = text
            self.post_message(self.Edited(self, name, lambda: draft.enter(name, text)))


class ChoiceEditor(Editor):
    """A list of options, with a filter above it and a text of one's own below it where due."""

    def compose(self) -> ComposeResult:
        """Draw it with what is chosen in the draft."""
        field = self.field
        options = _yes_and_no() if field.kind == "boolean" else field.options
        if len(options) > FILTER_ABOVE:
            hint = tr("filter {count} options", count=len(options))
            yield Input(placeholder=hint, compact=True, classes="filter")
        yield ChoiceList(options, self._chosen(), several=field.kind == "multi-select")
        if field.companion is not None:
            own = tr("Or type an answer of your own: {}")
            if field.takes_both:
                own = tr("You can also type a text of your own: {}")
            label = own.replace("{}", one_line(field.companion.label))
            yield Static(label, markup=False, classes="companion")
            yield TextEditor(self.draft, field.companion)

    def _chosen(self) -> tuple[str, ...]:
        if self.field.kind == "boolean":
            text = self.draft.text(self.field.name)
            return (text,) if text else ()
        return self.draft.chosen(self.field.name)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Narrow the list."""
        event.stop()
        self.query_one(ChoiceList).narrow(event.value)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Go from the filter to the list."""
        event.stop()
        self.query_one(ChoiceList).focus()

    def on_choice_list_chosen(self, event: ChoiceList.Chosen) -> None:
        """Pass the choice on."""
        event.stop()
        name, draft, values = self.field.name, self.draft, event.values
        companion = self.field.companion

        def change() -> None:
            if companion is not None:
                draft.answer(name, values=values)
            elif self.field.kind == "boolean":
                draft.enter(name, "".join(values))
            else:
                draft.choose(name, values)

        if companion is not None and not self.field.takes_both:
            self.query_one(TextEditor).show_text("")
        self.post_message(self.Edited(self, name, change))

    def on_editor_edited(self, event: Editor.Edited) -> None:
        """Have a text of the user's own replace the choice, where only one of them is sent."""
        companion = self.field.companion
        if event.editor is self or companion is None:
            return
        event.stop()
        name, draft, takes_both = self.field.name, self.draft, self.field.takes_both
        own = event.change

        def change() -> None:
            own()
            if not takes_both and draft.is_set(companion.name):
                draft.clear(name)

        if not takes_both:
            self.query_one(ChoiceList).show_chosen(())
        self.post_message(self.Edited(self, companion.name, change))


def _yes_and_no() -> tuple[Option, ...]:
    return (
        Option(value=boolean_text(True), title=tr("yes")),
        Option(value=boolean_text(False), title=tr("no")),
    )


def _is_long(field: DraftField) -> bool:
    member = field.property
    if not isinstance(member, StringProperty) or member.format is not None:
        return False
    if member.pattern is not None and "\n" not in (member.default or ""):
        return False
    return member.max_length is None or member.max_length > _LONG

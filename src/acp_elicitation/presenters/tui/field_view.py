"""One question of a form on the screen: its label, its widget, and what is wrong with it.

Owns: which widget a kind of question gets, how a choice and its companion stand together, and when
a problem is told. Knows nothing of: the other fields, and what may be entered (the draft judges).
Above it: `form_body`. Below it: `editors`, `choosing`, `yes_no`, `judging`, `said`.

A problem is told as soon as the user has done something here, or tried to go on; that a field is
still empty is not told before.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import assert_never

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Button

from acp_elicitation.forms.draft import FormDraft
from acp_elicitation.forms.draft_field import DraftField
from acp_elicitation.forms.problem import Problem
from acp_elicitation.presenters.tui.choosing import Choosing
from acp_elicitation.presenters.tui.editors import Area, DateLine, Line, editor_of
from acp_elicitation.presenters.tui.entering import Put
from acp_elicitation.presenters.tui.judging import Judge
from acp_elicitation.presenters.tui.said import Quote, Words, said, told
from acp_elicitation.presenters.tui.yes_no import YesNo
from acp_elicitation.text.language import tr
from acp_elicitation.text.wording import word_constraints, word_problem

__all__ = ["FieldView"]


class FieldView(Vertical):
    """Draws one question, and edits it."""

    class Edited(Message):
        """The user has changed what stands here, and it has been judged."""

    def __init__(
        self, field: DraftField, judge: Judge, *, label: str, masked: Collection[str] = ()
    ) -> None:
        """Draw `field` below its `label`; what is typed for the names in `masked` is hidden."""
        super().__init__()
        self.field = field
        self._label = label
        self.names = [half.name for half in _halves(field)]
        """The properties that are answered here."""
        self._masked = masked
        self._judge = judge
        self._widgets: dict[str, Widget] = {}
        self._hints: dict[str, Words] = {}
        self._is_told = False
        self._is_judging = False
        self._is_stale = False

    def compose(self) -> ComposeResult:
        """Build the label, the widget and the hint, and the same for a companion."""
        field = self.field
        own = tr("{} (required)") if field.required else tr("{} (optional)")
        yield Words(told(own, self._label, style="bold"), classes="label")
        yield from self._compose_half(field)
        if field.companion is not None:
            if field.takes_both:
                own = tr("You can also type a text of your own: {}")
            else:
                own = tr("Or type an answer of your own: {}")
            yield Words(told(own, field.companion.label, style="bold"), classes="label companion")
            yield from self._compose_half(field.companion)

    def on_mount(self) -> None:
        """Tell what is wrong with a default from the start."""
        self.judge()

    @property
    def first(self) -> Widget:
        """Where the user begins."""
        widget = self._widgets[self.field.name]
        return widget.first if isinstance(widget, Choosing) else widget

    def focus_first(self) -> None:
        """Put the focus there."""
        self.first.focus(scroll_visible=False)

    def tell(self) -> None:
        """Tell from now on whatever is wrong, that nothing is entered too."""
        self._is_told = True
        self._judge.edit(self._say_nothing_on_purpose)
        self.judge()

    def judge(self) -> None:
        """Have this field judged, again where that is going on."""
        self._is_stale = True
        if not self._is_judging:
            self.run_worker(self._judge_until_settled())

    @on(Put)
    def _put(self, event: Put) -> None:
        event.stop()
        name = next(n for n, widget in self._widgets.items() if widget is event.sender)
        self._judge.edit(lambda: self._edit(name, event.entry))
        self._is_told = True
        self.judge()

    @on(Button.Pressed, ".reveal")
    def _reveal(self, event: Button.Pressed) -> None:
        """Show or hide what is typed, on the user's own wish."""
        event.stop()
        for line in self.query(".masked Line").results(Line):
            line.password = not line.password
            event.button.label = _reveal_label(line.password)

    def _say_nothing_on_purpose(self) -> None:
        """Enter the empty text where nothing stands: it is an answer where the form allows it."""
        draft, field = self._judge.draft, self.field
        if field.kind == "text" and not draft.is_set(field.name):
            draft.enter(field.name, "")

    def _edit(self, name: str, entry: str | tuple[str, ...]) -> None:
        draft, field = self._judge.draft, self.field
        if field.companion is None or (name == field.name and not entry):
            both = field.companion is not None and not field.takes_both
            for half in self.names if both else (name,):
                _put_in(draft, draft.field(half), entry if half == name else "")
        elif isinstance(entry, tuple):
            draft.answer(name, values=entry)
        else:
            draft.answer(field.name, own=entry)

    async def _judge_until_settled(self) -> None:
        self._is_judging = True
        try:
            while self._is_stale:
                self._is_stale = False
                problems = await self._judge.problems(self.names)
                self._show(problems)
        finally:
            self._is_judging = False
        if self.field.companion is not None:
            self._sync()
        self.post_message(self.Edited())

    def _sync(self) -> None:
        """Show what the draft has: what is entered in one half may have emptied the other."""
        draft = self._judge.draft
        for name, widget in self._widgets.items():
            match widget:
                case Choosing():
                    widget.put(draft.chosen(name))
                case Line() | Area():
                    widget.put(draft.text(name))

    def _show(self, problems: Sequence[Problem]) -> None:
        for name, hint in self._hints.items():
            found = [p for p in problems if p.property == name and self._is_to_tell(p)]
            hint.set_class(bool(found), "-problem")
            if found:
                sentences = "\n".join(f"! {word_problem(problem)}" for problem in found)
                hint.say(said(sentences))
            else:
                hint.say(said(_word_hint(self._judge.draft.field(name), self._widgets[name])))
            hint.display = bool(hint.plain)

    def _is_to_tell(self, problem: Problem) -> bool:
        return self._is_told or problem.code != "required"

    def _compose_half(self, field: DraftField) -> Iterator[Widget]:
        if field.description and field.description.strip() != field.label.strip():
            yield Quote(field.description, classes="description")
        widget = self._widgets[field.name] = self._widget_of(field)
        if isinstance(widget, Line) and widget.password:
            with Horizontal(classes="masked"):
                yield widget
                yield Button(_reveal_label(masked=True), classes="reveal", compact=True)
        else:
            yield widget
        hint = self._hints[field.name] = Words(classes="hint")
        yield hint

    def _widget_of(self, field: DraftField) -> Widget:
        draft = self._judge.draft
        match field.kind:
            case "select" | "multi-select":
                return Choosing(
                    field.options,
                    draft.chosen(field.name),
                    several=field.kind == "multi-select",
                    can_be_empty=not field.required,
                )
            case "boolean":
                return YesNo(draft.text(field.name), can_be_empty=not field.required)
            case "text" | "number" | "integer":
                return editor_of(field, draft.text(field.name), masked=field.name in self._masked)
            case "unknown":
                raise ValueError(f"{field.name!r} is of an unknown kind, it has no widget")
            case _ as never:
                assert_never(never)


def _halves(field: DraftField) -> list[DraftField]:
    return [field] if field.companion is None else [field, field.companion]


def _put_in(draft: FormDraft, field: DraftField, entry: str | tuple[str, ...]) -> None:
    if not entry and field.kind == "select":
        draft.clear(field.name)
    elif isinstance(entry, str):
        draft.enter(field.name, entry)
    else:
        draft.choose(field.name, entry)


def _word_hint(field: DraftField, widget: Widget) -> str:
    """Return what to enter, and which keys help with it."""
    hints = [] if field.kind == "boolean" else [word_constraints(field.property)]
    match widget:
        case Area():
            hints.append(tr("Enter begins a new line, Tab goes on"))
        case DateLine():
            hints.append(tr("Up and Down change the day"))
        case Choosing() if field.kind == "multi-select":
            hints.append(tr("Space chooses any number, Enter goes on"))
    return " · ".join(filter(None, hints))


def _reveal_label(masked: bool) -> Content:
    return Content(tr("Show") if masked else tr("Hide"))

"""One field on the screen: its words, its editor, and what is wrong with what stands in it.

Owns: how a field is laid out. Required is said in words and problems begin with a mark, so that no
colour has to tell. Knows nothing of: the other fields, and what may be entered.
Above it: `form_body`. Below it: `editors`, `text`, Textual.
"""

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from acp_elicitation.forms.draft import FormDraft
from acp_elicitation.forms.draft_field import DraftField
from acp_elicitation.forms.problem import Problem
from acp_elicitation.presenters.tui.editors import editor_of
from acp_elicitation.text.language import tr
from acp_elicitation.text.terminal import one_line, visible
from acp_elicitation.text.wording import word_constraints, word_problem

__all__ = ["FieldView", "label_of"]


class FieldView(Vertical):
    """A field, and its companion where it has one."""

    def __init__(
        self, draft: FormDraft, field: DraftField, *, warnings: Sequence[str], hidden: bool
    ) -> None:
        """Show `field` of `draft`.

        Args:
            draft: the form.
            field: one of its questions.
            warnings: own words about the field, such as that it asks for a secret.
            hidden: masks what is typed.
        """
        super().__init__(classes="field")
        self.field = field
        self._warnings = warnings
        self._editor = editor_of(draft, field, hidden=hidden)
        self._found: dict[str, list[Problem]] = {}

    def compose(self) -> ComposeResult:
        """Draw it."""
        field = self.field
        yield Static(label_of(field), markup=False, classes="label")
        if field.description and field.description.strip() != field.label.strip():
            yield Static(visible(field.description), markup=False, classes="description")
        for warning in self._warnings:
            yield Static(f"! {warning}", markup=False, classes="warning")
        yield self._editor
        constraints = word_constraints(field.property)
        if constraints and field.kind != "boolean":
            expected = tr("Expected: {}").replace("{}", one_line(constraints))
            yield Static(expected, markup=False, classes="hint")
        yield Static("", markup=False, classes="problem")

    def begin(self, *, scroll: bool = True) -> None:
        """Put the focus into it, and scroll to it unless told not to."""
        self._editor.begin(scroll=scroll)

    def show_problems(self, name: str, problems: list[Problem]) -> None:
        """Show what is wrong with the field, or with its companion, by its name."""
        self._found[name] = problems
        lines = [f"! {word_problem(p)}" for found in self._found.values() for p in found]
        line = self.query_one(".problem", Static)
        line.update(Content("\n".join(lines)))
        line.display = bool(lines)
        self.set_class(bool(lines), "unfit")


def label_of(field: DraftField) -> Content:
    """Return the field's title, and whether it must be answered, in words."""
    own = tr("{} (required)") if field.required else tr("{} (optional)")
    before, _, after = own.partition("{}")
    return Content.assemble(before, (one_line(field.label), "bold"), (after, "dim"))

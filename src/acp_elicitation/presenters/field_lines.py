"""One field of a form in line mode: what is shown of it.

Owns: the lines that a field opens with, what stands before the cursor, and its help.
Knows nothing of: reading lines, and what they do to the field. Above it: `fields`, `filling`.
Below it: `choices`, `pairs`, `commands`, `page`, `forms.draft`.
"""

from collections.abc import Collection
from typing import assert_never

from acp_elicitation.forms.draft import FormDraft
from acp_elicitation.forms.draft_field import DraftField
from acp_elicitation.presenters.choices import Choices
from acp_elicitation.presenters.commands import explain_commands
from acp_elicitation.presenters.page import Page
from acp_elicitation.presenters.pairs import show_companion, shown_answer
from acp_elicitation.protocol.schema import StringProperty
from acp_elicitation.text.language import tr
from acp_elicitation.text.wording import word_constraints, word_label

__all__ = ["FieldView"]

_SHOWN_AT_MOST = 60


class FieldView:
    """Shows the fields of one draft."""

    def __init__(self, draft: FormDraft, *, page: Page, masked: Collection[str] = ()) -> None:
        """Show on `page`; what stands in the fields in `masked` is not shown."""
        self._draft = draft
        self._page = page
        self._masked = masked

    def show(self, field: DraftField, choices: Choices, place: str) -> None:
        """Show the field before its user is asked for it; `place` is its number among all."""
        page = self._page
        page.tell()
        own = tr("{} (required)") if field.required else tr("{} (optional)")
        page.tell_about(own, word_label(field, self._draft), lead=f"{place} ", hang=4)
        if field.description and field.description.strip() != field.label.strip():
            page.quote(field.description)
        match field.kind:
            case "select":
                page.tell("  " + tr("Choose one: {how}.", how=choices.how))
                choices.show(page)
            case "multi-select":
                how = choices.how
                several = tr(
                    "Choose any number: for each {how}, with commas between them.", how=how
                )
                page.tell("  " + several)
                choices.show(page)
            case "text" if field.name in self._masked:
                page.tell("  " + tr("Text. What you type is not shown."))
            case "text" if _may_have_lines(field):
                page.tell("  " + tr('Text. For several lines, enter """ before and after them.'))
            case "text":
                pass
            case "number" | "integer" | "boolean" | "unknown":
                pass
            case _ as never:
                assert_never(never)
        constraints = word_constraints(field.property)
        if constraints:
            page.tell_about(tr("Expected: {}"), constraints, lead="  ", hang=4)
        if field.companion is not None:
            show_companion(page, field, field.companion)

    def prompt(self, field: DraftField) -> None:
        """Write what stands before the cursor: what stands in the field."""
        shown = shown_answer(self._draft, field, self._masked)
        if shown is None:
            self._page.ask("> ")
        elif shown == "":
            self._page.ask("[" + tr("nothing") + "]> ")
        else:
            self._page.ask("[", shown, "]> ", at_most=_SHOWN_AT_MOST)

    def help(self, field: DraftField) -> None:
        """Say what can be typed besides an answer."""
        is_text = isinstance(field.property, StringProperty) and not field.options
        for line in explain_commands(has_options=bool(field.options), is_text=is_text):
            self._page.tell("  " + line, hang=4)


def _may_have_lines(field: DraftField) -> bool:
    """Whether text of several lines is likely enough to say how it is entered."""
    member = field.property
    return isinstance(member, StringProperty) and member.format is None and member.pattern is None

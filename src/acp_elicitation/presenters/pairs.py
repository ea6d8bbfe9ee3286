"""A choice and its companion in line mode: one question, and one line of the review.

Owns: which of the two a typed line answers, what is said about the companion, and how the pair
reads. Knows nothing of: reading lines, and what is sent. Above it: `fields`, `filling`.
Below it: `choices`, `page`, `forms.draft`.

A line that names an option chooses it, any other is a text of the user's own. Two kinds of lines
are neither, being slips more likely than not: what could mean several options, and digits that are
no option's number. Between fences they are text, as everything is.
"""

from collections.abc import Collection

import msgspec

from acp_elicitation.forms.draft import FormDraft
from acp_elicitation.forms.draft_field import DraftField
from acp_elicitation.presenters.choices import Choices, split_list
from acp_elicitation.presenters.page import Page
from acp_elicitation.text.language import tr
from acp_elicitation.text.wording import word_constraints

__all__ = ["Typed", "read_typed", "show_companion", "shown_answer", "waits_for_more"]

_MASK = "********"
"""In place of a secret, whatever its length."""


class Typed(msgspec.Struct, frozen=True):
    """What a line answers: the choice, its companion, or both; None is for what it leaves alone."""

    values: tuple[str, ...] | None = None
    own: str | None = None


def read_typed(field: DraftField, choices: Choices, text: str) -> Typed | str:
    """Return what `text` answers, or the part of it that is neither an option nor a text."""
    found = choices.find(text)
    if len(found) == 1:
        return Typed((found[0].value,), _emptied(field))
    if field.kind == "multi-select":
        return _read_several(field, choices, text)
    return text if found or choices.may_be_slip(text) else Typed(own=text)


def _read_several(field: DraftField, choices: Choices, text: str) -> Typed | str:
    if choices.lacks_commas(text):
        return text
    values: list[str] = []
    own: list[str] = []
    for part in split_list(text):
        found = choices.find(part)
        if len(found) == 1:
            values.append(found[0].value)
        elif found or choices.may_be_slip(part):
            return part
        else:
            own.append(part.strip())
    if not values:
        return Typed(None if _keeps_choice(field) else (), text)
    return Typed(tuple(values), ", ".join(own) or _emptied(field))


def _emptied(field: DraftField) -> str | None:
    """Return what a line of nothing but options does to the text of a list: it replaces both."""
    return None if field.kind == "select" or _keeps_choice(field) else ""


def _keeps_choice(field: DraftField) -> bool:
    return field.required or (field.companion is not None and field.companion.is_note)


def waits_for_more(draft: FormDraft, field: DraftField) -> bool:
    """Whether the other half of a choice with a note is still empty: a person may want both."""
    companion = field.companion
    if companion is None or not companion.is_note:
        return False
    return not (draft.is_set(field.name) and draft.is_set(companion.name))


def show_companion(page: Page, field: DraftField, companion: DraftField) -> None:
    """Say that a text of the user's own is an answer too, and what is expected of it."""
    if field.takes_both:
        own = tr("You can also type a text of your own: {}")
    else:
        own = tr("Or type an answer of your own: {}")
    page.tell_about(own, companion.label, lead="  ", hang=4)
    if companion.description and companion.description.strip() != companion.label.strip():
        page.quote(companion.description)
    constraints = word_constraints(companion.property)
    if constraints:
        page.tell_about(tr("Expected of the text: {}"), constraints, lead="  ", hang=4)


def shown_answer(draft: FormDraft, field: DraftField, masked: Collection[str] = ()) -> str | None:
    """Return what stands in a question, its companion's text included; None where nothing does.

    Of the fields in `masked` it is only said that something does.
    """
    companion = field.companion
    chosen = _shown(draft, field, masked) if draft.is_set(field.name) else None
    if companion is None or not draft.is_set(companion.name):
        return chosen
    own = f"{companion.label}: {_shown(draft, companion, masked)}"
    return f"{chosen}; {own}" if chosen else own


def _shown(draft: FormDraft, field: DraftField, masked: Collection[str]) -> str:
    return _MASK if field.name in masked else draft.shown_value(field.name)

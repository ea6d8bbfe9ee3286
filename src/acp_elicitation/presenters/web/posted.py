"""What a page posts, put into the draft: the way back from `form`.

Owns: which of what was posted is the user's doing. A control that nobody touched changes nothing,
so that a default comes back as the agent wrote it, whatever a browser made of its characters.
Knows nothing of: HTTP, and of what may be entered: any text is taken, and the draft judges it.
Above it: the web presenter, any web host. Below it: `controls`, `forms.draft`.
"""

from collections.abc import Mapping, Sequence
from typing import TypeAlias, assert_never

from acp_elicitation.forms.draft import FormDraft
from acp_elicitation.forms.draft_field import DraftField
from acp_elicitation.forms.parse import NO, YES
from acp_elicitation.presenters.web.controls import (
    NOT_ANSWERED,
    OWN_TEXT,
    ControlNames,
    control_of,
    held,
    stands_instead,
)

__all__ = ["read_form"]

_Data: TypeAlias = Mapping[str, Sequence[str]]


def read_form(draft: FormDraft, data: _Data, *, prefix: str = "") -> None:
    """Put what was posted into `draft`: `data` has all the values of each name, in their order.

    `prefix` is that of `render_form`. Data of another form, or of none, changes nothing; names
    that the form does not have are ignored. What was posted is judged by the draft alone
    (`draft.problems()`), never here.
    """
    names = ControlNames(draft, prefix)
    if list(data.get(names.form, ())) != [str(len(draft.fields))]:
        return
    for field in draft.questions:
        _Reader(draft, names, data).read(field)


class _Reader:
    def __init__(self, draft: FormDraft, names: ControlNames, data: _Data) -> None:
        self._draft = draft
        self._names = names
        self._data = data

    def read(self, field: DraftField) -> None:
        match field.kind:
            case "text" | "number" | "integer":
                self._read_text(field)
            case "boolean":
                self._read_boolean(field)
            case "select" | "multi-select" if stands_instead(field):
                self._read_either(field)
            case "select" | "multi-select":
                self._read_choice(field)
                if field.companion is not None:
                    self._read_text(field.companion)
            case "unknown":
                pass  # FWD-2: it was never shown, so nothing that is posted is for it
            case _ as never:
                assert_never(never)

    def _read_text(self, field: DraftField) -> None:
        text = self._typed(field)
        if text is not None and self._is_news(field, text):
            self._draft.enter(field.name, text)

    def _typed(self, field: DraftField) -> str | None:
        """Return the text that was posted, its lines ended by line feeds alone."""
        posted = self._data.get(self._names.of(field), ())
        return held(control_of(self._draft, field), posted[-1]) if posted else None

    def _is_news(self, field: DraftField, text: str) -> bool:
        """Whether `text` is another one than the page held when nobody had touched it."""
        draft = self._draft
        if field.kind == "text" and not text and not draft.is_set(field.name):
            return True  # an empty text is an answer where the form allows it
        return text != held(control_of(draft, field), draft.text(field.name))

    def _read_boolean(self, field: DraftField) -> None:
        match self._data.get(self._names.of(field), ()):
            case [*_, ("yes" | "no") as answer]:
                self._draft.enter(field.name, YES if answer == "yes" else NO)
            case _:
                self._draft.clear(field.name)

    def _read_choice(self, field: DraftField) -> None:
        values = self._chosen(field)
        if field.kind == "select" and not values:
            self._draft.clear(field.name)
        elif self._differs(field, values) or (not values and self._may_be_empty(field)):
            self._draft.choose(field.name, values)  # an empty list is an answer, too

    def _may_be_empty(self, field: DraftField) -> bool:
        """Whether no option is an answer, and not what was left out before and still is."""
        return field.required or not field.has_default or self._draft.is_set(field.name)

    def _chosen(self, field: DraftField) -> tuple[str, ...]:
        """Return the values of the options that were chosen. What is no option stays as it is."""
        posted = self._data.get(self._names.of(field), ())
        return tuple(
            _value_of(field, place) for place in posted if place not in (NOT_ANSWERED, OWN_TEXT)
        )

    def _differs(self, field: DraftField, values: tuple[str, ...]) -> bool:
        return set(values) != set(self._draft.chosen(field.name))

    def _read_either(self, field: DraftField) -> None:
        """Read a choice that one's own text stands in place of.

        What was changed counts, and the text where both were: without a script, whoever types a
        text need not say that it counts.
        """
        companion = field.companion
        assert companion is not None
        posted = self._data.get(self._names.of(field), ())
        values = self._chosen(field)
        own = self._typed(companion) or ""
        is_typed = own != "" and self._is_news(companion, own)
        if is_typed:
            self._draft.answer(field.name, own=own)
        elif own and (OWN_TEXT in posted or not posted):
            if self._draft.chosen(field.name):
                self._draft.clear(field.name)
        elif not values:
            self._draft.clear(field.name)
            self._draft.clear(companion.name)
        elif not own or self._differs(field, values):
            self._draft.answer(field.name, values)


def _value_of(field: DraftField, place: str) -> str:
    """Return the value of the option at this place; what names no place is judged as it is."""
    if place.isascii() and place.isdigit() and len(place) < len(str(len(field.options))) + 1:
        index = int(place)
        if index < len(field.options):
            return field.options[index].value
    return place

"""A form while its user fills it in: what every presenter draws, the place where text gets a value.

Owns: what stands in each field (typed text, chosen options, or nothing), defaults, what is
missing, and what would be sent. A presenter shows `fields`, passes on what the user does, and
validates nothing.
Knows nothing of: whether content fits (see `check`), how text is read (see `draft_field`), wording,
escaping (what it returns is raw: the agent's text and the user's), and which presenter draws it.
Above it: the client side, the presenters. Below it: `draft_field`, `check`.

The rules:

- A field starts with its default (FORM-4). A default that is not among the options cannot be shown
  and counts as none; any other default that breaks a limit is filled in, and has its problem from
  the start.
- What is left empty is absent from the content, never null and never `""` (RES-3): empty text, a
  choice of nothing. Two exceptions say "nothing" on purpose: a required text may be empty when the
  agent has `""` as default or `minLength: 0`, and nothing chosen from a list goes out as `[]` when
  the list is required or has a default to overrule - unless `minItems` forbids it.
- Otherwise an empty field is a `required` problem where the form requires it: a person cannot see
  the difference between an empty text and none.
- Text is sent as typed, spaces included. Spaces around a number, a yes or no, a typed choice and a
  text of a known format (none of them can begin or end with one) are dropped.
- Chosen options are sent in the form's order, each once.
- A choice and its companion are one question of two properties (see `companions`). `answer` fills
  in the pair; each has its own value and its own problems, and both are sent as they are. Where the
  form requires the choice, the text alone does not do.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from acp_elicitation.forms.check import Check, unanswerable
from acp_elicitation.forms.companions import companions_of
from acp_elicitation.forms.draft_field import (
    ABSENT,
    Absent,
    DraftField,
    Entry,
    Value,
    chosen_of,
    default_entry,
    field_of,
    shown,
    value_of,
)
from acp_elicitation.forms.parse import Refusal
from acp_elicitation.forms.problem import Problem
from acp_elicitation.protocol.errors import InvalidAnswer
from acp_elicitation.protocol.schema import FormSchema

__all__ = ["FormDraft"]


class FormDraft:
    """A form in the hands of its user. Not safe to use from two threads at once.

    Methods that take a name raise KeyError for a property that the form does not have.
    """

    def __init__(self, schema: FormSchema) -> None:
        self.schema = schema
        """What the agent asked for."""
        self._check = Check(schema)
        self.fields: tuple[DraftField, ...] = tuple(_fields_of(schema))
        """The properties in the agent's order (FWD-9)."""
        self.questions: tuple[DraftField, ...] = tuple(
            field for field in self.fields if field.companion_of is None
        )
        """What a presenter draws, in this order: the fields, each with its companion."""
        self.blocked: list[Problem] = unanswerable(schema)
        """What no input can mend; then the user can only decline or cancel (FWD-2)."""
        self._fields = {field.name: field for field in self.fields}
        self._entries = {field.name: default_entry(field.property) for field in self.fields}
        self._blocked = {problem.property: problem for problem in self.blocked}
        self._found: dict[str, list[Problem]] = {}

    @property
    def is_confirmation(self) -> bool:
        """Whether the form asks for nothing but a yes to its message."""
        return not self.fields

    @property
    def has_patterns(self) -> bool:
        """Whether `problems` and `content` may take a moment (FORM-9), see `Check.has_patterns`."""
        return self._check.has_patterns

    def field(self, name: str) -> DraftField:
        """Return the question with this property name."""
        return self._fields[name]

    # --- what the user does ---------------------------------------------------------------------

    def enter(self, name: str, text: str) -> None:
        """Put typed `text` into the field. Any text is taken: `problems` says what is wrong.

        A choice is typed as the value or the title of its option; several of them one per line, or
        with commas between them. Raises ValueError for a question of an unknown kind (FWD-2).
        """
        if self._fields[name].kind == "unknown":
            raise ValueError(f"{name!r} is of an unknown kind, nothing can be entered")
        self._put(name, text)

    def choose(self, name: str, values: Iterable[str]) -> None:
        """Choose the options with these values, in place of those chosen before.

        Raises ValueError where the question has no options; a value that is none of them is a
        problem.
        """
        if self._fields[name].kind not in ("select", "multi-select"):
            raise ValueError(f"{name!r} has no options, use enter()")
        self._put(name, tuple(values))

    def answer(
        self, name: str, values: Iterable[str] | None = None, own: str | None = None
    ) -> None:
        """Answer a choice that has a companion by `values`, by a text of one's `own`, or by both.

        What is None stays as it is where the choice takes both, and otherwise gives way to the
        other. Raises ValueError where the field has no companion.
        """
        field = self._fields[name]
        if field.companion is None:
            raise ValueError(f"{name!r} has no companion, use choose() or enter()")
        if values is not None:
            self.choose(name, values)
        elif not field.takes_both:
            self.clear(name)
        if own is not None:
            self.enter(field.companion.name, own)
        elif not field.takes_both:
            self.clear(field.companion.name)

    def clear(self, name: str) -> None:
        """Leave the field empty, without its default too."""
        self._put(name, None)

    def reset(self, name: str) -> None:
        """Put the default back, or nothing where there is none (FORM-4)."""
        self._put(name, default_entry(self._fields[name].property))

    def _put(self, name: str, entry: Entry) -> None:
        self._entries[self._fields[name].name] = entry
        self._found.pop(name, None)

    # --- what stands in a field -----------------------------------------------------------------

    def text(self, name: str) -> str:
        """Return the text in the field: as typed, or the default's; empty where there is none."""
        entry = self._entries[name]
        return "\n".join(entry) if isinstance(entry, tuple) else entry or ""

    def chosen(self, name: str) -> tuple[str, ...]:
        """Return the values of the chosen options in the form's order; empty for other kinds."""
        return chosen_of(self._fields[name], self._entries[name])

    def is_set(self, name: str) -> bool:
        """Return whether the field holds anything: otherwise its key is absent from the content."""
        return self._value(name) is not ABSENT

    def shown_value(self, name: str) -> str:
        """Return what the field holds, for a person to review (UI-4); empty where it holds nothing.

        Options go by their titles, numbers are as they will be sent. It is raw text: escape it.
        """
        value = shown(self._fields[name], self._value(name))
        return self.text(name) if value is None else value

    # --- what would be sent ---------------------------------------------------------------------

    def problems(self, name: str | None = None) -> list[Problem]:
        """Return what is wrong with one field, or with the whole form in its order (FORM-2).

        It includes what no input can mend, see `blocked`. Costs nothing for a field that has not
        changed.
        """
        if name is not None:
            if name not in self._found:
                self._found[name] = self._judge(self._fields[name])
            return list(self._found[name])
        found = [problem for field in self.fields for problem in self.problems(field.name)]
        return found + [problem for problem in self.blocked if problem.property not in self._fields]

    def content(self) -> dict[str, Any]:
        """Return what would be sent, in the form's order; what is absent has no key (RES-3).

        Raises:
            InvalidAnswer: there are problems.
        """
        if problems := self.problems():
            raise InvalidAnswer(problems)
        values = {field.name: self._value(field.name) for field in self.fields}
        return {name: value for name, value in values.items() if value is not ABSENT}

    def _judge(self, field: DraftField) -> list[Problem]:
        if field.name in self._blocked:
            return [self._blocked[field.name]]
        value = self._value(field.name)
        match value:
            case Refusal(code=code, params=params):
                return [Problem(field.name, code, params)]
            case Absent():
                return [Problem(field.name, "required")] if field.required else []
            case str() if not _is_unicode(value):
                return [Problem(field.name, "not-unicode")]
            case _:
                return self._check.of(field.name, value)

    def _value(self, name: str) -> Value:
        return value_of(self._fields[name], self._entries[name])


def _fields_of(schema: FormSchema) -> Iterator[DraftField]:
    required = frozenset(schema.required)
    pairs = companions_of(schema)
    companion: DraftField | None = None
    for name, member in schema.properties.items():
        if companion is not None:  # it stands directly after its choice
            yield companion
            companion = None
            continue
        if name in pairs:
            pair = pairs[name]
            companion = field_of(
                pair.name,
                schema.properties[pair.name],
                required=False,
                companion_of=name,
                is_note=pair.is_note,
            )
        yield field_of(name, member, required=name in required, companion=companion)


def _is_unicode(text: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in text)

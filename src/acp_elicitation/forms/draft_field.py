"""One question of a draft: what a presenter shows of it, and the value of what stands in it.

Owns: `DraftField`, the default that a field starts with, and what its entry amounts to: a value,
nothing, or a refusal. Knows nothing of: the other fields, and whether a value fits its limits (see
`check`).
Above it: `draft`, the presenters. Below it: `parse`, `protocol.schema`.

The rules stand at the top of `draft`.
"""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Literal, TypeAlias, assert_never

import msgspec

from acp_elicitation.forms.formats import FORMATS
from acp_elicitation.forms.parse import (
    Refusal,
    boolean_text,
    number_text,
    parse_boolean,
    parse_choice,
    parse_choices,
    parse_integer,
    parse_number,
)
from acp_elicitation.protocol.schema import (
    BooleanProperty,
    IntegerProperty,
    MultiSelectProperty,
    NumberProperty,
    Option,
    Property,
    SelectProperty,
    StringProperty,
    UnknownProperty,
)

__all__ = [
    "ABSENT",
    "Absent",
    "DraftField",
    "Entry",
    "FieldKind",
    "Value",
    "chosen_of",
    "default_entry",
    "field_of",
    "shown",
    "value_of",
]

FieldKind: TypeAlias = Literal[
    "text", "number", "integer", "boolean", "select", "multi-select", "unknown"
]

Entry: TypeAlias = str | tuple[str, ...] | None
"""What stands in a field: typed text, the values of chosen options, or nothing."""


class Absent:
    """The type of `ABSENT`."""


ABSENT = Absent()
"""No value: the key is left out of the content."""

Value: TypeAlias = str | int | float | bool | list[str] | Absent | Refusal
"""What an entry amounts to: a value to send, nothing, or text that is no value of its kind."""


class DraftField(msgspec.Struct, frozen=True, kw_only=True):
    """One question of a form, as a presenter needs it. All text is the agent's, and untrusted."""

    name: str
    property: Property
    kind: FieldKind
    required: bool
    label: str
    """The title, or else the name."""
    description: str | None = None
    options: tuple[Option, ...] = ()
    """What can be chosen; empty where the kind has no choices."""
    has_default: bool
    default_text: str = ""
    """The default as a person reads it, options by their titles; empty where there is none."""
    default_chosen: tuple[str, ...] = ()
    """The values of the options that are chosen by default."""
    companion: "DraftField | None" = None
    """The free text to draw as one question with this choice, see `companions`."""
    companion_of: str | None = None
    """The name of the choice that this free text is drawn with."""
    is_note: bool = False
    """Whether this companion says more about its choice, rather than something in its place."""
    takes_both: bool = False
    """Whether this choice can be answered by an option and by its companion at once.

    Otherwise the text stands in place of an option, and `FormDraft.answer` keeps one of the two.
    """


_KINDS: Mapping[type, FieldKind] = MappingProxyType(
    {
        StringProperty: "text",
        NumberProperty: "number",
        IntegerProperty: "integer",
        BooleanProperty: "boolean",
        SelectProperty: "select",
        MultiSelectProperty: "multi-select",
        UnknownProperty: "unknown",
    }
)


def field_of(
    name: str,
    member: Property,
    *,
    required: bool,
    companion: DraftField | None = None,
    companion_of: str | None = None,
    is_note: bool = False,
) -> DraftField:
    """Return the question that the property `name` of a form asks."""
    default = default_entry(member)
    options = member.options if isinstance(member, SelectProperty | MultiSelectProperty) else ()
    chosen = default if isinstance(default, tuple) else ()
    several = isinstance(member, MultiSelectProperty)
    return DraftField(
        name=name,
        property=member,
        kind=_KINDS[type(member)],
        required=required,
        label=member.title or name,
        description=member.description,
        options=options,
        has_default=default is not None,
        default_text=default if isinstance(default, str) else _titles(chosen, options),
        default_chosen=chosen,
        companion=companion,
        companion_of=companion_of,
        is_note=is_note,
        takes_both=companion is not None and (required or several or companion.is_note),
    )


def default_entry(member: Property) -> Entry:
    """Return what a field starts with (FORM-4); a default that is no option counts as none."""
    if isinstance(member, UnknownProperty) or member.default is None:
        return None
    match member:
        case SelectProperty(default=value, options=options):
            return _in_order((str(value),), options) or None
        case MultiSelectProperty(default=values, options=options):
            return _in_order(values or (), options) or (None if values else ())
        case StringProperty(default=value):
            return value
        case BooleanProperty(default=value):
            return boolean_text(bool(value))
        case NumberProperty(default=value) | IntegerProperty(default=value):
            return number_text(value or 0)
        case _ as never:
            assert_never(never)


def value_of(field: DraftField, entry: Entry) -> Value:
    """Return what `entry` amounts to in `field`."""
    match entry:
        case None:
            return ABSENT
        case str():
            return _from_text(field, entry)
        case _:
            return _from_chosen(field, entry)


def chosen_of(field: DraftField, entry: Entry) -> tuple[str, ...]:
    """Return the values of the chosen options, in the form's order."""
    values = parse_choices(entry, field.options) if isinstance(entry, str) else entry
    return () if isinstance(values, Refusal) else _in_order(values or (), field.options)


def shown(field: DraftField, value: Value) -> str | None:
    """Return `value` as a person reads it, options by their titles; None where it is none."""
    match value:
        case bool():
            return boolean_text(value)
        case int() | float():
            return number_text(value)
        case str():
            return _titles((value,), field.options)
        case list():
            return _titles(value, field.options)
        case Absent() | Refusal():
            return None
        case _ as never:
            assert_never(never)


def _from_text(field: DraftField, text: str) -> Value:
    member = field.property
    match member:
        case SelectProperty(options=options):
            return parse_choice(text, options) if text.strip() else ABSENT
        case StringProperty():
            return _from_free_text(text, member, required=field.required)
        case IntegerProperty():
            return parse_integer(text) if text.strip() else ABSENT
        case NumberProperty():
            return parse_number(text) if text.strip() else ABSENT
        case BooleanProperty():
            return parse_boolean(text) if text.strip() else ABSENT
        case MultiSelectProperty(options=options):
            values = parse_choices(text, options)
            return values if isinstance(values, Refusal) else _from_chosen(field, values)
        case UnknownProperty():
            return ABSENT
        case _ as never:
            assert_never(never)


def _from_free_text(text: str, member: StringProperty, *, required: bool) -> Value:
    if member.format in FORMATS:
        text = text.strip()
    if text:
        return text
    return "" if required and (member.default == "" or member.min_length == 0) else ABSENT


def _from_chosen(field: DraftField, values: tuple[str, ...]) -> Value:
    member = field.property
    if isinstance(member, MultiSelectProperty):
        if not values:
            on_purpose = not member.min_items and (field.required or field.default_chosen)
            return [] if on_purpose else ABSENT
        strangers = sorted(set(values).difference(option.value for option in member.options))
        return [*_in_order(values, member.options), *strangers]
    if len(values) > 1:
        return Refusal("too-many", {"max_items": 1})
    return values[0] if values else ABSENT


def _in_order(values: Iterable[str], options: tuple[Option, ...]) -> tuple[str, ...]:
    chosen = frozenset(values)
    return tuple(option.value for option in options if option.value in chosen)


def _titles(values: Iterable[str], options: tuple[Option, ...]) -> str:
    titles = {option.value: option.title or option.value for option in options}
    return ", ".join(titles.get(value, value) for value in values)

"""Choices: `Literal` and `Enum` as the options of a select or a multi-select.

Owns: the text that stands for each choice on the wire, its title, and the way back to the value.
Knows nothing of: annotations around a choice, limits, defaults of fields.
Above it: `hints`. Below it: `kinds`, `docstrings`, `protocol.schema`.
"""

import enum
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from acp_elicitation.forms.docstrings import attribute_docstrings
from acp_elicitation.forms.kinds import NO_DEFAULT, Refused, Shape, read_text
from acp_elicitation.forms.limits import Limits
from acp_elicitation.protocol.errors import UnsupportedType
from acp_elicitation.protocol.schema import MultiSelectProperty, Option, SelectProperty

__all__ = ["Choices", "Titles", "enum_choices", "literal_choices", "select", "select_many"]

Titles = Mapping[Any, str]
"""What the user reads for a choice, by the choice: `{Color.RED: "Red", "pg": "PostgreSQL"}`."""


class Choices(msgspec.Struct, frozen=True):
    """Options in their order, and the value that each of them stands for."""

    options: tuple[Option, ...]
    values: dict[str, Any]

    def wire(self, value: object) -> object:
        """Return the text that stands for `value`, or `NO_DEFAULT`."""
        for text, candidate in self.values.items():
            if type(candidate) is type(value) and candidate == value:
                return text
        # A default written as the text itself: pydantic takes `color: Color = "red"`.
        return value if type(value) is str and value in self.values else NO_DEFAULT


def enum_choices(
    members: Iterable[enum.Enum], kind: type[enum.Enum], titles: Titles, *, where: str
) -> Choices:
    """Return `members` as choices: by value where every value of `kind` is a string, else by name.

    A title comes from `titles`, or is the first line of the member's docstring; the rest of the
    docstring is the description.
    """
    if issubclass(kind, enum.Flag):
        raise UnsupportedType(
            where=where,
            reason=f"{kind.__name__} is a set of flags",
            instead="use an Enum and ask for a list of its members",
        )
    by_value = all(isinstance(member.value, str) for member in kind)
    texts = attribute_docstrings(kind)
    values: dict[str, Any] = {}
    options: list[Option] = []
    for member in members:
        text = str.__str__(member.value) if by_value else member.name
        values[text] = member
        title, _, rest = _docstring(member, texts).partition("\n")
        options.append(
            Option(
                value=text,
                title=titles.get(member) or title.strip() or None,
                description=" ".join(rest.split()) or None,
            )
        )
    return _at_least_one(Choices(tuple(options), values), where=where)


def _docstring(member: enum.Enum, texts: Mapping[str, str]) -> str:
    own = member.__dict__.get("__doc__")  # set by the enum's own __new__ or __init__
    return (own if isinstance(own, str) else texts.get(member.name, "")).strip()


def literal_choices(values: Sequence[object], titles: Titles, *, where: str) -> Choices:
    """Return the values of a `Literal` as choices: strings, integers, or members of one Enum.

    Integers stand on the wire as their digits and come back as integers.
    """
    kinds = {type(value) for value in values}
    if len(kinds) == 1:
        kind = kinds.pop()
        if issubclass(kind, enum.Enum):
            members = [value for value in values if isinstance(value, enum.Enum)]
            return enum_choices(members, kind, titles, where=where)
        if kind in (str, int):
            by_text = {str(value): value for value in values}
            options = tuple(
                Option(value=text, title=titles.get(value)) for text, value in by_text.items()
            )
            return Choices(options, by_text)
    raise UnsupportedType(
        where=where,
        reason="a Literal has to be of strings only, of integers only, or of one Enum's members",
        instead="use an Enum with a name for each choice",
    )


def _at_least_one(choices: Choices, *, where: str) -> Choices:
    if not choices.options:
        raise UnsupportedType(
            where=where,
            reason="there is nothing to choose from",
            instead="give it at least one member",
        )
    return choices


def select(choices: Choices) -> Shape:
    """One of the choices."""
    values = choices.values

    def read(value: object) -> Any:
        try:
            return values[read_text(value)]
        except KeyError:
            pass
        raise Refused("not-a-choice")

    return Shape(property=SelectProperty(options=choices.options), read=read, show=choices.wire)


def select_many(choices: Choices, limits: Limits, make: Callable[[list[Any]], Any]) -> Shape:
    """Any number of the choices, as what `make` makes of their list. A choice counts once."""
    one = select(choices).read

    def read(value: object) -> Any:
        if not isinstance(value, list | tuple):
            raise Refused("type", expected="choices")
        return make([one(text) for text in dict.fromkeys(read_text(item) for item in value)])

    def show(value: object) -> object:
        if isinstance(value, str) or not isinstance(value, Collection):
            return NO_DEFAULT
        chosen = {choices.wire(item) for item in value}
        if NO_DEFAULT in chosen:
            return NO_DEFAULT
        return tuple(option.value for option in choices.options if option.value in chosen)

    member = MultiSelectProperty(
        options=choices.options, min_items=limits.min_length, max_items=limits.max_length
    )
    return Shape(property=member, read=read, show=show)

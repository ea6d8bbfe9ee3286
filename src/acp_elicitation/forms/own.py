"""What keeps a form of one's own from being asked, found before it is sent.

Owns: the faults that a form of this side can have, and their wording for the developer.
Knows nothing of: messages, sessions and time limits (see `agent.asking`), and secrets.
Above it: the agent side. Below it: `check`, `patterns`, `protocol`.

A form, or a property, that was read from the wire is its author's: it goes on as it came (FWD-8),
and only its patterns are judged. The rest is for the client that it is for.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from acp_elicitation.forms.check import Check, find_bad_pattern
from acp_elicitation.forms.problem import Code
from acp_elicitation.protocol.errors import InvalidQuestion
from acp_elicitation.protocol.reading import MALFORMED
from acp_elicitation.protocol.schema import (
    BooleanProperty,
    FormSchema,
    IntegerProperty,
    MultiSelectProperty,
    NumberProperty,
    Option,
    Property,
    SelectProperty,
    StringProperty,
    UnknownProperty,
)
from acp_elicitation.protocol.schema_wire import TABLES

__all__ = ["check_own_form"]

_TYPES: Mapping[type, str] = MappingProxyType(
    {
        StringProperty: "string",
        SelectProperty: "string",
        NumberProperty: "number",
        IntegerProperty: "integer",
        BooleanProperty: "boolean",
        MultiSelectProperty: "array",
    }
)
_BOUNDS = (("min_length", "max_length"), ("minimum", "maximum"), ("min_items", "max_items"))
_PATTERNS = {
    "too-long": "it is too long",
    "invalid": "it is no valid ECMA-262 regular expression",
    "too-costly": "it takes too much memory or too deep a stack to compile",
}
_DEFAULTS: Mapping[Code, str] = MappingProxyType(
    {
        "not-a-choice": "it is none of the options",
        "pattern": "it does not match the pattern",
        "format": "it is not of the format",
    }
)


def check_own_form(check: Check) -> None:
    """Return when the form of `check` can be shown by any client and answered by a user.

    With patterns it may take a moment: not on an event loop (FORM-9), see `Check.has_patterns`.

    Raises:
        InvalidQuestion: it cannot. The place is named, with the reason and what to do.
    """
    form = check.schema
    if form.raw is None:
        for name in form.required:
            if name not in form.properties:
                raise _fault(name, "required", "there is no such property", "add it to the form")
    for name, member in form.properties.items():
        if member.raw is None and form.raw is None and not isinstance(member, UnknownProperty):
            _check_kinds(name, member)
            _check_options(name, member)
            _check_bounds(name, member)
    bad = find_bad_pattern(form)
    if bad is not None:
        name, why = bad
        raise _fault(name, "pattern", _PATTERNS[why], "write one that JavaScript takes")
    for name, default in _own_defaults(form):
        for problem in check.of(name, default):
            reason = _DEFAULTS.get(problem.code, f"it breaks the property's limits: {problem.code}")
            raise _fault(name, "default", reason, "give one that fits, or none")


def _fault(name: str, part: str, reason: str, instead: str) -> InvalidQuestion:
    return InvalidQuestion(where=f"{part} of property {name!r}", reason=reason, instead=instead)


def _check_kinds(name: str, member: Property) -> None:
    for field in TABLES[_TYPES[type(member)]].values():
        value: Any = getattr(member, field.name)
        if value is not None:
            as_sent = list(value) if isinstance(value, tuple) else value
            if field.kind.convert(as_sent) is MALFORMED:
                found = type(value).__name__
                reason = f"it must be {field.kind.expected}, and not this {found}"
                raise _fault(name, field.name, reason, "correct it, or leave it out")


def _check_options(name: str, member: Property) -> None:
    if not isinstance(member, SelectProperty | MultiSelectProperty):
        return
    if not member.options:
        raise _fault(name, "options", "there are none", "give one at least, or do not ask")
    options: tuple[Any, ...] = member.options  # anything, where nobody checked the types
    for option in options:
        if not (isinstance(option, Option) and isinstance(option.value, str)):
            raise _fault(name, "options", "a value is no text", "make each a str")
        if not isinstance(option.title, str | None):
            raise _fault(name, "options", "a title is no text", "make each a str")
    if len({option.value for option in member.options}) < len(member.options):
        raise _fault(name, "options", "two have the same value", "give each a value of its own")


def _check_bounds(name: str, member: Property) -> None:
    for low_name, high_name in _BOUNDS:
        low, high = getattr(member, low_name, None), getattr(member, high_name, None)
        if low is not None and high is not None and low > high:
            raise _fault(
                name,
                low_name,
                f"{low:g} is more than {high_name}, which is {high:g}",
                "exchange them, or leave one out",
            )
    if isinstance(member, MultiSelectProperty) and (member.min_items or 0) > len(member.options):
        raise _fault(
            name,
            "min_items",
            f"{member.min_items} is more than there are options ({len(member.options)})",
            "ask for fewer",
        )


def _own_defaults(form: FormSchema) -> Iterator[tuple[str, Any]]:
    for name, member in form.properties.items():
        default = None if member.raw is not None else getattr(member, "default", None)
        if form.raw is None and default is not None:
            yield name, default

"""The kinds of single values a form can ask for: the property of each, and both ways between.

Owns: text, numbers, yes/no, dates and the types that travel as text: what stands on the wire for
a Python value (`show`) and the Python value for what came (`read`), strictly: `True` is no 1.
Knows nothing of: annotations, fields, choices, and where a value is used.
Above it: `hints`. Below it: `limits`, `problem`, `protocol.schema`.

`read` gets any JSON value. What it cannot take raises `Refused`, which names a code and limits and
never the value. The types of `uuid`, `pathlib` and `decimal` arrive with the hint, so that none of
these modules is imported here.
"""

import datetime
import math
import re
from collections.abc import Callable
from typing import Annotated, Any, TypeAlias

import msgspec

from acp_elicitation.forms.limits import Limits
from acp_elicitation.forms.problem import Code
from acp_elicitation.protocol.schema import (
    BooleanProperty,
    IntegerProperty,
    NumberProperty,
    Property,
    StringProperty,
)

__all__ = [
    "NO_DEFAULT",
    "REJECTED",
    "Read",
    "Refused",
    "Shape",
    "Show",
    "boolean",
    "date",
    "decimal",
    "integer",
    "moment",
    "number",
    "path",
    "read_text",
    "show_text",
    "text",
    "unique_id",
]

Read: TypeAlias = Callable[[Any], Any]
Show: TypeAlias = Callable[[Any], Any]

NO_DEFAULT = msgspec.UNSET
"""What `show` returns for a value that the wire cannot carry."""

REJECTED: Code = "rejected"
"""The code of what only the type can tell; `params["reason"]` is the text of the type's author."""


class Refused(Exception):
    """A value that the type does not take: a code and its parameters, never the value."""

    def __init__(self, code: Code, **params: object) -> None:
        self.code: Code = code
        self.params: dict[str, Any] = params
        super().__init__(code)


class Shape(msgspec.Struct, frozen=True, kw_only=True):
    """How one type is asked for, read from the wire, and shown as a default."""

    property: Property
    read: Read
    show: Show


def read_text(value: object) -> str:
    """Return `value` if it is a string."""
    if type(value) is str:
        return value
    if isinstance(value, str):
        return str.__str__(value)
    raise Refused("type", expected="text")


def show_text(value: object) -> object:
    """Return `value` if it is a string."""
    return str.__str__(value) if isinstance(value, str) else NO_DEFAULT


def _read_integer(value: object) -> int:
    if type(value) is int:
        return value
    if isinstance(value, float) and value.is_integer():
        return int(value)  # JSON has one kind of number: 3.0 is the integer 3
    raise Refused("type", expected="integer")


def _read_number(value: object) -> float:
    if type(value) is float and math.isfinite(value):
        return value
    if type(value) is int:
        try:
            return float(value)
        except OverflowError:
            pass
    raise Refused("type", expected="number")


def _read_boolean(value: object) -> bool:
    if value is True or value is False:
        return value
    raise Refused("type", expected="boolean")


def _show_integer(value: object) -> object:
    if isinstance(value, bool) or not isinstance(value, int):
        return NO_DEFAULT
    return int(value) if -(2**63) <= value < 2**63 else NO_DEFAULT


def _show_number(value: Any) -> object:
    if isinstance(value, int):
        return _show_integer(value)
    try:
        shown = float(value)
    except (TypeError, ValueError, OverflowError):
        return NO_DEFAULT
    return shown if math.isfinite(shown) else NO_DEFAULT


def _show_boolean(value: object) -> object:
    return value if isinstance(value, bool) else NO_DEFAULT


def text(limits: Limits, *, format: str | None = None, show: Show = show_text) -> Shape:
    """Free text, within the limits of its length and its pattern."""
    member = StringProperty(
        min_length=limits.min_length,
        max_length=limits.max_length,
        pattern=limits.pattern,
        format=format,
    )
    return Shape(property=member, read=read_text, show=show)


def integer(limits: Limits) -> Shape:
    """A whole number. An exclusive bound becomes the tightest inclusive one (FORM-1)."""
    low, high = limits.integer_bounds()
    return Shape(
        property=IntegerProperty(minimum=low, maximum=high), read=_read_integer, show=_show_integer
    )


def number(limits: Limits) -> Shape:
    """A number. An exclusive bound stands as an inclusive one and is checked on receipt."""
    low, high = limits.number_bounds()
    return Shape(
        property=NumberProperty(minimum=low, maximum=high), read=_read_number, show=_show_number
    )


def boolean() -> Shape:
    """Yes or no."""
    return Shape(property=BooleanProperty(), read=_read_boolean, show=_show_boolean)


# A JSON number keeps 15 significant digits everywhere; longer amounts travel as text.
_EXACT_DIGITS = 15
_DECIMAL = r"[+-]?[0-9]+(\.[0-9]+)?"


def decimal(limits: Limits, make: Callable[[Any], Any]) -> Shape:
    """An exact amount: a number, or text where `max_digits` is more than a JSON number keeps."""
    if limits.max_digits is not None and limits.max_digits > _EXACT_DIGITS:

        def read_digits(value: object) -> Any:
            digits = read_text(value)
            if not re.fullmatch(_DECIMAL, digits):
                raise Refused("pattern", pattern=f"^{_DECIMAL}$")
            return make(digits)

        exact = StringProperty(pattern=f"^{_DECIMAL}$")
        return Shape(property=exact, read=read_digits, show=str)

    def read(value: object) -> Any:
        # repr() gives the shortest text that reads back as this float: 0.1 stays 0.1.
        return make(value if type(value) is int else repr(_read_number(value)))

    low, high = limits.number_bounds()
    return Shape(property=NumberProperty(minimum=low, maximum=high), read=read, show=_show_number)


def _converted(target: Any, format: str) -> Read:
    def read(value: object) -> Any:
        try:
            return msgspec.convert(read_text(value), target)
        except ValueError:  # msgspec's, or of half a surrogate pair
            pass
        # A leap second, the year 0: right in the format, but no such value in Python.
        raise Refused("format", format=format)

    return read


def _show_date(value: object) -> object:
    if isinstance(value, datetime.datetime):
        value = value.date()
    return value.isoformat() if isinstance(value, datetime.date) else show_text(value)


def date(hint: type) -> Shape:
    """A day, as `2026-12-31`."""
    return Shape(
        property=StringProperty(format="date"), read=_converted(hint, "date"), show=_show_date
    )


def moment(hint: Any) -> Shape:
    """A date and time with its offset, as `2026-12-31T18:00:00Z`."""
    aware = _converted(Annotated[hint, msgspec.Meta(tz=True)], "date-time")
    return Shape(property=StringProperty(format="date-time"), read=aware, show=_show_moment)


def _show_moment(value: object) -> object:
    # One without an offset cannot be said on the wire; the check of the default finds it.
    return value.isoformat() if isinstance(value, datetime.datetime) else show_text(value)


_UUID = "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$"


def unique_id(hint: type) -> Shape:
    """A UUID, in its usual writing. Version 1 has no such format, so a pattern says it as well."""
    member = StringProperty(format="uuid", pattern=_UUID, min_length=36, max_length=36)
    return Shape(property=member, read=_converted(hint, "uuid"), show=str)


def path(limits: Limits, make: Callable[[str], Any]) -> Shape:
    """A path of the file system, as text that is not empty."""
    member = StringProperty(
        min_length=max(1, limits.min_length or 1),
        max_length=limits.max_length,
        pattern=limits.pattern,
    )
    return Shape(property=member, read=lambda value: make(read_text(value)), show=str)

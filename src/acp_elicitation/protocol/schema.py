"""The restricted JSON Schema of a form: what may be asked, property by property.

Owns: the property types and the form that holds them in the agent's order (FORM-1, FWD-9).
Knows nothing of: how they stand on the wire (see `schema_wire`), and of values and checks (see
`forms`). Above it: `requests`, `forms`. Below it: `reading`.

Each type read from the wire keeps the object that it was read from in `raw`, so that forwarding
loses nothing (FWD-8). An object built here has `raw=None`.
"""

from typing import TypeAlias

import msgspec

from acp_elicitation.protocol.reading import JsonObject

__all__ = [
    "BooleanProperty",
    "FormSchema",
    "IntegerProperty",
    "MultiSelectProperty",
    "NumberProperty",
    "Option",
    "Property",
    "SelectProperty",
    "StringProperty",
    "UnknownProperty",
]


class Option(msgspec.Struct, frozen=True, kw_only=True):
    """One choice: the value that is sent, and what the user reads instead of it."""

    value: str
    title: str | None = None
    description: str | None = None
    meta: JsonObject | None = None


class _Described(msgspec.Struct, frozen=True, kw_only=True):
    """What every property has: its wording, its `_meta`, and the object it was read from."""

    title: str | None = None
    description: str | None = None
    meta: JsonObject | None = None
    raw: JsonObject | None = None


class StringProperty(_Described, frozen=True, kw_only=True):
    """Free text. Lengths count Unicode code points; `pattern` is ECMA-262 and unanchored."""

    default: str | None = None
    min_length: int | None = None
    max_length: int | None = None
    pattern: str | None = None
    format: str | None = None
    """email, uri, date and date-time are checked; any other is an annotation (FWD-4)."""


class NumberProperty(_Described, frozen=True, kw_only=True):
    """A number with inclusive bounds."""

    default: float | int | None = None
    minimum: float | int | None = None
    maximum: float | int | None = None


class IntegerProperty(_Described, frozen=True, kw_only=True):
    """A whole number with inclusive bounds."""

    default: int | None = None
    minimum: int | None = None
    maximum: int | None = None


class BooleanProperty(_Described, frozen=True, kw_only=True):
    """Yes or no."""

    default: bool | None = None


class SelectProperty(StringProperty, frozen=True, kw_only=True):
    """One choice out of `options` (`enum` or `oneOf`); the limits of text apply as well."""

    options: tuple[Option, ...]


class MultiSelectProperty(_Described, frozen=True, kw_only=True):
    """Any number of choices out of `options`, within `min_items` and `max_items`."""

    options: tuple[Option, ...]
    default: tuple[str, ...] | None = None
    min_items: int | None = None
    max_items: int | None = None


class UnknownProperty(_Described, frozen=True, kw_only=True):
    """A type this package does not know, or a list of unknown items (FWD-2, FWD-3).

    It is kept for forwarding and never shown as a known control.
    """

    type: str
    items_type: str | None = None


Property: TypeAlias = (
    StringProperty
    | NumberProperty
    | IntegerProperty
    | BooleanProperty
    | SelectProperty
    | MultiSelectProperty
    | UnknownProperty
)


class FormSchema(msgspec.Struct, frozen=True, kw_only=True):
    """A form: its properties in the agent's order (FWD-9), and the names of those required.

    `required` may name a property that is not there; such a form cannot be accepted.
    """

    properties: dict[str, Property]
    required: tuple[str, ...] = ()
    title: str | None = None
    description: str | None = None
    meta: JsonObject | None = None
    raw: JsonObject | None = None

"""How a JSON object becomes the fields of a type: the lenient-reading rules, as tables.

Owns: the kinds of value, the three rules for a malformed one, and the loop that applies a table.
The official schema marks each field with `x-deserialize-default-on-error` (a malformed value reads
as absent) or `x-deserialize-skip-invalid-items` (a malformed item of a list is dropped); a table
says the same with `Rule.DEFAULT` and `Rule.SKIP`, and a test compares the two (FWD-6).
Knows nothing of: which types there are. Above it: `schema`, `requests`, `responses`,
`capabilities`. Below it: `errors`.
"""

import enum
import math
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import msgspec

from acp_elicitation.protocol.errors import MalformedMessage

__all__ = [
    "BOOLEAN",
    "COUNT",
    "INTEGER",
    "MALFORMED",
    "NUMBER",
    "OBJECT",
    "TEXT",
    "TEXTS",
    "UINT32",
    "Field",
    "JsonObject",
    "Kind",
    "Rule",
    "Table",
    "malformed_under",
    "object_at",
    "read_fields",
    "read_texts",
    "text_at",
    "write_fields",
]

JsonObject: TypeAlias = dict[str, Any]
"""A JSON object as it was decoded. What was read is never changed in place."""


class Rule(enum.Enum):
    """What becomes of a malformed value."""

    STRICT = "the message is malformed (FWD-5)"
    DEFAULT = "the field reads as absent (FWD-6)"
    SKIP = "the malformed items of the list are dropped (FWD-6)"


class _Malformed:
    """The type of `MALFORMED`, which a kind returns for a value that is not of it."""


MALFORMED = _Malformed()


class Kind(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of JSON value: its name in error messages, and the check that converts it."""

    expected: str
    convert: Callable[[Any], Any]


def _text(value: object) -> object:
    return value if isinstance(value, str) else MALFORMED


def _boolean(value: object) -> object:
    return value if isinstance(value, bool) else MALFORMED


def _object(value: object) -> object:
    return value if isinstance(value, dict) else MALFORMED


def _number(value: object) -> object:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return MALFORMED
    try:
        return value if math.isfinite(value) else MALFORMED
    except OverflowError:  # an integer of more digits than a double holds
        return MALFORMED


def _integer(value: object) -> object:
    if isinstance(value, float) and value.is_integer():
        return int(value)  # JSON has one kind of number: 3.0 is the integer 3
    return value if isinstance(value, int) and not isinstance(value, bool) else MALFORMED


def _integer_from_zero(value: object) -> object:
    number = _integer(value)
    return number if isinstance(number, int) and number >= 0 else MALFORMED


def _uint32(value: object) -> object:
    number = _integer(value)
    return number if isinstance(number, int) and 0 <= number < 2**32 else MALFORMED


def _texts(value: object) -> object:
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return tuple(value)
    return MALFORMED


TEXT = Kind(expected="a string", convert=_text)
BOOLEAN = Kind(expected="a boolean", convert=_boolean)
OBJECT = Kind(expected="an object", convert=_object)
NUMBER = Kind(expected="a number within the range of a double", convert=_number)
INTEGER = Kind(expected="an integer", convert=_integer)
COUNT = Kind(expected="an integer from 0", convert=_integer_from_zero)
UINT32 = Kind(expected="an integer from 0 to 2**32 - 1", convert=_uint32)
TEXTS = Kind(expected="a list of strings", convert=_texts)


class Field(msgspec.Struct, frozen=True):
    """One member of a JSON object: the name in Python, its kind and its rule."""

    name: str
    kind: Kind
    rule: Rule = Rule.STRICT
    required: bool = False


Table: TypeAlias = Mapping[str, Field]
"""The members of one type by their wire names."""


def read_fields(table: Table, value: JsonObject) -> dict[str, Any]:
    """Return the fields of `table` that `value` has, by their Python names.

    A null reads as omitted (FWD-7), members that are not in the table are passed over (FWD-8).

    Raises:
        MalformedMessage: a strict field has a malformed value, or a required one is missing.
    """
    fields: dict[str, Any] = {}
    for key, field in table.items():
        member = value.get(key)
        converted = MALFORMED if member is None else field.kind.convert(member)
        if converted is not MALFORMED:
            fields[field.name] = converted
        elif field.required or (member is not None and field.rule is Rule.STRICT):
            raise MalformedMessage(path="/" + _token(key), expected=field.kind.expected)
        elif field.rule is Rule.SKIP and isinstance(member, list):
            fields[field.name] = tuple(item for item in member if isinstance(item, str))
    return fields


def write_fields(table: Table, source: object) -> dict[str, Any]:
    """Return the members of `table` that `source` has a value for, by their wire names."""
    members: dict[str, Any] = {}
    for key, field in table.items():
        value = getattr(source, field.name)
        if value is not None:
            members[key] = list(value) if isinstance(value, tuple) else value
    return members


def object_at(value: object, key: str) -> JsonObject:
    """Return the object that stands under `key`, or raise `MalformedMessage`."""
    member = value.get(key) if isinstance(value, dict) else None
    if not isinstance(member, dict):
        raise MalformedMessage(path="/" + key, expected="an object")
    return member


def text_at(value: JsonObject, key: str) -> str:
    """Return the string that stands under `key`, or raise `MalformedMessage`."""
    member = value.get(key)
    if not isinstance(member, str):
        raise MalformedMessage(path="/" + key, expected="a string")
    return member


def read_texts(value: JsonObject, key: str) -> tuple[str, ...]:
    """Return the list of strings under `key`; omitted and null are the empty one.

    Raises:
        MalformedMessage: something else stands there.
    """
    member = value.get(key)
    if member is None:
        return ()
    texts = _texts(member)
    if not isinstance(texts, tuple):
        raise MalformedMessage(path="/" + key, expected=TEXTS.expected)
    return texts


def malformed_under(key: str | int, error: MalformedMessage) -> MalformedMessage:
    """Return `error` with its path moved under `key`."""
    return MalformedMessage(path=f"/{_token(str(key))}{error.path}", expected=error.expected)


def _token(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")

"""One line, with the bytes that it came as: a message whose members are read when asked for.

Owns: what a line is taken for, and writing a changed message with all that was not changed in it
spelled as it was. Knows nothing of: streams and methods. Above it: `lines`, `passing`.
Below it: msgspec.

A million updates pass without anything but their method being read, and what an agent nests or
repeats in them costs no memory.
"""

import json
from typing import Any, Final, TypeAlias

import msgspec
from msgspec import UNSET, Raw, UnsetType

__all__ = ["Line", "Opaque", "Passing", "encode", "look_into", "with_params"]


class Opaque(bytes):
    """Bytes that are no JSON object, or a piece of a line too long to be looked into."""

    __slots__ = ()


class _Members(msgspec.Struct):
    id: Raw | UnsetType = UNSET
    method: Raw | UnsetType = UNSET
    params: Raw | UnsetType = UNSET
    result: Raw | UnsetType = UNSET
    error: Raw | UnsetType = UNSET


_NAMES = _Members.__struct_fields__
_read_members: Final = msgspec.json.Decoder(_Members).decode
_read_spelling: Final = msgspec.json.Decoder(dict[str, Raw]).decode
_read: Final = msgspec.json.Decoder().decode
_UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)


class Line(dict[str, Any]):
    """A JSON-RPC message with the bytes that it was read from, newline included.

    It has the members that JSON-RPC names, each of them read when it is first asked for; one that
    cannot be read is None.
    """

    __slots__ = ("raw",)

    def __init__(self, members: dict[str, Any], raw: bytes) -> None:
        super().__init__(members)
        self.raw = raw

    def __getitem__(self, name: str) -> Any:
        value = super().__getitem__(name)
        if type(value) is Raw:
            value = self[name] = _value_of(value)
        return value

    def get(self, name: str, default: Any = None) -> Any:
        """As that of a dict."""
        try:
            return self[name]
        except KeyError:
            return default


Passing: TypeAlias = dict[str, Any] | Opaque
"""What goes through: a message that came, one of our own, or bytes."""


def look_into(raw: Opaque) -> Line | Opaque:
    """Return the message that a whole line is; itself where it is none."""
    try:
        read = _read_members(raw)
    except msgspec.ValidationError:
        return raw  # JSON, but no object
    except _UNREADABLE:
        return _look_longer(raw)
    found = ((name, getattr(read, name)) for name in _NAMES)
    return Line({name: value for name, value in found if value is not UNSET}, raw)


def _look_longer(raw: Opaque) -> Line | Opaque:
    """Half a surrogate pair is what a text is left with that was cut in the middle of an emoji."""
    try:
        value = json.loads(raw, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return raw
    return Line(value, raw) if isinstance(value, dict) else raw


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def _value_of(raw: Raw) -> Any:
    try:
        return _read(raw)
    except _UNREADABLE:
        pass
    try:
        return json.loads(bytes(raw))  # a number beyond all bounds is infinite there
    except (ValueError, RecursionError):
        return None


def with_params(line: Line, params: dict[str, Any]) -> dict[str, Any]:
    """Return the message with other params, to be written.

    Whatever the two have in common is spelled as it was, and in its order; what is new comes last.
    """
    try:
        members: dict[str, Any] = dict(_read_spelling(line.raw))
    except _UNREADABLE:
        return {**line, "params": params}  # it was read as a whole then
    return {**members, "params": _spelled(members["params"], params)}


def _respelled(raw: Raw, changed: dict[str, Any]) -> dict[str, Any]:
    try:
        before = _read_spelling(raw)
    except _UNREADABLE:
        return changed
    names = (*before, *(name for name in changed if name not in before))
    return {name: _spelled(before.get(name), changed[name]) for name in names if name in changed}


def _spelled(before: Raw | None, value: Any) -> Any:
    if before is None:
        return value
    if _value_of(before) == value:
        return before
    return _respelled(before, value) if isinstance(value, dict) else value


def encode(message: dict[str, Any]) -> bytes:
    """Return a message of our own, or a changed one, as its line without a newline."""
    try:
        return msgspec.json.encode(message)
    except UnicodeEncodeError:  # half a surrogate pair, which may stand in a message that passes
        return json.dumps(message, separators=(",", ":"), default=_value_in).encode()


def _value_in(raw: Raw) -> Any:
    return json.loads(bytes(raw))

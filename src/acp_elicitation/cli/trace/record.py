"""The lines of a recorded conversation, as `transcript` writes them, read again.

Owns: what a line has to be, and why one is skipped. Knows nothing of: questions.
Above it: `timeline`, `command`. Below it: msgspec.

Of a message no more is read than its method and its id: the rest is looked into by whoever wants
it, so that a million updates cost little.
"""

import datetime
from collections.abc import Iterator
from typing import BinaryIO, Literal, TypeAlias

import msgspec

__all__ = ["BrokenLine", "Entry", "Means", "Note", "Recorded", "read_entry", "read_record"]

Means: TypeAlias = Literal["permission", "web", "script"]
"""By which means the proxy asked a question itself."""

_LONGEST = 64 * 1024 * 1024
"""Bytes of the longest line that is read."""

_NULL = msgspec.Raw(b"null")


class Note(msgspec.Struct, frozen=True, rename="camel"):
    """What the proxy notes beside the messages: it asks this question of the agent, and how."""

    request_id: int | str
    by: Means


class Recorded(msgspec.Struct, frozen=True):
    """A message, as far as its kind goes. What is absent is null, but for the result."""

    id: object = None
    method: object = None
    params: msgspec.Raw = _NULL
    result: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    error: msgspec.Raw = _NULL


class Entry(msgspec.Struct, frozen=True):
    """One line of a record."""

    at: datetime.datetime
    """When it travelled, in UTC."""
    sender: str
    """The agent or the client; or the proxy between them, for a note."""
    message: Recorded | None = None
    """None for what was no message."""
    note: Note | None = None


class BrokenLine(Exception):
    """A line that is none of a record."""


class _Line(msgspec.Struct, frozen=True):
    at: datetime.datetime
    sender: Literal["agent", "client", "proxy"] = msgspec.field(name="from")
    message: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    text: str | None = None
    asks: Note | None = None


_read_line = msgspec.json.Decoder(_Line).decode
_read_message = msgspec.json.Decoder(Recorded).decode


def read_record(file: BinaryIO) -> Iterator[Entry | BrokenLine]:
    """Yield what each line of `file` says, in memory for one line. Raises OSError."""
    while line := file.readline(_LONGEST):
        if line.endswith(b"\n") or len(line) < _LONGEST:
            try:
                yield read_entry(line)
            except BrokenLine as error:
                yield error
            continue
        while line and not line.endswith(b"\n"):
            line = file.readline(_LONGEST)
        yield BrokenLine()


def read_entry(line: bytes) -> Entry:
    """Return what one line says. Raises BrokenLine."""
    try:
        read = _read_line(line)
        message = None if read.message is msgspec.UNSET else _read(read.message)
        at = read.at.astimezone(datetime.UTC)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, OverflowError):
        raise BrokenLine from None
    if read.at.tzinfo is None or (message is None and read.text is None and read.asks is None):
        raise BrokenLine
    return Entry(
        at=at,
        sender=read.sender,
        message=message,
        note=read.asks if read.sender == "proxy" else None,
    )


def _read(message: msgspec.Raw) -> Recorded:
    try:
        return _read_message(message)
    except msgspec.ValidationError:  # JSON, but no object: it travelled, and says nothing
        return Recorded()

"""What can be known of a message that is refused without being read.

Owns: how deep a message nests, and which id and kind a refused message has, so that its sender
gets an answer under that id and a call waiting for it ends.
Knows nothing of: which ids are outstanding, or what is replied.
Above it: `jsonrpc`. Below it: `messages`.

All of it is off the usual path, and bounded: linear in the line at most, and a scan of about a
thousand bytes where only the ends of a line are looked at.
"""

import re
from collections.abc import Mapping
from itertools import accumulate

import msgspec
from msgspec import UNSET, Struct

from acp_elicitation.wire.messages import Message

__all__ = [
    "Glimpse",
    "glimpse",
    "glimpse_broken",
    "glimpse_ends",
    "glimpse_message",
    "nesting",
    "read_leniently",
]

_NOT_BRACKETS = bytes(byte for byte in range(256) if byte not in b"[]{}")
_STEPS = bytes.maketrans(b"[{]}", b"\x01\x01\xff\xff")

_STRING = rb'"(?:[^"\\]|\\.)*"'
_NUMBER = rb"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?"
_SCALAR = rb"(?:" + _STRING + rb"|" + _NUMBER + rb"|true|false|null)"
# A scalar counts only together with what ends it: where the head is cut, 12 may be half of 1234.
_TOKEN = re.compile(rb"\s*(?:(" + _SCALAR + rb")(?=\s*[,:\]}])|([{}\[\]:,]))")
# The same over a text turned around, where an escaping backslash comes behind its character. A
# quote with a backslash behind it is inside of its string: none stands before an opening quote.
_TOKEN_BACKWARD = re.compile(
    rb'\s*(?:("(?:[^"]|"(?=\\))*"(?!\\)|[-+.\w]+(?=\s*[:,\[]))|([{}\[\]:,]))'
)

_SURROGATE = re.compile("[\ud800-\udfff]")  # cannot be written in an answer
_LONGEST_ID = 256


class Glimpse(Struct, frozen=True, kw_only=True):
    """The envelope of a message as far as it could be seen."""

    id: object = UNSET
    asks: bool = False
    """It has a member that only requests and notifications have."""
    answers: bool = False
    """It has a member that only responses have."""


def nesting(line: bytes) -> int:
    """How deep objects and arrays nest in `line`; brackets inside strings do not count."""
    # Without escaped backslashes and quotes, every other piece between quotes is a string.
    bare = line.replace(rb"\\", b"").replace(rb"\"", b"")
    outside = b"".join(bare.split(b'"')[::2])
    steps = outside.translate(_STEPS, _NOT_BRACKETS)
    return max(accumulate(memoryview(steps).cast("b")), default=0)


def glimpse(members: Mapping[str, object]) -> Glimpse:
    """The envelope of an object whose top-level members are known."""
    id = members.get("id", UNSET)
    return Glimpse(
        id=UNSET if isinstance(id, str) and _SURROGATE.search(id) else id,
        asks="method" in members or "params" in members,
        answers="result" in members or "error" in members,
    )


def glimpse_message(message: Message) -> Glimpse:
    """The envelope of a message that was read."""
    return Glimpse(
        id=message.id,
        asks=message.method is not UNSET or message.params is not UNSET,
        answers=message.result is not UNSET or message.error is not UNSET,
    )


def glimpse_ends(head: bytes, tail: bytes) -> Glimpse:
    """The envelope as far as the two ends of a message show it, if it is a JSON object.

    Members of nested objects and the inside of strings are never mistaken for the envelope. An id
    between two long members stays unseen.
    """
    # The beginning wins: of a message that was cut off, the end may belong to a nested object.
    return glimpse(_last_members(tail) | _first_members(head))


def glimpse_broken(head: bytes) -> Glimpse:
    """The envelope as far as the beginning of a text shows it that is not valid JSON.

    Its end says nothing: what looks like the last member may belong to a nested object.
    """
    return glimpse(_first_members(head))


def read_leniently(text: bytes) -> object:
    """`text` read as JSON with what JSON or our decoder does not allow in its values; else UNSET.

    Only good for finding out what was refused: values that cannot be held are replaced.
    """
    import json  # off the usual path

    try:
        return json.loads(
            text.decode("utf-8", "replace"),
            strict=False,
            parse_int=_whole_number,
            parse_constant=_nothing,
        )
    except (ValueError, RecursionError):
        return UNSET


def _whole_number(digits: str) -> int | None:
    return int(digits) if len(digits) <= _LONGEST_ID else None


def _nothing(constant: str) -> None:
    """In the place of NaN and the infinities."""


def _first_members(head: bytes) -> dict[str, object]:
    members: dict[str, object] = {}
    key: str | None = None
    before = b""
    depth = position = 0
    while match := _TOKEN.match(head, position):
        position = match.end()
        scalar, mark = match.groups()
        if mark in (b"{", b"["):
            depth += 1
        elif mark in (b"}", b"]"):
            depth -= 1
        elif depth == 1 and mark == b":":
            key = _key(before)
            members[key] = UNSET
        elif depth == 1 and mark == b",":
            key = None
        elif depth == 1 and key is not None:
            members[key] = _value(scalar)
        if depth == 0:
            break
        before = scalar or mark
    return members


def _last_members(tail: bytes) -> dict[str, object]:
    members: dict[str, object] = {}
    text = tail.rstrip()[::-1]
    value: object = UNSET
    at_key = False
    depth = position = 0
    while match := _TOKEN_BACKWARD.match(text, position):
        position = match.end()
        scalar, mark = match.groups()
        if mark in (b"}", b"]"):
            depth += 1
        elif mark in (b"{", b"["):
            depth -= 1
        elif depth == 1 and scalar is None:
            at_key = mark == b":"
            value = value if at_key else UNSET
        elif depth == 1 and at_key:
            members.setdefault(_key(scalar[::-1]), value)
        elif depth == 1:
            value = _value(scalar[::-1])
        if depth == 0:
            break
    return members


def _key(token: bytes) -> str:
    return token.strip(b'"').decode("utf-8", "replace")


def _value(token: bytes) -> object:
    if len(token) > _LONGEST_ID:
        return UNSET
    try:
        return msgspec.json.decode(token)
    except msgspec.MsgspecError:
        return UNSET

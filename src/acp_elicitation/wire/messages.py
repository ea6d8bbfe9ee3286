"""The messages of JSON-RPC 2.0 as lines of bytes.

Owns: their shapes, reading one leniently, writing one strictly.
Knows nothing of: which message may come when, or which ids are in use.
Above it: `jsonrpc`. Below it: `events` for the ids, and msgspec.

Numbers keep their value: integers of any size are exact, others are IEEE doubles. What is written
is one line (a `msgspec.Raw` must be one itself). NaN and the infinities, which JSON does not have,
go out as null.
"""

from collections.abc import Callable
from typing import Final, TypeAlias

import msgspec
from msgspec import UNSET, Struct, UnsetType

from acp_elicitation.protocol.errors import MisuseError
from acp_elicitation.wire.events import RequestId

__all__ = [
    "UNCHECKED",
    "CheckOutgoing",
    "Message",
    "Writer",
    "read_error",
    "read_id",
    "read_message",
]

CheckOutgoing: TypeAlias = Callable[[bytes], None]
"""Sees the line of a message before it is sent, and raises to stop it."""

_EXACT = 2**53


class Message(Struct):
    """Any message, as far as its type goes. What is absent is UNSET."""

    jsonrpc: object = UNSET
    id: object = UNSET
    method: object = UNSET
    params: object = UNSET
    result: object = UNSET
    error: object = UNSET


# Where there is an id it comes first, to be found in the first bytes of a long message.
class _Call(Struct):
    id: RequestId
    method: str
    params: object = UNSET
    jsonrpc: str = "2.0"


class _Notification(Struct):
    method: str
    params: object = UNSET
    jsonrpc: str = "2.0"


class _Result(Struct):
    id: RequestId
    result: object
    jsonrpc: str = "2.0"


class _Error(Struct):
    code: int
    message: str
    data: object = UNSET


class _Failure(Struct):
    id: RequestId | None
    error: _Error
    jsonrpc: str = "2.0"


read_message: Final = msgspec.json.Decoder(Message).decode
"""A `Message` out of a line. Raises MsgspecError, UnicodeError or RecursionError."""

_encode: Final = msgspec.json.Encoder().encode


def read_id(value: object) -> RequestId | UnsetType:
    """The id that `value` is; UNSET when it cannot be one. 1.0 is 1, as in JSON."""
    if type(value) is int or type(value) is str:
        return value
    if type(value) is float and value.is_integer() and abs(value) <= _EXACT:
        return int(value)
    return UNSET


def read_error(value: object) -> tuple[int, str, object] | None:
    """Code, message and data of an error object; None when it is malformed."""
    if not isinstance(value, dict):
        return None
    code, message = value.get("code"), value.get("message")
    if type(code) is not int or type(message) is not str:
        return None
    return code, message, value.get("data")


class Writer:
    """Makes the lines that are sent.

    Every method raises `MisuseError` if JSON has no way to say a value, and what `check` raises.
    """

    def __init__(self, check: CheckOutgoing | None = None) -> None:
        self._check = check

    def call(self, id: RequestId, method: str, params: object) -> bytes:
        """The line of a call. Params that are None are left out."""
        return self._line(_Call(id, method, UNSET if params is None else params), method)

    def notification(self, method: str, params: object) -> bytes:
        """The line of a notification."""
        return self._line(_Notification(method, UNSET if params is None else params), method)

    def result(self, id: RequestId, result: object) -> bytes:
        """The line that answers a request."""
        return self._line(_Result(id, result), "a result")

    def failure(self, id: RequestId | None, code: int, message: str, data: object = None) -> bytes:
        """The line that answers a request with an error. Data that is None is left out."""
        error = _Error(code, message, UNSET if data is None else data)
        return self._line(_Failure(id, error), "an error")

    def _line(self, message: Struct, what: str) -> bytes:
        try:
            line = _encode(message) + b"\n"
        except (TypeError, ValueError, RecursionError, msgspec.MsgspecError):
            raise MisuseError(
                f"{what}: a value that JSON cannot say; give it dicts with string keys, lists, "
                f"strings of valid Unicode, numbers, booleans and None"
            ) from None
        if self._check is not None:
            self._check(line)
        return line


UNCHECKED = Writer()
"""For messages that hold nothing but what the wire itself says."""

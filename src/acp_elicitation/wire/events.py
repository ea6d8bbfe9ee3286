"""What a JSON-RPC peer reports, and the limits it keeps.

Owns: the events, the ids, the error codes of JSON-RPC and the limits of one connection.
Knows nothing of: bytes, sockets, tasks, or any ACP method but the cancellation of a request.
Above it: `jsonrpc` makes these events, `connection` acts on them. Below it: nothing.
"""

from typing import TypeAlias

from msgspec import Struct

__all__ = [
    "CANCEL_METHOD",
    "INTERNAL_ERROR",
    "INVALID_PARAMS",
    "INVALID_REQUEST",
    "METHOD_NOT_FOUND",
    "PARSE_ERROR",
    "REQUEST_CANCELLED",
    "TOO_MANY_REQUESTS",
    "CancelReceived",
    "ErrorReceived",
    "Event",
    "Limits",
    "MessageRefused",
    "NoiseReceived",
    "NotificationReceived",
    "RequestId",
    "RequestReceived",
    "ResultReceived",
]

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
REQUEST_CANCELLED = -32800
TOO_MANY_REQUESTS = -32029  # of the range left to implementations; -32000 is taken by ACP

CANCEL_METHOD = "$/cancel_request"

# Protocol v1 also allows null. A request with it is refused: the answer could not be told from
# one to a message without a readable id, and v2 has no way to name it.
RequestId: TypeAlias = int | str


class Limits(Struct, frozen=True, kw_only=True):
    """How much one connection takes from the other side, and holds for it."""

    message_bytes: int = 16 * 1024 * 1024
    """A longer line is refused with an error, and skipped without being kept."""
    depth: int = 128
    """A message with objects and arrays nested deeper than this is refused."""
    incoming: int = 10_000
    """Requests of the other side without an answer; one more is answered with an error."""
    outgoing: int = 10_000
    """Own calls without an answer; one more raises `MisuseError`."""
    unsent_bytes: int = 64 * 1024 * 1024
    """Bytes that the other side has not read yet. At half of it we stop reading; at all of it
    the connection ends."""


class RequestReceived(Struct, frozen=True, kw_only=True):
    """The other side asks; it waits until `Peer.result` or `Peer.error` has answered this id."""

    id: RequestId
    method: str
    params: object
    """A dict, a list, or None when absent or null."""


class NotificationReceived(Struct, frozen=True, kw_only=True):
    """The other side tells something and expects no answer."""

    method: str
    params: object


class ResultReceived(Struct, frozen=True, kw_only=True):
    """The call with this id, one of ours, has its result."""

    id: RequestId
    result: object


class ErrorReceived(Struct, frozen=True, kw_only=True):
    """The call with this id ended with an error.

    The error is the other side's own, or says that its response could not be used (code -32600 or
    -32700). With id None it belongs to no call that could be named, and none has ended.
    """

    id: RequestId | None
    code: int
    message: str
    data: object = None


class CancelReceived(Struct, frozen=True, kw_only=True):
    """The other side gave up its unanswered request; that request is still to be answered."""

    id: RequestId


class NoiseReceived(Struct, frozen=True, kw_only=True):
    """A line that is no JSON message at all, such as an accidental `print` of an agent. Skipped.

    `text` is the beginning of the line: untrusted, and bounded.
    """

    text: bytes


class MessageRefused(Struct, frozen=True, kw_only=True):
    """A message that cannot be taken. `reply` is to be sent as it is; empty means none is due.

    `excerpt` is the beginning of the line when it may be shown (see `answer_noise` of `Peer`), else
    empty: what a client sends may hold what its user typed.
    """

    id: RequestId | None
    code: int
    message: str
    reply: bytes
    excerpt: bytes = b""


Event: TypeAlias = (
    RequestReceived
    | NotificationReceived
    | ResultReceived
    | ErrorReceived
    | CancelReceived
    | NoiseReceived
    | MessageRefused
)

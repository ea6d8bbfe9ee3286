"""A JSON-RPC 2.0 peer without I/O: bytes in, events out; calls in, bytes out.

Owns: the ids of both directions, what is a valid message, the limits, and the replies to what is
not valid. Rule 1: everything that decides about a message lives here.
Knows nothing of: sockets, tasks, clocks, logs, or any method but `$/cancel_request`.
Above it: `connection`, its driver. Below it: `framing`, `messages`, `salvage`, `events`.

What is refused, and how (a response is never replied to; the call that it was for ends instead):

    not JSON                                      -32700, id null
    NaN, 1e999, half a surrogate pair, bad UTF-8  -32700, own id, since the rest could be read
    an array, a scalar                            -32600, id null
    no "jsonrpc": "2.0"; method not a string      -32600, own id
    id null, a boolean, an object, 1.5            -32600, id null
    id of a request that has no answer yet        -32600, that id: the sender's second call must
                                                  fail, or it takes the first one's answer for its
    params a string, a number, a boolean          -32602, own id; of a notification: dropped
    over the size, nested too deep                -32600, own id where it can be found
    too many requests without an answer           -32029, own id
"""

from msgspec import UNSET, MsgspecError, UnsetType

from acp_elicitation.protocol.errors import MisuseError
from acp_elicitation.wire.events import (
    CANCEL_METHOD,
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    PARSE_ERROR,
    TOO_MANY_REQUESTS,
    CancelReceived,
    ErrorReceived,
    Event,
    Limits,
    MessageRefused,
    NoiseReceived,
    NotificationReceived,
    RequestId,
    RequestReceived,
    ResultReceived,
)
from acp_elicitation.wire.framing import EDGE_BYTES, LineFramer, Oversized
from acp_elicitation.wire.messages import (
    UNCHECKED,
    CheckOutgoing,
    Message,
    Writer,
    read_error,
    read_id,
    read_message,
)
from acp_elicitation.wire.salvage import (
    Glimpse,
    glimpse,
    glimpse_broken,
    glimpse_ends,
    glimpse_message,
    nesting,
    read_leniently,
)

__all__ = ["Peer"]

_EXCERPT_BYTES = 500
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"  # some shells write it when they redirect
_MARK_OR_BLANK = _BYTE_ORDER_MARK + b" \t\r\n\v\f"


class Peer:
    """One end of a JSON-RPC connection.

    `answer_noise`: whether a line that does not even begin like JSON is answered with -32700. A
    client that reads an agent's stdout passes False: such lines become `NoiseReceived`, and
    refused messages carry an excerpt to show.
    `check_outgoing`: what it raises stops the message; an error that it stops becomes -32603.
    `id_prefix`: own ids are integers from 0, or strings with this prefix, so that two users of one
    connection can tell their calls apart.

    Bytes to send are returned, never sent: one line, or b"" when nothing is due.
    """

    def __init__(
        self,
        *,
        answer_noise: bool = True,
        check_outgoing: CheckOutgoing | None = None,
        id_prefix: str | None = None,
        limits: Limits | None = None,
    ) -> None:
        self._answer_noise = answer_noise
        self._write = Writer(check_outgoing)
        self._id_prefix = id_prefix
        self._limits = limits or Limits()
        self._lines = LineFramer(self._limits.message_bytes)
        self._input_ended = False
        self._next_id = 0
        self._calls: set[RequestId] = set()
        self._unanswered: set[RequestId] = set()
        # A message must be longer than this to nest deeper than the limit.
        self._flat_bytes = 2 * self._limits.depth

    # --- calls in, bytes out ---

    def request(self, method: str, params: object = None) -> tuple[RequestId, bytes]:
        """The id and the bytes of a new call. Absent params are None.

        Raises `MisuseError` when JSON cannot say params or too many calls are unanswered.
        """
        if len(self._calls) >= self._limits.outgoing:
            raise MisuseError(
                f"{len(self._calls)} calls of this side have no answer yet; "
                f"wait for some, or raise Limits.outgoing"
            )
        number = self._next_id
        id = number if self._id_prefix is None else f"{self._id_prefix}{number}"
        data = self._write.call(id, method, params)
        self._next_id = number + 1
        self._calls.add(id)
        return id, data

    def notify(self, method: str, params: object = None) -> bytes:
        """The bytes of a notification. Raises as `request` does."""
        return self._write.notification(method, params)

    def cancel(self, id: RequestId) -> bytes:
        """Give up an own call: the bytes that say so. A response that still comes is dropped."""
        if id not in self._calls:
            return b""
        self._calls.remove(id)
        return UNCHECKED.notification(CANCEL_METHOD, {"requestId": id})

    def result(self, id: RequestId, result: object) -> bytes:
        """The bytes that answer a request; b"" when it has its answer already.

        Raises `MisuseError` when JSON cannot say `result`; the request has no answer then.
        """
        if id not in self._unanswered:
            return b""
        data = self._write.result(id, result)
        self._unanswered.remove(id)
        return data

    def error(self, id: RequestId, code: int, message: str, data: object = None) -> bytes:
        """The bytes that answer a request with an error; b"" when it has its answer already.

        An error that JSON cannot say goes out as -32603.
        """
        if id not in self._unanswered:
            return b""
        self._unanswered.remove(id)
        try:
            return self._write.failure(id, code, message, data)
        except Exception:
            return UNCHECKED.failure(id, INTERNAL_ERROR, "internal error")

    # --- bytes in, events out ---

    def receive(self, data: bytes) -> list[Event]:
        """What the messages mean that `data` completes. Raises nothing, whatever the bytes are."""
        # Nearly always a chunk is exactly one message.
        if (
            data.find(b"\n") == len(data) - 1
            and not self._lines.partial
            and len(data) <= self._limits.message_bytes
        ):
            event = self._read(data)
            return [] if event is None else [event]
        events = map(self._read_line, self._lines.feed(data))
        return [event for event in events if event is not None]

    def end_of_input(self) -> list[Event]:
        """The same of an unfinished last line, once nothing more will come."""
        self._input_ended = True
        line = self._lines.finish()
        event = None if line is None else self._read_line(line)
        return [] if event is None else [event]

    def _read_line(self, line: bytes | Oversized) -> Event | None:
        if isinstance(line, Oversized):
            limit = self._limits.message_bytes
            return self._unread(line.head, line.tail, f"a message has at most {limit} bytes")
        return self._read(line)

    def _read(self, line: bytes) -> Event | None:
        depth = self._limits.depth
        if (
            len(line) > self._flat_bytes
            and line.count(b"{") + line.count(b"[") > depth
            and nesting(line) > depth
        ):
            reason = f"a message nests at most {depth} deep"
            return self._unread(line[:EDGE_BYTES], line[-EDGE_BYTES:], reason)
        try:
            message = read_message(line)
        except (MsgspecError, UnicodeError, RecursionError):
            return self._unreadable(line)
        if message.jsonrpc != "2.0":
            seen = glimpse_message(message)
            return self._turn_away(seen, INVALID_REQUEST, 'expected "jsonrpc": "2.0"')
        if message.method is not UNSET:
            return self._request(message)
        # Nearly always a response is the result of an own call.
        id = message.id
        if type(id) is int and id in self._calls and message.error is UNSET is not message.result:
            self._calls.remove(id)
            return ResultReceived(id=id, result=message.result)
        return self._response(message)

    def _request(self, message: Message) -> Event | None:
        method = message.method
        params = None if message.params is UNSET else message.params
        id = message.id if type(message.id) is int else read_id(message.id)
        if type(method) is not str:
            return self._refuse(id, INVALID_REQUEST, "the method must be a string")
        if message.id is UNSET:
            return self._notification(method, params)
        if id is UNSET:
            return self._refuse(id, INVALID_REQUEST, "the id must be an integer or a string")
        if id in self._unanswered:
            return self._refuse(id, INVALID_REQUEST, "this id is in use; take a fresh one")
        if type(params) is not dict and params is not None and type(params) is not list:
            return self._refuse(id, INVALID_PARAMS, "params must be an object or an array")
        if len(self._unanswered) >= self._limits.incoming:
            return self._refuse(id, TOO_MANY_REQUESTS, "too many requests at once")
        self._unanswered.add(id)
        return RequestReceived(id=id, method=method, params=params)

    def _notification(self, method: str, params: object) -> Event | None:
        if type(params) is not dict and params is not None and type(params) is not list:
            reason = "params must be an object or an array"
            return MessageRefused(id=None, code=INVALID_PARAMS, message=reason, reply=b"")
        if method != CANCEL_METHOD:
            return NotificationReceived(method=method, params=params)
        id = read_id(params.get("requestId", UNSET)) if isinstance(params, dict) else UNSET
        # A request that is answered already, or never came: nothing is left to cancel.
        return CancelReceived(id=id) if id is not UNSET and id in self._unanswered else None

    def _response(self, message: Message) -> Event | None:
        call = self._own(message.id)
        result, error = message.result, message.error
        if result is UNSET and error is UNSET:
            reason = "expected a method, a result or an error"
            return self._turn_away(glimpse_message(message), INVALID_REQUEST, reason)
        if call is not None:
            self._calls.remove(call)
            # An error that is null beside a result is absent, as JSON-RPC 1.0 writes it.
            if error is UNSET or (error is None and result is not UNSET):
                return ResultReceived(id=call, result=result)
        elif message.id is not None:
            return None  # late, a second one, or never asked for
        failure = read_error(error) if result is UNSET or result is None else None
        if failure is not None:
            code, text, data = failure
            return ErrorReceived(id=call, code=code, message=text, data=data)
        if call is None:
            return None
        reason = "the response has neither a result nor a usable error"
        return ErrorReceived(id=call, code=INVALID_REQUEST, message=reason)

    # --- what cannot be taken ---

    def _unreadable(self, line: bytes) -> Event | None:
        text = line.strip()
        if text.startswith(_BYTE_ORDER_MARK):
            text = text.lstrip(_MARK_OR_BLANK)
            # Read again, once: what is left begins with neither a mark nor a blank.
            return self._read(text)
        if not text:
            return None
        if self._is_noise(text):
            return NoiseReceived(text=text[:_EXCERPT_BYTES])
        members = read_leniently(text)
        if isinstance(members, dict):
            reason = "a value that cannot be read: NaN, a number out of range, or broken Unicode"
            return self._turn_away(glimpse(members), PARSE_ERROR, reason, text)
        if members is not UNSET:
            reason = "expected one JSON object; batches are not supported"
            return self._refuse(UNSET, INVALID_REQUEST, reason, text)
        seen = glimpse_broken(text[:EDGE_BYTES])
        call = self._own(seen.id)
        # What the end of input cut off ends no call; the end of the connection will.
        if call is not None and seen.answers and not seen.asks and not self._input_ended:
            return self._end_call(call, PARSE_ERROR, "not valid JSON")
        return self._refuse(UNSET, PARSE_ERROR, "not valid JSON", text)

    def _unread(self, head: bytes, tail: bytes, reason: str) -> Event:
        if self._is_noise(head.lstrip()):
            return NoiseReceived(text=head[:_EXCERPT_BYTES])
        return self._turn_away(glimpse_ends(head, tail), INVALID_REQUEST, reason, head)

    def _is_noise(self, text: bytes) -> bool:
        return not self._answer_noise and text[:1] not in (b"{", b"[")

    def _turn_away(self, seen: Glimpse, code: int, reason: str, text: bytes = b"") -> Event:
        """Refuse a message of which the envelope is known, in the way its sender understands."""
        call = self._own(seen.id)
        if call is not None and not seen.asks:
            return self._end_call(call, code, reason)
        if seen.answers and not seen.asks:
            return MessageRefused(id=None, code=code, message=reason, reply=b"")
        return self._refuse(read_id(seen.id), code, reason, text)

    def _end_call(self, call: RequestId, code: int, reason: str) -> Event:
        self._calls.remove(call)
        return ErrorReceived(id=call, code=code, message=f"the response was refused: {reason}")

    def _refuse(
        self, id: RequestId | UnsetType, code: int, reason: str, text: bytes = b""
    ) -> Event:
        known = None if id is UNSET else id
        reply = UNCHECKED.failure(known, code, reason)
        shown = b"" if self._answer_noise else text[:_EXCERPT_BYTES]
        return MessageRefused(id=known, code=code, message=reason, reply=reply, excerpt=shown)

    def _own(self, value: object) -> RequestId | None:
        """The own unanswered call that a response with this id belongs to."""
        id = read_id(value)
        return id if id is not UNSET and id in self._calls else None

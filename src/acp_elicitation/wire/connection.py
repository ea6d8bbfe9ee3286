"""The asyncio driver of a JSON-RPC peer: calls that wait, handlers that run, and the end of it all.

Owns: the waiting calls, the order in which things are handled, and what happens when it ends.
Knows nothing of: how messages look (see `jsonrpc`), which methods exist, where the bytes travel.
Above it: the agent and client sides, `stdio`. Below it: `jsonrpc`, `serving`, `flow`, and any
asyncio transport.

Order: what comes in is handled in the order in which it came. A notification is handled after the
handler of an earlier request has run to its first wait, and after the caller that an earlier
response woke has run on. A handler that waits holds up nothing.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Protocol, TypeAlias, assert_never, cast

from acp_elicitation.protocol.errors import ConnectionLost, ErrorReply, RemoteError
from acp_elicitation.wire.callouts import guarded, warn_of_noise
from acp_elicitation.wire.events import (
    METHOD_NOT_FOUND,
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
from acp_elicitation.wire.flow import Flow
from acp_elicitation.wire.jsonrpc import Peer
from acp_elicitation.wire.messages import CheckOutgoing
from acp_elicitation.wire.serving import Serving
from acp_elicitation.wire.tap import OnRaw, Tap

__all__ = [
    "Connection",
    "Handler",
    "IncomingRequest",
    "OnNoise",
    "method_not_found",
]

_log = logging.getLogger(__name__)

IncomingRequest: TypeAlias = RequestReceived
OnNoise: TypeAlias = Callable[[bytes], None]


class Handler(Protocol):
    """What a connection calls for what the other side sends.

    Obligations:
    - `on_request` returns the result, as JSON values, or raises `ErrorReply`. Anything else that it
      raises is answered as -32603 without details. It runs in a task of its own, which is cancelled
      when the other side gives up (then a value returned is still sent) or the connection ends.
    - `on_notification` returns soon: nothing is read meanwhile.
    - `on_closed` is called once; the waiting calls have their `ConnectionLost` by then.
    """

    async def on_request(self, request: IncomingRequest) -> object: ...

    def on_notification(self, method: str, params: object) -> None: ...

    def on_closed(self, error: ConnectionLost) -> None: ...


def method_not_found(method: str) -> ErrorReply:
    """The error to raise in `Handler.on_request` for a method that is not served."""
    return ErrorReply(METHOD_NOT_FOUND, "method not found", {"method": method})


class Connection(asyncio.Protocol):
    """One JSON-RPC connection; the protocol of its asyncio transport.

    `name` says who the other side is, in `ConnectionLost`. `on_noise` takes the beginning of a line
    that is no message, `on_raw` every line, with its direction. The others: see `Peer`.
    """

    def __init__(
        self,
        handler: Handler,
        *,
        answer_noise: bool = True,
        check_outgoing: CheckOutgoing | None = None,
        id_prefix: str | None = None,
        limits: Limits | None = None,
        name: str = "the other side",
        on_noise: OnNoise | None = None,
        on_raw: OnRaw | None = None,
    ) -> None:
        self._handler = handler
        self._limits = limits or Limits()
        self._peer = Peer(
            answer_noise=answer_noise,
            check_outgoing=check_outgoing,
            id_prefix=id_prefix,
            limits=self._limits,
        )
        self._tap = None if on_raw is None else Tap(self._peer, on_raw, self._limits)
        self._source = self._tap or self._peer
        self._receive = self._source.receive
        self._name = name
        self._on_noise = on_noise or warn_of_noise
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport
        self._flow: Flow
        self._write: Callable[[bytes], None]
        self._waiting: dict[RequestId, asyncio.Future[object]] = {}
        self._serving = Serving(self._peer, handler.on_request, self._send)
        self._serve = self._serving.start
        self._backlog: deque[Event] = deque()
        self._backlog_due = False
        self._input_ended = False
        self._lost: str | None = None
        self._gone = asyncio.Event()

    # --- what its user calls ---

    async def request(self, method: str, params: object = None) -> object:
        """Call the other side and return its result, decoded. Waits without a limit of time.

        While the other side does not read, it waits before it sends. Cancelling the task that waits
        here sends `$/cancel_request` and drops the late response (REQ-5).

        Raises:
            RemoteError: it answered with an error, or with a response that cannot be used.
            ConnectionLost: it is gone, or left meanwhile (RES-5).
            MisuseError: params that JSON cannot say, or more than `Limits.outgoing` open calls.
        """
        while self._flow.blocked and self._lost is None:
            await self._flow.unblocked()
        if self._lost is not None:
            raise ConnectionLost(self._lost)
        id, line = self._peer.request(method, params)
        answer = self._waiting[id] = self._loop.create_future()
        self._write(line)
        try:
            return await answer
        except asyncio.CancelledError:
            self._give_up(id)
            raise

    def notify(self, method: str, params: object = None) -> None:
        """Tell the other side something, after all that was sent before.

        Never waits: what the other side does not read is held up to `Limits.unsent_bytes`, and a
        connection with more than that ends.

        Raises:
            ConnectionLost: it is gone.
            MisuseError: params that JSON cannot say.
        """
        if self._lost is not None:
            raise ConnectionLost(self._lost)
        self._send(self._peer.notify(method, params))

    @property
    def open_calls(self) -> frozenset[RequestId]:
        """The ids of the calls that wait for their answer."""
        return frozenset(self._waiting)

    @property
    def closed(self) -> bool:
        """Nothing can be sent any more."""
        return self._lost is not None

    def close(self) -> None:
        """End the connection after all that was sent; waiting calls end with `ConnectionLost`."""
        self._finish("this side closed the connection")
        self._flow.close()

    def abort(self) -> None:
        """End the connection at once, and drop what the other side has not read."""
        self._finish("this side closed the connection")
        if not self._gone.is_set():
            self._transport.abort()

    async def wait_closed(self) -> None:
        """Return when the connection has ended and its transport is closed."""
        await self._gone.wait()

    # --- what its transport calls ---

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the transport. Part of `asyncio.Protocol`, as are the methods below."""
        self._transport = cast(asyncio.Transport, transport)
        self._flow = Flow(self._transport, self._limits)
        write = self._transport.write
        self._write = write if self._tap is None else partial(self._tap.write, write=write)

    def data_received(self, data: bytes) -> None:
        """Handle what `data` completes."""
        if self._lost is not None:
            return
        events = self._receive(data)
        if len(events) == 1 and not self._backlog:
            self._take(events[0])
        elif events:
            self._deliver(events)

    def eof_received(self) -> bool:
        """Handle the rest, let handlers run to their first wait, then end the connection."""
        self._input_ended = True
        self._deliver(self._source.end_of_input())
        return True  # the transport stays open for what those handlers answer

    def connection_lost(self, exc: Exception | None) -> None:
        """End all that waits."""
        how = "closed the connection" if exc is None else f"broke off ({type(exc).__name__})"
        self._finish(f"{self._name} {how}")
        self._gone.set()

    def pause_writing(self) -> None:
        """Let new calls wait: the other side does not read."""
        self._flow.block()

    def resume_writing(self) -> None:
        """Let them go on."""
        self._flow.unblock()
        self._flow.adjust_reading(len(self._backlog))

    # --- what comes in ---

    def _deliver(self, events: list[Event]) -> None:
        self._backlog.extend(events)
        if not self._backlog_due:
            self._work_off()

    def _work_off(self) -> None:
        self._backlog_due = woken = False
        while self._backlog:
            event = self._backlog[0]
            if woken and isinstance(event, NotificationReceived):
                # What was started or woken just now runs first, so that a notification which
                # names it, and comes right behind it, finds it (URL-7).
                self._backlog_due = True
                self._loop.call_soon(self._work_off)
                break
            self._backlog.popleft()
            woken = woken or isinstance(event, RequestReceived | ResultReceived | ErrorReceived)
            self._take(event)
        if self._input_ended and not self._backlog_due:
            self._loop.call_soon(self._end)
        self._flow.adjust_reading(len(self._backlog))

    def _end(self) -> None:
        self._finish(f"{self._name} closed the connection")
        self._flow.close()

    def _take(self, event: Event) -> None:
        match event:
            case RequestReceived():
                self._serve(event)
            case ResultReceived():
                answer = self._waiting.pop(event.id)
                if not answer.done():  # else cancelled just now
                    answer.set_result(event.result)
            case NotificationReceived():
                guarded(self._handler.on_notification, event.method, event.params)
            case ErrorReceived():
                self._take_error(event)
            case CancelReceived():
                self._serving.cancel(event.id)
            case NoiseReceived():
                guarded(self._on_noise, event.text)
            case MessageRefused():
                _log.warning("refused a message from %s: %s", self._name, event.message)
                self._send(event.reply)
                if event.excerpt:
                    guarded(self._on_noise, event.excerpt)
            case _:
                assert_never(event)

    def _take_error(self, event: ErrorReceived) -> None:
        if event.id is None:
            _log.warning("%s reports error %d for no call of ours", self._name, event.code)
            return
        answer = self._waiting.pop(event.id)
        if not answer.done():
            error = RemoteError(code=event.code, message=event.message, data=event.data)
            answer.set_exception(error)

    # --- what goes out, and the end ---

    def _give_up(self, id: RequestId) -> None:
        if self._waiting.pop(id, None) is not None:
            self._send(self._peer.cancel(id))  # REQ-5

    def _send(self, data: bytes) -> None:
        if self._lost is None and data:
            self._write(data)
            if self._flow.blocked:
                self._check_unsent()

    def _check_unsent(self) -> None:
        if self._flow.overflowing:
            held = self._limits.unsent_bytes
            self._finish(f"{self._name} does not read: more than {held} bytes wait for it")
            self._transport.abort()
        else:
            self._flow.adjust_reading(len(self._backlog))

    def _finish(self, reason: str) -> None:
        if self._lost is not None:
            return
        self._lost = reason
        self._flow.unblock()
        self._backlog.clear()
        waiting, self._waiting = self._waiting, {}
        for answer in waiting.values():
            if not answer.done():
                answer.set_exception(ConnectionLost(reason))  # RES-5
        self._serving.end()
        guarded(self._handler.on_closed, ConnectionLost(reason))

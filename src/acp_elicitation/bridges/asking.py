"""An agent's transport, tapped: the SDK's agent gets an `Elicitor`.

Owns: our own requests on the SDK's connection, and what is learnt from its messages: the client's
capabilities (CAP-2), when turns begin and end, what is cancelled (REQ-5).
Knows nothing of: the SDK's classes. Above it: `acp_sdk`. Below it: `tapped`, `prompts`, `agent`,
`protocol`.
"""

import asyncio
from contextvars import ContextVar

from msgspec import UNSET

from acp_elicitation.agent.elicitor import Elicitor
from acp_elicitation.bridges.prompts import OpenPrompts
from acp_elicitation.bridges.tapped import INVALID_REQUEST, TappedTransport
from acp_elicitation.bridges.transport import Message, Transport
from acp_elicitation.protocol.capabilities import Capabilities
from acp_elicitation.protocol.errors import ConnectionLost, MisuseError, PeerError, RemoteError
from acp_elicitation.protocol.handshake import INITIALIZE, read_agent_hello, read_client_hello
from acp_elicitation.protocol.version import V1
from acp_elicitation.wire.events import CANCEL_METHOD, RequestId
from acp_elicitation.wire.messages import read_error, read_id

__all__ = ["ElicitingTransport"]

_PREFIX = "acp-elicitation-"
"""Our own request ids are strings with this beginning; the SDK counts with integers."""

# The SDK makes the task of a handler out of the context in which it received the request.
_handled: ContextVar[tuple[object, RequestId] | None] = ContextVar("handled", default=None)


class ElicitingTransport(TappedTransport):
    """An agent's transport. `elicitor` asks its client, once `initialize` was answered."""

    def __init__(self, transport: Transport) -> None:
        super().__init__(transport)
        self._elicitor: Elicitor | None = None
        self._hello: tuple[object, object] | None = None
        self._prompts: OpenPrompts | None = None
        self._waiting: dict[str, asyncio.Future[object]] = {}
        self._count = 0

    @property
    def elicitor(self) -> Elicitor:
        """Asks this client, on this connection only (REQ-3).

        Raises:
            MisuseError: `initialize` has not been answered yet.
        """
        if self._elicitor is None:
            raise MisuseError(
                "there is nobody to ask before `initialize` has been answered; ask within "
                "session/new or later, over the transport that this wraps"
            )
        return self._elicitor

    @property
    def request_id(self) -> RequestId | None:
        """The id of the client's request that the calling handler serves, for `request=` (REQ-2).

        None outside a handler. The SDK itself does not tell its handlers.
        """
        handled = _handled.get()
        return handled[1] if handled is not None and handled[0] is self else None

    # --- what the elicitor calls: its `Channel` ---

    async def request(self, method: str, params: Message) -> object:
        """Ask the client; part of the `Channel` of the elicitor."""
        if self._ended:
            raise ConnectionLost
        request_id = f"{_PREFIX}{self._count}"
        self._count += 1
        answer = self._waiting[request_id] = asyncio.get_running_loop().create_future()
        sending = self._outbox.put(
            {"jsonrpc": "2.0", "id": request_id, "method": method, "params": params}
        )
        assert sending is not None, "the outbox is closed after what waits was ended"
        sending.add_done_callback(lambda sent: self._note_sent(request_id, sent))
        try:
            return await answer
        except asyncio.CancelledError:
            if self._waiting.pop(request_id, None) is not None:
                self.notify(CANCEL_METHOD, {"requestId": request_id})  # REQ-5
            raise

    def notify(self, method: str, params: Message) -> None:
        """Tell the client; part of the `Channel` of the elicitor."""
        if self._ended:
            raise ConnectionLost
        self._outbox.put({"jsonrpc": "2.0", "method": method, "params": params})

    def _note_sent(self, request_id: str, sending: asyncio.Task[None]) -> None:
        if sending.cancelled() or sending.exception() is not None:
            self._lose_one(request_id, "the question could not be sent to the client")

    # --- what comes in ---

    def _take(self, message: Message) -> bool:
        method, request_id = message.get("method"), message.get("id")
        if method is None:
            if isinstance(request_id, str) and request_id.startswith(_PREFIX):
                self._take_response(request_id, message)
                return True
            return False
        known = read_id(request_id)
        _handled.set(None if known is UNSET else (self, known))
        params = message.get("params")
        if method == INITIALIZE:
            self._hello = (request_id, params)
        elif self._elicitor is not None and self._prompts is not None and isinstance(params, dict):
            self._note_call(method, request_id, params, self._elicitor, self._prompts)
        return False

    def _take_response(self, request_id: str, message: Message) -> None:
        answer = self._waiting.pop(request_id, None)
        if answer is None or answer.done():
            return  # late, or given up just now: nobody waits for it any more
        result, error = message.get("result", UNSET), message.get("error", UNSET)
        if result is not UNSET and (error is UNSET or error is None):
            answer.set_result(result)
            return
        code, text, data = read_error(error) or (
            INVALID_REQUEST,
            "the response has neither a result nor a usable error",
            None,
        )
        answer.set_exception(RemoteError(code=code, message=text, data=data))

    def _note_call(
        self,
        method: object,
        request_id: object,
        params: Message,
        elicitor: Elicitor,
        prompts: OpenPrompts,
    ) -> None:
        if method == CANCEL_METHOD:
            session = prompts.session_of(params.get("requestId"))
            if session is not None:
                elicitor.cancel_turn(session)  # REQ-5
            return
        session = params.get("sessionId")
        if not isinstance(session, str):
            return
        match method:
            case "session/prompt":
                if prompts.begin(request_id, session):
                    elicitor.begin_turn(session)
            case "session/cancel":
                elicitor.cancel_turn(session)  # REQ-5
            case "session/close":
                elicitor.close_session(session)

    # --- what goes out ---

    def _look_at_outgoing(self, message: Message) -> Message:
        method = message.get("method")
        if method is None:
            self._note_response(message)
        elif method == "session/update":
            self._note_update(message.get("params"))
        return message

    def _note_response(self, message: Message) -> None:
        if self._hello is not None and message.get("id") == self._hello[0]:
            self._begin(message.get("result"), self._hello[1])
        if self._prompts is not None and self._elicitor is not None:
            session = self._prompts.answered(message.get("id"), failed="error" in message)
            if session is not None:
                self._elicitor.end_turn(session)

    def _note_update(self, params: object) -> None:
        match params:
            case {
                "sessionId": str(session),
                "update": {"sessionUpdate": "state_update", "state": "idle"},
            } if self._prompts is not None and self._elicitor is not None:
                self._prompts.idle(session)
                self._elicitor.end_turn(session)

    def _begin(self, result: object, params: object) -> None:
        """Learn the version and the client's capabilities from the answered `initialize`."""
        if self._elicitor is not None or not isinstance(result, dict):
            return
        version, capabilities = V1, Capabilities()
        try:
            version = read_agent_hello(result).version
            capabilities = read_client_hello(params, (version,)).capabilities
        except PeerError:
            pass  # in no version of ours: then nothing is advertised that we understand (CAP-2)
        self._prompts = OpenPrompts(version)
        self._elicitor = Elicitor(self, capabilities=capabilities, version=version)

    # --- the end ---

    def _lose(self) -> None:
        for request_id in list(self._waiting):
            self._lose_one(request_id, None)
        if self._elicitor is not None:
            self._elicitor.connection_lost()

    def _lose_one(self, request_id: str, reason: str | None) -> None:
        answer = self._waiting.pop(request_id, None)
        if answer is not None and not answer.done():
            error = ConnectionLost() if reason is None else ConnectionLost(reason)
            answer.set_exception(error)  # RES-5

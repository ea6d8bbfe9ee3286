"""An agent's transport, tapped: the SDK's agent gets an `Elicitor`.

Owns: our own requests on the SDK's connection, and what is learnt from its messages: the client's
capabilities (CAP-2), when turns begin and end, what is cancelled (REQ-5).
Knows nothing of: the SDK's classes. Above it: `acp_sdk`. Below it: `tapped`, `agent`, `protocol`.
"""

import asyncio

from acp_elicitation.agent.elicitor import Elicitor
from acp_elicitation.bridges.tapped import INTERNAL_ERROR, TappedTransport
from acp_elicitation.bridges.transport import Message, Transport
from acp_elicitation.protocol.errors import ConnectionLost, MisuseError, PeerError, RemoteError
from acp_elicitation.protocol.handshake import read_client_hello
from acp_elicitation.protocol.version import version_numbered

__all__ = ["ElicitingTransport"]

_PREFIX = "acp-elicitation-"
"""Our own request ids are strings with this beginning; the SDK counts with integers."""


class ElicitingTransport(TappedTransport):
    """An agent's transport. `elicitor` asks its client, once `initialize` was answered."""

    def __init__(self, transport: Transport) -> None:
        super().__init__(transport)
        self._elicitor: Elicitor | None = None
        self._hello: tuple[object, object] | None = None
        self._turns: dict[object, str] = {}
        self._waiting: dict[str, asyncio.Future[object]] = {}
        self._count = 0
        self._lost = False

    @property
    def elicitor(self) -> Elicitor:
        """Asks this client. Raises MisuseError before `initialize` was answered."""
        if self._elicitor is None:
            raise MisuseError("there is no client to ask before `initialize` was answered")
        return self._elicitor

    async def send(self, message: Message) -> None:
        """Send a message of the SDK, unchanged."""
        if "method" not in message:
            self._note_response(message)
        elif self._elicitor is not None and message["method"] == "session/update":
            self._note_update(message.get("params"), self._elicitor)
        await self._outbox.send(message)

    async def request(self, method: str, params: Message) -> object:
        """Ask the client; part of the `Channel` of the elicitor."""
        if self._lost:
            raise ConnectionLost
        request_id = f"{_PREFIX}{self._count}"
        self._count += 1
        answer = self._waiting[request_id] = asyncio.get_running_loop().create_future()
        self._outbox.put({"jsonrpc": "2.0", "id": request_id, "method": method, "params": params})
        try:
            return await answer
        except asyncio.CancelledError:
            if self._waiting.pop(request_id, None) is not None and not self._lost:
                self.notify("$/cancel_request", {"requestId": request_id})  # REQ-5
            raise

    def notify(self, method: str, params: Message) -> None:
        """Tell the client; part of the `Channel` of the elicitor."""
        if self._lost:
            raise ConnectionLost
        self._outbox.put({"jsonrpc": "2.0", "method": method, "params": params})

    def _take(self, message: Message) -> bool:
        method, request_id = message.get("method"), message.get("id")
        if method is None and isinstance(request_id, str) and request_id.startswith(_PREFIX):
            self._take_response(request_id, message)
            return True
        params = message.get("params")
        if method == "initialize":
            self._hello = (request_id, params)
        if self._elicitor is not None and isinstance(params, dict):
            self._note_session(method, request_id, params.get("sessionId"), self._elicitor)
        return False

    def _take_response(self, request_id: str, message: Message) -> None:
        answer = self._waiting.pop(request_id, None)
        if answer is None or answer.done():
            return  # late: nobody waits for it any more
        error = message.get("error")
        if isinstance(error, dict):
            code, text = error.get("code"), error.get("message")
            answer.set_exception(
                RemoteError(
                    code=code if isinstance(code, int) else INTERNAL_ERROR,
                    message=text if isinstance(text, str) else "no message",
                    data=error.get("data"),
                )
            )
        else:
            answer.set_result(message.get("result"))

    def _note_session(
        self, method: object, request_id: object, session_id: object, elicitor: Elicitor
    ) -> None:
        if not isinstance(session_id, str):
            return
        match method:
            case "session/prompt":
                elicitor.begin_turn(session_id)
                if isinstance(request_id, int | str):
                    self._turns[request_id] = session_id
            case "session/cancel":
                elicitor.cancel_turn(session_id)  # REQ-5
            case "session/close":
                elicitor.close_session(session_id)

    def _note_response(self, message: Message) -> None:
        request_id = message.get("id")
        if self._hello is not None and request_id == self._hello[0] and "result" in message:
            self._begin(message["result"], self._hello[1])
        session_id = self._turns.pop(request_id, None)
        if session_id is not None and self._elicitor is not None:
            result = message.get("result")
            if "error" in message or (isinstance(result, dict) and "stopReason" in result):
                self._elicitor.end_turn(session_id)

    def _note_update(self, params: object, elicitor: Elicitor) -> None:
        update = params.get("update") if isinstance(params, dict) else None
        if isinstance(params, dict) and isinstance(update, dict) and update.get("state") == "idle":
            elicitor.end_turn(str(params.get("sessionId")))

    def _begin(self, result: object, params: object) -> None:
        """Learn the version and the client's capabilities from the answered `initialize`."""
        number = result.get("protocolVersion") if isinstance(result, dict) else None
        version = version_numbered(number)
        if version is None or self._elicitor is not None:
            return
        try:
            hello = read_client_hello(params, (version,))
        except PeerError:
            return  # the SDK has answered what we cannot read
        self._elicitor = Elicitor(self, capabilities=hello.capabilities, version=version)

    def _lose(self) -> None:
        self._lost = True
        waiting, self._waiting = self._waiting, {}
        for answer in waiting.values():
            if not answer.done():
                answer.set_exception(ConnectionLost())  # RES-5
        if self._elicitor is not None:
            self._elicitor.connection_lost()

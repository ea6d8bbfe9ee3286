"""A client's transport, tapped: a `Responder` answers the agent's questions.

Owns: the requests of the agent that are questions, one task each, and what is learnt from the SDK's
messages: the version, who asks (UI-1), which sessions and requests are over.
Knows nothing of: the SDK's classes. Above it: `acp_sdk`. Below it: `tapped`, `client`, `protocol`.
"""

import asyncio
from collections.abc import Sequence

from msgspec import UNSET

from acp_elicitation.bridges.tapped import INTERNAL_ERROR, INVALID_REQUEST, TappedTransport
from acp_elicitation.bridges.transport import Message, Transport
from acp_elicitation.client.prompts import Asker
from acp_elicitation.client.responder import Responder
from acp_elicitation.protocol.capabilities import write_capabilities
from acp_elicitation.protocol.errors import ErrorReply, PeerError
from acp_elicitation.protocol.handshake import INITIALIZE, read_agent_hello
from acp_elicitation.protocol.requests import COMPLETE, CREATE
from acp_elicitation.protocol.version import ALL_VERSIONS, negotiate
from acp_elicitation.wire.callouts import log_failure
from acp_elicitation.wire.events import (
    CANCEL_METHOD,
    METHOD_NOT_FOUND,
    REQUEST_CANCELLED,
    RequestId,
)
from acp_elicitation.wire.messages import read_id

__all__ = ["RespondingTransport"]


class RespondingTransport(TappedTransport):
    """A client's transport: `responder` answers the agent's questions, the SDK all else."""

    def __init__(
        self, transport: Transport, responder: Responder, *, command: Sequence[str] = ()
    ) -> None:
        super().__init__(transport)
        self.responder = responder
        self._command = tuple(command)
        self._hello: object = UNSET
        self._initialized = False
        self._calls: dict[RequestId, str | None] = {}
        self._answering: dict[RequestId, asyncio.Task[None]] = {}

    # --- what goes out ---

    def _look_at_outgoing(self, message: Message) -> Message:
        method, params = message.get("method"), message.get("params")
        session = params.get("sessionId") if isinstance(params, dict) else None
        call = read_id(message.get("id", UNSET))
        if method is not None and call is not UNSET:
            self._calls[call] = session if method == "session/prompt" else None
        match method:
            case _ if method == INITIALIZE:
                self._hello = message.get("id")
                return self._advertise(message)
            case "session/cancel" | "session/close" if isinstance(session, str):
                self.responder.withdraw_session(session)
            case _ if method == CANCEL_METHOD and isinstance(params, dict):
                self._give_up(params.get("requestId"))
        return message

    def _advertise(self, message: Message) -> Message:
        """Return `initialize` with what the responder answers, no less and no more (CAP-2, CAP-6).

        The host's own message is left as it is.
        """
        params = message.get("params")
        version = negotiate(params.get("protocolVersion")) if isinstance(params, dict) else None
        if version is None or not isinstance(params, dict):
            return message
        changed = dict(params)
        for key in {known.client_capabilities_key for known in ALL_VERSIONS}:
            if key == version.client_capabilities_key or isinstance(params.get(key), dict):
                changed[key] = self._advertised(params.get(key))
        return {**message, "params": changed}

    def _advertised(self, capabilities: object) -> Message:
        value = write_capabilities(self.responder.capabilities())
        others = dict(capabilities) if isinstance(capabilities, dict) else {}
        others.pop("elicitation", None)
        return others if value is None else {**others, "elicitation": value}

    def _give_up(self, request_id: object) -> None:
        """The host cancels a request of its own: the questions within it are over (REQ-6)."""
        call = read_id(request_id)
        if call is UNSET or call not in self._calls:
            return
        session = self._calls.pop(call)
        if session is not None:
            self.responder.withdraw_session(session)
        self.responder.withdraw_requests_but(self._calls)

    # --- what comes in ---

    def _take(self, message: Message) -> bool:
        method = message.get("method")
        match method:
            case None:
                self._note_response(message)
                return False
            case _ if method == CREATE:
                if "id" in message:
                    self._start(message["id"], message.get("params"))
                return True
            case _ if method == COMPLETE:
                if "id" in message:
                    self._reply(message["id"], error=(METHOD_NOT_FOUND, "method not found", None))
                else:
                    self.responder.complete(message.get("params"))
                return True
            case _ if method == CANCEL_METHOD and isinstance(message.get("params"), dict):
                id = read_id(message["params"].get("requestId", UNSET))
                task = None if id is UNSET else self._answering.get(id)
                if task is not None:
                    task.cancel()  # REQ-6
                return task is not None
            case _:
                return False

    def _note_response(self, message: Message) -> None:
        if self._hello is not UNSET and message.get("id") == self._hello and "result" in message:
            self._initialized = True
            self._learn(message["result"])
        call = read_id(message.get("id", UNSET))
        if call is not UNSET and call in self._calls:
            del self._calls[call]
            self.responder.withdraw_requests_but(self._calls)

    def _learn(self, result: object) -> None:
        try:
            hello = read_agent_hello(result)
        except PeerError:
            return  # what becomes of it is the SDK's decision
        self.responder.version = hello.version
        command = self._command or self.responder.asker.command
        self.responder.asker = Asker(info=hello.info, command=command)  # UI-1

    def _start(self, request_id: object, params: object) -> None:
        id = read_id(request_id)
        if id is UNSET:
            self._reply(
                None, error=(INVALID_REQUEST, "the id must be an integer or a string", None)
            )
        elif id in self._answering:
            # The agent's second call must fail, or it takes the first one's answer for its own.
            self._reply(id, error=(INVALID_REQUEST, "this id is in use; take a fresh one", None))
        elif not self._initialized:
            reason = "initialize has not been answered yet"
            self._reply(id, error=(INVALID_REQUEST, reason, None))
        else:
            task = asyncio.get_running_loop().create_task(self._answer(id, params))
            self._answering[id] = task
            task.add_done_callback(lambda done: self._answered(id, done))

    async def _answer(self, id: RequestId, params: object) -> None:
        try:
            result = await self.responder.create(params)
        except ErrorReply as error:
            self._reply(id, error=(error.code, error.message, error.data))
        except Exception as error:
            log_failure(f"the responder to {CREATE}", error)
            self._reply(id, error=(INTERNAL_ERROR, "internal error", None))
        else:
            self._reply(id, result=result)

    def _answered(self, id: RequestId, task: asyncio.Task[None]) -> None:
        del self._answering[id]
        if task.cancelled():
            self._reply(id, error=(REQUEST_CANCELLED, "the request was cancelled", None))  # REQ-6

    # --- the end ---

    def _lose(self) -> None:
        self.responder.close()  # RES-5

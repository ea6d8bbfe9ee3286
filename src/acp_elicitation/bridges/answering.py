"""A client's transport, tapped: a `Responder` answers the agent's questions.

Owns: the requests of the agent that are questions, one task each, and what is learnt from the SDK's
messages: the version, who asks (UI-1), which sessions and requests are over.
Knows nothing of: the SDK's classes. Above it: `acp_sdk`. Below it: `tapped`, `client`, `protocol`.
"""

import asyncio
import logging
from typing import Any

from acp_elicitation.bridges.tapped import INTERNAL_ERROR, INVALID_REQUEST, TappedTransport
from acp_elicitation.bridges.transport import Message, Transport
from acp_elicitation.client.prompts import Asker
from acp_elicitation.client.responder import Responder
from acp_elicitation.protocol.capabilities import write_capabilities
from acp_elicitation.protocol.errors import ErrorReply, PeerError
from acp_elicitation.protocol.handshake import read_agent_hello
from acp_elicitation.protocol.requests import COMPLETE, CREATE
from acp_elicitation.protocol.version import negotiate

__all__ = ["RespondingTransport"]

_CANCELLED = -32800
_log = logging.getLogger(__name__)


class RespondingTransport(TappedTransport):
    """A client's transport: `responder` answers the agent's questions, the SDK all else."""

    def __init__(self, transport: Transport, responder: Responder) -> None:
        super().__init__(transport)
        self._responder = responder
        self._hello: object = None
        self._calls: set[object] = set()
        self._tasks: dict[object, asyncio.Task[None]] = {}

    async def send(self, message: Message) -> None:
        """Send a message of the SDK; only `initialize` gets the capability added (CAP-2)."""
        method = message.get("method")
        if method is not None and "id" in message:
            self._calls.add(message["id"])
        if method == "initialize":
            self._hello = message.get("id")
            message = self._advertise(message)
        params = message.get("params")
        if method == "session/cancel" and isinstance(params, dict):
            self._responder.withdraw_session(str(params.get("sessionId")))
        await self._outbox.send(message)

    def _advertise(self, message: Message) -> Message:
        value = write_capabilities(self._responder.capabilities())
        params = message.get("params")
        if value is None or not isinstance(params, dict):
            return message
        version = negotiate(params.get("protocolVersion"))
        if version is None:
            return message
        key = version.client_capabilities_key
        advertised = params.get(key)
        capabilities = {
            **(advertised if isinstance(advertised, dict) else {}),
            "elicitation": value,
        }
        return {**message, "params": {**params, key: capabilities}}

    def _take(self, message: Message) -> bool:
        method, request_id, params = (message.get(key) for key in ("method", "id", "params"))
        match method:
            case None:
                self._note_response(request_id, message)
                return False
            case _ if method == CREATE and "id" in message:
                self._start(request_id, params)
                return True
            case _ if method == COMPLETE:
                self._responder.complete(params)
                return True
            case "$/cancel_request" if isinstance(params, dict):
                task = self._tasks.get(_key(params.get("requestId")))
                if task is not None:
                    task.cancel()  # REQ-6
                return task is not None
            case _:
                return False

    def _note_response(self, request_id: object, message: Message) -> None:
        if request_id == self._hello and "result" in message and self._hello is not None:
            try:
                hello = read_agent_hello(message["result"])
            except PeerError:
                return  # the SDK will say so
            self._responder.version = hello.version
            self._responder.asker = Asker(info=hello.info)
        if isinstance(request_id, int | str):
            self._calls.discard(request_id)
            open_calls = {call for call in self._calls if isinstance(call, int | str)}
            self._responder.withdraw_requests_but(open_calls)

    def _start(self, request_id: object, params: object) -> None:
        key = _key(request_id)
        if key is None or key in self._tasks:
            self._reply(None, error=(INVALID_REQUEST, "Invalid Request", None))
            return
        task = self._tasks[key] = asyncio.create_task(self._answer(request_id, params))
        task.add_done_callback(lambda done: self._end(key, request_id, done))

    async def _answer(self, request_id: object, params: object) -> None:
        try:
            result = await self._responder.create(params)
        except ErrorReply as error:
            self._reply(request_id, error=(error.code, error.message, error.data))
        except Exception as error:
            _log.error("answering failed with %s", type(error).__name__)
            self._reply(request_id, error=(INTERNAL_ERROR, "Internal error", None))
        else:
            self._reply(request_id, result=result)

    def _end(self, key: object, request_id: object, task: asyncio.Task[None]) -> None:
        self._tasks.pop(key, None)
        if task.cancelled():
            self._reply(request_id, error=(_CANCELLED, "Request cancelled", None))  # REQ-6

    def _lose(self) -> None:
        self._responder.close()


def _key(request_id: Any) -> tuple[type, int | str] | None:
    """Return what tells ids apart, 1 from "1" and from True; None for what is no id."""
    if isinstance(request_id, bool) or not isinstance(request_id, int | str):
        return None
    return type(request_id), request_id

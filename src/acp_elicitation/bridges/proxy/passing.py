"""The switch of the proxy: what passes, and which questions it answers in the client's place.

Owns: which modes the client has by itself (native), what is added to its `initialize`, and the
proxy's own calls of the client.
Knows nothing of: processes, and how a question is answered (a `Responder` does).
Above it: `running`. Below it: `bridges.answering`, `lines`, `protocol`.

Everything that is no question of the agent's in a mode that the client lacks goes through as the
bytes that came, in order (FWD-8); of `initialize` only the capability is changed.
"""

import asyncio
import secrets
from collections.abc import Sequence
from contextvars import ContextVar
from typing import Any

from acp_elicitation.bridges.answering import RespondingTransport
from acp_elicitation.bridges.proxy.lines import Line, LineTransport, LineWriter, Opaque, Passing
from acp_elicitation.bridges.transport import Message
from acp_elicitation.client.responder import Responder
from acp_elicitation.protocol.capabilities import (
    Capabilities,
    read_capabilities,
    write_capabilities,
)
from acp_elicitation.protocol.errors import ConnectionLost, RemoteError
from acp_elicitation.protocol.requests import COMPLETE, CREATE
from acp_elicitation.wire.events import CANCEL_METHOD, INTERNAL_ERROR, RequestId
from acp_elicitation.wire.messages import read_error

__all__ = ["ClientCalls", "PassingTransport", "question_id"]

question_id: ContextVar[RequestId] = ContextVar("question_id")
"""The id of the agent's question that is being answered, for whoever asks it."""


class PassingTransport(RespondingTransport):
    """The agent as the client's lines reach it, with a responder for what the client lacks."""

    def __init__(
        self,
        transport: LineTransport,
        responder: Responder,
        *,
        command: Sequence[str] = (),
        use_native: bool = True,
    ) -> None:
        super().__init__(transport, responder, command=command)
        self._use_native = use_native
        self.native = Capabilities()
        """What the client advertised itself: questions in these modes are its own to answer."""

    async def pass_on(self, passing: Passing) -> None:
        """Send to the agent what came from the client."""
        if isinstance(passing, Opaque):
            await self._outbox.send(passing)  # type: ignore[arg-type]  # bytes pass as they are
        else:
            await self.send(passing)

    async def next(self) -> Passing | None:
        """Return what is to go to the client, or None when the agent sends nothing more."""
        while True:
            passing: Any = await self._transport.receive()
            if passing is None:
                self._end()
                return None
            if isinstance(passing, Opaque) or not self._take(passing):
                return passing  # type: ignore[no-any-return]
            await asyncio.sleep(0)  # as in `receive`

    def _advertised(self, capabilities: object) -> Message:
        others = dict(capabilities) if isinstance(capabilities, dict) else {}
        own = others.get("elicitation")
        self.native = read_capabilities(own) if self._use_native else Capabilities()
        added = write_capabilities(self.responder.capabilities()) or {}
        kept = own if isinstance(own, dict) and self._use_native else {}
        # What the client says in other members stays; its own modes as it wrote them (CAP-6).
        merged = {**added, **{name: value for name, value in kept.items() if value is not None}}
        return {**others, "elicitation": merged} if merged else others

    def _take(self, message: Message) -> bool:
        match message.get("method"):
            case method if method == CREATE and self._is_native(message.get("params")):
                return False
            case method if method == COMPLETE and "id" not in message:
                # An id that is not ours is the client's own, or nobody's: it decides (URL-7).
                return self.responder.complete(message.get("params"))
            case _:
                return super()._take(message)

    async def _answer(self, id: RequestId, params: object) -> None:
        question_id.set(id)  # in the task of this one question
        await super()._answer(id, params)

    def _is_native(self, params: object) -> bool:
        mode = params.get("mode") if isinstance(params, dict) else None
        match mode:
            case "form" | "url":
                return mode in self.native.modes
            case _:  # FWD-1: a mode that nobody here knows is for a client that may know it
                return bool(self.native.modes)


class ClientCalls:
    """Calls of the client that are the proxy's own, such as a permission request.

    Their ids begin with a text that nobody can guess, so that they are neither the agent's nor
    taken for it.
    """

    def __init__(self, client: LineWriter) -> None:
        self._client = client
        self._prefix = f"acp-elicit-proxy-{secrets.token_hex(8)}-"
        self._count = 0
        self._waiting: dict[str, asyncio.Future[object]] = {}

    async def call(self, method: str, params: Message) -> object:
        """Return the client's result. Cancelling it cancels the request.

        Raises:
            RemoteError: the client answered with an error.
            ConnectionLost: it is gone.
        """
        id = f"{self._prefix}{self._count}"
        self._count += 1
        answer = self._waiting[id] = asyncio.get_running_loop().create_future()
        self._client.put({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
        try:
            return await answer
        except asyncio.CancelledError:
            if self._waiting.pop(id, None) is not None:
                self.tell(CANCEL_METHOD, {"requestId": id})
            raise

    def tell(self, method: str, params: Message) -> None:
        """Send a notification."""
        self._client.put({"jsonrpc": "2.0", "method": method, "params": params})

    def take(self, message: Passing) -> bool:
        """Take the response to a call of ours; False for what is to pass on."""
        id = message.get("id") if isinstance(message, Line) else None
        if not isinstance(id, str) or not id.startswith(self._prefix) or "method" in message:
            return False
        answer = self._waiting.pop(id, None)
        if answer is not None and not answer.done():  # else given up: late, and nobody's
            assert isinstance(message, Line)
            if "result" in message:
                answer.set_result(message["result"])
            else:
                code, text, data = read_error(message.get("error")) or (
                    INTERNAL_ERROR,
                    "the response has neither a result nor a usable error",
                    None,
                )
                answer.set_exception(RemoteError(code=code, message=text, data=data))
        return True

    def lose(self) -> None:
        """End what waits: the client is gone."""
        waiting, self._waiting = self._waiting, {}
        for answer in waiting.values():
            if not answer.done():
                answer.set_exception(ConnectionLost("the client closed the connection"))

"""The switch of the proxy: what passes, and which questions it answers in the client's place.

Owns: which modes the client has by itself (native), and what is added to its `initialize`.
Knows nothing of: processes, and how a question is answered (a `Responder` does).
Above it: `running`. Below it: `bridges.answering`, `lines`, `protocol`.

Everything that is no question of the agent's in a mode that the client lacks goes through as the
bytes that came, in order (FWD-8); of `initialize` only the capability is changed.
"""

from collections.abc import Sequence
from contextvars import ContextVar

from acp_elicitation.bridges.answering import RespondingTransport
from acp_elicitation.bridges.proxy.line import Line, Opaque, Passing, with_params
from acp_elicitation.bridges.proxy.lines import LineTransport
from acp_elicitation.bridges.transport import Message
from acp_elicitation.client.responder import Responder
from acp_elicitation.protocol.capabilities import (
    Capabilities,
    read_capabilities,
    write_capabilities,
)
from acp_elicitation.protocol.requests import COMPLETE, CREATE
from acp_elicitation.wire.events import RequestId

__all__ = ["PassingTransport", "question_id"]

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

    def _take_noise(self) -> bool:
        return False

    def _advertise(self, message: Message) -> Message:
        changed = super()._advertise(message)
        if changed is message or not isinstance(message, Line):
            return changed
        return with_params(message, changed["params"])

    def _advertised(self, capabilities: object) -> Message:
        others = dict(capabilities) if isinstance(capabilities, dict) else {}
        own = others.get("elicitation")
        self.native = read_capabilities(own) if self._use_native else Capabilities()
        added = write_capabilities(self.responder.capabilities()) or {}
        kept = own if isinstance(own, dict) and self._use_native else {}
        # What the client says in other members stays, and its own modes as it wrote them (CAP-6);
        # what is none says nothing (CAP-7).
        says = {name: value for name, value in kept.items() if value is not None}
        merged = {**says, **{m: how for m, how in added.items() if m not in self.native.modes}}
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

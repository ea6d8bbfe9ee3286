"""The smallest agent runtime: enough of ACP for an agent without any SDK to be twenty lines.

Owns: `initialize`, `session/new`, `session/prompt`, `session/cancel`, in the shapes of both
versions, and one `Elicitor` per connection.
Knows nothing of: models and tools, and of sessions beyond their ids.
Above it: agents, the demo. Below it: `elicitor`, `turn`, `wire`, `protocol`.
"""

import asyncio
import contextlib
import logging
import sys
import uuid
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from acp_elicitation.agent.connecting import Connecting
from acp_elicitation.agent.elicitor import Elicitor
from acp_elicitation.agent.running import RunningTurn
from acp_elicitation.agent.turn import StopReason, Turn
from acp_elicitation.agent.turns import Withdrawn
from acp_elicitation.protocol.errors import (
    ConnectionLost,
    ErrorReply,
    MalformedMessage,
    NotPossible,
    VersionNotSupported,
)
from acp_elicitation.protocol.handshake import (
    INITIALIZE,
    ClientHello,
    Implementation,
    read_client_hello,
    write_agent_hello,
)
from acp_elicitation.protocol.reading import JsonObject, text_at
from acp_elicitation.protocol.version import ALL_VERSIONS, Version
from acp_elicitation.wire.callouts import log_failure
from acp_elicitation.wire.connection import Connection, IncomingRequest, method_not_found
from acp_elicitation.wire.messages import CheckOutgoing

__all__ = ["Agent", "AgentConnection", "NewSession", "OnPrompt", "OnSession"]

_INVALID_REQUEST = -32600
_INVALID_PARAMS = -32602
_NOT_FOUND = -32002
_INTERNAL_ERROR = -32603
_VERSION_NOT_SUPPORTED = -32022

_log = logging.getLogger(__name__)

_HOW_TO_START = "start this agent by one, as in `acp-elicit chat -- COMMAND ARGS...`"

OnPrompt: TypeAlias = Callable[[Turn], Awaitable[StopReason | None]]
"""Runs one turn; returns why it ended, None for "end_turn"."""


class NewSession:
    """A session that is being set up: a question may be asked with `request=request_id`."""

    __slots__ = ("cwd", "elicitor", "request_id", "session_id")

    def __init__(
        self, *, session_id: str, request_id: int | str, cwd: str, elicitor: Elicitor
    ) -> None:
        self.session_id = session_id
        self.request_id = request_id
        self.cwd = cwd
        self.elicitor = elicitor


OnSession: TypeAlias = Callable[[NewSession], Awaitable[None]]


class Agent:
    """An agent as its two callbacks: what it does on a new session, and on a prompt."""

    def __init__(
        self,
        on_prompt: OnPrompt,
        *,
        name: str,
        version: str = "0",
        title: str | None = None,
        on_session: OnSession | None = None,
        supported: tuple[Version, ...] = ALL_VERSIONS,
        check_outgoing: CheckOutgoing | None = None,
        connecting: Connecting | None = None,
    ) -> None:
        """Make an agent.

        Args:
            on_prompt: runs one turn. Cancelling the turn cancels it. What it raises is logged with
                the places that it came through; its text, which may quote the user, only by the
                logger `acp_elicitation.agent.serve` at the level DEBUG.
            name, version, title: who asks, for the user to see (UI-1).
            on_session: runs before `session/new` is answered.
            supported: the protocol versions to speak.
            check_outgoing: sees each message before it is sent, and raises to stop it, as
                `LeakGuard.check` does (URL-2).
            connecting: what `elicitor.connect` works with; it sees each message as well.
        """
        self.on_prompt = on_prompt
        self.on_session = on_session
        self.info = Implementation(name=name, title=title, version=version)
        self.supported = supported
        self.connecting = connecting
        self.check_outgoing = check_outgoing
        if connecting is not None:
            self.check_outgoing = _each_of(connecting.check_outgoing, check_outgoing)

    async def serve_stdio(self) -> None:
        """Serve one client on stdin and stdout; returns when it has closed them."""
        from acp_elicitation.wire.stdio import serve_stdio  # an embedded agent needs no pipes

        if sys.stdin is not None and sys.stdin.isatty():
            _log.warning("stdin is a terminal, and a client belongs there: %s", _HOW_TO_START)
        handler = AgentConnection(self)
        connection = await serve_stdio(handler, check_outgoing=self.check_outgoing)
        handler.attach(connection)
        await connection.wait_closed()
        await handler.finished()


def _each_of(first: CheckOutgoing, other: CheckOutgoing | None) -> CheckOutgoing:
    def check(message: bytes) -> None:
        first(message)
        if other is not None:
            other(message)

    return check


class AgentConnection:
    """One client of an agent; the handler of its connection."""

    def __init__(self, agent: Agent) -> None:
        self._agent = agent
        self._connected: asyncio.Future[Connection] = asyncio.get_running_loop().create_future()
        self._hello: ClientHello | None = None
        self._elicitor: Elicitor | None = None
        self._turns: dict[str, RunningTurn] = {}
        self._sessions: set[str] = set()

    def attach(self, connection: Connection) -> None:
        """Take the connection that this handler was given to."""
        self._connected.set_result(connection)

    @property
    def elicitor(self) -> Elicitor | None:
        """Asks this client's user; None before `initialize`."""
        return self._elicitor

    async def finished(self) -> None:
        """Return when every turn has ended."""
        for turn in list(self._turns.values()):
            await turn.finished()

    async def on_request(self, request: IncomingRequest) -> object:
        """Answer one request of the client."""
        params = request.params if isinstance(request.params, dict) else {}
        if request.method == INITIALIZE:
            # The first bytes may be there before `attach` is.
            return self._initialize(params, await self._connected)
        if self._hello is None or self._elicitor is None:
            raise ErrorReply(_INVALID_REQUEST, "initialize comes first")
        try:
            match request.method:
                case "session/new":
                    return await self._new_session(request.id, params, self._elicitor)
                case "session/prompt":
                    return await self._prompt(params, self._hello.version, self._elicitor)
                case _:
                    raise method_not_found(request.method)
        except MalformedMessage as error:
            data = {"path": error.path, "reason": f"expected {error.expected}"}
            raise ErrorReply(_INVALID_PARAMS, "Invalid params", data) from None

    def on_notification(self, method: str, params: object) -> None:
        """Take one notification; what is not known is ignored."""
        session_id = params.get("sessionId") if isinstance(params, dict) else None
        if method == "session/cancel" and isinstance(session_id, str):
            turn = self._turns.get(session_id)
            if turn is not None and self._elicitor is not None:
                self._elicitor.cancel_turn(session_id)  # REQ-5
                turn.cancel()

    def on_closed(self, error: ConnectionLost) -> None:
        """End everything that waits for the client (RES-5)."""
        if self._elicitor is not None:
            self._elicitor.connection_lost()
        # What waits for the client ends with `ConnectionLost` first; what goes on is cancelled.
        for turn in self._turns.values():
            asyncio.get_running_loop().call_soon(turn.cancel)

    def _initialize(self, params: JsonObject, connection: Connection) -> JsonObject:
        if self._hello is not None:
            raise ErrorReply(_INVALID_REQUEST, "initialize comes once")
        try:
            hello = read_client_hello(params, self._agent.supported)
        except MalformedMessage as error:
            data = {"path": error.path, "reason": f"expected {error.expected}"}
            raise ErrorReply(_INVALID_PARAMS, "Invalid params", data) from None
        except VersionNotSupported as error:
            versions = {"requested": error.offered, "supported": list(error.supported)}
            raise ErrorReply(
                _VERSION_NOT_SUPPORTED, "Unsupported protocol version", versions
            ) from None
        self._hello = hello
        self._elicitor = Elicitor(
            connection, capabilities=hello.capabilities, version=hello.version
        )
        self._elicitor.text_channel = self
        if self._agent.connecting is not None:
            self._agent.connecting.attach(self._elicitor)
        capabilities: JsonObject = {"session": {}} if hello.version.session_capability else {}
        return write_agent_hello(hello.version, info=self._agent.info, capabilities=capabilities)

    async def _new_session(
        self, request_id: int | str, params: JsonObject, elicitor: Elicitor
    ) -> JsonObject:
        session = NewSession(
            session_id=uuid.uuid4().hex,
            request_id=request_id,
            cwd=text_at(params, "cwd"),
            elicitor=elicitor,
        )
        if self._agent.on_session is not None:
            await self._agent.on_session(session)
        self._sessions.add(session.session_id)
        return {"sessionId": session.session_id}

    async def ask_in_text(self, session_id: str, text: str) -> str:
        """Ask in the text of the running turn; its next prompt is the answer (CAP-5).

        Raises:
            NotPossible: no turn of the session runs.
            Withdrawn: it was cancelled (REQ-5).
        """
        turn = self._turns.get(session_id)
        if turn is None or turn.wants_reply:
            raise NotPossible(way="via_text", reason="no turn of this session is running")
        if turn.is_cancelled:
            raise Withdrawn
        return await turn.ask(text)

    async def _prompt(self, params: JsonObject, version: Version, elicitor: Elicitor) -> JsonObject:
        session_id = text_at(params, "sessionId")
        blocks = params.get("prompt")
        if session_id not in self._sessions:
            raise ErrorReply(_NOT_FOUND, "there is no such session")
        while (running := self._turns.get(session_id)) is not None and running.is_cancelled:
            await running.finished()  # a prompt right behind a cancellation begins a new turn
        if running is None:
            turn = Turn(
                session_id=session_id,
                blocks=blocks,
                elicitor=elicitor,
                connection=self._connected.result(),
                version=version,
            )
            running = self._turns[session_id] = RunningTurn(
                turn, self._run, on_end=lambda: self._forget(session_id)
            )
            message_id = turn.user_message_id
        elif running.asked:
            message_id = running.reply(blocks)
        else:
            raise ErrorReply(_INVALID_REQUEST, "a turn of this session is running already")
        if version.turn_ends_by_update:
            return {"messageId": message_id}
        try:
            return {"stopReason": await running.over()}
        except asyncio.CancelledError:
            # The request was cancelled, not the turn: a cancelled turn has a stop reason. Where the
            # connection is lost, a link that is waited for ends with that first (RES-5).
            asyncio.get_running_loop().call_soon(running.cancel)
            raise

    def _forget(self, session_id: str) -> None:
        self._turns.pop(session_id, None)

    async def _run(self, turn: Turn) -> StopReason:
        """Run a turn to its stop reason, and say so where the version says it by an update."""
        reason: StopReason
        turn.elicitor.begin_turn(turn.session_id)
        try:
            turn.begin()
            reason = await self._agent.on_prompt(turn) or "end_turn"
        except (asyncio.CancelledError, ConnectionLost):
            reason = "cancelled"
        except Exception as error:
            # The text of the exception may quote the user: its type is all that goes out (UI-2).
            name = type(error).__name__
            log_failure("the turn", error)
            _log.debug("the failure in its own words", exc_info=error)
            with contextlib.suppress(ConnectionLost):
                turn.fail(_INTERNAL_ERROR, f"the agent failed with {name}")
            raise ErrorReply(_INTERNAL_ERROR, f"the agent failed with {name}") from None
        finally:
            turn.elicitor.end_turn(turn.session_id)
        with contextlib.suppress(ConnectionLost):
            turn.end(reason)
        return reason

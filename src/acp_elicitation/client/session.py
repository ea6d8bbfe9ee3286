"""The smallest client of an agent: one connection, its sessions, and their turns.

Owns: `initialize`, `session/new`, `session/prompt`, `session/cancel`, in the shapes of both
versions, and where requests and updates of the agent go.
Knows nothing of: how the agent was started (see `launch`), and how updates are shown.
Above it: `launch`, the command line, the bridges. Below it: `responder`, `wire`.
"""

import asyncio
import logging
from collections.abc import Callable
from typing import TypeAlias

from acp_elicitation.client.prompts import Asker
from acp_elicitation.client.responder import Responder
from acp_elicitation.protocol.errors import ConnectionLost, ErrorReply, MalformedMessage
from acp_elicitation.protocol.handshake import (
    INITIALIZE,
    AgentHello,
    Implementation,
    read_agent_hello,
    write_client_hello,
)
from acp_elicitation.protocol.reading import JsonObject, text_at
from acp_elicitation.protocol.version import Version
from acp_elicitation.wire.connection import Connection, IncomingRequest, method_not_found

__all__ = ["ClientConnection", "OnUpdate", "Session"]

_INVALID_REQUEST = -32600

_log = logging.getLogger(__name__)

OnUpdate: TypeAlias = Callable[[str, JsonObject], None]
"""Takes the session id and the update of each `session/update`."""


class ClientConnection:
    """One agent of a client; the handler of its connection."""

    def __init__(
        self,
        responder: Responder,
        *,
        on_update: OnUpdate,
        info: Implementation,
    ) -> None:
        self.responder = responder
        self._on_update = on_update
        self._info = info
        self._connection: Connection | None = None
        self._hello: AgentHello | None = None
        self._sessions: dict[str, Session] = {}

    def attach(self, connection: Connection) -> None:
        """Take the connection that this handler was given to."""
        self._connection = connection

    @property
    def connection(self) -> Connection:
        """The connection that this is the handler of."""
        assert self._connection is not None, "attach comes first"
        return self._connection

    async def initialize(self, version: Version, *, command: tuple[str, ...] = ()) -> AgentHello:
        """Offer `version` and return what the agent answers.

        Raises:
            RemoteError, MalformedMessage, VersionNotSupported: the agent does not speak with us.
            ConnectionLost: it is gone.
        """
        params = write_client_hello(
            version, info=self._info, capabilities=self.responder.capabilities()
        )
        hello = read_agent_hello(await self.call(INITIALIZE, params))
        self._hello = hello
        self.responder.version = hello.version
        self.responder.asker = Asker(info=hello.info, command=command)
        return hello

    async def new_session(self, cwd: str) -> "Session":
        """Open a session in the absolute folder `cwd`. Raises as `initialize`."""
        assert self._hello is not None, "initialize comes first"
        result = await self.call("session/new", {"cwd": cwd, "mcpServers": []})
        if not isinstance(result, dict):
            raise MalformedMessage(path="", expected="an object")
        session = Session(self, text_at(result, "sessionId"), self._hello.version)
        self._sessions[session.id] = session
        return session

    async def call(self, method: str, params: JsonObject) -> object:
        """Call the agent and return its result; questions that belonged to the call end with it.

        Raises:
            RemoteError, ConnectionLost: see `Connection.request`.
        """
        try:
            return await self.connection.request(method, params)
        finally:
            self.responder.withdraw_requests_but(self.connection.open_calls)

    async def on_request(self, request: IncomingRequest) -> object:
        """Answer one request of the agent."""
        if self._hello is None:
            raise ErrorReply(_INVALID_REQUEST, "initialize has not been answered yet")
        match request.method:
            case "elicitation/create":
                return await self.responder.create(request.params)
            case "session/request_permission":
                return await self.responder.permit(request.params)
            case _:
                raise method_not_found(request.method)

    def on_notification(self, method: str, params: object) -> None:
        """Take one notification; what is not known is ignored."""
        match method:
            case "elicitation/complete":
                self.responder.complete(params)
            case "session/update" if isinstance(params, dict):
                self._update(params)
            case _:
                _log.debug("ignored a notification")

    def _update(self, params: JsonObject) -> None:
        session_id = params.get("sessionId")
        update = params.get("update")
        if not isinstance(session_id, str) or not isinstance(update, dict):
            return
        session = self._sessions.get(session_id)
        if session is not None:
            session.take(update)
        self._on_update(session_id, update)

    def on_closed(self, error: ConnectionLost) -> None:
        """Withdraw all questions and end all turns: the agent is gone (RES-5)."""
        self.responder.close()
        for session in self._sessions.values():
            session.lose(error)


class Session:
    """One session with an agent."""

    def __init__(self, client: ClientConnection, session_id: str, version: Version) -> None:
        self._client = client
        self.id = session_id
        self._version = version
        self._idle: asyncio.Future[str] | None = None
        self._ran = False

    async def prompt(self, text: str) -> str:
        """Send a prompt and return the stop reason of its turn.

        Raises:
            RemoteError: the agent answered with an error.
            MalformedMessage: it answered with no stop reason.
            ConnectionLost: it is gone.
        """
        params = {"sessionId": self.id, "prompt": [{"type": "text", "text": text}]}
        # The turn may end before its request is answered: listen first.
        self._idle = asyncio.get_running_loop().create_future()
        self._ran = False
        try:
            result = await self._client.call("session/prompt", params)
            if self._version.turn_ends_by_update:
                return await self._idle
            if not isinstance(result, dict):
                raise MalformedMessage(path="", expected="an object")
            return text_at(result, "stopReason")
        finally:
            self._idle.cancel()
            self._idle = None

    def cancel(self) -> None:
        """Cancel the turn: its unanswered questions are withdrawn, and the agent is told."""
        self._client.connection.notify("session/cancel", {"sessionId": self.id})
        self._client.responder.withdraw_session(self.id)

    def take(self, update: JsonObject) -> None:
        """Take one update of this session: it may end the turn."""
        if update.get("sessionUpdate") != "state_update" or self._idle is None:
            return
        reason = update.get("stopReason")
        if update.get("state") != "idle":
            self._ran = True
        elif isinstance(reason, str):
            self._end(reason)
        elif self._ran:
            # An idle state without a usable reason ends a turn that was seen to run.
            self._end("end_turn")

    def _end(self, reason: str) -> None:
        if self._idle is not None and not self._idle.done():
            self._idle.set_result(reason)

    def lose(self, error: ConnectionLost) -> None:
        """End the turn: the agent is gone."""
        if self._idle is not None and not self._idle.done():
            self._idle.set_exception(error)

"""Very many users who connect an account at the same time, over real workers and a real store.

Owns: an agent and a client for each user, in this process; their browsers; and that no user goes on
to the next step before all have done the one before. Knows nothing of: which store it is.
Above it: the tests of connecting. Below it: `setting`, `visitor`.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

from acp_elicitation.agent.serve import Agent, AgentConnection
from acp_elicitation.agent.turn import Turn
from acp_elicitation.connect.asking import AccountConnecting
from acp_elicitation.protocol.errors import ConnectionLost
from acp_elicitation.protocol.reading import JsonObject
from acp_elicitation.wire.connection import Connection, IncomingRequest
from acp_elicitation.wire.sockets import open_pair
from tests.connect.setting import Setting
from tests.connect.visitor import Visitor, heading, visiting

__all__ = ["User", "crowd", "everybody_connects"]

_AT_ONCE = 100
"""Requests under way, so that none waits long on a busy machine; the flows all are under way."""


class User:
    """A client, and the user of it, who consents to each link and goes through its pages."""

    connection: Connection

    def __init__(self, visitor: Visitor, room: asyncio.Semaphore) -> None:
        self.name = visitor.user
        self.account = ""
        """Which account the agent learned of."""
        self.last_page = ""
        self.shown: list[str] = []
        """The ids of the links that it was shown."""
        self.completed: list[str] = []
        """The ids of the completions that came."""
        self._visitor, self._room = visitor, room
        self._url: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._address = ""
        self._turn: asyncio.Future[object] | None = None

    async def on_request(self, request: IncomingRequest) -> object:
        assert isinstance(request.params, dict)
        self.shown.append(str(request.params["elicitationId"]))
        self._url.set_result(str(request.params["url"]))
        return {"action": "accept"}

    def on_notification(self, method: str, params: object) -> None:
        if method == "elicitation/complete":
            assert isinstance(params, dict)
            self.completed.append(str(params["elicitationId"]))

    def on_closed(self, error: ConnectionLost) -> None:
        pass

    async def ask(self) -> None:
        """Have the agent ask; return when the user has consented to the link."""
        client: JsonObject = {"elicitation": {"url": {}}}
        hello: JsonObject = {"protocolVersion": 1, "clientCapabilities": client}
        await self.connection.request("initialize", hello)
        session = await self.connection.request("session/new", {"cwd": "/", "mcpServers": []})
        assert isinstance(session, dict)
        prompt: JsonObject = {**session, "prompt": []}
        self._turn = asyncio.ensure_future(self.connection.request("session/prompt", prompt))
        await self._url

    async def begin(self) -> None:
        async with self._room:
            self._address = await self._visitor.begin(await self._url)

    async def allow(self) -> None:
        async with self._room:
            self._address = await self._visitor.allow(self._address)

    async def come_back(self) -> None:
        async with self._room:
            self.last_page = heading(await self._visitor.open(self._address))

    async def hear(self) -> None:
        """Return when the agent has ended its turn."""
        assert self._turn is not None
        await self._turn


@asynccontextmanager
async def crowd(here: Setting, names: Iterable[str]) -> AsyncIterator[list[User]]:
    """Have a user of each name, with an agent; the agents share a store and a vault."""
    room = asyncio.Semaphore(_AT_ONCE)
    async with AsyncExitStack() as stack:
        store = await stack.enter_async_context(here.open_store())
        vault = here.open_vault(store)
        users = []
        for name in names:
            visitor = await stack.enter_async_context(visiting(here.balancer.address, name))
            user = User(visitor, room)
            served = _agent_for(user, here.connecting(store, vault, name))
            agent_end, user.connection = await open_pair(served, user)
            served.attach(agent_end)
            stack.callback(user.connection.close)
            users.append(user)
        yield users


def _agent_for(user: User, connecting: AccountConnecting) -> AgentConnection:
    async def on_prompt(turn: Turn) -> None:
        grant = await turn.elicitor.connect("openid", session=turn.session_id)
        user.account = grant.account

    return AgentConnection(Agent(on_prompt, name="tester", connecting=connecting))


async def everybody_connects(users: Sequence[User]) -> None:
    """Go through the flow of all of them, step by step."""
    for step in (User.ask, User.begin, User.allow, User.come_back, User.hear):
        async with asyncio.TaskGroup() as group:
            for user in users:
                group.create_task(step(user))

"""An agent and a client of this package, joined by a real socket pair in one process."""

import contextlib
from collections.abc import AsyncIterator
from typing import Any

from acp_elicitation.agent.serve import Agent, AgentConnection, OnPrompt, OnSession
from acp_elicitation.client.prompts import Presenter
from acp_elicitation.client.responder import Responder
from acp_elicitation.client.session import ClientConnection, Session
from acp_elicitation.protocol.capabilities import Mode
from acp_elicitation.protocol.handshake import Implementation
from acp_elicitation.protocol.reading import JsonObject
from acp_elicitation.protocol.version import ALL_VERSIONS, Version
from acp_elicitation.wire.connection import Connection
from acp_elicitation.wire.sockets import open_pair


class Pair:
    """Both ends, initialised."""

    def __init__(self, client: ClientConnection, agent: AgentConnection, ends: Any) -> None:
        self.client = client
        self.agent = agent
        self.agent_end: Connection = ends[0]
        self.client_end: Connection = ends[1]
        self.updates: list[JsonObject] = []

    async def session(self) -> Session:
        """Open a session."""
        return await self.client.new_session("/")

    @property
    def said(self) -> str:
        """What the agent has said, in one piece."""
        return "".join(
            update["content"]["text"]
            for update in self.updates
            if update["sessionUpdate"] == "agent_message_chunk"
        )


@contextlib.asynccontextmanager
async def joined(
    on_prompt: OnPrompt,
    presenter: Presenter,
    *,
    version: Version,
    modes: tuple[Mode, ...] = ("form", "url"),
    on_session: OnSession | None = None,
    supported: tuple[Version, ...] = ALL_VERSIONS,
) -> AsyncIterator[Pair]:
    """Join an agent and a client for the length of the block."""
    agent = Agent(
        on_prompt,
        name="test-agent",
        title="Test Agent",
        version="1",
        on_session=on_session,
        supported=supported,
    )
    served = AgentConnection(agent)
    client = ClientConnection(
        Responder(presenter, modes=modes),
        on_update=lambda _, update: pair.updates.append(update),
        info=Implementation(name="test-client", version="1"),
    )
    ends = await open_pair(served, client)
    pair = Pair(client, served, ends)
    served.attach(ends[0])
    client.attach(ends[1])
    await client.initialize(version, command=("test-agent",))
    try:
        yield pair
    finally:
        for end in ends:
            end.close()
        for end in ends:
            await end.wait_closed()
        await served.finished()

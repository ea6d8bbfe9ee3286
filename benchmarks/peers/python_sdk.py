"""The official Python SDK: `create_elicitation` on one side, a client's handler on the other.

Owns: the SDK's shortest way from the agent's call to the content. Nothing is checked, and the
    schema's model is built once, outside of the measurement, which favours the SDK.
Deliberately does not know: how it is compared.
Above it: benchmarks/run.py. Below it: agent-client-protocol (v1).
"""

import asyncio
import socket
import sys
from typing import Any, cast

import acp
from acp.agent.connection import AgentSideConnection
from acp.schema import ElicitationFormSessionMode

from benchmarks.peers.pacing import QUESTION, obey, seconds_each

MODE = ElicitationFormSessionMode.model_validate(
    {"sessionId": "session-1", "requestedSchema": QUESTION["requestedSchema"]}
)


class Client:
    """Answers every question alike."""

    async def create_elicitation(self, message: str, mode: Any, **kwargs: Any) -> Any:
        return acp.AcceptElicitationResponse(action="accept", content=QUESTION["content"])

    async def session_update(self, session_id: str, update: Any, **kwargs: Any) -> None:
        """Nothing is streamed here; the SDK wants the handler."""


class Agent:
    """Asks, and measures on command."""

    client: Any

    def on_connect(self, conn: acp.Client) -> None:
        self.client = conn

    async def ask(self) -> object:
        return (await self.client.create_elicitation(QUESTION["message"], MODE)).content

    async def ext_method(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        return {"seconds": await seconds_each(self.ask, params["questions"], params["at_once"])}


async def over_socketpair() -> None:
    """Both sides in this process."""
    near, far = socket.socketpair()
    near_reader, near_writer = await asyncio.open_connection(sock=near)
    far_reader, far_writer = await asyncio.open_connection(sock=far)
    agent = Agent()
    asker = AgentSideConnection(cast(acp.Agent, agent), far_writer, far_reader)
    answerer = acp.connect_to_agent(
        cast(acp.Client, Client()), near_writer, near_reader, use_unstable_protocol=True
    )
    await obey(lambda questions, at_once: seconds_each(agent.ask, questions, at_once))
    await answerer.close()
    await asker.close()


async def over_stdio() -> None:
    """The client here, the agent a child that asks and measures."""
    spawned = acp.spawn_agent_process(
        cast(acp.Client, Client()),
        sys.executable,
        "-m",
        __spec__.name,
        "agent",
        transport_kwargs={"stderr": None},
        use_unstable_protocol=True,
    )
    async with spawned as (agent, _process):

        async def measure(questions: int, at_once: int) -> float:
            command = {"questions": questions, "at_once": at_once}
            return float((await agent.ext_method("measure", command))["seconds"])

        await obey(measure)


async def be_the_agent() -> None:
    """That child."""
    await acp.run_agent(cast(acp.Agent, Agent()))


if __name__ == "__main__":
    part = {"socketpair": over_socketpair, "stdio": over_stdio, "agent": be_the_agent}
    asyncio.run(part[sys.argv[1]]())

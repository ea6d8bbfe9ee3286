"""An agent on the official Python SDK that asks its user: two lines more than without.

Run it in this terminal:  acp-elicit chat -- python examples/sdk_agent.py
"""

import asyncio
from typing import Any

import acp
from acp.schema import (
    AgentMessageChunk,
    InitializeResponse,
    NewSessionResponse,
    PromptResponse,
    TextContentBlock,
)

from acp_elicitation.bridges.acp_sdk import elicit_over, stdio_transport
from acp_elicitation.bridges.asking import ElicitingTransport


class Greeter(acp.Agent):
    """Asks for a name in each turn, and says it."""

    transport: ElicitingTransport

    def on_connect(self, conn: Any) -> None:
        self.client = conn

    async def initialize(self, *_: Any, **__: Any) -> InitializeResponse:
        return InitializeResponse(protocol_version=1)

    async def new_session(self, *_: Any, **__: Any) -> NewSessionResponse:
        return NewSessionResponse(session_id="only")

    async def prompt(self, session_id: str, *_: Any, **__: Any) -> PromptResponse:
        name = await self.transport.elicitor.text("Who are you?", session=session_id)
        text = TextContentBlock(type="text", text=f"Hello {name.value_or('stranger')}")
        said = AgentMessageChunk(session_update="agent_message_chunk", content=text)
        await self.client.session_update(session_id=session_id, update=said)
        return PromptResponse(stop_reason="end_turn")


async def main() -> None:
    """Serve one client on stdin and stdout."""
    agent = Greeter()  # type: ignore[abstract]  # the SDK's optional methods
    agent.transport = elicit_over(await stdio_transport())  # line one
    await acp.run_agent(agent, agent.transport)  # line two


if __name__ == "__main__":
    asyncio.run(main())

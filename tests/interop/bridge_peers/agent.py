"""An agent on the official Python SDK with our bridge: the scenarios of `asking_agent`.

Owns: the SDK's side of it. The prompt names a scenario; each question is reported on stderr.
Deliberately does not know: which client answers, or which version of the SDK runs it.
Above it: test_sdk_bridge.py. Below it: agent-client-protocol, acp_elicitation.bridges.
"""

import asyncio
import sys
from pathlib import Path
from typing import Any

import acp
from acp.schema import (
    AgentCapabilities,
    Implementation,
    InitializeResponse,
    NewSessionResponse,
    PromptResponse,
)

sys.path.append(str(Path(__file__).resolve().parents[3]))

from acp_elicitation.agent.turn import Turn
from acp_elicitation.bridges.acp_sdk import elicit_over, stdio_transport
from acp_elicitation.bridges.asking import ElicitingTransport
from acp_elicitation.protocol.version import V1
from tests.interop.asking_agent import SCENARIOS, Branch, reported


class BridgedAgent(acp.Agent):
    """The SDK has the conversation, the bridge the questions."""

    transport: ElicitingTransport

    def __init__(self) -> None:
        self.running: dict[str, asyncio.Task[Any]] = {}

    async def initialize(self, *_: Any, **__: Any) -> InitializeResponse:
        return InitializeResponse(
            protocol_version=1,
            agent_info=Implementation(name="bridged", title="Bridged", version="1"),
            agent_capabilities=AgentCapabilities(),
        )

    async def new_session(self, *_: Any, **__: Any) -> NewSessionResponse:
        if "ask-in-new-session" in sys.argv[1:]:
            form = self.transport.elicitor.form
            await reported(form("Which branch?", Branch, request=self.transport.request_id))
        return NewSessionResponse(session_id="session-1")

    async def prompt(self, session_id: str, prompt: list[Any], **_: Any) -> PromptResponse:
        turn = Turn(
            session_id=session_id,
            blocks=[{"type": "text", "text": block.text} for block in prompt],
            elicitor=self.transport.elicitor,
            connection=self.transport,
            version=V1,
        )
        await SCENARIOS[turn.text](turn)
        return PromptResponse(stop_reason="end_turn")

    async def cancel(self, session_id: str, **_: Any) -> None:
        """Leave it to the bridge."""


async def main() -> None:
    agent = BridgedAgent()  # type: ignore[abstract]  # the SDK's optional methods
    agent.transport = elicit_over(await stdio_transport())
    await acp.run_agent(agent, agent.transport)


if __name__ == "__main__":
    asyncio.run(main())

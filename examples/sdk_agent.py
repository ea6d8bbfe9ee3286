"""An agent on the official Python SDK that asks its user: two lines more than without.

Run it in this terminal:  acp-elicit chat -- python examples/sdk_agent.py
"""

import asyncio
from typing import Any

import acp
from acp.schema import InitializeResponse, NewSessionResponse, PromptResponse

from acp_elicitation.bridges.acp_sdk import elicit_over
from acp_elicitation.bridges.asking import ElicitingTransport
from acp_elicitation.bridges.transport import stdio_transport


class Asking(acp.Agent):
    """Asks for a name in each turn, and says it."""

    def __init__(self, transport: ElicitingTransport) -> None:
        self._transport = transport
        self._client: Any = None

    def on_connect(self, conn: Any) -> None:
        """Keep the SDK's own connection, for messages."""
        self._client = conn

    async def initialize(self, *_: Any, **__: Any) -> InitializeResponse:
        """Speak version 1."""
        return InitializeResponse(protocol_version=1)

    async def new_session(self, *_: Any, **__: Any) -> NewSessionResponse:
        """Have one session."""
        return NewSessionResponse(session_id="only")

    async def prompt(self, session_id: str, *_: Any, **__: Any) -> PromptResponse:
        """Ask, and say the answer."""
        name = await self._transport.elicitor.text("Who are you?", session=session_id)
        await self._client.session_update(
            session_id=session_id,
            update=acp.update_agent_message_text(f"Hello {name.value_or('')}"),
        )
        return PromptResponse(stop_reason="end_turn")


async def main() -> None:
    """Serve one client on stdin and stdout."""
    transport = elicit_over(await stdio_transport())  # line one
    agent = Asking(transport)  # type: ignore[abstract]  # the SDK's optional methods
    await acp.run_agent(agent, transport)  # line two


if __name__ == "__main__":
    asyncio.run(main())

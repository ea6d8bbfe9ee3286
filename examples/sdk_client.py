"""A client on the official Python SDK whose user is asked: two lines more than without.

Run it:  python examples/sdk_client.py python examples/agent.py
"""

import asyncio
import sys
from typing import Any

import acp
from acp.schema import TextContentBlock

from acp_elicitation import Accepted, Declined, FormPrompt, Responder
from acp_elicitation.bridges.acp_sdk import respond_over, stream_transport


class Agreeable:
    """Submits every form as it comes, and opens no link."""

    async def form(self, prompt: FormPrompt) -> Accepted[Any] | Declined:
        return Declined() if prompt.draft.problems() else Accepted(prompt.draft.content())

    async def link(self, prompt: object) -> Declined:
        return Declined()

    async def withdraw(self, prompt: object, why: str) -> None:
        print(f"(the question was {why})")


class Client(acp.Client):
    """Prints what the agent says."""

    async def session_update(self, session_id: str, update: Any, **_: Any) -> None:
        if update.session_update == "agent_message_chunk":
            print(ascii(update.content.text))


async def main(command: list[str]) -> None:
    """Run the agent through one prompt."""
    async with acp.spawn_stdio_transport(*command, stderr=None) as (reader, writer, _):
        client = Client()  # type: ignore[abstract]  # the SDK's optional methods
        transport = respond_over(stream_transport(reader, writer), Responder(Agreeable()))  # one
        connection = acp.connect_to_agent(client, transport)  # and two
        await connection.initialize(protocol_version=1)
        session = await connection.new_session(cwd="/", mcp_servers=[])
        go_on = TextContentBlock(type="text", text="Go on.")
        await connection.prompt(session_id=session.session_id, prompt=[go_on])
        await connection.close()


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(f"usage: python {sys.argv[0]} COMMAND ARGS...   (the command of an agent)")
    asyncio.run(main(sys.argv[1:]))

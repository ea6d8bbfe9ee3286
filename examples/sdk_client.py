"""A client on the official Python SDK whose user is asked: two lines more than without.

Run it:  python examples/sdk_client.py python examples/agent.py
"""

import asyncio
import sys
from asyncio.subprocess import PIPE
from typing import Any

import acp

from acp_elicitation import Accepted, Declined, FormPrompt, Responder
from acp_elicitation.bridges.acp_sdk import respond_over
from acp_elicitation.bridges.transport import StreamTransport


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
        """Print a message."""
        if update.session_update == "agent_message_chunk":
            print(ascii(update.content.text))


async def main(command: list[str]) -> None:
    """Run the agent through one prompt."""
    process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE)
    assert process.stdout is not None
    assert process.stdin is not None
    streams = StreamTransport(process.stdout, process.stdin)
    transport = respond_over(streams, Responder(Agreeable()))  # line one
    client = Client()  # type: ignore[abstract]  # the SDK's optional methods
    connection = acp.connect_to_agent(client, transport)  # line two
    await connection.initialize(protocol_version=1)
    session = await connection.new_session(cwd="/", mcp_servers=[])
    await connection.prompt(session_id=session.session_id, prompt=[acp.text_block("Go on.")])
    await connection.close()
    await process.wait()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))

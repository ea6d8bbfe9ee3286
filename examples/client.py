"""A client in thirty lines: a presenter of its own, and an agent run through one prompt.

Run it:  python examples/client.py python examples/agent.py
"""

import asyncio
import sys
from typing import Any

from acp_elicitation import Accepted, Cancelled, Declined, FormPrompt, LinkPrompt, Responder
from acp_elicitation.client.launch import launch
from acp_elicitation.protocol.handshake import Implementation


class Terse:
    """Shows a form as one line and takes y, n or nothing for an answer."""

    async def form(self, prompt: FormPrompt) -> Accepted[Any] | Declined | Cancelled:
        shown = ", ".join(
            f"{field.label}={prompt.draft.shown_value(field.name)}" for field in prompt.draft.fields
        )
        print(f"{prompt.asker.name!a} asks {prompt.message!a}: {shown!a} [y/n]")
        match (await asyncio.to_thread(sys.stdin.readline)).strip():
            case "y" if not prompt.draft.problems():
                return Accepted(prompt.draft.content())
            case "n":
                return Declined()
            case _:
                return Cancelled()

    async def link(self, prompt: LinkPrompt) -> Accepted[Any] | Declined | Cancelled:
        return Declined()

    async def withdraw(self, prompt: object, why: str) -> None:
        print(f"(the question was {why})")


def show(session_id: str, update: dict[str, Any]) -> None:
    """Print what the agent says."""
    if update["sessionUpdate"] == "agent_message_chunk":
        print(ascii(update["content"]["text"]))


async def main(command: list[str]) -> None:
    """Run the agent through one prompt."""
    responder = Responder(Terse(), modes=["form"])
    info = Implementation(name="terse", version="1.0")
    async with launch(command, responder, on_update=show, info=info) as agent:
        session = await agent.client.new_session("/")
        await session.prompt("Please refactor.")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(f"usage: python {sys.argv[0]} COMMAND ARGS...   (the command of an agent)")
    asyncio.run(main(sys.argv[1:]))

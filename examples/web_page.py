"""A client whose agent asks in a page of the user's browser, served for it alone.

Run it:  python examples/web_page.py python examples/agent.py
"""

import asyncio
import sys
from typing import Any

from acp_elicitation import Responder
from acp_elicitation.client.launch import launch
from acp_elicitation.presenters.web import WebPresenter, serving
from acp_elicitation.protocol.handshake import Implementation


def show(session_id: str, update: dict[str, Any]) -> None:
    """Print what the agent says."""
    if update["sessionUpdate"] == "agent_message_chunk":
        print(ascii(update["content"]["text"]))


async def main(command: list[str]) -> None:
    """Run the agent through one prompt."""
    presenter = WebPresenter()
    responder = Responder(presenter)
    info = Implementation(name="page", version="1.0")
    async with serving(presenter) as address:
        print(address, flush=True)  # whoever opens it first is asked, and nobody else
        async with launch(command, responder, on_update=show, info=info) as agent:
            session = await agent.client.new_session("/")
            await session.prompt("Please refactor.")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(f"usage: python {sys.argv[0]} COMMAND ARGS...   (the command of an agent)")
    asyncio.run(main(sys.argv[1:]))

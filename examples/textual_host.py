"""A Textual application whose agent may ask its user something.

Run it:  python examples/textual_host.py python examples/agent.py
"""

import sys
from typing import Any

from textual.app import App, ComposeResult
from textual.widgets import RichLog

from acp_elicitation import ElicitationError, Responder
from acp_elicitation.client.launch import launch
from acp_elicitation.presenters.browser import open_in_browser
from acp_elicitation.presenters.tui import TuiPresenter
from acp_elicitation.protocol.handshake import Implementation
from acp_elicitation.text.terminal import visible


class Host(App[None]):
    """Shows what the agent says; its questions come up over that."""

    def __init__(self, command: list[str]) -> None:
        super().__init__()
        self.command = command

    def compose(self) -> ComposeResult:
        yield RichLog(wrap=True)

    def on_mount(self) -> None:
        self.run_worker(self.talk())

    async def talk(self) -> None:
        responder = Responder(TuiPresenter(self, open_url=open_in_browser))
        info = Implementation(name="host", version="1.0")
        try:
            async with launch(self.command, responder, on_update=self.show, info=info) as agent:
                session = await agent.client.new_session("/")
                await session.prompt("Please refactor.")
        except ElicitationError as error:  # it could not be started, or has left
            self.query_one(RichLog).write(visible(str(error)))

    def show(self, session_id: str, update: dict[str, Any]) -> None:
        if update["sessionUpdate"] == "agent_message_chunk":
            self.query_one(RichLog).write(visible(update["content"]["text"]))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(f"usage: python {sys.argv[0]} COMMAND ARGS...   (the command of an agent)")
    Host(sys.argv[1:]).run()

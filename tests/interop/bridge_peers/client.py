"""A client on the official Python SDK with our bridge: answers questions by rules.

Owns: the environment and the output lines of `peers/ts_client.mjs`, but for the answers:
    ACP_ANSWERS holds the rules of an answers file, ACP_MODES the modes of the responder.
Deliberately does not know: which agent it runs, or which version of the SDK runs it.
Above it: test_sdk_bridge.py. Below it: agent-client-protocol, acp_elicitation.bridges.
"""

import asyncio
import json
import os
import sys
from typing import Any

import acp
from acp.schema import ClientCapabilities, Implementation, TextContentBlock

from acp_elicitation.bridges.acp_sdk import respond_on
from acp_elicitation.client.responder import Responder
from acp_elicitation.presenters.answers import read_rules
from acp_elicitation.presenters.script import ScriptPresenter


def seen(kind: str, **fields: Any) -> None:
    sys.stdout.write(json.dumps({"seen": kind, **fields}) + "\n")
    sys.stdout.flush()


class BridgedClient(acp.Client):
    """The SDK has the conversation, the bridge the questions."""

    def __init__(self, responder: Responder, command: list[str]) -> None:
        self.responder = responder
        self.command = command

    def on_connect(self, conn: Any) -> None:
        respond_on(conn, self.responder, command=self.command)

    async def session_update(self, session_id: str, update: Any, **_: Any) -> None:
        seen("update", update=update.model_dump(mode="json", by_alias=True, exclude_none=True))

    async def create_elicitation(self, *_: Any, **__: Any) -> Any:
        raise AssertionError("the SDK saw a question")


async def main(command: list[str]) -> None:
    rules = read_rules(json.loads(os.environ["ACP_ANSWERS"]))
    modes = json.loads(os.environ.get("ACP_MODES", '["form", "url"]'))
    responder = Responder(ScriptPresenter(rules), modes=modes)
    client = BridgedClient(responder, command)  # type: ignore[abstract]  # optional methods
    spawned = acp.spawn_agent_process(
        client, *command, env=os.environ, transport_kwargs={"stderr": None}
    )
    async with spawned as (agent, process):
        await agent.initialize(
            protocol_version=1,
            client_capabilities=ClientCapabilities(),
            client_info=Implementation(name="bridged", version="1"),
        )
        session = await agent.new_session(cwd=os.getcwd(), mcp_servers=[])
        for text in json.loads(os.environ["ACP_PROMPTS"]):
            block = TextContentBlock(type="text", text=text)
            ended = await agent.prompt(session_id=session.session_id, prompt=[block])
            seen("turn", stopReason=ended.stop_reason)
        seen("asker", name=responder.asker.name, openLinks=responder.open_links)
    seen("exit", code=process.returncode)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))

"""The proxy in this process, between a real agent process and the client's end of a socket."""

import asyncio
import contextlib
import signal
import sys
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from acp_elicitation.bridges.proxy.calls import ClientCalls
from acp_elicitation.bridges.proxy.means import Means
from acp_elicitation.bridges.proxy.running import AgentProcess, run_between
from acp_elicitation.bridges.proxy.tapping import OnLine
from acp_elicitation.client.prompts import FormPrompt, LinkPrompt, Presenter, Prompt, Reply
from acp_elicitation.client.responder import Responder
from tests.unit.bridges.proxy.wires import End, wire

__all__ = [
    "AGENT",
    "CONFIRM",
    "ECHO",
    "FORM",
    "LIMIT",
    "SESSION",
    "TEXT",
    "OneAnswer",
    "Proxied",
    "proxied",
]

LIMIT = 20.0
SESSION = {"sessionId": "s1"}
FORM = {"mode": "form", "message": "Which?", **SESSION}
CONFIRM = {**FORM, "requestedSchema": {"type": "object", "properties": {}}}
TEXT = {
    **FORM,
    "requestedSchema": {"type": "object", "properties": {"name": {"type": "string"}}},
}
ECHO = ["cat"]
# An agent that initialises, and then sends what it is told in `say`.
OBEYS = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message.get("method") == "initialize":
        got = message["params"]
        result = {"protocolVersion": got["protocolVersion"], "got": got}
        reply = {"id": message["id"], "result": result}
    elif message.get("method") == "say":
        reply = message["params"]
    elif message.get("method") == "exit":
        sys.exit(message["params"])
    else:
        reply = {"method": "heard", "params": message}
    print(json.dumps({"jsonrpc": "2.0", **reply}), flush=True)
"""
AGENT = [sys.executable, "-c", OBEYS]


class OneAnswer:
    """A presenter that gives one answer, or none until it is told."""

    def __init__(self, reply: Reply | None) -> None:
        self._reply = reply
        self.prompts: list[Prompt] = []
        self.asked = asyncio.Event()
        self.withdrawn = asyncio.Event()

    async def form(self, prompt: FormPrompt) -> Reply:
        return await self._answer(prompt)

    async def link(self, prompt: LinkPrompt) -> Reply:
        return await self._answer(prompt)

    async def withdraw(self, prompt: Prompt, why: Literal["withdrawn", "expired"]) -> None:
        self.withdrawn.set()

    async def _answer(self, prompt: Prompt) -> Reply:
        self.prompts.append(prompt)
        self.asked.set()
        if self._reply is None:
            await asyncio.get_running_loop().create_future()
        assert self._reply is not None
        return self._reply


@dataclass
class Proxied:
    """A client's end of a running proxy."""

    client: End
    agent: AgentProcess
    status: asyncio.Task[int]

    async def initialize(self, **capabilities: Any) -> dict[str, Any]:
        """Return the params of `initialize` as the agent got them."""
        self.client.tell(
            id=0,
            method="initialize",
            params={"protocolVersion": 1, "clientCapabilities": capabilities},
        )
        message = await self.client.hear_message()
        got: dict[str, Any] = message["result"]["got"]
        return got

    def have_said(self, **members: Any) -> None:
        """Have the agent send a message."""
        self.client.tell(method="say", params=members)

    async def told(self) -> dict[str, Any]:
        """Return the next message that the agent tells it got."""
        message = await self.client.hear_message()
        assert message["method"] == "heard"
        params: dict[str, Any] = message["params"]
        return params


@contextlib.asynccontextmanager
async def proxied(
    command: Sequence[str] = AGENT,
    *,
    presenter: Presenter | None = None,
    permission: bool = False,
    use_native: bool = True,
    on_line: OnLine | None = None,
) -> AsyncIterator[Proxied]:
    """Run the proxy for the length of the block."""
    async with wire(limit=1024 * 1024) as (reader, writer, end):
        calls = ClientCalls(writer)
        means = Means(
            permission=calls.call if permission else None,
            presenter=presenter,
            version=lambda: responder.version,
        )
        responder = Responder(means, modes=means.modes)
        agent = await AgentProcess.start(command)
        status = asyncio.create_task(
            run_between(
                agent,
                reader,
                writer,
                responder=responder,
                calls=calls,
                command=command,
                use_native=use_native,
                on_line=on_line,
            )
        )
        try:
            yield Proxied(end, agent, status)
            end.leave()
            async with asyncio.timeout(LIMIT):
                await status
        finally:
            status.cancel()
            agent.signal(signal.SIGKILL)
            await asyncio.wait([status])

"""An MCP server, an agent that forwards its questions, and an ACP client whose user is the test."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any, Literal

from mcp import Client
from mcp.client._memory import InMemoryTransport
from mcp.server.mcpserver import MCPServer
from mcp.types import CallToolResult

from acp_elicitation.agent.serve import AgentConnection
from acp_elicitation.bridges.mcp.calling import call_tool
from acp_elicitation.bridges.mcp.client import mcp_client
from acp_elicitation.bridges.mcp.forwarding import Forward, forward
from acp_elicitation.bridges.mcp.losses import LossReport
from acp_elicitation.protocol.capabilities import Mode
from acp_elicitation.protocol.version import V2, Version
from tests.held import HeldPresenter
from tests.pair import Pair, joined

LEGACY: Literal["legacy"] = "legacy"
MODERN = "auto"
BOTH = [LEGACY, MODERN]


class Bridge:
    """All three of them, connected."""

    def __init__(self, pair: Pair, user: HeldPresenter, reports: list[LossReport]) -> None:
        self.pair = pair
        self.user = user
        self.reports = reports
        self.forward: Forward
        self.client: Client
        self._calls: list[asyncio.Task[CallToolResult]] = []

    @property
    def agent(self) -> AgentConnection:
        return self.pair.agent

    def call(self, name: str = "ask", **options: Any) -> asyncio.Task[CallToolResult]:
        """Let the agent call a tool."""
        arguments = options.pop("arguments", {})
        task = asyncio.ensure_future(
            call_tool(self.client, self.forward, name, arguments, **options)
        )
        self._calls.append(task)
        return task

    async def drop_calls(self) -> None:
        for task in self._calls:
            task.cancel()
        await asyncio.gather(*self._calls, return_exceptions=True)


async def no_prompt(_: object) -> None:
    """The agent of these tests takes no prompts."""


@contextlib.asynccontextmanager
async def bridged(
    served: MCPServer,
    *,
    speaks: str = LEGACY,
    version: Version = V2,
    modes: tuple[Mode, ...] = ("form", "url"),
    hear: Any = None,
    url: str | None = None,
    **options: Any,
) -> AsyncIterator[Bridge]:
    """Connect the three for the length of the block."""
    user, reports = HeldPresenter(), list[LossReport]()
    async with joined(no_prompt, user, version=version, modes=modes) as pair:
        session = await pair.session()
        bridge = Bridge(pair, user, reports)
        assert pair.agent.elicitor is not None
        options.setdefault("on_report", reports.append)
        bridge.forward = forward(pair.agent.elicitor, session=session.id, **options)
        over = url or InMemoryTransport(served)
        async with mcp_client(over, bridge.forward, mode=speaks, message_handler=hear) as client:
            bridge.client = client
            try:
                yield bridge
            finally:
                await bridge.drop_calls()


def said(result: CallToolResult) -> str:
    """What a tool returned, as text."""
    return "".join(block.text for block in result.content if block.type == "text")

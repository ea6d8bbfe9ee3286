"""An MCP client put together for an agent: its handlers, its transports, its end."""

import sys
from typing import Any

import httpx2
import pytest
from mcp import MCPError, StdioServerParameters

from acp_elicitation.bridges.mcp.client import mcp_client
from acp_elicitation.protocol.answers import Accepted
from tests.unit.bridges.mcp.bridged import bridged
from tests.unit.bridges.mcp.servers import asking, link, with_tool


async def test_the_agents_own_handler_hears_of_every_message_too() -> None:
    heard: list[Any] = []

    async def hear(message: Any) -> None:
        heard.append(message.method)

    async def ask(ctx: Any) -> None:
        await ctx.session.elicit_url("Connect.", "https://mcp.example/", "one")
        await ctx.session.send_elicit_complete("one")

    async with bridged(with_tool(ask), hear=hear) as bridge:
        call = bridge.call()
        prompt = await bridge.user.next_link()
        bridge.user.reply(prompt, Accepted(None))
        await call
        await prompt.completed.wait()
    assert heard == ["notifications/elicitation/complete"]


async def test_the_end_of_the_connection_is_the_end_of_its_pages() -> None:
    async with bridged(asking(link())[0]) as bridge:
        call = bridge.call()
        bridge.user.reply(await bridge.user.next_link(), Accepted(None))
        await call
        links = bridge.forward.pages.links
        assert len(links) == 1
    assert len(links) == 0


async def test_a_server_is_started_by_its_command() -> None:
    gone = StdioServerParameters(command=sys.executable, args=["-c", "pass"])
    async with bridged(asking()[0]) as bridge:
        with pytest.raises(ExceptionGroup) as caught:
            async with mcp_client(gone, bridge.forward, mode="legacy"):
                raise AssertionError("it has ended at once")
    assert caught.group_contains(MCPError, match="Connection closed")


async def test_a_url_is_a_server_over_http() -> None:
    async with bridged(asking()[0]) as bridge:
        with pytest.raises(ExceptionGroup) as caught:
            async with mcp_client("http://127.0.0.1:1/mcp", bridge.forward, mode="legacy"):
                raise AssertionError("nobody listens there")
    assert caught.group_contains(httpx2.ConnectError)

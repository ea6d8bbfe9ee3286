"""An MCP client put together for an agent: its handlers, its transports, its end."""

import asyncio
import contextlib
import socket
import sys
from collections.abc import AsyncIterator
from typing import Any

import pytest
import uvicorn
from mcp import MCPError, StdioServerParameters
from mcp.client._memory import InMemoryTransport
from mcp.server.mcpserver import MCPServer

from acp_elicitation.bridges.mcp.client import mcp_client
from acp_elicitation.protocol.answers import Accepted
from tests.unit.bridges.mcp.bridged import BOTH, bridged, said
from tests.unit.bridges.mcp.servers import asking, form, link, with_tool


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
        with pytest.raises(MCPError, match="Connection closed"):
            async with mcp_client(gone, bridge.forward, mode="legacy"):
                raise AssertionError("it has ended at once")


async def test_what_is_raised_in_the_block_comes_out_of_it_as_it_is() -> None:
    server, _ = asking()
    async with bridged(server) as bridge:
        with pytest.raises(ZeroDivisionError):
            async with mcp_client(InMemoryTransport(server), bridge.forward):
                raise ZeroDivisionError
        with pytest.raises(ExceptionGroup, match="two"):
            async with mcp_client(InMemoryTransport(server), bridge.forward):
                raise ExceptionGroup("two", [ValueError(), KeyError()])


@contextlib.asynccontextmanager
async def over_http(server: MCPServer) -> AsyncIterator[str]:
    """Serve over Streamable HTTP on loopback; yields the URL."""
    serving = uvicorn.Server(uvicorn.Config(server.streamable_http_app(), log_config=None))
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        running = asyncio.create_task(serving.serve([listening]))
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}/mcp"
        finally:
            serving.should_exit = True
            await running


@pytest.mark.parametrize("speaks", BOTH)
async def test_a_url_is_a_server_over_http(speaks: str) -> None:
    server, answers = asking(form())
    async with over_http(server) as url, bridged(server, speaks=speaks, url=url) as bridge:
        call = bridge.call()
        bridge.user.reply(await bridge.user.next_form(), Accepted({"name": "Ada"}))
        assert said(await call) == "done"
    assert [answer.content for answer in answers] == [{"name": "Ada"}]

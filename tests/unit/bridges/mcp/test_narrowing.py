"""What a server learns of its client's modes, in both generations of the protocol."""

from typing import Any

import pytest
from mcp import Client
from mcp.client._memory import InMemoryTransport
from mcp.server.mcpserver import Context, MCPServer
from mcp.types import ElicitResult, ListRootsResult

from acp_elicitation.bridges.mcp.capabilities import mcp_capability
from acp_elicitation.bridges.mcp.narrowing import narrowed
from acp_elicitation.protocol.capabilities import Mode
from tests.unit.bridges.mcp.bridged import BOTH, bridged

MODES: list[tuple[Mode, ...]] = [("form",), ("url",), ("form", "url"), ()]


def listening() -> tuple[MCPServer, list[Any], list[Any]]:
    """A server, and what its client advertised and sent as `_meta` with each call."""
    server, heard, metas = MCPServer("files"), list[Any](), list[Any]()

    @server.tool()
    async def ask(ctx: Context) -> None:
        capabilities = ctx.client_capabilities
        assert capabilities is not None
        heard.append(capabilities.model_dump(exclude_none=True).get("elicitation"))
        metas.append(dict(ctx.request_context.meta or {}))

    return server, heard, metas


@pytest.mark.requirement("CAP-4")
@pytest.mark.parametrize("modes", MODES)
@pytest.mark.parametrize("speaks", BOTH)
async def test_a_server_hears_of_the_modes_of_the_acp_client_and_of_no_other(
    speaks: str, modes: tuple[Mode, ...]
) -> None:
    server, heard, _ = listening()
    async with bridged(server, speaks=speaks, modes=modes) as bridge:
        await bridge.call()
    assert heard == [mcp_capability(modes)]


@pytest.mark.parametrize("speaks", BOTH)
async def test_what_is_not_elicitation_passes_as_it_is(speaks: str) -> None:
    server, heard, metas = listening()

    async def refuse(context: object, params: object) -> ElicitResult:
        return ElicitResult(action="decline")

    async def roots(context: object) -> ListRootsResult:
        return ListRootsResult(roots=[])

    meta: Any = {"mine": {"elicitation": {"form": {}}}}
    transport = narrowed(InMemoryTransport(server), ["url"])
    async with Client(
        transport, mode=speaks, elicitation_callback=refuse, list_roots_callback=roots
    ) as client:
        await client.call_tool("ask", {}, meta=meta)
    assert heard == [{"url": {}}]
    assert metas[0]["mine"] == {"elicitation": {"form": {}}}


async def test_a_client_that_advertises_nothing_is_left_as_it_is() -> None:
    server, heard, _ = listening()
    async with Client(narrowed(InMemoryTransport(server), ["form"]), mode="legacy") as client:
        await client.call_tool("ask", {})
    assert heard == [None]

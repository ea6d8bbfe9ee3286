"""Questions on their way to an MCP client: keys, states, and completions that nobody takes."""

import asyncio
from typing import Any

import pytest
from mcp import Client
from mcp.client._memory import InMemoryTransport
from mcp.server.mcpserver import Context, MCPServer

from acp_elicitation.bridges.mcp.carrying import ByRequests, ByResults, Paused, read_state
from acp_elicitation.protocol.errors import RemoteError

ASKED: dict[str, Any] = {
    "mode": "form",
    "sessionId": "mcp",
    "message": "Who?",
    "requestedSchema": {"type": "object", "properties": {}},
}
PAGE = {"mode": "url", "message": "Go.", "url": "https://a.example/", "elicitationId": "one"}
CREATE = "elicitation/create"


async def key_of(params: dict[str, Any]) -> str:
    channel = ByResults({})
    with pytest.raises(Paused):
        await channel.request(CREATE, params)
    [key] = channel.open
    return key


async def test_the_key_of_a_question_is_that_of_its_words_and_not_of_its_ids() -> None:
    assert await key_of(ASKED) == await key_of({**ASKED, "sessionId": "other"})
    assert await key_of(PAGE) == await key_of({**PAGE, "elicitationId": "two"})
    assert await key_of(ASKED) != await key_of({**ASKED, "message": "Where?"})
    assert await key_of(PAGE) != await key_of({**PAGE, "url": "https://b.example/"})


async def test_an_answer_of_a_round_before_is_kept_for_the_next() -> None:
    answer = {"action": "accept", "content": {}}
    channel = ByResults({await key_of(ASKED): answer, "of-another": {"action": "cancel"}})
    assert await channel.request(CREATE, ASKED) == answer
    with pytest.raises(Paused):
        await channel.request(CREATE, PAGE)
    assert read_state(channel.state) == {await key_of(ASKED): answer}


@pytest.mark.parametrize("state", [None, "", "{", "[]", '{"a": 1}', "\ud800", '{"a":' * 9999])
def test_a_state_that_is_none_has_no_answers(state: str | None) -> None:
    assert read_state(state) == {}


async def test_no_other_request_is_carried() -> None:
    with pytest.raises(RemoteError) as caught:
        await ByResults({}).request("session/request_permission", {})
    assert caught.value.code == -32601


async def test_a_completion_that_nobody_takes_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    server, channels = MCPServer("files"), list[ByRequests]()

    @server.tool()
    async def tool(ctx: Context) -> None:
        channels.append(ByRequests(ctx))

    async with Client(InMemoryTransport(server), mode="legacy") as client:
        await client.call_tool("tool")
    channels[0].notify("elicitation/complete", {"elicitationId": 7})
    channels[0].notify("session/update", {})
    [telling] = channels[0].telling
    await asyncio.wait([telling])
    assert "telling a completion failed" in caplog.text

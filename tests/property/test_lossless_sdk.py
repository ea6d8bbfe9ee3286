"""What goes into the bridge of the official Python SDK comes out of it, as JSON and in order.

Ten thousand questions and as many answers, with what nobody knows in every place (`tests.spelled`).
A recorder at each end compares; what the SDK does not let through is held here as well.
"""

import asyncio
import contextlib
import json
import socket
from collections.abc import AsyncIterator
from typing import Any, cast

import acp
import pytest
from acp.agent.connection import AgentSideConnection

from acp_elicitation.bridges.acp_sdk import elicit_over, respond_over, stream_transport
from acp_elicitation.client.prompts import FormPrompt, LinkPrompt, Prompt
from acp_elicitation.client.responder import Responder
from acp_elicitation.protocol.answers import Declined
from acp_elicitation.protocol.errors import RemoteError
from tests.spelled import questions_and_answers, read_in_order

COUNT = 10_000
_LIMIT = 50.0
HELLO = {"protocolVersion": 1, "clientCapabilities": {"elicitation": {"form": {}, "url": {}}}}


async def next_line(reader: asyncio.StreamReader) -> bytes:
    async with asyncio.timeout(_LIMIT):
        return await reader.readline()


@contextlib.asynccontextmanager
async def wire() -> AsyncIterator[tuple[Any, asyncio.StreamReader, asyncio.StreamWriter]]:
    """Yield a transport of the bridge, and the other end of its lines."""
    here, there = socket.socketpair()
    reader, writer = await asyncio.open_connection(sock=here)
    end = await asyncio.open_connection(sock=there, limit=1024 * 1024)
    transport = stream_transport(reader, writer)
    try:
        yield transport, *end
    finally:
        end[1].close()
        await transport.close()


def in_order(value: Any) -> Any:
    """Return a value to be compared, with the order of its members."""
    return read_in_order(json.dumps(value))


def member(name: str, line: bytes) -> Any:
    """Return one member of a message to be compared, with the order of its own members."""
    return dict(read_in_order(line))[name]


def response(id: object, result: object) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": id, "result": result}).encode() + b"\n"


class Recorder:
    """A presenter that declines everything and keeps what it was asked last, as it came."""

    last: object = None

    async def form(self, prompt: FormPrompt) -> Declined:
        self.last = prompt.request.raw
        return Declined()

    async def link(self, prompt: LinkPrompt) -> Declined:
        self.last = prompt.request.raw
        return Declined()

    async def withdraw(self, prompt: Prompt, why: Any) -> None:
        """Nothing is taken back here."""


class Echo:
    """Either side on the SDK: an extension method returns its own params."""

    async def initialize(self, *_: Any, **__: Any) -> acp.InitializeResponse:
        return acp.InitializeResponse(protocol_version=1)

    async def ext_method(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        return params


@pytest.mark.requirement("FWD-1", "FWD-2", "FWD-3", "FWD-4", "FWD-7", "FWD-8", "FWD-9", "URL-4")
async def test_a_client_on_the_sdk_is_shown_questions_as_they_came() -> None:
    recorder = Recorder()
    async with wire() as (transport, reader, writer):
        bridge = respond_over(transport, Responder(recorder))
        connection = acp.connect_to_agent(cast("acp.Client", Echo()), bridge)
        hello = asyncio.create_task(connection.initialize(protocol_version=1))
        writer.write(response(json.loads(await next_line(reader))["id"], {"protocolVersion": 1}))
        await hello
        for question in questions_and_answers(COUNT)[0]:
            message = json.loads(question)
            writer.write(question)
            answer = json.loads(await next_line(reader))
            assert answer["id"] == message["id"]
            if message["params"]["mode"] == "_later":
                assert answer["error"]["code"] == -32602
            else:
                assert answer["result"] == {"action": "decline"}
                assert in_order(recorder.last) == member("params", question)
        await connection.close()


@pytest.mark.requirement("FWD-7", "FWD-8", "FWD-9", "RES-6")
async def test_an_agent_on_the_sdk_asks_and_is_answered_without_a_loss() -> None:
    async with wire() as (transport, reader, writer):
        bridge = elicit_over(transport)
        connection = AgentSideConnection(cast("acp.Agent", Echo()), bridge, listening=True)
        writer.write(b'{"jsonrpc":"2.0","id":0,"method":"initialize","params":%s}\n'
                     % json.dumps(HELLO).encode())  # fmt: skip
        await next_line(reader)
        for question, answer in zip(*questions_and_answers(COUNT), strict=True):
            said = json.loads(answer)
            asking = asyncio.create_task(
                bridge.request("elicitation/create", json.loads(question)["params"])
            )
            sent = await next_line(reader)
            assert member("params", sent) == member("params", question)
            writer.write(json.dumps({**said, "id": json.loads(sent)["id"]}).encode() + b"\n")
            if "error" in said:
                with pytest.raises(RemoteError) as raised:
                    await asking
                assert in_order(raised.value.data) == in_order(said["error"].get("data"))
            else:
                assert in_order(await asking) == member("result", answer)
        await connection.close()


class Watcher(Echo):
    """A client on the SDK that keeps the last update of a session."""

    last: object = None

    async def session_update(self, session_id: str, update: Any, **_: Any) -> None:
        self.last = update


SPELLINGS = [
    ("1e0", "1.0"),
    ("1E+2", "100.0"),
    ("-0", "0"),
    ("-0.0", "-0.0"),
    ("0.10000000000000000000001", "0.1"),
    ("1e400", "null"),
    ("1" * 4300, "1" * 4300),
    (r'"\u0041\/"', '"A/"'),
    ("[ 1 ,2]", "[1,2]"),
    ('{"a":1,"b":2,"a":3}', '{"a":3,"b":2}'),
]


async def test_what_the_bridge_keeps_of_a_value_is_what_it_says_and_not_how_it_is_spelled() -> None:
    async with wire() as (transport, reader, writer):
        connection: Any = AgentSideConnection(
            cast("acp.Agent", Echo()), elicit_over(transport), listening=True
        )
        for sent, kept in (("1" * 4301, ""), *SPELLINGS):
            writer.write(
                b'{"jsonrpc":"2.0","id":1,"method":"_interop/echo","params":{"v":%s}}\n'
                % sent.encode()
            )
            if kept:  # else the line is skipped
                assert b'"result":{"v":%s}}' % kept.encode() in await next_line(reader)
        await connection.close()


async def test_unknown_members_of_an_update_end_at_the_models_of_the_sdk() -> None:
    watcher = Watcher()
    async with wire() as (transport, reader, writer):
        bridge = respond_over(transport, Responder(Recorder()))
        connection = acp.connect_to_agent(cast("acp.Client", watcher), bridge)
        content = {"type": "text", "text": "Hello", "_x": 1}
        update = {"sessionUpdate": "agent_message_chunk", "content": content, "_y": 2}
        params = {"sessionId": "s", "update": update}
        writer.write(json.dumps({"jsonrpc": "2.0", "method": "session/update", "params": params})
                     .encode() + b"\n")  # fmt: skip
        echo = {"jsonrpc": "2.0", "id": 1, "method": "_interop/echo", "params": {}}
        writer.write(json.dumps(echo).encode() + b"\n")
        await next_line(reader)
        said = cast("Any", watcher.last).model_dump_json(by_alias=True, exclude_none=True)
        assert "Hello" in said
        assert "_x" not in said
        assert "_y" not in said
        await connection.close()


@pytest.mark.requirement("FWD-7", "FWD-8", "FWD-9")
@pytest.mark.parametrize("side", ["client", "agent"])
async def test_what_belongs_to_the_sdk_reaches_it_through_the_bridge_as_it_came(side: str) -> None:
    async with wire() as (transport, reader, writer):
        connection: Any
        if side == "client":
            bridge = respond_over(transport, Responder(Recorder()))
            connection = acp.connect_to_agent(cast("acp.Client", Echo()), bridge)
        else:
            connection = AgentSideConnection(
                cast("acp.Agent", Echo()), elicit_over(transport), listening=True
            )
        for question in questions_and_answers(COUNT)[0][:1_000]:
            message = {**json.loads(question), "jsonrpc": "2.0", "method": "_interop/echo"}
            writer.write(json.dumps(message).encode() + b"\n")
            assert member("result", await next_line(reader)) == member("params", question)
        await connection.close()

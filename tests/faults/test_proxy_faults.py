"""The proxy between a client and an agent that are hostile, broken or gone."""

import asyncio
import socket
import sys
from typing import Any

import pytest

from acp_elicitation.protocol.answers import Accepted
from tests.unit.bridges.proxy.proxied import (
    CONFIRM,
    ECHO,
    LIMIT,
    TEXT,
    OneAnswer,
    proxied,
)

DEEP = 100_000


@pytest.mark.requirement("FWD-8")
@pytest.mark.parametrize(
    "line",
    [
        b"[" * DEEP + b"\n",
        b'{"method":"session/update","params":' + b'{"a":' * DEEP + b"1" + b"}" * DEEP + b"}\n",
        b'{"a":"' + b"x" * 20_000_000 + b'"}\n',
        b'{"a":' + b"1" * 100_000 + b"}\n",
        b'{"id":1e999,"method":[],"params":"\\ud800"}\n',
        b'{"id":{},"method":"initialize","params":[]}\n',
        b'{"id":1,"id":2,"method":"a","method":{}}\n',
        b'{"id":null,"result":null}\n',
        b'{"method":"$/cancel_request","params":{"requestId":[]}}\n',
        b'{"method":"elicitation/complete","params":7}\n',
        b"\x00\xff\r\n",
    ],
    ids=lambda line: repr(line[:30]),
)
async def test_a_line_that_nobody_can_make_sense_of_passes_both_ways(line: bytes) -> None:
    async with proxied(ECHO, presenter=OneAnswer(None)) as proxy:
        proxy.client.say(line)
        assert await proxy.client.hear() == line


async def test_an_initialize_that_is_nested_too_deeply_passes_as_it_is() -> None:
    deep = b'{"id":0,"method":"initialize","params":{"protocolVersion":1,"_meta":'
    line = deep + b"[" * DEEP + b"]" * DEEP + b"}}\n"
    async with proxied(ECHO, presenter=OneAnswer(None)) as proxy:
        proxy.client.say(line)
        assert await proxy.client.hear() == line


async def test_half_a_line_at_the_end_of_the_agent_passes_and_ends_nothing_early() -> None:
    half = '{"jsonrpc":"2.0","method":"session/upda'
    agent = [sys.executable, "-c", f"print('{{}}'); print({half!r}, end='')"]
    async with proxied(agent) as proxy:
        assert await proxy.client.hear() == b"{}\n"
        async with asyncio.timeout(LIMIT):
            assert await proxy.status == 0
        rest = await proxy.client._reader.readexactly(len(half))
        assert rest == half.encode()


async def test_half_a_line_at_the_end_of_the_client_reaches_the_agent() -> None:
    async with proxied(ECHO) as proxy:
        proxy.client.say(b'{"id":1}\n{"half')
        proxy.client.leave()
        assert await proxy.client.hear() == b'{"id":1}\n'
        async with asyncio.timeout(LIMIT):
            assert await proxy.client._reader.readexactly(6) == b'{"half'
            assert await proxy.status == 0


@pytest.mark.requirement("REQ-6")
async def test_ids_of_the_two_directions_do_not_mix() -> None:
    async with proxied(presenter=OneAnswer(Accepted({"name": "Ada"}))) as proxy:
        await proxy.initialize()
        # The client has a call 7 under way, the agent asks with the same id, and each is answered.
        proxy.client.tell(id=7, method="_slow")
        assert (await proxy.told())["id"] == 7
        proxy.have_said(id=7, method="elicitation/create", params=TEXT)
        assert (await proxy.told())["result"]["action"] == "accept"
        proxy.have_said(id=7, result="of the call")
        assert (await proxy.client.hear_message())["result"] == "of the call"


async def test_a_second_question_with_an_id_in_use_is_refused_and_the_first_goes_on() -> None:
    async with proxied(permission=True) as proxy:
        await proxy.initialize()
        proxy.have_said(id=7, method="elicitation/create", params=CONFIRM)
        asked = await proxy.client.hear_message()
        proxy.have_said(id=7, method="elicitation/create", params=CONFIRM)
        assert (await proxy.told())["error"]["code"] == -32600
        outcome = {"outcome": "selected", "optionId": "answer-0"}
        proxy.client.tell(id=asked["id"], result={"outcome": outcome})
        assert (await proxy.told())["result"]["action"] == "accept"


async def test_an_answer_that_the_client_gives_to_nobody_is_dropped_or_passed() -> None:
    async with proxied(permission=True) as proxy:
        await proxy.initialize()
        proxy.have_said(id=7, method="elicitation/create", params=CONFIRM)
        asked = await proxy.client.hear_message()
        for result in ({}, {"outcome": 3}):  # the second is too late
            proxy.client.tell(id=asked["id"], result=result)
        assert (await proxy.told())["result"]["action"] == "cancel"
        proxy.client.tell(id=99, result={"action": "accept"})
        assert (await proxy.told())["id"] == 99


@pytest.mark.requirement("RES-5")
async def test_a_question_that_is_taken_back_in_the_same_breath_is_answered_once() -> None:
    async with proxied(permission=True) as proxy:
        await proxy.initialize()
        cancel = {"jsonrpc": "2.0", "method": "$/cancel_request", "params": {"requestId": 7}}
        proxy.have_said(id=7, method="elicitation/create", params=CONFIRM)
        proxy.client.tell(method="say", params=cancel)
        proxy.client.tell(method="session/cancel", params={"sessionId": "s1"})
        told: dict[str, Any] = {}
        answers = []
        while told.get("method") != "_end":
            message = await proxy.client.hear_message()
            told = message["params"] if message.get("method") == "heard" else {}
            if told.get("id") == 7:
                answers.append(told)
                proxy.client.tell(method="_end")
        assert len(answers) == 1
        # The session's end may overtake the agent's own taking back, which goes a way round.
        if "error" in answers[0]:
            assert answers[0]["error"]["code"] == -32800
        else:
            assert answers[0]["result"] == {"action": "cancel"}


@pytest.mark.requirement("RES-5")
async def test_a_client_that_reads_no_more_is_the_end_of_the_agent() -> None:
    presenter = OneAnswer(None)
    async with proxied(presenter=presenter) as proxy:
        await proxy.initialize()
        proxy.have_said(id=7, method="elicitation/create", params=TEXT)
        await presenter.asked.wait()
        proxy.client._writer.get_extra_info("socket").shutdown(socket.SHUT_RD)
        proxy.have_said(method="session/update", params={})
        async with asyncio.timeout(LIMIT):
            assert await proxy.status == 0
        assert presenter.withdrawn.is_set()


FLOOD = """
import json, os, sys, time
os.set_blocking(1, False)
hello = json.loads(sys.stdin.readline())
def send(**message):
    os.write(1, json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\\n")
send(id=hello["id"], result={"protocolVersion": 1})
asked, held_up_since = 0, None
while asked < 50_000 and (held_up_since is None or time.monotonic() - held_up_since < 1):
    try:
        send(id=asked, method="elicitation/create", params={})
        asked, held_up_since = asked + 1, None
    except BlockingIOError:
        held_up_since = held_up_since or time.monotonic()
        time.sleep(0.01)
sys.exit(7 if asked == 50_000 else 0)
"""


async def test_an_agent_that_asks_without_reading_the_answers_is_held_up() -> None:
    async with proxied([sys.executable, "-c", FLOOD], presenter=OneAnswer(None)) as proxy:
        proxy.client.tell(id=0, method="initialize", params={"protocolVersion": 1})
        await proxy.client.hear_message()
        async with asyncio.timeout(LIMIT):
            assert await proxy.status == 0

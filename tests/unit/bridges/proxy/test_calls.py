"""The proxy's own calls of the client: their ids, their end, and a client that does not read."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from acp_elicitation.bridges.proxy.calls import ClientCalls
from acp_elicitation.bridges.proxy.line import Line, Opaque, Passing, look_into
from acp_elicitation.protocol.errors import ConnectionLost, RemoteError
from tests.unit.bridges.proxy.wires import End, wire


@asynccontextmanager
async def calling() -> AsyncIterator[tuple[ClientCalls, asyncio.Task[object], End, str]]:
    """Have a call of the client under way; yields its id as well."""
    async with wire() as (_, writer, end):
        calls = ClientCalls(writer)
        call = asyncio.create_task(calls.call("m", {"a": 1}))
        asked = await end.hear_message()
        assert (asked["method"], asked["params"]) == ("m", {"a": 1})
        try:
            yield calls, call, end, asked["id"]
        finally:
            call.cancel()
            await asyncio.wait([call])


def line(**members: Any) -> Passing:
    read = look_into(Opaque(json.dumps(members).encode()))
    assert isinstance(read, Line)
    return read


async def test_the_response_ends_the_call_and_is_not_passed_on() -> None:
    async with calling() as (calls, call, _, id):
        assert calls.take(line(id=id, result={"b": 2}))
        assert await call == {"b": 2}


async def test_what_is_no_response_to_a_call_of_ours_is_left_to_pass() -> None:
    async with calling() as (calls, call, _, id):
        others = (line(id=id[:-1] + "x"), line(id=7, result=1), line(result=1), Opaque(b"x\n"))
        assert not calls.take(line(id=id, method="m"))
        assert not any(calls.take(other) for other in others[1:])
        assert calls.take(others[0])  # ours by its beginning, and nobody waits for it
        assert not call.done()


@pytest.mark.parametrize(
    ("error", "code"), [({"code": -32601, "message": "no"}, -32601), (None, -32603), (3, -32603)]
)
async def test_an_error_is_raised(error: object, code: int) -> None:
    async with calling() as (calls, call, _, id):
        assert calls.take(line(id=id, error=error))
        with pytest.raises(RemoteError) as raised:
            await call
        assert raised.value.code == code


async def test_a_call_that_is_cancelled_is_cancelled_at_the_client_and_its_answer_is_dropped() -> (
    None
):
    async with calling() as (calls, call, end, id):
        call.cancel()
        cancel = await end.hear_message()
        assert (cancel["method"], cancel["params"]) == ("$/cancel_request", {"requestId": id})
        assert calls.take(line(id=id, result=1))


@pytest.mark.requirement("RES-5")
async def test_a_client_that_is_gone_ends_what_waits_and_is_asked_nothing_more() -> None:
    async with calling() as (calls, call, _, _):
        calls.lose()
        for asked in (call, calls.call("m", {})):
            with pytest.raises(ConnectionLost):
                await asked
        with pytest.raises(ConnectionLost):
            await calls.tell("m", {})


async def test_a_client_that_does_not_read_is_asked_and_told_no_more_than_it_takes() -> None:
    async with wire() as (_, writer, end):
        calls = ClientCalls(writer)
        writer.put({"filler": "x" * 8_000_000})
        asking = [asyncio.create_task(calls.call("ask", {})) for _ in range(3)]
        telling = asyncio.create_task(calls.tell("tell", {}))
        for _ in range(5):
            await asyncio.sleep(0)
        for task in (*asking, telling):
            assert not task.done()
        asking[0].cancel()  # it was never asked: there is nothing to cancel at the client
        await end.hear()
        await telling
        heard = [(await end.hear_message())["method"] for _ in range(3)]
        assert sorted(heard) == ["ask", "ask", "tell"]
        calls.lose()
        await asyncio.wait(asking)

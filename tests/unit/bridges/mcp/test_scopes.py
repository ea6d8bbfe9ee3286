"""Which tool call a question belongs to: that of its own task, or the only one that runs."""

import asyncio

import pytest

from acp_elicitation.bridges.mcp.links import ServerPage
from acp_elicitation.bridges.mcp.scopes import Calls


@pytest.mark.requirement("REQ-2")
def test_without_a_call_it_is_the_one_that_was_given_from_the_start() -> None:
    assert Calls("first").tool_call == "first"
    assert Calls().tool_call is None


def test_within_a_call_it_is_that_of_the_call() -> None:
    calls = Calls("first")
    with calls.running("second"):
        assert calls.tool_call == "second"
        with calls.running("third"):
            assert calls.tool_call == "third"
        assert calls.tool_call == "second"
    assert calls.tool_call == "first"


def test_a_call_without_an_id_leaves_the_one_from_the_start() -> None:
    calls = Calls("first")
    with calls.running(None):
        assert calls.tool_call == "first"


async def test_beside_one_call_it_is_that_call_and_beside_two_it_is_neither() -> None:
    calls, both, seen = Calls(), asyncio.Event(), asyncio.Event()

    async def call(name: str) -> str | None:
        with calls.running(name):
            await both.wait()
            here = calls.tool_call
            await seen.wait()
            return here

    one = asyncio.create_task(call("one"))
    await asyncio.sleep(0)
    beside_one = calls.tool_call
    two = asyncio.create_task(call("two"))
    await asyncio.sleep(0)
    beside_two = calls.tool_call
    both.set()
    seen.set()
    assert [beside_one, beside_two] == ["one", None]
    assert list(await asyncio.gather(one, two)) == ["one", "two"]


def test_the_calls_of_one_server_are_not_those_of_another() -> None:
    calls, others = Calls(), Calls("other")
    with calls.running("one"):
        assert others.tool_call == "other"


def test_a_page_belongs_to_the_call_that_opened_it() -> None:
    calls, page = Calls(), ServerPage("https://mcp.example/", None)
    calls.opened(page)  # by no call: nobody waits for it
    with calls.running("one") as call:
        calls.opened(page)
    assert call.pages == [page]

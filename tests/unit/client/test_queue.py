"""Whose turn it is."""

import asyncio

import pytest

from acp_elicitation.client.queue import PromptQueue


async def test_turns_are_given_in_the_order_of_asking() -> None:
    queue = PromptQueue()
    order: list[int] = []

    async def take(number: int) -> None:
        await queue.take_turn()
        order.append(number)
        queue.end_turn()

    await queue.take_turn()
    tasks = [asyncio.create_task(take(number)) for number in range(5)]
    while queue.waiting < 5:
        await queue.waiting_changed()
    queue.end_turn()
    await asyncio.gather(*tasks)
    assert order == [0, 1, 2, 3, 4]
    assert queue.waiting == 0


async def test_who_gives_up_waiting_is_not_counted_any_more() -> None:
    queue = PromptQueue()
    await queue.take_turn()
    task = asyncio.create_task(queue.take_turn())
    assert await queue.waiting_changed() == 1
    task.cancel()
    assert await queue.waiting_changed() == 0
    queue.end_turn()
    await queue.take_turn()
    assert queue.waiting == 0


async def test_a_notice_ends_when_a_turn_is_taken() -> None:
    queue = PromptQueue()
    ended = asyncio.Event()

    async def notice() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    queue.put_in_background(notice())
    await asyncio.sleep(0)
    await queue.take_turn()
    assert ended.is_set()


async def test_a_notice_replaces_the_one_before_it() -> None:
    queue = PromptQueue()
    seen: list[str] = []

    async def notice(name: str) -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            seen.append(name)

    queue.put_in_background(notice("first"))
    await asyncio.sleep(0)
    queue.put_in_background(notice("second"))
    await asyncio.sleep(0)
    assert seen == ["first"]
    await queue.clear_background()
    await queue.background_done()
    assert seen == ["first", "second"]


async def test_who_is_cancelled_while_a_notice_goes_gives_the_turn_back() -> None:
    queue = PromptQueue()
    going = asyncio.Event()
    leave = asyncio.Event()

    async def notice() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            going.set()
            await leave.wait()

    queue.put_in_background(notice())
    await asyncio.sleep(0)
    task = asyncio.create_task(queue.take_turn())
    await going.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    leave.set()
    await queue.take_turn()
    assert queue.waiting == 0

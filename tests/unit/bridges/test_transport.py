"""The order of what two senders put on one transport."""

import asyncio
import logging
from typing import Any

import pytest

from acp_elicitation.bridges.transport import Outbox, Transport
from tests.unit.bridges.raw import MemoryTransport, pair, settle


class Held(MemoryTransport):
    """A transport that begins to send a message, and goes on when the test lets it."""

    def __init__(self) -> None:
        super().__init__(asyncio.Queue(), asyncio.Queue())
        self.begun: list[Any] = []
        self.go_on = asyncio.Event()

    async def send(self, message: Any) -> None:
        self.begun.append(message["n"])
        await self.go_on.wait()
        await super().send(message)


def test_what_the_sdk_takes_for_a_transport_is_one() -> None:
    assert isinstance(pair()[0], Transport)


async def test_messages_go_out_in_the_order_of_both_senders() -> None:
    ours, raw = pair()
    outbox = Outbox(ours)
    outbox.put({"n": 0})
    first = asyncio.create_task(outbox.send({"n": 2}))
    outbox.put({"n": 1})  # the task that sends 2 has not begun
    await first
    await outbox.send({"n": 3})
    assert [(await raw.hear())["n"] for _ in range(4)] == [0, 1, 2, 3]


async def test_one_that_waits_holds_up_no_other() -> None:
    held = Held()
    outbox = Outbox(held)
    outbox.put({"n": 0})
    outbox.put({"n": 1})
    await settle()
    assert held.begun == [0, 1]
    held.go_on.set()
    await settle()
    assert held.outbox.qsize() == 2


async def test_a_cancelled_sender_does_not_take_its_message_back() -> None:
    ours, raw = pair()
    outbox = Outbox(ours)
    sending = asyncio.create_task(outbox.send({"n": 0}))
    await asyncio.sleep(0)
    sending.cancel()
    await asyncio.wait([sending])
    assert sending.cancelled()
    assert await raw.hear() == {"n": 0}


async def test_whoever_waits_gets_the_transports_exception_and_nobody_logs_the_message(
    caplog: pytest.LogCaptureFixture,
) -> None:
    ours, _ = pair()
    await ours.close()
    outbox = Outbox(ours)
    with caplog.at_level(logging.DEBUG):
        with pytest.raises(ConnectionError):
            await outbox.send({"secret": "hunter2"})
        outbox.put({"secret": "hunter2"})
        await settle()
    assert "ConnectionError" in caplog.text
    assert "hunter2" not in caplog.text


async def test_what_was_handed_over_before_the_end_is_sent_and_nothing_after() -> None:
    ours, raw = pair()
    outbox = Outbox(ours)
    outbox.put({"n": 0})
    await outbox.close()
    assert await raw.hear() == {"n": 0}
    assert await raw.receive() is None
    assert outbox.put({"n": 1}) is None
    with pytest.raises(ConnectionError):
        await outbox.send({"n": 2})
    assert raw.heard_all


async def test_a_message_that_the_transport_does_not_take_does_not_hold_up_the_end() -> None:
    held = Held()
    outbox = Outbox(held)
    stuck = outbox.put({"n": 0})
    assert stuck is not None
    await outbox.close()
    await asyncio.wait([stuck])
    assert stuck.cancelled()


async def test_there_is_no_room_while_too_much_is_on_its_way() -> None:
    held = Held()
    outbox = Outbox(held)
    for number in range(1_000):
        await outbox.has_room()
        outbox.put({"n": number})
    waiting = asyncio.create_task(outbox.has_room())
    await settle()
    assert not waiting.done()
    held.go_on.set()
    await waiting
    assert held.outbox.qsize() == 1_000


async def test_whoever_waits_for_room_goes_on_when_the_transport_is_closed() -> None:
    outbox = Outbox(Held())
    for number in range(1_000):
        outbox.put({"n": number})
    waiting = asyncio.create_task(outbox.has_room())
    await settle()
    await outbox.close()
    await waiting
    assert outbox.put({"n": 0}) is None

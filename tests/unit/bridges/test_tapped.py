"""What the wrappers of both sides share: messages that are looked at on their way."""

import asyncio
from typing import Any

import pytest

from acp_elicitation.bridges.tapped import INVALID_REQUEST, TappedTransport
from acp_elicitation.bridges.transport import Message
from tests.unit.bridges.raw import LIMIT, MemoryTransport, pair, settle


class Tapped(TappedTransport):
    """Takes what has the member `ours`, and answers it with what that says."""

    def __init__(self, transport: MemoryTransport) -> None:
        super().__init__(transport)
        self.seen: list[Message] = []
        self.lost = 0

    def _look_at_outgoing(self, message: Message) -> Message:
        self.seen.append(message)
        return {**message, "seen": True} if "mark" in message else message

    def _take(self, message: Message) -> bool:
        if "ours" in message:
            self._reply(message.get("id"), **message["ours"])
        return "ours" in message

    def _lose(self) -> None:
        self.lost += 1


async def test_what_is_not_ours_passes_as_the_same_object() -> None:
    ours, raw = pair()
    tapped = Tapped(ours)
    out: Message = {"id": 1, "_x": [1.0]}
    await tapped.send(out)
    assert await raw.hear() is out
    assert tapped.seen == [out]
    came = await raw.tell(id=2)
    assert await tapped.receive() is came


async def test_what_goes_out_may_be_changed_and_the_sdks_own_message_is_not() -> None:
    ours, raw = pair()
    out: Message = {"mark": 1}
    await Tapped(ours).send(out)
    assert await raw.hear() == {"mark": 1, "seen": True}
    assert out == {"mark": 1}


@pytest.mark.parametrize(
    ("says", "answer"),
    [
        ({"result": {"a": 1}}, {"result": {"a": 1}}),
        ({"result": None}, {"result": None}),
        ({"error": (-1, "no", None)}, {"error": {"code": -1, "message": "no"}}),
        ({"error": (-1, "no", [2])}, {"error": {"code": -1, "message": "no", "data": [2]}}),
    ],
)
async def test_what_is_ours_is_answered_and_never_seen_by_the_sdk(says: Any, answer: Any) -> None:
    ours, raw = pair()
    tapped = Tapped(ours)
    await raw.tell(id=1, ours=says)
    last = await raw.tell(id=2)
    assert await tapped.receive() is last
    assert await raw.hear() == {"jsonrpc": "2.0", "id": 1, **answer}


async def test_an_answer_of_ours_goes_out_in_order_with_the_sdks_own_messages() -> None:
    ours, raw = pair()
    tapped = Tapped(ours)
    await raw.tell(id=1, ours={"result": 1})
    await raw.tell(id=2)
    await tapped.receive()
    await tapped.send({"id": 3})
    assert [(await raw.hear())["id"] for _ in range(2)] == [1, 3]


async def test_what_is_no_object_is_refused_and_the_next_message_comes() -> None:
    ours, raw = pair()
    tapped = Tapped(ours)
    await raw.send([1])
    last = await raw.tell(id=2)
    assert await tapped.receive() is last
    refused = await raw.hear()
    assert (refused["id"], refused["error"]["code"]) == (None, INVALID_REQUEST)


async def test_nothing_is_read_that_would_be_answered_while_too_much_is_on_its_way() -> None:
    class Stuck(MemoryTransport):
        async def send(self, message: Any) -> None:
            await go_on.wait()
            await super().send(message)

    go_on = asyncio.Event()
    inbox: asyncio.Queue[Any] = asyncio.Queue()
    stuck = Stuck(inbox, asyncio.Queue())
    tapped = Tapped(stuck)
    for number in range(1_500):
        inbox.put_nowait({"id": number, "ours": {"result": None}})
    inbox.put_nowait({"id": "last"})
    receiving = asyncio.create_task(tapped.receive())
    await settle(2_500)
    assert inbox.qsize() == 501
    go_on.set()
    async with asyncio.timeout(LIMIT):
        assert await receiving == {"id": "last"}
    assert stuck.outbox.qsize() == 1_500


async def test_the_end_is_the_end_of_what_waits() -> None:
    ours, raw = pair()
    tapped = Tapped(ours)
    await raw.close()
    assert await tapped.receive() is None
    assert tapped.lost == 1


async def test_a_transport_that_fails_ends_what_waits_and_the_sdk_hears_of_it() -> None:
    ours, raw = pair()
    tapped = Tapped(ours)
    await raw.send(ConnectionResetError("gone"))
    with pytest.raises(ConnectionResetError):
        await tapped.receive()
    assert tapped.lost == 1


async def test_closing_ends_what_waits_and_sends_what_was_handed_over() -> None:
    ours, raw = pair()
    tapped = Tapped(ours)
    tapped._reply(1, result=None)
    await tapped.close()
    assert tapped.lost == 1
    assert (await raw.hear())["id"] == 1
    assert ours.closed
    with pytest.raises(ConnectionError):
        await tapped.send({"id": 2})

import asyncio
from collections.abc import AsyncIterator

import pytest

from acp_elicitation.presenters.web.events import Change, Events
from acp_elicitation.text.html import Html

WHOLE = b'{"replace":{"all":"as it is now"},"append":{},"remove":[]}'


@pytest.fixture
def events() -> Events:
    return Events(lambda: Change(replace={"all": "as it is now"}))


def say(events: Events, text: str) -> None:
    events.publish(Change(replace={"a": text}))


async def read(stream: AsyncIterator[bytes], count: int) -> list[bytes]:
    """The next blocks of a stream, without the one that it opens with."""
    blocks: list[bytes] = []
    async with asyncio.timeout(10):
        async for block in stream:
            if not block.startswith(b"retry"):
                blocks.append(block)
            if len(blocks) == count:
                return blocks
    return blocks


async def test_a_tab_gets_what_is_published_after_what_it_has(events: Events) -> None:
    say(events, "1")
    say(events, "2")
    first, second = await read(events.stream(after=0), 2)
    assert first.startswith(b"id: 1\nevent: changed\ndata: {")
    assert b'"1"' in first
    assert second.startswith(b"id: 2\n")
    assert second.endswith(b"\n\n")
    assert await read(events.stream(after=1), 1) == [second]


async def test_a_tab_that_has_all_waits_for_the_next_change(events: Events) -> None:
    say(events, "1")
    reading = asyncio.ensure_future(read(events.stream(after=events.number), 1))
    await asyncio.sleep(0)
    say(events, "2")
    assert (await reading)[0].startswith(b"id: 2\n")


async def test_every_tab_gets_every_change(events: Events) -> None:
    tabs = [asyncio.ensure_future(read(events.stream(after=0), 3)) for _ in range(4)]
    for text in "abc":
        await asyncio.sleep(0)
        say(events, text)
    first, *others = [await tab for tab in tabs]
    assert len(first) == 3
    assert all(other == first for other in others)


@pytest.mark.parametrize("after", [None, 99])
async def test_a_tab_that_has_nothing_known_gets_the_page_as_it_is(
    events: Events, after: int | None
) -> None:
    say(events, "1")
    [block] = await read(events.stream(after), 1)
    assert block == b"id: 1\nevent: changed\ndata: " + WHOLE + b"\n\n"


async def test_a_tab_that_has_missed_too_much_gets_the_page_as_it_is(events: Events) -> None:
    for text in range(300):
        say(events, str(text))
    [block] = await read(events.stream(after=50), 1)
    assert block == b"id: 300\nevent: changed\ndata: " + WHOLE + b"\n\n"
    assert len(await read(events.stream(after=100), 200)) == 200


async def test_what_is_kept_is_bounded_in_bytes(events: Events) -> None:
    for _ in range(4):
        say(events, "x" * 300_000)
    [block] = await read(events.stream(after=0), 1)
    assert WHOLE in block
    assert [len(block) > 300_000 for block in await read(events.stream(after=1), 3)] == [True] * 3


async def test_a_tab_that_stops_reading_goes_on_with_the_page_as_it_is(events: Events) -> None:
    stream = events.stream(after=0)
    say(events, "1")
    await read(stream, 1)
    for text in range(1_000):
        say(events, str(text))
    assert (await anext(stream)).startswith(b"id: 1001\n")


async def test_a_silent_stream_shows_that_it_still_stands() -> None:
    events = Events(Change, keep_alive=0.01)
    assert await read(events.stream(after=0), 2) == [b": still here\n\n"] * 2


async def test_closing_ends_every_stream_and_those_that_begin_later(events: Events) -> None:
    tabs = [asyncio.ensure_future(read(events.stream(after=0), 1)) for _ in range(3)]
    await asyncio.sleep(0)
    events.close()
    over = b"event: over\ndata:\n\n"
    assert [await tab for tab in tabs] == [[over]] * 3
    say(events, "1")
    last, end = await read(events.stream(after=0), 3)
    assert last.startswith(b"id: 1\n")  # what was said at the end is not lost
    assert end == over
    events.open()
    assert await read(events.stream(after=0), 1) == [last]


async def test_of_many_tabs_the_oldest_are_told_to_rest(events: Events) -> None:
    oldest = asyncio.ensure_future(read(events.stream(after=0), 2))
    await asyncio.sleep(0)
    tabs = [asyncio.ensure_future(read(events.stream(after=0), 1)) for _ in range(4)]
    assert await oldest == [b"event: rest\ndata:\n\n"]
    say(events, "1")
    assert [len(await tab) for tab in tabs] == [1] * 4


async def test_a_stream_that_was_left_makes_room(events: Events) -> None:
    for _ in range(20):
        stream = events.stream(after=0)
        await anext(stream)
        await stream.aclose()  # type: ignore[attr-defined]  # it is an async generator
    stays = asyncio.ensure_future(read(events.stream(after=0), 1))
    await asyncio.sleep(0)
    say(events, "1")
    assert (await stays)[0].startswith(b"id: 1\n")


async def test_a_page_is_abandoned_when_nobody_reads_on(events: Events) -> None:
    leaving = asyncio.create_task(events.abandoned(0.01))
    stream = events.stream(after=0)
    await anext(stream)
    waiting = asyncio.ensure_future(anext(stream))
    await asyncio.wait([leaving], timeout=0.1)
    assert not leaving.done()
    waiting.cancel()
    await asyncio.wait([waiting])
    async with asyncio.timeout(10):
        await leaving
    assert leaving.done()


async def test_a_page_that_publishes_while_it_is_drawn_tells_nothing_twice() -> None:
    def draw() -> Change:
        say(page, "kept back")
        return Change(replace={"all": "with what was kept back"})

    page = Events(draw)
    [block] = await read(page.stream(after=None), 1)
    assert block.startswith(b"id: 1\n")
    assert b"with what was kept back" in block
    assert page.number == 1


async def test_markup_travels_as_text(events: Events) -> None:
    events.publish(Change(append={"a": Html("<b>\n\nid: 9</b>")}, remove=("b",)))
    [block] = await read(events.stream(after=0), 1)
    data = b'{"replace":{},"append":{"a":"<b>\\n\\nid: 9</b>"},"remove":["b"]}'
    assert block == b"id: 1\nevent: changed\ndata: " + data + b"\n\n"

"""A limit on what an agent writes beside the protocol."""

import asyncio

from acp_elicitation.cli.flood import Flood


class Shown:
    def __init__(self) -> None:
        self.lines: list[bytes | int] = []
        self.told = asyncio.Event()

    def rest(self, count: int) -> None:
        self.lines.append(count)
        self.told.set()


async def test_the_first_lines_are_shown_and_the_rest_is_counted() -> None:
    shown = Shown()
    flood = Flood(shown.lines.append, shown.rest, most=2, period=0.01)
    for number in range(5):
        flood.take(b"%d" % number)
    assert shown.lines == [b"0", b"1"]
    async with asyncio.timeout(10):
        await shown.told.wait()
    flood.take(b"next")
    flood.finish()
    assert shown.lines == [b"0", b"1", 3, b"next"]


async def test_a_trickle_is_shown_as_it_is() -> None:
    shown = Shown()
    flood = Flood(shown.lines.append, shown.rest, most=2, period=60)
    flood.take(b"one")
    flood.take(b"two")
    flood.finish()
    flood.finish()
    assert shown.lines == [b"one", b"two"]


async def test_the_end_tells_what_was_left_out() -> None:
    shown = Shown()
    flood = Flood(shown.lines.append, shown.rest, most=0, period=60)
    flood.take(b"one")
    flood.finish()
    assert shown.lines == [1]

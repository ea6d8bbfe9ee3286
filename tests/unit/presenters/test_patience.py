"""When a long wait is told."""

import asyncio

import pytest

from acp_elicitation.presenters.patience import Patience

_LIMIT = 10.0


class Told:
    def __init__(self) -> None:
        self.waits: list[float] = []
        self._more = asyncio.Event()

    def __call__(self, seconds: float) -> None:
        self.waits.append(seconds)
        self._more.set()

    async def until(self, count: int) -> None:
        async with asyncio.timeout(_LIMIT):
            while len(self.waits) < count:
                self._more.clear()
                await self._more.wait()


async def test_a_wait_is_told_each_time_that_it_has_doubled() -> None:
    told = Told()
    patience = Patience(told, first=0.01)
    patience.start()
    await told.until(4)
    patience.stop()
    assert told.waits[0] >= 0.01
    assert all(
        later >= 1.9 * earlier for earlier, later in zip(told.waits, told.waits[1:], strict=False)
    )


async def test_nothing_is_told_of_a_wait_that_is_over_or_has_not_begun() -> None:
    told, other = Told(), Told()
    patience, later = Patience(told, first=0.01), Patience(other, first=0.02)
    patience.stop()
    patience.start()
    patience.stop()
    later.start()
    await other.until(1)  # the time of the first is over, too
    later.stop()
    assert told.waits == []


async def test_a_sign_of_life_begins_the_wait_anew() -> None:
    told, other = Told(), Told()
    patience, clock = Patience(told, first=60), Patience(other, first=0.001)
    patience.start()
    clock.start()
    await other.until(3)
    patience.touch()
    patience._look()  # as the timer does
    assert told.waits == []
    patience.stop()
    clock.stop()


async def test_the_words_may_end_the_wait() -> None:
    told = Told()

    def tell(seconds: float) -> None:
        told(seconds)
        patience.stop()

    patience = Patience(tell, first=0.001)
    patience.start()
    await told.until(1)
    assert patience._next is None


@pytest.mark.parametrize("again", [False, True])
async def test_it_can_be_started_again(again: bool) -> None:
    told = Told()
    patience = Patience(told, first=0.01)
    patience.start()
    if again:
        patience.start()
    await told.until(1)
    patience.stop()
    assert len(told.waits) == 1

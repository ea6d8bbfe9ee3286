"""Carrying transactions out on a database that is busy, or away for a while."""

import asyncio

import pytest

from acp_elicitation.stores.errors import StoreUnavailable
from acp_elicitation.stores.trying import Trying


def trying(*, at_once: int = 1, patience: float = 10.0) -> Trying:
    made = Trying(
        passing=(ConnectionError,),
        failures=(OSError,),  # a ConnectionError is one, too
        at_once=at_once,
        patience=patience,
    )
    made.is_open = True
    return made


class Database:
    """Does what it is told to, and keeps count."""

    def __init__(self, *outcomes: str | Exception) -> None:
        self._outcomes = list(outcomes)
        self.tries = 0
        self.running = 0
        self.most = 0
        self.goes_on = asyncio.Event()
        self.full = asyncio.Event()

    async def transaction(self) -> str:
        self.tries += 1
        outcome = self._outcomes.pop(0) if len(self._outcomes) > 1 else self._outcomes[0]
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    async def held(self) -> None:
        self.running += 1
        self.most = max(self.most, self.running)
        if self.running == 3:
            self.full.set()
        await self.goes_on.wait()
        self.running -= 1


async def test_what_passes_is_tried_again() -> None:
    database = Database(ConnectionError(), ConnectionError(), "done")
    assert await trying()(database.transaction) == "done"
    assert database.tries == 3


async def test_what_does_not_pass_is_the_end_at_once() -> None:
    database = Database(PermissionError("secret details"), "done")
    with pytest.raises(StoreUnavailable, match="PermissionError") as raised:
        await trying()(database.transaction)
    assert database.tries == 1
    assert "secret" not in str(raised.value)
    assert isinstance(raised.value.__cause__, PermissionError)


async def test_an_exception_that_is_none_of_the_database_goes_through() -> None:
    with pytest.raises(ZeroDivisionError):
        await trying()(Database(ZeroDivisionError()).transaction)


async def test_the_last_reason_is_told_when_patience_is_over() -> None:
    with pytest.raises(StoreUnavailable, match="ConnectionResetError"):
        await trying(patience=0.1)(Database(ConnectionResetError()).transaction)


async def test_a_database_that_says_nothing_is_an_error_after_the_patience() -> None:
    with pytest.raises(StoreUnavailable, match="TimeoutError"):
        await trying(patience=0.05)(Database("").held)


async def test_no_more_run_at_once_than_the_database_takes() -> None:
    database, tried = Database(""), trying(at_once=3)
    running = [asyncio.create_task(tried(database.held)) for _ in range(10)]
    await database.full.wait()
    database.goes_on.set()
    await asyncio.gather(*running)
    assert database.most == 3


async def test_a_queue_that_moves_is_waited_in_beyond_the_patience() -> None:
    tried = trying(patience=0.2)
    loop = asyncio.get_running_loop()

    async def slow() -> None:
        await asyncio.wait([loop.create_future()], timeout=0.05)

    began = loop.time()
    await asyncio.gather(*(tried(slow) for _ in range(10)))
    assert loop.time() - began > 0.4


async def test_a_queue_that_does_not_move_is_an_error_for_all_in_it() -> None:
    tried, database = trying(patience=0.05), Database("")
    results = await asyncio.gather(
        *(tried(database.held) for _ in range(20)), return_exceptions=True
    )
    assert [type(result) for result in results] == [StoreUnavailable] * 20
    assert database.most == 1


async def test_what_is_cancelled_in_the_queue_leaves_its_place_to_the_next() -> None:
    tried, database = trying(), Database("done")
    first = asyncio.create_task(tried(database.held))
    second = asyncio.create_task(tried(database.transaction))
    third = asyncio.create_task(tried(database.transaction))
    await asyncio.sleep(0)
    second.cancel()
    database.goes_on.set()
    await first
    assert await third == "done"
    assert second.cancelled()


async def test_nothing_is_begun_before_it_is_open() -> None:
    tried, database = trying(), Database("done")
    tried.is_open = False
    with pytest.raises(StoreUnavailable, match="not open"):
        await tried(database.transaction)
    assert database.tries == 0

"""Carrying transactions out on a database that is busy, or away for a while.

Owns: how many at once, for how long one is tried again, and what it means that it cannot be done.
Knows nothing of: what a transaction does. Above it: `keeping`. Below it: `errors`.

A busy database is waited for as long as it gets anything done; one that is away is an error within
the patience of the store.
"""

import asyncio
import math
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

from acp_elicitation.stores.errors import StoreUnavailable

__all__ = ["Trying"]

T = TypeVar("T")

_FIRST_PAUSE, _LONGEST_PAUSE = 0.02, 1.0


class Trying:
    """Carries out at most `at_once` transactions at a time, each for `patience` seconds.

    After an exception of `passing` one is tried again; any other of `failures` is the end of it.
    """

    def __init__(
        self,
        *,
        passing: tuple[type[Exception], ...],
        failures: tuple[type[Exception], ...],
        at_once: int,
        patience: float,
    ) -> None:
        self._passing = passing
        self._failures = failures
        self._patience = patience
        self._turns = asyncio.Semaphore(at_once)
        self._got_through = -math.inf
        self.is_open = False

    async def __call__(self, transaction: Callable[[], Awaitable[T]]) -> T:
        """Return what the transaction returns.

        Raises:
            StoreUnavailable: it is not open, or the database is away or cannot do it; its own
                exception is the cause. Whether the transaction was carried out is unknown.
        """
        if not self.is_open:
            raise StoreUnavailable("it is not open")
        async with self._turn():
            result = await self._carried_out(transaction)
            self._got_through = asyncio.get_running_loop().time()
            return result

    @asynccontextmanager
    async def _turn(self) -> AsyncIterator[None]:
        """Wait in the queue as long as it moves."""
        while not await self._acquired():
            if self._got_through < asyncio.get_running_loop().time() - self._patience:
                raise StoreUnavailable("TimeoutError")
        try:
            yield
        finally:
            self._turns.release()

    async def _acquired(self) -> bool:
        try:
            async with asyncio.timeout(self._patience):
                await self._turns.acquire()
        except TimeoutError:
            return False
        return True

    async def _carried_out(self, transaction: Callable[[], Awaitable[T]]) -> T:
        last: Exception = TimeoutError()
        pause = _FIRST_PAUSE
        try:
            async with asyncio.timeout(self._patience):
                while True:
                    try:
                        return await transaction()
                    except self._passing as error:
                        last = error
                    await asyncio.sleep(pause)
                    pause = min(pause * 2, _LONGEST_PAUSE)
        except TimeoutError:
            raise StoreUnavailable(type(last).__name__) from last
        except self._failures as error:
            raise StoreUnavailable(type(error).__name__) from error

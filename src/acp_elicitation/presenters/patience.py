"""When to tell a user how long something has taken: rarely, and never to one who sees it go on.

Owns: the times at which a long wait is told. Knows nothing of: what is waited for, and words.
Above it: `plain`, the command line. Below it: asyncio.

A wait is told after a while, then each time that it has doubled, later every ten minutes.
"""

import asyncio
from collections.abc import Callable

__all__ = ["FIRST_WORD", "Patience"]

FIRST_WORD = 30.0
"""Seconds after which a wait is told for the first time."""

_LONGEST_PAUSE = 600.0


class Patience:
    """Tells of one wait at a time."""

    def __init__(self, tell: Callable[[float], None], *, first: float = FIRST_WORD) -> None:
        """Call `tell` with the seconds waited, after `first` seconds and then more rarely."""
        self._tell = tell
        self._first = first
        self._since = 0.0
        self._next: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """The wait begins now."""
        self.stop()
        self.touch()
        self._plan(self._first)

    def touch(self) -> None:
        """Something has happened: whatever is waited for is alive, and the wait begins anew."""
        self._since = asyncio.get_running_loop().time()

    def stop(self) -> None:
        """The wait is over."""
        if self._next is not None:
            self._next.cancel()
            self._next = None

    def _plan(self, delay: float) -> None:
        loop = asyncio.get_running_loop()
        self._next = loop.call_later(min(delay, _LONGEST_PAUSE), self._look)

    def _look(self) -> None:
        waited = asyncio.get_running_loop().time() - self._since
        if waited < self._first:
            self._plan(self._first - waited)
            return
        self._plan(waited)
        self._tell(waited)

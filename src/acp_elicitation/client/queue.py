"""One user, many questions: whose turn it is.

Owns: the order of arrival, the count of those waiting, and what may stand on screen meanwhile.
Knows nothing of: what a prompt is. One queue belongs to one presenter, and any number of
connections may share it. Above it: `responder`, `session`. Below it: asyncio.
"""

import asyncio
from collections.abc import Coroutine
from typing import Any

__all__ = ["PromptQueue"]


class PromptQueue:
    """Shows one prompt at a time, in order of arrival."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()  # an asyncio lock is given in the order of asking
        self._waiting = 0
        self._change: asyncio.Event | None = None
        self._background: asyncio.Task[None] | None = None

    @property
    def waiting(self) -> int:
        """How many prompts wait for their turn."""
        return self._waiting

    async def waiting_changed(self) -> int:
        """Return how many prompts wait for their turn, as soon as that number has changed."""
        if self._change is None:
            self._change = asyncio.Event()
        await self._change.wait()
        return self._waiting

    def _count(self, step: int) -> None:
        self._waiting += step
        if self._change is not None:
            self._change.set()
            self._change = None

    async def take_turn(self) -> None:
        """Wait for one's turn; `end_turn` must follow.

        What stands in the background is taken away: a question comes before a notice.
        """
        if self._turn.locked() or self._waiting:
            self._count(+1)
            try:
                await self._turn.acquire()
            finally:
                self._count(-1)
        else:
            await self._turn.acquire()
        if self._background is not None:
            try:
                await self.clear_background()
            except BaseException:
                self._turn.release()
                raise

    def end_turn(self) -> None:
        """Give the turn to the one who has waited longest."""
        self._turn.release()

    def put_in_background(self, notice: Coroutine[Any, Any, None]) -> None:
        """Run `notice` until it ends or a prompt's turn comes. It replaces the one before it."""
        if self._background is not None:
            self._background.cancel()
        self._background = asyncio.create_task(notice)

    async def clear_background(self) -> None:
        """Take the notice in the background away and wait until it is gone."""
        task, self._background = self._background, None
        if task is not None:
            task.cancel()
            await asyncio.wait([task])

    async def background_done(self) -> None:
        """Wait until nothing stands in the background."""
        while self._background is not None and not self._background.done():
            await asyncio.wait([self._background])

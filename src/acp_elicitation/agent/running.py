"""A turn that runs, over one prompt or several: a question in text ends it and waits for the next.

Owns: the task of a turn, when the client's prompt counts as answered, and what the next prompt is
for.
Knows nothing of: JSON-RPC, and what the turn does. Above it: `serve`. Below it: `turn`.
"""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from acp_elicitation.agent.turn import StopReason, Turn

__all__ = ["RunningTurn"]


class RunningTurn:
    """The turn of one session, as long as its code runs."""

    def __init__(
        self,
        turn: Turn,
        run: Callable[[Turn], Coroutine[Any, Any, StopReason]],
        *,
        on_end: Callable[[], None],
    ) -> None:
        self.is_cancelled = False
        """Whether the turn was told to end: the next prompt is not for it."""
        self._turn = turn
        self._on_end = on_end
        self._reply: asyncio.Future[str] | None = None
        self._over: asyncio.Future[StopReason] = asyncio.get_running_loop().create_future()
        self._finished = asyncio.Event()
        self._task = asyncio.create_task(run(turn))
        self._task.add_done_callback(self._ended)

    @property
    def wants_reply(self) -> bool:
        """Whether the next prompt answers a question of this turn."""
        return self._reply is not None and not self._reply.done()

    @property
    def asked(self) -> bool:
        """Whether the client takes the turn for ended, since it ended with a question in text."""
        return self._over.done()

    async def over(self) -> StopReason:
        """Return the stop reason of the current prompt; raises what the turn raised."""
        return await asyncio.shield(self._over)

    async def finished(self) -> None:
        """Return when the code of the turn has ended, and `on_end` was called."""
        await self._finished.wait()

    def cancel(self) -> None:
        """Cancel the code of the turn."""
        self.is_cancelled = True
        self._task.cancel()

    async def ask(self, text: str) -> str:
        """Say `text`, end the turn, and return the text of the next prompt."""
        self._turn.say(text)
        self._turn.end("end_turn")
        if not self._over.done():
            self._over.set_result("end_turn")
        self._reply = asyncio.get_running_loop().create_future()
        try:
            return await self._reply
        finally:
            self._reply = None

    def reply(self, blocks: object) -> str:
        """Take the next prompt as the reply; returns the id of the user's message."""
        text = self._turn.go_on(blocks)
        if self._reply is not None and not self._reply.done():
            self._reply.set_result(text)
        # Otherwise nobody waits for it any more, and the turn just goes on.
        self._over = asyncio.get_running_loop().create_future()
        return self._turn.user_message_id

    def _ended(self, task: asyncio.Task[StopReason]) -> None:
        self._on_end()
        self._finished.set()
        error = None if task.cancelled() else task.exception()
        if self._over.done():
            return
        if task.cancelled():
            self._over.set_result("cancelled")
        elif error is not None:
            self._over.set_exception(error)
            self._over.exception()  # said already where nobody waits: in the log, by an update
        else:
            self._over.set_result(task.result())

"""One question's way to the user and back: its turn, its presenter, and what takes it away.

Owns: waiting for the turn, calling the presenter, and the fence around withdrawn questions.
Knows nothing of: what is asked; elicitations and permissions go the same way.
Above it: `responder`, `permissions`. Below it: `queue`, `outstanding`, `prompts`, `wire.callouts`.

Nothing that a user typed is logged here (UI-2).
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, Literal, TypedDict, TypeVar

from acp_elicitation.client.outstanding import Entry, Outstanding
from acp_elicitation.client.prompts import Asker, Presenter, Prompt, Reply
from acp_elicitation.client.queue import PromptQueue
from acp_elicitation.protocol.answers import Accepted, Cancelled, Declined
from acp_elicitation.protocol.ledger import ReceivedEvent
from acp_elicitation.wire.callouts import log_failure

__all__ = ["Showing", "Surroundings"]

PromptT = TypeVar("PromptT", bound=Prompt)
T = TypeVar("T")

_log = logging.getLogger(__name__)


class Surroundings(TypedDict):
    """What every kind of prompt has besides its request."""

    asker: Asker
    count_waiting: Callable[[], int]
    count_from_asker: Callable[[], int]
    decline_all: Callable[[], None]


class Showing:
    """Shows the questions of one connection, one at a time."""

    def __init__(
        self,
        presenter: Presenter,
        *,
        queue: PromptQueue,
        outstanding: Outstanding,
        expires_after: float | None,
    ) -> None:
        self.presenter = presenter
        self.queue = queue
        self.outstanding = outstanding
        self._expires_after = expires_after

    async def take_turn(
        self,
        entry: Entry,
        show: Callable[[], Coroutine[Any, Any, T]],
        when_ended: Callable[[Declined | Cancelled], T],
        *,
        before: Callable[[], Coroutine[Any, Any, None]] | None = None,
    ) -> T:
        """Wait for the turn of `entry`, then return what `show` does; `before` runs before that.

        `entry` is in the ledger already, and leaves it here. When it is withdrawn meanwhile, or
        declined with all others, `when_ended` gives the result, and nothing revives it; when its
        task is cancelled from elsewhere (REQ-6), the cancellation goes on.
        """
        try:
            if before is not None:
                await before()
            await self.queue.take_turn()
            try:
                entry.advance(ReceivedEvent.SHOW)
                return await show()
            finally:
                self.queue.end_turn()
        except asyncio.CancelledError:
            declined = isinstance(entry.ended, Declined)
            entry.advance(ReceivedEvent.DECLINE_UNSEEN if declined else ReceivedEvent.WITHDRAW)
            if entry.ended is None:
                raise
            entry.task.uncancel()
            return when_ended(entry.ended)
        finally:
            self.outstanding.settle(entry)

    def around(self, entry: Entry, asker: Asker) -> Surroundings:
        """Return what the prompt of `entry` has besides its request."""
        return {
            "asker": asker,
            "count_waiting": lambda: self.queue.waiting,
            "count_from_asker": partial(self.outstanding.count_beside, entry),
            "decline_all": partial(self.outstanding.decline_all, entry),
        }

    async def present(
        self,
        entry: Entry,
        prompt: PromptT,
        show: Callable[[PromptT], Coroutine[Any, Any, Reply]],
    ) -> Reply:
        """Return the presenter's reply; what is no reply is "not shown", never an accept.

        After a "no to all" it is a decline, whatever the presenter makes of it.
        """
        reply = await self._present(entry, prompt, show)
        return Declined() if entry.declined else reply

    async def _present(
        self,
        entry: Entry,
        prompt: PromptT,
        show: Callable[[PromptT], Coroutine[Any, Any, Reply]],
    ) -> Reply:
        try:
            reply: object = await self._in_time(show(prompt))
            if entry.task.cancelling():  # an answer after the withdrawal is not used
                raise asyncio.CancelledError
        except asyncio.CancelledError:
            await self._withdraw(prompt, "withdrawn")
            raise
        except TimeoutError:
            await self._withdraw(prompt, "expired")
            return Cancelled("expired")
        except Exception as error:
            log_failure("the presenter", error)  # without its text, which may quote the user
            return Cancelled("not-shown")
        if isinstance(reply, (Accepted, Declined, Cancelled)):
            return reply
        _log.error("the presenter returned %s, which is no reply", type(reply).__name__)
        return Cancelled("not-shown")

    async def _in_time(self, shown: Coroutine[Any, Any, Reply]) -> Reply:
        if self._expires_after is None:
            return await shown
        async with asyncio.timeout(self._expires_after):
            return await shown

    async def _withdraw(self, prompt: Prompt, why: Literal["withdrawn", "expired"]) -> None:
        try:
            await self.presenter.withdraw(prompt, why)
        except Exception as error:
            log_failure("withdrawing a prompt", error)

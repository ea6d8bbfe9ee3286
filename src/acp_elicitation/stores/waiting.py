"""Waiting for links to end, so that no end is missed.

Owns: who waits for which link, and when to look. Knows nothing of: databases, steps, clients.
Above it: `keeping`. Below it: `records`, `rows`.

The row is the truth and the news only make it faster. A link is looked at when somebody begins to
wait for it, when news of it come, when the news begin to flow again after a break, every few
seconds, and when the first of the links expires. Whatever ends before the first look is found by
it; whatever ends after it is news, or found by the next.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Mapping
from contextlib import aclosing

from acp_elicitation.protocol.errors import UnknownLink
from acp_elicitation.protocol.requests import ElicitationId
from acp_elicitation.stores.errors import StoreUnavailable
from acp_elicitation.stores.records import ConnectionId, StoredLink

__all__ = ["LookAt", "News", "Waiting"]

LookAt = Callable[[Collection[ElicitationId]], Awaitable[Mapping[ElicitationId, StoredLink]]]
"""Returns those links that exist, as they are now; raises `StoreUnavailable`."""

News = Callable[[], AsyncGenerator[ElicitationId | None, None]]
"""Opens the news, see `Rows.news`."""

_Ended = asyncio.Future[StoredLink]
_Waiters = dict[_Ended, ConnectionId]
_AT_ONCE = 500
_SHORTEST = 0.002
_log = logging.getLogger(__name__)


class Waiting:
    """Everybody in this process who waits for a link of one store.

    Two tasks run while anybody waits: one listens to the news, one looks at the links.
    """

    def __init__(
        self,
        *,
        look_at: LookAt,
        news: News,
        broken: tuple[type[Exception], ...],
        clock: Callable[[], int],
        every: float,
    ) -> None:
        self._look_at = look_at
        self._news = news
        self._broken: tuple[type[Exception], ...] = (*broken, StoreUnavailable)
        self._clock = clock
        self._every = every
        self._waiting: dict[ElicitationId, _Waiters] = {}
        self._due: set[ElicitationId] = set()
        self._first_expiry: int | None = None
        self._look = asyncio.Event()
        self._running: list[asyncio.Task[None]] = []
        self._stopping: set[asyncio.Task[None]] = set()
        self._closed = False

    async def ended(self, link_id: ElicitationId, connection: ConnectionId) -> StoredLink:
        """Return the link once it has ended.

        Raises:
            UnknownLink: this connection has no such link, or it has been forgotten (URL-6).
            StoreUnavailable: the store is closed.
        """
        if self._closed:
            raise StoreUnavailable("it is closed")
        future: _Ended = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(link_id, {})[future] = connection
        self.look(link_id)
        if not self._running:
            self._begin()
        try:
            return await future
        finally:
            self._leave(link_id, future)

    def look(self, link_id: ElicitationId | None) -> None:
        """Something has happened to this link, or to any."""
        if link_id is None:
            self._due.update(self._waiting)
        elif link_id in self._waiting:
            self._due.add(link_id)
        if self._due:
            self._look.set()

    async def close(self) -> None:
        """End every wait with `StoreUnavailable`."""
        self._closed = True
        self._fail(StoreUnavailable("it is closed"))
        self._stop()
        await self.idle()

    async def idle(self) -> None:
        """Return when what ran for those who no longer wait has ended."""
        if self._stopping:
            await asyncio.wait(self._stopping)

    def _leave(self, link_id: ElicitationId, future: _Ended) -> None:
        futures = self._waiting.get(link_id, {})
        futures.pop(future, None)
        if not futures:
            self._waiting.pop(link_id, None)
            self._due.discard(link_id)
        if not self._waiting:
            self._stop()

    def _begin(self) -> None:
        self._running = [
            asyncio.create_task(self._listen(), name="news of links"),
            asyncio.create_task(self._keep_looking(), name="looking at links"),
        ]
        for task in self._running:
            task.add_done_callback(self._broke_off)

    def _stop(self) -> None:
        if self._running:
            stopping = asyncio.create_task(_end_all(self._running), name="end of waiting")
            self._running = []
            self._stopping.add(stopping)
            stopping.add_done_callback(self._stopping.discard)

    def _broke_off(self, task: asyncio.Task[None]) -> None:
        """A fault of ours or of a database's library: better told than waited for in vain."""
        if not task.cancelled() and (error := task.exception()) is not None:
            self._fail(error)

    async def _listen(self) -> None:
        while True:
            try:
                async with aclosing(self._news()) as news:
                    async for link_id in news:
                        self.look(link_id)
            except self._broken as error:
                _log.info("no news of links for now (%s)", type(error).__name__)
            await asyncio.sleep(min(0.25, self._every))

    async def _keep_looking(self) -> None:
        while True:
            due, self._due = self._due, set()
            self._look.clear()
            try:
                await self._look_at_all(list(due))
            except self._broken as error:
                _log.info("cannot look at links for now (%s)", type(error).__name__)
                self._due.update(self._waiting)
                await asyncio.sleep(min(0.25, self._every))
            else:
                await self._until_something_is_due()

    async def _until_something_is_due(self) -> None:
        try:
            async with asyncio.timeout(self._pause()):
                await self._look.wait()
        except TimeoutError:
            self._first_expiry = None
            self._due.update(self._waiting)

    def _pause(self) -> float:
        if self._first_expiry is None:
            return self._every
        left = (self._first_expiry - self._clock()) / 1000
        return max(_SHORTEST, min(self._every, left))

    async def _look_at_all(self, ids: list[ElicitationId]) -> None:
        for start in range(0, len(ids), _AT_ONCE):
            some = ids[start : start + _AT_ONCE]
            found = await self._look_at(some)
            for link_id in some:
                self._tell(link_id, found.get(link_id))

    def _tell(self, link_id: ElicitationId, link: StoredLink | None) -> None:
        for future, connection in self._waiting.get(link_id, {}).items():
            if future.done():
                continue
            if link is None or link.connection != connection:  # URL-6
                future.set_exception(UnknownLink(link_id))
            elif link.ended:
                future.set_result(link)
        if link is not None and not link.ended:
            self._first_expiry = min(link.expires_at, self._first_expiry or link.expires_at)

    def _fail(self, error: BaseException) -> None:
        for futures in self._waiting.values():
            for future in futures:
                if not future.done():
                    future.set_exception(error)


async def _end_all(tasks: Collection[asyncio.Task[None]]) -> None:
    """Cancel tasks until they end: `asyncio.wait_for`, before Python 3.12, may swallow a cancel."""
    left: Collection[asyncio.Task[None]] = tasks
    while left:
        for task in left:
            task.cancel()
        _, left = await asyncio.wait(left, timeout=0.1)

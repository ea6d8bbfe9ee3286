"""Links whose outside part another process finishes: an `Elicitor` and a `Store` joined.

Owns: which end of a link follows from which, in the ledger of the connection and in the store.
Knows nothing of: messages, pages, databases. Above it: agents with a web worker beside them.
Below it: `elicitor`, `link`, `stores.port`.

An `Elicitor` alone keeps its links in memory, and pays nothing for this module.
"""

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import Any, Unpack

from acp_elicitation.agent.asking import Asking
from acp_elicitation.agent.elicitor import Elicitor
from acp_elicitation.agent.link import Link
from acp_elicitation.agent.outstanding import new_link_id
from acp_elicitation.protocol.errors import ConnectionLost, ElicitationError, UnknownLink
from acp_elicitation.protocol.requests import ElicitationId
from acp_elicitation.stores.errors import LinkEnded
from acp_elicitation.stores.lifecycle import LinkState
from acp_elicitation.stores.port import Store
from acp_elicitation.stores.records import ConnectionId, Identity, StoredLink

__all__ = ["SharedLinks"]

_log = logging.getLogger(__name__)


class SharedLinks:
    """The links of one connection that are kept in a store (REQ-3).

    `identity` is the user that was verified on the connection; whoever finishes a link has to be
    the same (URL-13). `lifetime` is in seconds.
    """

    def __init__(
        self, elicitor: Elicitor, store: Store, *, identity: Identity, lifetime: float = 600.0
    ) -> None:
        self.connection = ConnectionId(secrets.token_urlsafe(16))
        self._elicitor = elicitor
        self._store = store
        self._identity = identity
        self._lifetime = lifetime
        self._tasks: set[asyncio.Task[Any]] = set()

    async def link(
        self,
        message: str,
        url: Callable[[ElicitationId], str],
        *,
        details: bytes = b"",
        **asking: Unpack[Asking],
    ) -> Link:
        """Ask for consent to open a page; whatever process serves it may finish it.

        `Link.completed()` returns when any process has completed it in the store, and the client is
        then told (URL-5). It raises `LinkEnded`, with state and reason, where the outside part
        failed or its time is over. What is declined, cancelled or withdrawn here is withdrawn in
        the store, so that the page cannot be used any more. A lost connection leaves it there: what
        the user still finishes is kept for that user, and no other client hears of it (URL-6).

        Args:
            message: what the link is for.
            url: returns the address of the page for the id of the new link.
            details: what the page has to know, kept in the store; not for secrets.
            asking: as for `Elicitor.link`.

        Raises:
            StoreUnavailable: the store cannot be reached; nothing was sent.
            ElicitationError: as for `Elicitor.link`.
        """
        link_id = new_link_id()
        await self._store.create(  # before it is sent: the completion may be faster than the answer
            link_id,
            connection=self.connection,
            identity=self._identity,
            lifetime=self._lifetime,
            details=details,
        )
        outside = self._begin(self._hear(link_id))
        try:
            link = await self._elicitor.link(message, url(link_id), link_id=link_id, **asking)
        except BaseException as error:
            outside.cancel()
            if not isinstance(error, ConnectionLost):
                self._begin(self._written(self._withdraw(link_id)))
            raise
        self._begin(self._follow(link, outside))
        return link

    async def close(self) -> None:
        """Stop following; what is stored stays, and ends by its expiry at the latest."""
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)

    async def _hear(self, link_id: ElicitationId) -> StoredLink:
        """Wait for the end in the store, and hand a completion on to the client (URL-6)."""
        end = await self._store.wait(link_id, connection=self.connection)
        if end.state is LinkState.COMPLETED:
            with suppress(UnknownLink, ConnectionLost):  # ended here, or nobody left to tell
                self._elicitor.complete(link_id)
        return end

    async def _follow(self, link: Link, outside: asyncio.Task[StoredLink]) -> None:
        """Let the end that comes first, here or in the store, be the end in both."""
        here = self._begin(link.completed())
        try:
            await asyncio.wait([outside, here], return_when=asyncio.FIRST_COMPLETED)
            if outside.done():
                link.withdraw(because=_why(outside))
            else:
                await self._written(self._carry_over(link, here.exception()))
        finally:
            outside.cancel()
            here.cancel()

    async def _carry_over(self, link: Link, error: BaseException | None) -> None:
        match error:
            case None:  # the agent has completed it itself
                await self._store.complete(link.id, identity=self._identity)
            case ConnectionLost():  # what the user still finishes is kept for that user
                pass
            case _:
                await self._withdraw(link.id)

    async def _withdraw(self, link_id: ElicitationId) -> None:
        await self._store.withdraw(link_id, connection=self.connection)

    async def _written(self, step: Awaitable[None]) -> None:
        try:
            await step
        except LinkEnded:
            pass  # another process was first
        except ElicitationError as error:
            _log.warning("a link stays in the store until it expires: %s", error)

    def _begin(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._over)
        return task

    def _over(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None and not isinstance(error, ElicitationError):
            _log.error("following a link failed", exc_info=error)


def _why(outside: asyncio.Task[StoredLink]) -> ElicitationError | None:
    """Why nothing will complete the link any more; None for a completion."""
    error = outside.exception()
    if error is not None:
        return error if isinstance(error, ElicitationError) else None
    end = outside.result()
    return LinkEnded(end.id, state=end.state.name, reason=end.reason)

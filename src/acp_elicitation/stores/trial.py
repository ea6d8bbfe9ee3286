"""What the checks of a store stand on: a clock that they turn, and one store opened twice.

Owns: the machinery of `contract`. Knows nothing of: the obligations.
Above it: `contract`, and tests of a store that need the same. Below it: `port`, `records`.
"""

import asyncio
import secrets
import time
from collections.abc import Callable, Coroutine
from contextlib import AbstractAsyncContextManager
from typing import Any, TypeAlias

from acp_elicitation.protocol.errors import ElicitationError
from acp_elicitation.protocol.requests import ElicitationId
from acp_elicitation.stores.port import Store
from acp_elicitation.stores.records import Attempt, ConnectionId, Identity, StoredLink

__all__ = ["ALICE", "MALLORY", "Clock", "MakeStore", "Two", "expect", "expect_refused"]


class Clock:
    """A clock that the check turns: it begins at the real time, since a server has its own."""

    def __init__(self) -> None:
        self.now = time.time_ns() // 1_000_000

    def __call__(self) -> int:
        return self.now

    def pass_by(self, seconds: float) -> None:
        """Let time pass."""
        self.now += round(seconds * 1000)


MakeStore: TypeAlias = Callable[[Clock], AbstractAsyncContextManager[Store]]
"""Returns a store that is not open yet, on the same data as every other that it returned: what
another process would open. It goes by the given clock, and looks at least every second."""

ALICE = Identity("alice")
MALLORY = Identity("mallory")


class Two:
    """Two openings of one store, as two processes have them, and what the checks do with them."""

    def __init__(self, agent: Store, worker: Store, clock: Clock) -> None:
        self.agent = agent
        self.worker = worker
        self.clock = clock
        self.connection = ConnectionId(secrets.token_urlsafe(9))

    async def link(self, **options: Any) -> StoredLink:
        """Make a link of this connection, Alice's, for ten minutes."""
        given: dict[str, Any] = {"identity": ALICE, "lifetime": 600.0, **options}
        link_id = ElicitationId(secrets.token_urlsafe(9))
        return await self.agent.create(link_id, connection=self.connection, **given)

    async def begun(self, **options: Any) -> tuple[StoredLink, str]:
        """Make a link that Alice has begun; returns it and the key of the attempt."""
        link, key = await self.link(**options), secrets.token_urlsafe(9)
        return await self.worker.start(link.id, identity=ALICE, attempt=Attempt(key=key)), key

    async def claimed(self) -> tuple[StoredLink, str]:
        """Make a link that Alice has begun, and whose attempt has come back."""
        _, key = await self.begun()
        return await self.worker.claim(key), key

    def waiting(self, link: StoredLink) -> asyncio.Task[StoredLink]:
        """Begin to wait for a link in the agent's process."""
        return asyncio.create_task(self.wait(link))

    async def wait(self, link: StoredLink) -> StoredLink:
        """Wait for a link in the agent's process."""
        return await self.agent.wait(link.id, connection=link.connection)


def expect(holds: bool, obligation: str) -> None:
    """Raise `AssertionError` with the obligation that does not hold."""
    if not holds:
        raise AssertionError(obligation)


async def expect_refused(
    step: Coroutine[Any, Any, object], error: type[ElicitationError], obligation: str
) -> ElicitationError:
    """Return the error with which a step is refused; `AssertionError` where it is taken."""
    try:
        await step
    except error as raised:
        return raised
    raise AssertionError(f"{obligation}: {error.__name__} was not raised")

"""Refreshing a credential that runs out: once, for all who need it, in whatever process they are.

Owns: who refreshes and who waits for that, and what becomes of a grant that its provider takes no
more. Knows nothing of: how a credential is refreshed (callers say), encryption, databases.
Above it: `vault`. Below it: `sealed_grants`, `credential`, `tracebacks`.

A provider that gives a new refresh token each time takes each of them once, and takes back all that
came of it where one comes twice (RFC 9700, 4.14.2). So whoever refreshes first writes into the
grant until when the others are to wait, which the store lets one of them do (`replace_grant`). They
look at the grant until it is another one, or that time is over, as when the process has died.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TypeAlias

from msgspec.structs import replace

from acp_elicitation.connect.credential import Credential
from acp_elicitation.connect.errors import NoGrant, ProviderDenied, ProviderDown
from acp_elicitation.connect.sealed_grants import SealedGrants
from acp_elicitation.connect.tracebacks import keeps_to_itself_async
from acp_elicitation.stores.errors import GrantChanged, StoreUnavailable
from acp_elicitation.stores.records import Identity, SealedGrant

__all__ = ["Refresh", "Refreshing"]

Refresh: TypeAlias = Callable[[Credential], Awaitable[Credential]]
"""Gets a new credential for one that runs out."""

_EARLY = 60_000
"""Milliseconds before its end a token is refreshed: it has to live through the call it is for."""

_HELD = 60_000
"""Milliseconds for which the others wait for whoever refreshes."""

_LONGEST = 45.0
"""Seconds that refreshing may take: well within that time, so that there are never two at it."""

_LOOK_EVERY = 0.2
"""Seconds between two looks at a grant that another process refreshes."""


class Refreshing:
    """Refreshes the grants of all users. `longest` and `look_every` are in seconds."""

    def __init__(
        self,
        grants: SealedGrants,
        *,
        clock: Callable[[], int],
        longest: float = _LONGEST,
        look_every: float = _LOOK_EVERY,
    ) -> None:
        self._grants = grants
        self._clock = clock
        self._longest = longest
        self._look_every = look_every
        self._tasks: dict[tuple[str, str], asyncio.Task[Credential]] = {}

    async def __call__(self, owner: Identity, provider: str, refresh: Refresh) -> Credential:
        """Return a credential that does not run out, got by `refresh` where need be.

        Raises:
            NoGrant: there is none, or none any more.
            ProviderDenied: the provider takes it no more; it is forgotten.
            ProviderDown: refreshing takes too long.
            VaultError, StoreUnavailable: it cannot be read or kept; and what `refresh` raises.
        """
        key = (owner, provider)
        task = self._tasks.get(key)
        if task is None:
            task = asyncio.create_task(self._fresh(owner, provider, refresh))
            self._tasks[key] = task
            task.add_done_callback(lambda _: self._tasks.pop(key, None))
        return await asyncio.shield(task)  # who gives up waiting does not stop the others

    @keeps_to_itself_async
    async def _fresh(self, owner: Identity, provider: str, refresh: Refresh) -> Credential:
        seen, until = "", 0
        while True:
            grant = await self._grants.read(owner, provider)
            found, now = self._grants.open(grant), self._clock()
            if not found.runs_out_by(now + _EARLY):
                return found
            if grant.version != seen:
                # No longer than any holds it, though that process's clock be far ahead.
                seen, until = grant.version, min(found.held_until, now + _HELD)
            if now < until:
                await asyncio.sleep(self._look_every)
                continue
            old = replace(found, held_until=0)
            try:
                held = await self._grants.rewrite(grant, replace(old, held_until=now + _HELD))
            except GrantChanged:
                continue  # another was faster
            return await self._refresh(held, old, refresh)

    async def _refresh(self, held: SealedGrant, old: Credential, refresh: Refresh) -> Credential:
        try:
            fresh = await self._in_time(held.name, old, refresh)
        except Exception as error:
            over = isinstance(error, ProviderDenied)
            with suppress(NoGrant, StoreUnavailable):  # why it was not refreshed is what counts
                other = await self._settle(held, old, None if over else old)
                if other is not None:
                    return other
            raise
        return await self._settle(held, old, fresh) or fresh

    async def _in_time(self, provider: str, old: Credential, refresh: Refresh) -> Credential:
        limit = asyncio.timeout(self._longest)
        try:
            async with limit:
                return await refresh(old)
        except TimeoutError:
            if not limit.expired():
                raise
            raise ProviderDown(provider, "it takes too long to refresh") from None

    async def _settle(
        self, held: SealedGrant, old: Credential, new: Credential | None
    ) -> Credential | None:
        """Put `new`, or nothing, in the place of `old`; return what has taken its place before.

        Raises:
            NoGrant: it was dropped meanwhile.
        """
        while True:
            try:
                if new is None:
                    await self._grants.store.drop_grant(held)
                else:
                    await self._grants.rewrite(held, new)
            except GrantChanged:
                held = await self._grants.read(held.owner, held.name)
                now = self._grants.open(held)
                if (now.secret, now.refresh) != (old.secret, old.refresh):
                    return now  # the user has connected anew
                # Sealed with another key meanwhile: what is in it is what was refreshed.
            else:
                return None

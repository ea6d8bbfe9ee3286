"""The vault: what users granted, encrypted in a store, each for its user and provider alone.

Owns: sealing and opening grants, refreshing a token once for all who need it, key rotation.
Knows nothing of: how a credential is obtained or refreshed (callers say), and which database it is.
Above it: the connect service, agents. Below it: `sealing`, `credential`, `leaks`,
`tracebacks`, `stores.port`.

What comes out of it is known to the leak guard from then on, so that it cannot go out over ACP.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from acp_elicitation.agent.connecting import Grant
from acp_elicitation.connect.credential import (
    Credential,
    read_credential,
    write_credential,
)
from acp_elicitation.connect.errors import NoGrant
from acp_elicitation.connect.leaks import LeakGuard
from acp_elicitation.connect.sealing import Sealer
from acp_elicitation.connect.tracebacks import keeps_to_itself_async
from acp_elicitation.stores.errors import GrantChanged
from acp_elicitation.stores.port import Store
from acp_elicitation.stores.records import Identity, NewGrant, SealedGrant
from acp_elicitation.stores.settings import wall_clock

__all__ = ["Refresh", "Vault"]

Refresh: TypeAlias = Callable[[Credential], Awaitable[Credential]]
"""Gets a new credential for one that runs out."""

_EARLY = 60_000
"""Milliseconds before its end a token is refreshed: it has to live through the call it is for."""


class Vault:
    """The grants of all users. Belongs to one event loop."""

    def __init__(
        self,
        store: Store,
        sealer: Sealer,
        *,
        guard: LeakGuard | None = None,
        clock: Callable[[], int] = wall_clock,
    ) -> None:
        """Keep grants in `store`, encrypted by `sealer`.

        Args:
            store: where they are kept; it is open.
            sealer: encrypts them.
            guard: learns each secret that leaves the vault; give it to the connections as well.
            clock: the time in milliseconds since 1970.
        """
        self._store = store
        self._sealer = sealer
        self._clock = clock
        self.guard = guard or LeakGuard()
        self._refreshing: dict[tuple[str, str], asyncio.Task[Credential]] = {}

    @property
    def sealer(self) -> Sealer:
        """What it seals with: for whatever else has to be readable by this service alone."""
        return self._sealer

    def seal(self, owner: Identity, provider: str, credential: Credential) -> NewGrant:
        """Return what a store keeps of a new credential, such as with the completion of a link."""
        self._tell_guard(credential)
        sealed = self._sealer.seal(write_credential(credential), owner, provider)
        return NewGrant(owner=owner, name=provider, sealed=sealed)

    @keeps_to_itself_async
    async def grants(self, owner: Identity) -> tuple[Grant, ...]:
        """Return what a user has granted. It holds no secret.

        Raises:
            VaultError: one was sealed with a key that is not given, or is damaged.
            StoreUnavailable: the store cannot be reached.
        """
        found = await self._store.grants(owner)
        return tuple(self._open(sealed).grant(sealed.name) for sealed in found)

    @keeps_to_itself_async
    async def credential(
        self, owner: Identity, provider: str, *, refresh: Refresh | None = None
    ) -> Credential:
        """Return a user's credential, to be used on this side and sent nowhere over ACP (URL-2).

        Args:
            owner: whose.
            provider: for what.
            refresh: gets a new one when it runs out. However many ask, it is called once.

        Raises:
            NoGrant: the user has granted nothing for this provider.
            VaultError, StoreUnavailable: as for `grants`; and what `refresh` raises.
        """
        sealed = await self._read(owner, provider)
        credential = self._open(sealed)
        if refresh is None or not credential.runs_out_by(self._clock() + _EARLY):
            return credential
        key = (owner, provider)
        task = self._refreshing.get(key)
        if task is None:
            task = asyncio.create_task(self._refresh(sealed, credential, refresh))
            self._refreshing[key] = task
            task.add_done_callback(lambda _: self._refreshing.pop(key, None))
        return await asyncio.shield(task)  # who gives up waiting does not stop the others

    async def _refresh(self, sealed: SealedGrant, old: Credential, refresh: Refresh) -> Credential:
        try:
            fresh = await refresh(old)
        except Exception:
            # Another process may have used up the one refresh token that there was.
            now = await self._store.grant(sealed.owner, sealed.name)
            if now is None or now.version == sealed.version:
                raise
            return self._open(now)
        self._tell_guard(fresh)
        plain = write_credential(fresh)
        try:
            await self._store.replace_grant(
                sealed, sealed=self._sealer.seal(plain, sealed.owner, sealed.name)
            )
        except GrantChanged:
            return self._open(await self._read(sealed.owner, sealed.name))
        return fresh

    @keeps_to_itself_async
    async def revoke(
        self,
        owner: Identity,
        provider: str,
        *,
        tell: Callable[[Credential], Awaitable[None]] | None = None,
    ) -> None:
        """Forget a user's credential, after `tell` has told the provider.

        It is forgotten here though the provider cannot be told: then what `tell` raised is raised.

        Raises:
            NoGrant: there is none.
            StoreUnavailable: the store cannot be reached.
        """
        while True:
            sealed = await self._read(owner, provider)
            try:
                await self._store.drop_grant(sealed)
            except GrantChanged:
                continue
            break
        credential = self._open(sealed)
        if tell is not None:
            await tell(credential)
        for secret in filter(None, (credential.secret, credential.refresh)):
            self.guard.remove(secret)

    @keeps_to_itself_async
    async def seal_anew(self) -> int:
        """Seal with the key in use what was sealed with an older one; returns how many that were.

        Afterwards the older keys can be dropped. Others may use the vault meanwhile.

        Raises:
            VaultError, StoreUnavailable: as for `grants`.
        """
        count = 0
        for sealed in await self._store.grants():
            if self._sealer.is_current(sealed.sealed):
                continue
            plain = self._sealer.open(sealed.sealed, sealed.owner, sealed.name)
            try:
                await self._store.replace_grant(
                    sealed, sealed=self._sealer.seal(plain, sealed.owner, sealed.name)
                )
            except GrantChanged:
                continue  # whoever wrote it has the key in use
            count += 1
        return count

    async def _read(self, owner: Identity, provider: str) -> SealedGrant:
        sealed = await self._store.grant(owner, provider)
        if sealed is None:
            raise NoGrant(provider)
        return sealed

    def _open(self, sealed: SealedGrant) -> Credential:
        plain = self._sealer.open(sealed.sealed, sealed.owner, sealed.name)
        credential = read_credential(plain)
        self._tell_guard(credential)
        return credential

    def _tell_guard(self, credential: Credential) -> None:
        for secret in filter(None, (credential.secret, credential.refresh)):
            self.guard.add(secret)

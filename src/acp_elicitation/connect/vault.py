"""The vault: what users granted, encrypted in a store, each for its user and provider alone.

Owns: what may be done with a grant, and key rotation.
Knows nothing of: how a credential is obtained or refreshed (callers say), and which database it is.
Above it: the connect service, agents. Below it: `refreshing`, `sealed_grants`, `tracebacks`,
`stores.port`.

What comes out of it is known to the leak guard from then on, so that it cannot go out over ACP.
"""

from collections.abc import Awaitable, Callable

from acp_elicitation.agent.connecting import Grant
from acp_elicitation.connect.credential import Credential
from acp_elicitation.connect.leaks import LeakGuard
from acp_elicitation.connect.refreshing import Refresh, Refreshing
from acp_elicitation.connect.sealed_grants import SealedGrants
from acp_elicitation.connect.sealing import Sealer
from acp_elicitation.connect.tracebacks import keeps_to_itself_async
from acp_elicitation.stores.errors import GrantChanged
from acp_elicitation.stores.port import Store
from acp_elicitation.stores.records import Identity, NewGrant
from acp_elicitation.stores.settings import wall_clock

__all__ = ["Vault"]


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
        self.guard = guard or LeakGuard()
        self._grants = SealedGrants(store, sealer, self.guard)
        self._refreshing = Refreshing(self._grants, clock=clock)
        self._store = store

    @property
    def sealer(self) -> Sealer:
        """What it seals with: for whatever else has to be readable by this service alone."""
        return self._grants.sealer

    def seal(self, owner: Identity, provider: str, credential: Credential) -> NewGrant:
        """Return what a store keeps of a new credential, such as with the completion of a link."""
        return self._grants.seal(owner, provider, credential)

    @keeps_to_itself_async
    async def grants(self, owner: Identity) -> tuple[Grant, ...]:
        """Return what a user has granted. It holds no secret.

        Raises:
            VaultError: one was sealed with a key that is not given, or is damaged.
            StoreUnavailable: the store cannot be reached.
        """
        found = await self._store.grants(owner)
        return tuple(self._grants.open(sealed).grant(sealed.name) for sealed in found)

    @keeps_to_itself_async
    async def credential(
        self, owner: Identity, provider: str, *, refresh: Refresh | None = None
    ) -> Credential:
        """Return a user's credential, to be used on this side and sent nowhere over ACP (URL-2).

        Args:
            owner: whose.
            provider: for what.
            refresh: gets a new one when it runs out. However many ask, in however many processes,
                it is called once. What it raises `ProviderDenied` for is forgotten.

        Raises:
            NoGrant: the user has granted nothing for this provider.
            VaultError, StoreUnavailable: as for `grants`.
            ProviderError: from `refresh`, and whatever else that raises.
        """
        if refresh is None:
            return self._grants.open(await self._grants.read(owner, provider))
        return await self._refreshing(owner, provider, refresh)

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
            sealed = await self._grants.read(owner, provider)
            try:
                await self._store.drop_grant(sealed)
            except GrantChanged:
                continue
            break
        credential = self._grants.open(sealed)
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
        count, sealer = 0, self._grants.sealer
        for sealed in await self._store.grants():
            if sealer.is_current(sealed.sealed):
                continue
            plain = sealer.open(sealed.sealed, sealed.owner, sealed.name)
            try:
                await self._store.replace_grant(
                    sealed, sealed=sealer.seal(plain, sealed.owner, sealed.name)
                )
            except GrantChanged:
                continue  # whoever wrote it has the key in use
            count += 1
        return count

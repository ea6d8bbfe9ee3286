"""Grants as a store keeps them, and what they are once opened.

Owns: sealing and opening, each grant for its user and provider alone, and that the leak guard
learns each secret that passes through (URL-2).
Knows nothing of: when a grant is refreshed, what an agent may know of it.
Above it: `vault`, `refreshing`. Below it: `sealing`, `credential`, `leaks`, `stores.port`.
"""

from acp_elicitation.connect.credential import (
    Credential,
    read_credential,
    write_credential,
)
from acp_elicitation.connect.errors import NoGrant
from acp_elicitation.connect.leaks import LeakGuard
from acp_elicitation.connect.sealing import Sealer
from acp_elicitation.stores.port import Store
from acp_elicitation.stores.records import Identity, NewGrant, SealedGrant

__all__ = ["SealedGrants"]


class SealedGrants:
    """The grants in `store`, encrypted by `sealer`; `guard` learns what is in them."""

    def __init__(self, store: Store, sealer: Sealer, guard: LeakGuard) -> None:
        self.store = store
        self.sealer = sealer
        self.guard = guard

    def seal(self, owner: Identity, provider: str, credential: Credential) -> NewGrant:
        """Return what a store keeps of a new credential."""
        return NewGrant(
            owner=owner, name=provider, sealed=self._sealed(owner, provider, credential)
        )

    def open(self, grant: SealedGrant) -> Credential:
        """Return the credential in a grant.

        Raises:
            VaultError: it was sealed with a key that is not given, or is damaged.
        """
        plain = self.sealer.open(grant.sealed, grant.owner, grant.name)
        credential = read_credential(plain)
        self._tell_guard(credential)
        return credential

    async def read(self, owner: Identity, provider: str) -> SealedGrant:
        """Return what a user has granted, still sealed.

        Raises:
            NoGrant: there is none.
            StoreUnavailable: the store cannot be reached.
        """
        found = await self.store.grant(owner, provider)
        if found is None:
            raise NoGrant(provider)
        return found

    async def rewrite(self, grant: SealedGrant, credential: Credential) -> SealedGrant:
        """Write another credential into a grant, if it still is the one that was read.

        Raises:
            GrantChanged: it is not.
            StoreUnavailable: the store cannot be reached.
        """
        sealed = self._sealed(grant.owner, grant.name, credential)
        return await self.store.replace_grant(grant, sealed=sealed)

    def _sealed(self, owner: Identity, provider: str, credential: Credential) -> bytes:
        self._tell_guard(credential)
        return self.sealer.seal(write_credential(credential), owner, provider)

    def _tell_guard(self, credential: Credential) -> None:
        for secret in filter(None, (credential.secret, credential.refresh)):
            self.guard.add(secret)

"""What every action of `acp-elicit connect` works with: store, keys, providers.

Owns: opening them together. Knows nothing of: what is done with them. Above it: `serving`,
`granted`. Below it: `connect`, `stores.opening`.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import msgspec

from acp_elicitation.connect.asking import AccountConnecting
from acp_elicitation.connect.identities.local import local_identity
from acp_elicitation.connect.providers import Providers
from acp_elicitation.connect.sealing import Sealer
from acp_elicitation.connect.vault import Vault
from acp_elicitation.stores.opening import store_at
from acp_elicitation.stores.port import Store
from acp_elicitation.stores.records import Identity

__all__ = ["Opened", "Shop"]


class Opened(msgspec.Struct, frozen=True):
    """The same, open."""

    store: Store
    vault: Vault
    providers: Providers

    def accounts_of(self, user: Identity | None) -> AccountConnecting:
        """Return what one user has connected; by default the user of this machine."""
        return AccountConnecting(
            self.store,
            self.vault,
            self.providers,
            base_url="",
            identity=user or local_identity(),
            agent="",
        )


class Shop(msgspec.Struct, frozen=True, kw_only=True):
    """`store` is an address; `keys` are the vault's, the one in use first."""

    store: str
    keys: tuple[bytes, ...]
    providers: Providers

    def __repr__(self) -> str:
        return "<Shop>"  # an address may hold a password

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Opened]:
        """Open them.

        Raises:
            StoreUnavailable: the store cannot be reached, or its library is missing.
            ValueError: its address is of no known kind.
        """
        async with store_at(self.store) as store:
            yield Opened(store, Vault(store, Sealer(self.keys)), self.providers)

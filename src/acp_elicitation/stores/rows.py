"""What a database has to do for a store: rows, transactions and news, and no rules.

Owns: the `Rows` port between `keeping` and the three databases, and how a link is laid out in
columns. Knows nothing of: which steps exist, who may take them, time.
Above it: `keeping`, `sqlite`, `redis`, `postgres`. Below it: `records`.
"""

from collections.abc import AsyncGenerator, Callable, Collection, Mapping
from typing import Protocol, TypedDict

import msgspec

from acp_elicitation.protocol.requests import ElicitationId
from acp_elicitation.stores.lifecycle import LinkState
from acp_elicitation.stores.records import (
    Attempt,
    ConnectionId,
    Identity,
    SealedGrant,
    StoredLink,
)

__all__ = [
    "Change",
    "Decide",
    "GrantColumns",
    "LinkColumns",
    "Rows",
    "grant_columns",
    "grant_of",
    "link_columns",
    "link_of",
]


class LinkColumns(TypedDict):
    """One row of the links."""

    id: str
    connection: str
    identity: str
    created_at: int
    expires_at: int
    details: bytes
    state: str
    reason: str
    attempt_key: str | None
    attempt_data: bytes | None
    step: str


class GrantColumns(TypedDict):
    """One row of the grants."""

    owner: str
    name: str
    sealed: bytes
    version: str


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """What one transaction writes: the link, and with it perhaps a grant.

    From `forget_at` on (milliseconds) nobody asks for the link any more.
    """

    link: StoredLink
    forget_at: int
    grant: SealedGrant | None = None


Decide = Callable[[StoredLink], Change | None]
"""What becomes of a link: None for nothing, and an exception undoes the transaction."""


class Rows(Protocol):
    """One database, on one event loop.

    Every method is one transaction. `passing` are the exceptions after which it is worth trying
    again, since the server is away or the file is locked; `failures` are all that the database's
    library raises. Whether a transaction that ended in one of them was carried out is unknown.
    Never more than `at_once` transactions are begun at a time.
    """

    @property
    def at_once(self) -> int: ...

    @property
    def passing(self) -> tuple[type[Exception], ...]: ...

    @property
    def failures(self) -> tuple[type[Exception], ...]: ...

    async def open(self) -> None:
        """Connect, and bring the tables to the version that this code knows.

        Raises:
            StoreUnavailable: they are of a later version.
        """

    async def close(self) -> None:
        """Let go of every connection."""

    async def insert(self, change: Change) -> StoredLink | None:
        """Add a link unless its id is taken; returns the link that has it, or None."""

    async def load(self, ids: Collection[ElicitationId]) -> Mapping[ElicitationId, StoredLink]:
        """Return those links that exist."""

    async def find(self, attempt_key: str) -> ElicitationId | None:
        """Return the link for which this was begun, though it may be void by now."""

    async def change(self, link_id: ElicitationId, decide: Decide) -> StoredLink | None:
        """Let `decide` see the link while nobody else can change it, and write what it returns.

        The news of an end are part of the transaction. `decide` may be asked more than once.
        Returns the link as it is then, or None where there is none.
        """

    async def grant(self, owner: Identity, name: str) -> SealedGrant | None:
        """Return one grant."""

    async def grants(self, owner: Identity | None) -> list[SealedGrant]:
        """Return all of one user, or all."""

    async def swap_grant(self, grant: SealedGrant, *, version: str) -> bool:
        """Write a grant where it has this version now; returns whether it had."""

    async def drop_grant(self, grant: SealedGrant) -> bool:
        """Remove a grant where it has its version now; returns whether it had."""

    async def forget(self, before: int) -> None:
        """Remove every link that expired before this time (milliseconds)."""

    def news(self) -> AsyncGenerator[ElicitationId | None, None]:
        """Yield None as soon as nothing that follows can be missed, then each link that ends.

        None again says that something may have been missed or that anything may have ended. It
        raises one of `failures` where the connection is lost, and is then called again.
        """


def link_columns(link: StoredLink) -> LinkColumns:
    """Lay a link out in columns."""
    attempt = link.attempt
    return LinkColumns(
        id=link.id,
        connection=link.connection,
        identity=link.identity,
        created_at=link.created_at,
        expires_at=link.expires_at,
        details=link.details,
        state=link.state.name,
        reason=link.reason,
        attempt_key=attempt.key if attempt else None,
        attempt_data=attempt.data if attempt else None,
        step=link.step,
    )


def link_of(columns: LinkColumns) -> StoredLink:
    """Read a link from its columns."""
    key, data = columns["attempt_key"], columns["attempt_data"]
    return StoredLink(
        id=ElicitationId(columns["id"]),
        connection=ConnectionId(columns["connection"]),
        identity=Identity(columns["identity"]),
        created_at=columns["created_at"],
        expires_at=columns["expires_at"],
        details=columns["details"],
        state=LinkState[columns["state"]],
        reason=columns["reason"],
        attempt=None if key is None else Attempt(key=key, data=data or b""),
        step=columns["step"],
    )


def grant_columns(grant: SealedGrant) -> GrantColumns:
    """Lay a grant out in columns."""
    return GrantColumns(
        owner=grant.owner, name=grant.name, sealed=grant.sealed, version=grant.version
    )


def grant_of(columns: GrantColumns) -> SealedGrant:
    """Read a grant from its columns."""
    return SealedGrant(
        owner=Identity(columns["owner"]),
        name=columns["name"],
        sealed=columns["sealed"],
        version=columns["version"],
    )

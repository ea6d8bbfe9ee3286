"""The port that every store implements, with its obligations.

Owns: `Store`. Knows nothing of: any database. Above it: `keeping`, `contract`, whoever makes or
completes links. Below it: `records`.
"""

from types import TracebackType
from typing import Protocol, Self

from acp_elicitation.protocol.requests import ElicitationId
from acp_elicitation.stores.records import (
    Attempt,
    ConnectionId,
    Identity,
    NewGrant,
    SealedGrant,
    StoredLink,
)

__all__ = ["Store"]


class Store(Protocol):
    """Outstanding links, their ends, and what was granted by them, shared by several processes.

    The obligations, which `contract.check_store` asks of every implementation:

    - **Atomic.** Each method happens wholly or not at all, seen by every process alike. A
      completion, its grant and the news of it are one transaction: none is ever there without the
      others. What a caller was told has happened, has.
    - **One end.** A link is completed, failed, expired or withdrawn, exactly once, whoever tries
      at the same time. An attempt is claimed exactly once.
    - **Order.** Every process sees the states of a link in the order of `lifecycle.STORED`, and an
      end never goes away again before the link is forgotten.
    - **Expiry.** From `expires_at` on (milliseconds, by the clock that the store was given; keep
      the clocks of machines together) a link that had not ended has expired, for every method.
      Ended links are kept for `forget_after` seconds from there, then forgotten.
    - **Bound.** A link belongs to the connection and to the user it was created for (REQ-3). For
      another connection it does not exist (URL-6); another user completes nothing (URL-13).
    - **Never missed.** `wait` returns however long ago the link ended, whichever process ended it,
      and though the server was away meanwhile. News only make it faster: the row is the truth.
    - **Durable.** What a method has returned from survives the death of any process, the server's
      own included, as far as the server is set up to keep what it acknowledged (`docs/stores.md`).
    - **No secrets.** `sealed` and `Attempt.data` are opaque; they are in no message and no log.

    Every method raises `StoreUnavailable` where the store could not be reached within its
    patience. Whether the step was taken is then unknown: take it again, or read.

    A store is opened by `async with`, and belongs to one event loop.
    """

    async def __aenter__(self) -> Self: ...

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Let go of it: whoever waits gets `StoreUnavailable`. What is stored stays."""

    async def create(
        self,
        link_id: ElicitationId,
        *,
        connection: ConnectionId,
        identity: Identity,
        lifetime: float,
        details: bytes = b"",
    ) -> StoredLink:
        """Keep a new link; call it before the request is sent, since a completion may come first.

        Args:
            link_id: opaque and not to be guessed, unique in the whole store (URL-3).
            connection: the one that asks.
            identity: the user that was verified on it.
            lifetime: in seconds; after it the link has expired.
            details: what its page has to know; not for secrets.

        Raises:
            DuplicateLink: the id is taken (URL-3).
            ValueError: a text that cannot be kept, or a lifetime of nothing.
        """

    async def read(self, link_id: ElicitationId) -> StoredLink:
        """Return the link as it is now. Nothing but an expiry comes from looking.

        Raises:
            UnknownLink: there is none, or it has been forgotten.
        """

    async def start(
        self, link_id: ElicitationId, *, identity: Identity, attempt: Attempt
    ) -> StoredLink:
        """The user begins, or begins again, which makes any earlier attempt void.

        Raises:
            UnknownLink: there is none.
            LinkEnded: it is over; `state` and `reason` say how.
            WrongIdentity: the link is another user's (URL-13).
        """

    async def claim(self, attempt_key: str) -> StoredLink:
        """Take hold of an attempt that came back: exactly one caller ever gets through.

        Raises:
            UnknownLink: no such attempt, or it is void.
            LinkClaimed: somebody has claimed it before.
            LinkEnded: the link is over.
        """

    async def complete(
        self,
        link_id: ElicitationId,
        *,
        identity: Identity,
        attempt_key: str | None = None,
        grant: NewGrant | None = None,
    ) -> StoredLink:
        """End a link with success, and keep what it brought, in one transaction.

        Args:
            link_id: which.
            identity: the user who finished it; must be the one it was created for (URL-13).
            attempt_key: what the caller has claimed; None where nothing was begun or claimed.
            grant: what to keep for the user, sealed.

        Raises:
            UnknownLink: there is none, or the claim is void because the user began again.
            LinkEnded: it is over already: this was not the one completion.
            LinkClaimed: another has claimed it.
            WrongIdentity: it, or the grant, is another user's (URL-13).
        """

    async def fail(
        self, link_id: ElicitationId, *, reason: str, attempt_key: str | None = None
    ) -> StoredLink:
        """End a link without success; `reason` is a short code without anything personal.

        Raises:
            UnknownLink, LinkEnded, LinkClaimed: as for `complete`.
        """

    async def withdraw(self, link_id: ElicitationId, *, connection: ConnectionId) -> StoredLink:
        """Take a link back that nobody waits for: what comes for it later is refused.

        Raises:
            UnknownLink: this connection has no such link (REQ-3).
            LinkEnded: it is over already.
        """

    async def wait(self, link_id: ElicitationId, *, connection: ConnectionId) -> StoredLink:
        """Return the link once it has ended, in whatever way; expiry ends it at the latest.

        A server that is away is waited for.

        Raises:
            UnknownLink: this connection has no such link (URL-6), or it has been forgotten.
        """

    async def grant(self, owner: Identity, name: str) -> SealedGrant | None:
        """Return what a user has been granted under a name."""

    async def grants(self, owner: Identity | None = None) -> tuple[SealedGrant, ...]:
        """Return what one user has, or everybody: in the order of owner and name."""

    async def replace_grant(self, grant: SealedGrant, *, sealed: bytes) -> SealedGrant:
        """Write a grant anew, if it still is the one that was read.

        Raises:
            GrantChanged: another process has written or dropped it meanwhile.
        """

    async def drop_grant(self, grant: SealedGrant) -> None:
        """Forget a grant, if it still is the one that was read.

        Raises:
            GrantChanged: another process has written or dropped it meanwhile.
        """

"""`KeptStore`: the store over any database that keeps rows.

Owns: each method of the port as one transaction of a `Rows`, and the clock.
Knows nothing of: SQL, Redis, and what a step means (`steps`).
Above it: `sqlite`, `redis`, `postgres`, each of which gives it its rows. Below it: `waiting`,
`trying`, `steps`, `rows`.
"""

from collections.abc import Callable, Collection, Mapping
from types import TracebackType
from typing import Self

from msgspec.structs import asdict, replace

from acp_elicitation.protocol.errors import DuplicateLink, UnknownLink
from acp_elicitation.protocol.requests import ElicitationId
from acp_elicitation.stores import steps
from acp_elicitation.stores.errors import GrantChanged
from acp_elicitation.stores.records import (
    Attempt,
    ConnectionId,
    Identity,
    NewGrant,
    SealedGrant,
    StoredLink,
    check_text,
)
from acp_elicitation.stores.rows import Change, Rows
from acp_elicitation.stores.settings import StoreSettings
from acp_elicitation.stores.trying import Trying
from acp_elicitation.stores.waiting import Waiting

__all__ = ["KeptStore"]

_Step = Callable[[StoredLink], StoredLink]

_TIDY_EVERY = 600_000  # milliseconds


class KeptStore:
    """A `Store` (see there for every method) that keeps its links in `rows`."""

    def __init__(self, rows: Rows, settings: StoreSettings | None = None) -> None:
        self._rows = rows
        self._settings = settings or StoreSettings()
        self._tidied_at = 0
        self._tried = Trying(
            passing=rows.passing,
            failures=rows.failures,
            at_once=rows.at_once,
            patience=self._settings.patience,
        )
        self._waiting = Waiting(
            look_at=self._current,
            news=rows.news,
            broken=rows.failures,
            clock=self._settings.clock,
            every=self._settings.scan_every,
        )

    async def __aenter__(self) -> Self:
        self._tried.is_open = True
        try:
            await self._tried(self._rows.open)
        except BaseException:
            self._tried.is_open = False
            await self._rows.close()
            raise
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._tried.is_open = False
        await self._waiting.close()
        await self._rows.close()

    async def create(
        self,
        link_id: ElicitationId,
        *,
        connection: ConnectionId,
        identity: Identity,
        lifetime: float,
        details: bytes = b"",
    ) -> StoredLink:
        check_text(link_id=link_id, connection=connection, identity=identity)
        now = self._settings.clock()
        expires_at = now + round(lifetime * 1000)
        if expires_at <= now:
            raise ValueError("lifetime: more than nothing, in seconds")
        link = StoredLink(
            id=link_id,
            connection=connection,
            identity=identity,
            created_at=now,
            expires_at=expires_at,
            details=details,
            step=self._settings.new_token(),
        )
        change = self._change(link)
        holder = await self._tried(lambda: self._rows.insert(change))
        if holder is not None and holder.step != link.step:
            raise DuplicateLink(link_id)  # URL-3
        await self._tidy(now)
        return link

    async def read(self, link_id: ElicitationId) -> StoredLink:
        found = await self._current([link_id])
        if link_id not in found:
            raise UnknownLink(link_id)
        return found[link_id]

    async def start(
        self, link_id: ElicitationId, *, identity: Identity, attempt: Attempt
    ) -> StoredLink:
        check_text(attempt_key=attempt.key)
        return await self._step(
            link_id, lambda link: steps.started(link, identity=identity, attempt=attempt)
        )

    async def claim(self, attempt_key: str) -> StoredLink:
        link_id = None
        if _can_be_kept(attempt_key):
            link_id = await self._tried(lambda: self._rows.find(attempt_key))
        if link_id is None:
            raise UnknownLink("(of this attempt)")
        return await self._step(link_id, lambda link: steps.claimed(link, attempt_key=attempt_key))

    async def complete(
        self,
        link_id: ElicitationId,
        *,
        identity: Identity,
        attempt_key: str | None = None,
        grant: NewGrant | None = None,
    ) -> StoredLink:
        if grant is not None:
            check_text(owner=grant.owner, name=grant.name)
        return await self._step(
            link_id,
            lambda link: steps.completed(
                link, identity=identity, attempt_key=attempt_key, grant=grant
            ),
            grant=grant,
        )

    async def fail(
        self, link_id: ElicitationId, *, reason: str, attempt_key: str | None = None
    ) -> StoredLink:
        check_text(reason=reason)
        return await self._step(
            link_id, lambda link: steps.failed(link, reason=reason, attempt_key=attempt_key)
        )

    async def withdraw(self, link_id: ElicitationId, *, connection: ConnectionId) -> StoredLink:
        return await self._step(link_id, lambda link: steps.withdrawn(link, connection=connection))

    async def wait(self, link_id: ElicitationId, *, connection: ConnectionId) -> StoredLink:
        return await self._waiting.ended(link_id, connection)

    async def grant(self, owner: Identity, name: str) -> SealedGrant | None:
        return await self._tried(lambda: self._rows.grant(owner, name))

    async def grants(self, owner: Identity | None = None) -> tuple[SealedGrant, ...]:
        found = await self._tried(lambda: self._rows.grants(owner))
        return tuple(sorted(found, key=lambda grant: (grant.owner, grant.name)))

    async def replace_grant(self, grant: SealedGrant, *, sealed: bytes) -> SealedGrant:
        written = replace(grant, sealed=sealed, version=self._settings.new_token())
        if not await self._tried(lambda: self._rows.swap_grant(written, version=grant.version)):
            now = await self.grant(grant.owner, grant.name)
            if now is None or now.version != written.version:  # else it was ours, unconfirmed
                raise GrantChanged(grant.name)
        return written

    async def drop_grant(self, grant: SealedGrant) -> None:
        if not await self._tried(lambda: self._rows.drop_grant(grant)):
            raise GrantChanged(grant.name)

    async def _step(
        self, link_id: ElicitationId, step: _Step, *, grant: NewGrant | None = None
    ) -> StoredLink:
        """Take one step in one transaction; what is over by now is recorded as such instead."""
        token = self._settings.new_token()

        def decide(link: StoredLink) -> Change | None:
            if link.step == token:  # done before the connection broke, and never confirmed
                return None
            now = steps.expired(link, now=self._settings.clock())
            if now is not link:
                return self._change(now)
            kept = None if grant is None else SealedGrant(**asdict(grant), version=token)
            return self._change(replace(step(link), step=token), kept)

        after = None
        if _can_be_kept(link_id):
            after = await self._tried(lambda: self._rows.change(link_id, decide))
        if after is None:
            raise UnknownLink(link_id)
        if after.ended:
            self._waiting.look(link_id)
        if after.step != token:
            steps.refuse_ended(after)
        return after

    async def _current(self, ids: Collection[ElicitationId]) -> Mapping[ElicitationId, StoredLink]:
        """The links as they are now; an expiry is recorded, so that no process sees it undone."""
        ids = list(filter(_can_be_kept, ids))
        found = dict(await self._tried(lambda: self._rows.load(ids)) if ids else {})
        now = self._settings.clock()
        for link_id in [link.id for link in found.values() if steps.expired(link, now=now) != link]:
            found.pop(link_id)
            if (after := await self._expired(link_id)) is not None:
                found[link_id] = after
        return found

    async def _expired(self, link_id: ElicitationId) -> StoredLink | None:
        after = await self._tried(lambda: self._rows.change(link_id, self._expire))
        self._waiting.look(link_id)
        return after

    def _expire(self, link: StoredLink) -> Change | None:
        over = steps.expired(link, now=self._settings.clock())
        return None if over is link else self._change(over)

    def _change(self, link: StoredLink, grant: SealedGrant | None = None) -> Change:
        forget_at = link.expires_at + round(self._settings.forget_after * 1000)
        return Change(link=link, forget_at=forget_at, grant=grant)

    async def _tidy(self, now: int) -> None:
        """Forget what is long over, now and then."""
        if now - self._tidied_at >= _TIDY_EVERY:
            self._tidied_at = now
            before = now - round(self._settings.forget_after * 1000)
            await self._tried(lambda: self._rows.forget(before))


def _can_be_kept(text: str) -> bool:
    """Whether a link can have it. Anybody may ask for anything: that it is none is no failure."""
    try:
        check_text(text=text)
    except ValueError:
        return False
    return True

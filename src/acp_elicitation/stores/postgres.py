"""The store on a PostgreSQL server, for several machines.

Owns: the pool of connections, and the one that listens. Knows nothing of: steps, clients.
Above it: `opening`, whoever deploys on PostgreSQL. Below it: `keeping`, `rows`, `postgres.sql`,
psycopg (extra `postgres`).

The row is the truth. A notification carries the id of a link and only wakes who waits for it; what
is sent while nobody listens is gone, so that after each break every link is looked at.
"""

from collections.abc import AsyncGenerator, AsyncIterator, Collection, Mapping
from contextlib import asynccontextmanager
from typing import Any, TypeAlias, cast

import psycopg
from psycopg.rows import DictRow, dict_row
from psycopg_pool import AsyncConnectionPool

from acp_elicitation.protocol.requests import ElicitationId
from acp_elicitation.stores.errors import StoreUnavailable
from acp_elicitation.stores.keeping import KeptStore
from acp_elicitation.stores.records import Identity, SealedGrant, StoredLink
from acp_elicitation.stores.rows import (
    Change,
    Decide,
    GrantColumns,
    LinkColumns,
    grant_columns,
    grant_of,
    link_columns,
    link_of,
)
from acp_elicitation.stores.settings import StoreSettings
from acp_elicitation.stores.statements import migrations, read_statements

__all__ = ["PostgresRows", "postgres_store"]

_Connection: TypeAlias = psycopg.AsyncConnection[DictRow]
_Cursor: TypeAlias = psycopg.AsyncCursor[DictRow]

_VERSION = 1
_POOLED = 8
_SECONDS = 5  # for connecting, and until a server that says nothing counts as gone
_CONNECTION: dict[str, Any] = {
    "connect_timeout": _SECONDS,
    "keepalives_idle": _SECONDS,
    "keepalives_interval": 1,
    "keepalives_count": 3,
    "tcp_user_timeout": _SECONDS * 1000,
    "row_factory": dict_row,
    "autocommit": True,
}


def postgres_store(conninfo: str, settings: StoreSettings | None = None) -> KeptStore:
    """Return a store in this database; `conninfo` is a libpq URL or string.

    Its tables are made where they are missing, in the first schema of the search path.
    """
    return KeptStore(PostgresRows(conninfo), settings)


class PostgresRows:
    """The `Rows` (see there) of one PostgreSQL database."""

    at_once = _POOLED
    passing = (psycopg.OperationalError, psycopg.InterfaceError)
    failures = (psycopg.Error,)

    def __init__(self, conninfo: str) -> None:
        self._conninfo = conninfo
        self._sql = read_statements("postgres.sql")
        self._pool: AsyncConnectionPool[_Connection] | None = None

    async def open(self) -> None:
        if self._pool is None:
            async with await self._connect() as connection, connection.transaction():
                await self._migrate(connection)
            self._pool = AsyncConnectionPool(
                self._conninfo,
                kwargs=_CONNECTION,
                min_size=1,
                max_size=_POOLED,
                timeout=1.0,  # then it is tried again
                reconnect_timeout=0,  # `Trying` repeats, and a broken one is never handed out
                check=AsyncConnectionPool.check_connection,
                open=False,
            )
            await self._pool.open()

    async def close(self) -> None:
        if self._pool is not None:
            await self._pool.close(timeout=1)
            self._pool = None

    async def insert(self, change: Change) -> StoredLink | None:
        async with self._connection() as connection, connection.transaction():
            cursor = await self._run(connection, "insert_link", link_columns(change.link))
            if cursor.rowcount:
                return None
            return await self._link(connection, "link", change.link.id)

    async def load(self, ids: Collection[ElicitationId]) -> Mapping[ElicitationId, StoredLink]:
        async with self._connection() as connection:
            cursor = await self._run(connection, "links", {"ids": list(ids)})
            return {link.id: link for link in map(_link, await cursor.fetchall())}

    async def find(self, attempt_key: str) -> ElicitationId | None:
        row = await self._row("link_of_attempt", {"attempt_key": attempt_key})
        return None if row is None else ElicitationId(row["id"])

    async def change(self, link_id: ElicitationId, decide: Decide) -> StoredLink | None:
        async with self._connection() as connection, connection.transaction():
            link = await self._link(connection, "link_locked", link_id)
            decided = None if link is None else decide(link)
            if decided is None:
                return link
            await self._run(connection, "update_link", link_columns(decided.link))
            if decided.grant is not None:
                await self._run(connection, "put_grant", grant_columns(decided.grant))
            if decided.link.ended:
                await self._run(connection, "tell", {"id": link_id})
            return decided.link

    async def grant(self, owner: Identity, name: str) -> SealedGrant | None:
        row = await self._row("grant", {"owner": owner, "name": name})
        return None if row is None else _grant(row)

    async def grants(self, owner: Identity | None) -> list[SealedGrant]:
        async with self._connection() as connection:
            cursor = await self._run(connection, "grants", {"owner": owner})
            return list(map(_grant, await cursor.fetchall()))

    async def swap_grant(self, grant: SealedGrant, *, version: str) -> bool:
        return await self._written("swap_grant", {**grant_columns(grant), "expected": version})

    async def drop_grant(self, grant: SealedGrant) -> bool:
        return await self._written("drop_grant", grant_columns(grant))

    async def forget(self, before: int) -> None:
        await self._written("forget_links", {"before": before})

    async def news(self) -> AsyncGenerator[ElicitationId | None, None]:
        async with await self._connect() as connection:
            await self._run(connection, "listen")
            yield None
            async for notification in connection.notifies():
                yield ElicitationId(notification.payload)

    async def _connect(self) -> _Connection:
        connecting = psycopg.AsyncConnection.connect(self._conninfo, **_CONNECTION)
        return cast("_Connection", await connecting)

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[_Connection]:
        if self._pool is None:
            raise StoreUnavailable("it is not open")
        async with self._pool.connection() as connection:
            yield connection

    async def _migrate(self, connection: _Connection) -> None:
        await self._run(connection, "lock_version")
        await self._run(connection, "version_table")
        row = await (await self._run(connection, "version")).fetchone()
        version = 0 if row is None else int(row["number"])
        if version > _VERSION:
            raise StoreUnavailable(f"its tables have version {version}, known is {_VERSION}")
        if version < _VERSION:
            for statement in migrations(self._sql, version=version):
                await connection.execute(statement)
            await self._run(connection, "forget_version")
            await self._run(connection, "set_version", {"number": _VERSION})

    async def _run(
        self, connection: _Connection, name: str, columns: Mapping[str, Any] | None = None
    ) -> _Cursor:
        return await connection.execute(self._sql[name], columns)

    async def _row(self, name: str, columns: Mapping[str, Any]) -> DictRow | None:
        async with self._connection() as connection:
            return await (await self._run(connection, name, columns)).fetchone()

    async def _link(
        self, connection: _Connection, name: str, link_id: ElicitationId
    ) -> StoredLink | None:
        row = await (await self._run(connection, name, {"id": link_id})).fetchone()
        return None if row is None else _link(row)

    async def _written(self, name: str, columns: Mapping[str, Any]) -> bool:
        async with self._connection() as connection:
            return bool((await self._run(connection, name, columns)).rowcount)


def _link(row: DictRow) -> StoredLink:
    return link_of(cast("LinkColumns", row))


def _grant(row: DictRow) -> SealedGrant:
    return grant_of(cast("GrantColumns", row))

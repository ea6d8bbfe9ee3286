"""The places in which the tests keep links: each hands out rows on the same data."""

import secrets
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Protocol

from acp_elicitation.stores.keeping import KeptStore
from acp_elicitation.stores.port import Store
from acp_elicitation.stores.postgres import PostgresRows
from acp_elicitation.stores.redis import RedisRows
from acp_elicitation.stores.rows import Rows
from acp_elicitation.stores.settings import StoreSettings
from acp_elicitation.stores.sqlite import MEMORY, SqliteRows
from acp_elicitation.stores.trial import Clock, MakeStore
from tests.servers import PostgresServer, RedisServer

__all__ = ["Place", "PostgresPlace", "RedisPlace", "SqlitePlace", "make_in", "make_in_memory"]


class Place(Protocol):
    """Somewhere to keep links in."""

    @property
    def url(self) -> str:
        """Where another process finds it."""
        ...

    def rows(self) -> Rows:
        """Return rows that are not open yet."""
        ...


class SqlitePlace:
    def __init__(self, folder: Path) -> None:
        self.path = folder / "state" / "links.sqlite3"
        self.url = f"sqlite:{self.path}"

    def rows(self) -> SqliteRows:
        return SqliteRows(self.path)


class RedisPlace:
    def __init__(self, server: RedisServer) -> None:
        self.server = server
        self.prefix = f"test-{secrets.token_hex(4)}"
        self.url = f"{server.url}#{self.prefix}"

    def rows(self) -> RedisRows:
        return RedisRows(self.server.url, prefix=self.prefix)


class PostgresPlace:
    def __init__(self, server: PostgresServer) -> None:
        self.server = server
        self.schema = f"test_{secrets.token_hex(4)}"
        server.run_sql(f"CREATE SCHEMA {self.schema}")
        self.url = f"{server.url}&options=-csearch_path%3D{self.schema}"

    def rows(self) -> PostgresRows:
        return PostgresRows(self.url)


def settings_for(clock: Clock) -> StoreSettings:
    return StoreSettings(clock=clock, scan_every=0.2)


def make_in(place: Place) -> MakeStore:
    """What the contract asks for: each store as another process would open it."""

    def make(clock: Clock) -> AbstractAsyncContextManager[Store]:
        return KeptStore(place.rows(), settings_for(clock))

    return make


def make_in_memory(stack: AsyncExitStack) -> MakeStore:
    """The same for a store that has no second opening: both are the one; `stack` closes it."""
    opened: dict[Clock, Store] = {}

    @asynccontextmanager
    async def make(clock: Clock) -> AsyncIterator[Store]:
        if clock not in opened:
            store = KeptStore(SqliteRows(MEMORY), settings_for(clock))
            opened[clock] = await stack.enter_async_context(store)
        yield opened[clock]

    return make

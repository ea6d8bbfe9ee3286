"""The store in a file of one machine, or in memory: SQLite, off the event loop.

Owns: the file and its mode, the one connection, the thread that it lives in. Knows nothing of:
steps, clients. Above it: `opening`, whoever needs a store without a server. Below it: `keeping`,
`rows`, `sqlite.sql`.

Several processes of one machine share a file (not over a network file system). News of another
process come by a look at `PRAGMA data_version`, which costs next to nothing.
"""

import asyncio
import contextlib
import json
import os
import sqlite3
import threading
from collections.abc import AsyncGenerator, Callable, Collection, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Literal, TypeAlias, TypeVar

from acp_elicitation.protocol.requests import ElicitationId
from acp_elicitation.stores.errors import StoreUnavailable
from acp_elicitation.stores.keeping import KeptStore
from acp_elicitation.stores.records import Identity, SealedGrant, StoredLink
from acp_elicitation.stores.rows import (
    Change,
    Decide,
    grant_columns,
    grant_of,
    link_columns,
    link_of,
)
from acp_elicitation.stores.settings import StoreSettings
from acp_elicitation.stores.statements import migrations, read_statements

__all__ = ["MEMORY", "SqliteRows", "default_path", "sqlite_store"]

T = TypeVar("T")

MEMORY = ":memory:"
"""The path of a store that ends with its process."""

_Columns: TypeAlias = Mapping[str, Any]
_VERSION = 1
_LOCKED = 0.25  # seconds that the thread waits for a lock before the others get their turn
_GLANCE = 0.1  # seconds between two looks at `data_version`
_NEVER = 86_400.0


def default_path() -> Path:
    """Where the store is kept by default: in the user's own state folder."""
    import platformdirs

    return platformdirs.user_state_path("acp-elicitation", appauthor=False) / "links.sqlite3"


def sqlite_store(
    path: str | Path | None = None, settings: StoreSettings | None = None
) -> KeptStore:
    """Return a store in this file, by default `default_path()`; `MEMORY` keeps no file.

    The folder is made with mode 0700 where it is missing, the file with 0600.
    """
    return KeptStore(SqliteRows(default_path() if path is None else path), settings)


class SqliteRows:
    """The `Rows` (see there) of one SQLite database."""

    at_once = 1
    passing = (sqlite3.OperationalError,)
    failures = (sqlite3.Error, OSError)

    def __init__(self, path: str | Path) -> None:
        self.path = path
        self._sql = read_statements("sqlite.sql")
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="acp-elicitation-sqlite")
        self._connection: sqlite3.Connection | None = None
        self._given_up = threading.Event()

    async def open(self) -> None:
        await self._in_thread(self._open)

    async def close(self) -> None:
        if self._connection is not None:
            await self._in_thread(self._connection.close)
            self._connection = None
        self._thread.shutdown(wait=False)

    async def insert(self, change: Change) -> StoredLink | None:
        def insert(link: StoredLink) -> StoredLink | None:
            with self._transaction():
                if self._run("insert_link", link_columns(link)).rowcount:
                    return None
                return self._link(link.id)

        return await self._in_thread(insert, change.link)

    async def load(self, ids: Collection[ElicitationId]) -> Mapping[ElicitationId, StoredLink]:
        def load() -> list[Any]:
            return self._run("links", {"ids": json.dumps(list(ids))}).fetchall()

        return {link.id: link for link in map(link_of, await self._in_thread(load))}

    async def find(self, attempt_key: str) -> ElicitationId | None:
        def find() -> Any:
            return self._row("link_of_attempt", {"attempt_key": attempt_key})

        row = await self._in_thread(find)
        return None if row is None else ElicitationId(row["id"])

    async def change(self, link_id: ElicitationId, decide: Decide) -> StoredLink | None:
        def change() -> StoredLink | None:
            with self._transaction():
                link = self._link(link_id)
                decided = None if link is None else decide(link)
                if decided is None:
                    return link
                self._run("update_link", link_columns(decided.link))
                if decided.grant is not None:
                    self._run("put_grant", grant_columns(decided.grant))
                return decided.link

        return await self._in_thread(change)

    async def grant(self, owner: Identity, name: str) -> SealedGrant | None:
        row = await self._in_thread(self._row, "grant", {"owner": owner, "name": name})
        return None if row is None else grant_of(row)

    async def grants(self, owner: Identity | None) -> list[SealedGrant]:
        def grants() -> list[Any]:
            return self._run("grants", {"owner": owner}).fetchall()

        return list(map(grant_of, await self._in_thread(grants)))

    async def swap_grant(self, grant: SealedGrant, *, version: str) -> bool:
        return await self._written("swap_grant", {**grant_columns(grant), "expected": version})

    async def drop_grant(self, grant: SealedGrant) -> bool:
        return await self._written("drop_grant", grant_columns(grant))

    async def forget(self, before: int) -> None:
        await self._written("forget_links", {"before": before})

    async def news(self) -> AsyncGenerator[ElicitationId | None, None]:
        seen = await self._in_thread(self._data_version)
        yield None
        while True:
            await asyncio.sleep(_GLANCE if self.path != MEMORY else _NEVER)
            now = await self._in_thread(self._data_version)
            if now != seen:
                seen = now
                yield None

    async def setting(self, name: Literal["journal_mode", "synchronous"]) -> object:
        """Return what SQLite says about one of its settings."""
        row = await self._in_thread(self._open_connection.execute, f"PRAGMA {name}")
        return next(iter(row.fetchone().values()))

    async def _in_thread(self, call: Callable[..., T], *arguments: Any) -> T:
        given_up = threading.Event()

        def in_thread() -> T:
            self._given_up = given_up
            return call(*arguments)

        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, in_thread)
        except asyncio.CancelledError:
            given_up.set()  # what waits for a lock and is not waited for does nothing later
            raise

    async def _written(self, name: str, columns: _Columns) -> bool:
        def write() -> bool:
            with self._transaction():
                return bool(self._run(name, columns).rowcount)

        return await self._in_thread(write)

    # What follows runs in the thread.

    def _open(self) -> None:
        if self._connection is None:
            if self.path != MEMORY:
                _make_private(Path(self.path))
            self._connection = sqlite3.connect(
                self.path, timeout=_LOCKED, isolation_level=None, check_same_thread=False
            )
            self._connection.row_factory = _columns
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = FULL")  # an answered callback is kept
        self._migrate()

    def _migrate(self) -> None:
        with self._transaction():
            self._run("version_table")
            row = self._row("version")
            version = 0 if row is None else int(row["number"])
            if version > _VERSION:
                raise StoreUnavailable(f"its tables have version {version}, known is {_VERSION}")
            if version < _VERSION:
                for statement in migrations(self._sql, version=version):
                    self._open_connection.execute(statement)
                self._run("forget_version")
                self._run("set_version", {"number": _VERSION})

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        """Nobody else writes between its first look and its last word."""
        self._open_connection.execute("BEGIN IMMEDIATE")
        try:
            if self._given_up.is_set():
                raise StoreUnavailable("nobody waits for it any more")
            yield
            self._open_connection.execute("COMMIT")
        finally:
            if self._open_connection.in_transaction:
                self._open_connection.execute("ROLLBACK")

    @property
    def _open_connection(self) -> sqlite3.Connection:
        if self._connection is None:
            raise StoreUnavailable("it is not open")
        return self._connection

    def _run(self, name: str, columns: _Columns | None = None) -> sqlite3.Cursor:
        return self._open_connection.execute(self._sql[name], columns or {})

    def _row(self, name: str, columns: _Columns | None = None) -> Any:
        return self._run(name, columns).fetchone()

    def _link(self, link_id: ElicitationId) -> StoredLink | None:
        row = self._row("link", {"id": link_id})
        return None if row is None else link_of(row)

    def _data_version(self) -> int:
        row = self._row("data_version")
        return 0 if row is None else int(row["data_version"])


def _columns(cursor: sqlite3.Cursor, row: tuple[Any, ...]) -> dict[str, Any]:
    names = (description[0] for description in cursor.description)
    return dict(zip(names, row, strict=True))


def _make_private(path: Path) -> None:
    """Make the file before SQLite does, which gives its companions the same mode."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    path.chmod(0o600)

"""A setting on each kind of store, with a real server: started when it is first needed, then kept.

Owns: which server is behind a setting, where it keeps its files, and killing it.
Knows nothing of: what is tested. Above it: the tests of connecting.
Below it: `setting`, `tests.servers`.
"""

from contextlib import AsyncExitStack
from pathlib import Path
from typing import Literal, TypeAlias

from tests.connect.setting import Setting, setting
from tests.servers import PostgresServer, RedisServer

__all__ = ["STORES", "Settings", "StoreKind"]

StoreKind: TypeAlias = Literal["sqlite", "redis", "postgres"]

STORES: tuple[StoreKind, ...] = ("sqlite", "redis", "postgres")


class Settings:
    """They live as long as `stack`; `folder` is for SQLite."""

    def __init__(self, stack: AsyncExitStack, folder: Path) -> None:
        self._stack = stack
        self._folders: dict[StoreKind, Path] = {"sqlite": folder}
        self._running: dict[StoreKind, Setting] = {}
        self._servers: dict[StoreKind, RedisServer | PostgresServer] = {}

    async def on(self, kind: StoreKind) -> Setting:
        """Return the setting on a kind of store."""
        if kind not in self._running:
            self._running[kind] = await self._stack.enter_async_context(setting(self._url(kind)))
        return self._running[kind]

    def folder(self, kind: StoreKind) -> Path:
        """Return where the store has its files."""
        return self._folders[kind]

    def kill_and_start(self, kind: StoreKind) -> None:
        """Kill the server of a store, and start it again."""
        server = self._servers[kind]
        if isinstance(server, PostgresServer):
            server.kill_hard()
        else:
            server.kill()
        server.start()

    def _url(self, kind: StoreKind) -> str:
        if kind == "sqlite":
            return f"sqlite:{self._folders[kind] / 'links.sqlite3'}"
        server = self._start_server(kind)
        self._servers[kind] = server
        self._folders[kind] = server.folder
        return server.url

    def _start_server(self, kind: StoreKind) -> RedisServer | PostgresServer:
        if kind == "redis":
            return self._stack.enter_context(RedisServer())
        return self._stack.enter_context(PostgresServer())

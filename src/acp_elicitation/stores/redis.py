"""The store on a Redis or Valkey server, for several machines.

Owns: the keys, and the stream of news. Knows nothing of: steps, clients.
Above it: `opening`, whoever deploys on Redis. Below it: `keeping`, `rows`, redis-py (extra
`redis`).

A step is a transaction (WATCH, MULTI, EXEC): what another has changed meanwhile is read again. Its
news is an entry of a stream within the transaction, and a reader that was away goes on where it
was.
"""

import logging
from collections.abc import AsyncGenerator, Collection, Mapping
from typing import Any

import msgspec
from redis.asyncio import Redis
from redis.asyncio.client import Pipeline
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import (
    BusyLoadingError,
    ClusterDownError,
    ConnectionError,
    MasterDownError,
    ReadOnlyError,
    RedisError,
    TimeoutError,
    TryAgainError,
    WatchError,
)

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

__all__ = ["RedisRows", "redis_store"]

_SECONDS = 3.0  # for connecting, and until a server that says nothing counts as gone
_BLOCK = 1_000  # milliseconds that one read of the stream waits at the server
_KEPT = 10_000  # entries of the stream, more or less
_BEGINNING = "0-0"
_log = logging.getLogger(__name__)


def redis_store(
    url: str, settings: StoreSettings | None = None, *, prefix: str = "acp-elicitation"
) -> KeptStore:
    """Return a store on this server; `prefix` keeps it apart from what else is there."""
    return KeptStore(RedisRows(url, prefix=prefix), settings)


class RedisRows:
    """The `Rows` (see there) of one Redis database."""

    at_once = 32
    passing = (
        BusyLoadingError,
        ClusterDownError,
        ConnectionError,
        MasterDownError,
        ReadOnlyError,
        TimeoutError,
        TryAgainError,
        WatchError,
    )
    failures = (RedisError, OSError)

    def __init__(self, url: str, *, prefix: str = "acp-elicitation") -> None:
        self._url = url
        self._prefix = f"{prefix}:1:"
        self._stream = f"{self._prefix}ended"
        self._heard: Any = None
        self._client: Redis | None = None

    async def open(self) -> None:
        try:
            self._client = self._client or self._connect()
            info = await self._client.info("persistence")
        except (TypeError, ValueError):  # its text may quote what stands in the address
            raise ValueError(
                "the address of the store is none for Redis: look at its port and its options, and "
                "write what is special in a password as %XX"
            ) from None
        if not info.get("aof_enabled"):
            _log.warning("this Redis keeps no append-only file: what it held is gone when it ends")

    async def close(self) -> None:
        if self._client is not None:
            await self._client.aclose()
            self._client = None

    async def insert(self, change: Change) -> StoredLink | None:
        link = change.link
        written = await self._open_client.set(
            self._link_key(link.id), _link_json(link), nx=True, pxat=change.forget_at
        )
        return None if written else (await self.load([link.id])).get(link.id)

    async def load(self, ids: Collection[ElicitationId]) -> Mapping[ElicitationId, StoredLink]:
        found = await self._open_client.mget([self._link_key(link_id) for link_id in ids])
        links = [_link(raw) for raw in found if raw is not None]
        return {link.id: link for link in links}

    async def find(self, attempt_key: str) -> ElicitationId | None:
        found = await self._open_client.get(self._attempt_key(attempt_key))
        return None if found is None else ElicitationId(_text(found))

    async def change(self, link_id: ElicitationId, decide: Decide) -> StoredLink | None:
        key = self._link_key(link_id)
        async with self._open_client.pipeline(transaction=True) as pipeline:
            await pipeline.watch(key)
            raw = await pipeline.get(key)
            link = None if raw is None else _link(raw)
            decided = None if link is None else decide(link)
            if decided is None:
                return link
            pipeline.multi()  # type: ignore[no-untyped-call]
            self._write(pipeline, decided)
            await pipeline.execute()
            return decided.link

    def _write(self, pipeline: Pipeline, change: Change) -> None:
        link, grant = change.link, change.grant
        pipeline.set(self._link_key(link.id), _link_json(link), pxat=change.forget_at)
        if link.attempt is not None:
            pipeline.set(self._attempt_key(link.attempt.key), link.id, pxat=change.forget_at)
        if grant is not None:
            pipeline.hset(self._grants_key(grant.owner), grant.name, _grant_json(grant))
            pipeline.sadd(f"{self._prefix}owners", grant.owner)
        if link.ended:
            pipeline.xadd(self._stream, {"id": link.id}, maxlen=_KEPT)

    async def grant(self, owner: Identity, name: str) -> SealedGrant | None:
        raw = await self._open_client.hget(self._grants_key(owner), name)
        return None if raw is None else _grant(raw)

    async def grants(self, owner: Identity | None) -> list[SealedGrant]:
        client = self._open_client
        owners = [owner] if owner else map(_text, await client.smembers(f"{self._prefix}owners"))
        found: list[SealedGrant] = []
        for each in owners:
            for raw in await client.hvals(self._grants_key(each)):
                found.append(_grant(raw))
        return found

    async def swap_grant(self, grant: SealedGrant, *, version: str) -> bool:
        return await self._rewrite_grant(grant, version, _grant_json(grant))

    async def drop_grant(self, grant: SealedGrant) -> bool:
        return await self._rewrite_grant(grant, grant.version, None)

    async def _rewrite_grant(self, grant: SealedGrant, version: str, raw: bytes | None) -> bool:
        key = self._grants_key(grant.owner)
        async with self._open_client.pipeline(transaction=True) as pipeline:
            await pipeline.watch(key)
            now = await pipeline.hget(key, grant.name)
            if now is None or _grant(now).version != version:
                return False
            last = await pipeline.hlen(key) == 1
            pipeline.multi()  # type: ignore[no-untyped-call]
            if raw is not None:
                pipeline.hset(key, grant.name, raw)
            else:
                pipeline.hdel(key, grant.name)
                if last:  # nothing is left that names the user
                    pipeline.srem(f"{self._prefix}owners", grant.owner)
            await pipeline.execute()
            return True

    async def forget(self, before: int) -> None:
        """Nothing to do: each key was given the time at which the server forgets it."""

    async def news(self) -> AsyncGenerator[ElicitationId | None, None]:
        reader = self._connect()
        try:
            if self._heard is None:
                newest = await reader.xrevrange(self._stream, count=1)
                self._heard = newest[0][0] if newest else _BEGINNING
            yield None
            while True:
                heard: Any = await reader.xread({self._stream: self._heard}, block=_BLOCK)
                for _, entries in heard:
                    for entry, fields in entries:
                        self._heard = entry
                        yield ElicitationId(_text(fields[b"id"]))
        finally:
            await reader.aclose()

    def _connect(self) -> Redis:
        return Redis.from_url(
            self._url,
            protocol=2,
            socket_connect_timeout=_SECONDS,
            socket_timeout=_SECONDS,
            retry=Retry(NoBackoff(), 0),  # `Trying` repeats, and `KeptStore` knows what it has done
        )

    @property
    def _open_client(self) -> Redis:
        if self._client is None:
            raise StoreUnavailable("it is not open")
        return self._client

    def _link_key(self, link_id: str) -> str:
        return f"{self._prefix}link:{link_id}"

    def _attempt_key(self, attempt_key: str) -> str:
        return f"{self._prefix}attempt:{attempt_key}"

    def _grants_key(self, owner: str) -> str:
        return f"{self._prefix}grants:{owner}"


def _link_json(link: StoredLink) -> bytes:
    return msgspec.json.encode(link_columns(link))


def _link(raw: str | bytes) -> StoredLink:
    return link_of(msgspec.json.decode(raw, type=LinkColumns))


def _grant_json(grant: SealedGrant) -> bytes:
    return msgspec.json.encode(grant_columns(grant))


def _grant(raw: str | bytes) -> SealedGrant:
    return grant_of(msgspec.json.decode(raw, type=GrantColumns))


def _text(raw: str | bytes) -> str:
    return raw if isinstance(raw, str) else raw.decode()

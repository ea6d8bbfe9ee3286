"""The store on Redis: its stream of news, its keys and its durability."""

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import aclosing

import pytest
from redis.asyncio import Redis

from acp_elicitation.protocol.requests import ElicitationId
from acp_elicitation.stores.keeping import KeptStore
from acp_elicitation.stores.lifecycle import LinkState
from acp_elicitation.stores.records import Attempt, NewGrant
from acp_elicitation.stores.redis import RedisRows, redis_store
from acp_elicitation.stores.settings import StoreSettings
from acp_elicitation.stores.trial import ALICE, Clock, Two
from tests.servers import RedisServer
from tests.unit.stores.places import RedisPlace

FAR_APART = StoreSettings(scan_every=60.0)
"""News or nothing: the regular look comes after the test's own limit."""


class Deaf(RedisRows):
    """Rows of a process that hears no news at all."""

    async def news(self) -> AsyncGenerator[ElicitationId | None, None]:
        yield None
        await asyncio.Event().wait()


async def test_without_any_news_a_completion_is_found_by_the_regular_look(
    redis_place: RedisPlace,
) -> None:
    deaf = Deaf(redis_place.server.url, prefix=redis_place.prefix)
    async with (
        KeptStore(deaf, StoreSettings(scan_every=0.05)) as agent,
        KeptStore(redis_place.rows()) as worker,
    ):
        two = Two(agent, worker, Clock())
        link = await two.link()
        waiting = two.waiting(link)
        await worker.complete(link.id, identity=ALICE)
        assert (await waiting).state is LinkState.COMPLETED


async def test_news_alone_are_enough_and_fast(redis_place: RedisPlace) -> None:
    async with (
        KeptStore(redis_place.rows(), FAR_APART) as agent,
        KeptStore(redis_place.rows(), FAR_APART) as worker,
    ):
        two = Two(agent, worker, Clock())
        link = await two.link()
        waiting = two.waiting(link)
        await worker.complete(link.id, identity=ALICE)
        async with asyncio.timeout(10):
            assert (await waiting).state is LinkState.COMPLETED


async def test_news_that_came_while_nobody_listened_are_replayed(redis_place: RedisPlace) -> None:
    async with KeptStore(redis_place.rows()) as store:
        two = Two(store, store, Clock())
        links = [await two.link() for _ in range(3)]
        await store.complete(links[0].id, identity=ALICE)
        rows = redis_place.rows()
        async with aclosing(rows.news()) as news:
            assert await anext(news) is None  # from here on; what was before is not told
            await store.complete(links[1].id, identity=ALICE)
            assert await anext(news) == links[1].id
        await store.complete(links[2].id, identity=ALICE)
        async with aclosing(rows.news()) as news:
            assert await anext(news) is None
            assert await anext(news) == links[2].id


async def test_the_server_forgets_by_itself_what_nobody_asks_for_any_more(
    redis_place: RedisPlace,
) -> None:
    settings = StoreSettings(forget_after=3600.0)
    async with (
        KeptStore(redis_place.rows(), settings) as store,
        Redis.from_url(redis_place.server.url) as client,
    ):
        two = Two(store, store, Clock())
        unused = await two.link(lifetime=600.0)
        link = await two.link(lifetime=600.0)
        await store.start(link.id, identity=ALICE, attempt=Attempt(key="k1"))
        grant = NewGrant(owner=ALICE, name="github", sealed=b"sealed")
        await store.complete(link.id, identity=ALICE, grant=grant)
        kept = await _expiries(client, f"{redis_place.prefix}:1:")
        assert kept == {
            f"link:{unused.id}": unused.expires_at + 3_600_000,
            f"link:{link.id}": link.expires_at + 3_600_000,
            "attempt:k1": link.expires_at + 3_600_000,
            "grants:alice": -1,
            "owners": -1,
            "ended": -1,
        }


async def _expiries(client: Redis, prefix: str) -> dict[str, int]:
    """Each key below a prefix, and when the server forgets it: in milliseconds, or -1 for never."""
    keys = [key async for key in client.scan_iter(match=f"{prefix}*")]
    return {key.decode().removeprefix(prefix): int(await client.pexpiretime(key)) for key in keys}


async def test_a_user_whose_last_grant_is_dropped_is_named_nowhere(
    redis_place: RedisPlace,
) -> None:
    async with (
        KeptStore(redis_place.rows()) as store,
        Redis.from_url(redis_place.server.url) as client,
    ):
        two = Two(store, store, Clock())
        for name in ("github", "gitlab"):
            grant = NewGrant(owner=ALICE, name=name, sealed=b"sealed")
            await store.complete((await two.link()).id, identity=ALICE, grant=grant)
        first, second = await store.grants(ALICE)
        await store.drop_grant(first)
        assert await store.grants() == (second,)
        await store.drop_grant(second)
        keys = await _expiries(client, f"{redis_place.prefix}:1:")
        assert not keys.keys() & {"owners", "grants:alice"}


async def test_a_server_without_a_file_is_warned_of(
    redis_place: RedisPlace, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    async with redis_store(redis_place.server.url):
        assert "append-only" not in caplog.text
    with RedisServer(appends=False) as forgetful:
        async with redis_store(forgetful.url):
            assert "append-only" in caplog.text


async def test_stores_of_different_prefixes_have_nothing_in_common(redis_place: RedisPlace) -> None:
    url = redis_place.server.url
    async with (
        redis_store(url, prefix=f"{redis_place.prefix}-a") as first,
        redis_store(url, prefix=f"{redis_place.prefix}-b") as second,
    ):
        link = await Two(first, second, Clock()).link()
        again = await second.create(link.id, connection=link.connection, identity=ALICE, lifetime=1)
        assert again.id == link.id

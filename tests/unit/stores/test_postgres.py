"""The store on PostgreSQL: its notifications, its tables and its connections."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack

import pytest

from acp_elicitation.protocol.requests import ElicitationId
from acp_elicitation.stores.errors import StoreUnavailable
from acp_elicitation.stores.keeping import KeptStore
from acp_elicitation.stores.lifecycle import LinkState
from acp_elicitation.stores.postgres import PostgresRows, postgres_store
from acp_elicitation.stores.settings import StoreSettings
from acp_elicitation.stores.trial import ALICE, Clock, Two
from tests.unit.stores.places import PostgresPlace

FAR_APART = StoreSettings(scan_every=60.0)
"""News or nothing: the regular look comes after the test's own limit."""


class Listening(PostgresRows):
    """Rows that say when they have begun to listen, how often, and can be deaf."""

    def __init__(self, conninfo: str, *, deaf: bool = False) -> None:
        super().__init__(conninfo)
        self.begun: asyncio.Queue[None] = asyncio.Queue()
        self._deaf = deaf

    async def news(self) -> AsyncGenerator[ElicitationId | None, None]:
        async for told in super().news():
            if told is None:
                self.begun.put_nowait(None)
            if told is None or not self._deaf:
                yield told


async def test_without_any_news_a_completion_is_found_by_the_regular_look(
    postgres_place: PostgresPlace,
) -> None:
    deaf = Listening(postgres_place.url, deaf=True)
    async with (
        KeptStore(deaf, StoreSettings(scan_every=0.05)) as agent,
        KeptStore(postgres_place.rows()) as worker,
    ):
        two = Two(agent, worker, Clock())
        link = await two.link()
        waiting = two.waiting(link)
        await deaf.begun.get()
        await worker.complete(link.id, identity=ALICE)
        assert (await waiting).state is LinkState.COMPLETED


async def test_news_alone_are_enough(postgres_place: PostgresPlace) -> None:
    rows = Listening(postgres_place.url)
    async with KeptStore(rows, FAR_APART) as agent, KeptStore(postgres_place.rows()) as worker:
        two = Two(agent, worker, Clock())
        link = await two.link()
        waiting = two.waiting(link)
        await rows.begun.get()
        await worker.complete(link.id, identity=ALICE)
        async with asyncio.timeout(10):
            assert (await waiting).state is LinkState.COMPLETED


async def test_after_a_lost_connection_it_listens_again_and_catches_up(
    postgres_place: PostgresPlace,
) -> None:
    rows = Listening(postgres_place.url)
    async with KeptStore(rows, FAR_APART) as agent, KeptStore(postgres_place.rows()) as worker:
        two = Two(agent, worker, Clock())
        during, after = await two.link(), await two.link()
        waits = [two.waiting(during), two.waiting(after)]
        await rows.begun.get()
        postgres_place.server.run_sql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'"
        )
        await worker.complete(during.id, identity=ALICE)  # nobody hears of this one
        async with asyncio.timeout(10):
            assert (await waits[0]).state is LinkState.COMPLETED
            await rows.begun.get()
            await worker.complete(after.id, identity=ALICE)
            assert (await waits[1]).state is LinkState.COMPLETED


async def test_every_connection_lost_at_once_is_no_error(postgres_place: PostgresPlace) -> None:
    async with postgres_store(postgres_place.url) as store:
        two = Two(store, store, Clock())
        links = await asyncio.gather(*(two.link() for _ in range(20)))
        postgres_place.server.run_sql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
        )
        ends = await asyncio.gather(*(store.complete(link.id, identity=ALICE) for link in links))
        assert [end.state for end in ends] == [LinkState.COMPLETED] * 20


async def test_several_that_open_an_empty_database_at_once_make_its_tables_once(
    postgres_place: PostgresPlace,
) -> None:
    stores = [postgres_store(postgres_place.url) for _ in range(4)]
    async with AsyncExitStack() as stack:
        await asyncio.gather(*(stack.enter_async_context(store) for store in stores))
        link = await Two(stores[0], stores[1], Clock()).link()
        assert [await store.read(link.id) for store in stores] == [link] * 4


async def test_tables_of_a_later_version_are_refused(postgres_place: PostgresPlace) -> None:
    async with postgres_store(postgres_place.url):
        pass
    table = f"{postgres_place.schema}.acp_elicitation_version"
    postgres_place.server.run_sql(f"UPDATE {table} SET number = 99")
    with pytest.raises(StoreUnavailable, match="version 99"):
        async with postgres_store(postgres_place.url):
            pass


async def test_an_error_names_neither_the_server_nor_the_password() -> None:
    url = "postgresql://someone:hunter2@/nowhere?host=/nonexistent"
    with pytest.raises(StoreUnavailable) as raised:
        async with postgres_store(url, StoreSettings(patience=0.2)):
            pass
    assert "hunter2" not in f"{raised.value} {raised.value.__cause__}"
    assert "nonexistent" not in str(raised.value)

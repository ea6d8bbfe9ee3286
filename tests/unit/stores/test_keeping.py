"""The store over a database that is away, is killed, confirms nothing, or is shared by a crowd."""

import asyncio
import subprocess
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from acp_elicitation.protocol.errors import DuplicateLink, UnknownLink
from acp_elicitation.protocol.requests import ElicitationId
from acp_elicitation.stores.errors import LinkEnded, StoreUnavailable
from acp_elicitation.stores.keeping import KeptStore
from acp_elicitation.stores.lifecycle import LinkState
from acp_elicitation.stores.records import Attempt, NewGrant, StoredLink
from acp_elicitation.stores.rows import Rows
from acp_elicitation.stores.settings import StoreSettings
from acp_elicitation.stores.sqlite import MEMORY, SqliteRows
from acp_elicitation.stores.trial import ALICE, Clock, Two
from tests.unit.stores.places import Place, PostgresPlace, RedisPlace

IMPATIENT = StoreSettings(scan_every=0.1, patience=1.0)
QUICK = StoreSettings(scan_every=0.1, patience=20.0)


class Unconfirmed:
    """Rows that carry each transaction out, and then lose the connection before they confirm it."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self._told: set[str] = set()
        self.lost: list[str] = []

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._rows, name)
        if name not in {"insert", "change", "swap_grant", "put_grant"}:
            return found

        async def carry_out(*arguments: Any, **options: Any) -> Any:
            result = await found(*arguments, **options)
            if len(self.lost) % 2 == 0:  # every second time, so that the repetition is confirmed
                self.lost.append(name)
                raise self._rows.passing[0]
            self.lost.append("")
            return result

        return carry_out


@pytest.fixture(params=["redis", "postgres"])
def server_place(request: pytest.FixtureRequest) -> RedisPlace | PostgresPlace:
    found: RedisPlace | PostgresPlace = request.getfixturevalue(f"{request.param}_place")
    return found


async def test_a_completion_is_heard_of_though_the_server_was_killed_meanwhile(
    server_place: RedisPlace | PostgresPlace,
) -> None:
    server = server_place.server
    async with (
        KeptStore(server_place.rows(), QUICK) as agent,
        KeptStore(server_place.rows(), QUICK) as worker,
    ):
        two = Two(agent, worker, Clock())
        links = [await two.link() for _ in range(3)]
        waits = [two.waiting(link) for link in links]
        await worker.complete(links[0].id, identity=ALICE)
        await waits[0]
        await asyncio.to_thread(server.kill)
        during = asyncio.create_task(worker.complete(links[1].id, identity=ALICE))
        await asyncio.to_thread(server.start)
        assert (await during).state is LinkState.COMPLETED  # the step was taken again
        await worker.complete(links[2].id, identity=ALICE)
        ends = await asyncio.gather(*waits)
        assert [end.state for end in ends] == [LinkState.COMPLETED] * 3


async def test_what_was_confirmed_is_there_after_the_server_was_killed(
    server_place: RedisPlace | PostgresPlace,
) -> None:
    async with KeptStore(server_place.rows(), QUICK) as store:
        link = await Two(store, store, Clock()).link()
        grant = NewGrant(owner=ALICE, name="github", sealed=b"sealed")
        await store.complete(link.id, identity=ALICE, grant=grant)
        await asyncio.to_thread(server_place.server.kill)
        await asyncio.to_thread(server_place.server.start)
        assert (await store.read(link.id)).state is LinkState.COMPLETED
        kept = await store.grant(ALICE, "github")
        assert kept is not None
        assert kept.sealed == b"sealed"


async def test_a_server_that_stays_away_is_an_error_within_the_patience_of_the_store(
    server_place: RedisPlace | PostgresPlace,
) -> None:
    async with KeptStore(server_place.rows(), IMPATIENT) as store:
        two = Two(store, store, Clock())
        link = await two.link()
        waiting = two.waiting(link)
        await asyncio.to_thread(server_place.server.kill)
        try:
            with pytest.raises(StoreUnavailable):
                await store.complete(link.id, identity=ALICE)
            with pytest.raises(StoreUnavailable):
                async with KeptStore(server_place.rows(), IMPATIENT):
                    pass
            assert not waiting.done()  # who waits goes on
        finally:
            await asyncio.to_thread(server_place.server.start)
        await _until_taken(lambda: store.complete(link.id, identity=ALICE))
        assert (await waiting).state is LinkState.COMPLETED


async def _until_taken(step: Callable[[], Awaitable[StoredLink]]) -> None:
    while True:
        try:
            await step()
            return
        except StoreUnavailable:
            continue
        except LinkEnded:  # a try that was called unavailable has been carried out after all
            return


async def test_a_server_that_says_nothing_is_an_error_and_not_a_wait_for_ever(
    redis_place: RedisPlace,
) -> None:
    async with KeptStore(redis_place.rows(), IMPATIENT) as store:
        two = Two(store, store, Clock())
        link = await two.link()
        waiting = two.waiting(link)
        with redis_place.server.paused(), pytest.raises(StoreUnavailable):
            await store.read(link.id)
        await _until_taken(lambda: store.fail(link.id, reason="denied"))
        assert (await waiting).reason == "denied"


async def test_a_step_whose_confirmation_was_lost_counts_once_and_is_no_error() -> None:
    rows = Unconfirmed(SqliteRows(MEMORY))
    async with KeptStore(rows) as store:
        two = Two(store, store, Clock())
        link = await two.link()
        await store.start(link.id, identity=ALICE, attempt=Attempt(key="k1"))
        assert (await store.claim("k1")).state is LinkState.CLAIMED
        grant = NewGrant(owner=ALICE, name="github", sealed=b"1")
        await store.complete(link.id, identity=ALICE, attempt_key="k1", grant=grant)
        read = await store.grant(ALICE, "github")
        assert read is not None
        written = await store.replace_grant(read, sealed=b"2")
        assert await store.grant(ALICE, "github") == written
        assert [name for name in rows.lost if name] == [
            "insert",
            *["change"] * 3,
            "swap_grant",
        ]
        with pytest.raises(LinkEnded):
            await store.complete(link.id, identity=ALICE)
        with pytest.raises(DuplicateLink):
            await store.create(link.id, connection=two.connection, identity=ALICE, lifetime=1)


@pytest.mark.requirement("URL-5")
async def test_of_several_processes_that_complete_the_same_links_exactly_one_wins_each(
    place: Place,
) -> None:
    async with KeptStore(place.rows(), QUICK) as store:
        two = Two(store, store, Clock())
        links = [await two.link() for _ in range(25)]
        waits = [two.waiting(link) for link in links]
        ids = [link.id for link in links]
        racers = [await _racer(place.url, name, ids) for name in ("a", "b", "c")]
        for racer in racers:
            assert racer.stdin is not None
            racer.stdin.write(b"go\n")
        outputs = [(await racer.communicate())[0].decode().split() for racer in racers]
        assert [racer.returncode for racer in racers] == [0, 0, 0]
        assert sorted(won for output in outputs for won in output) == sorted(ids)
        assert [end.state for end in await asyncio.gather(*waits)] == [LinkState.COMPLETED] * 25
        for name, won in zip(("a", "b", "c"), outputs, strict=True):
            for link_id in won:  # the grant that is kept is the winner's
                grant = await store.grant(ALICE, link_id)
                assert grant is not None
                assert grant.sealed == name.encode()


async def _racer(url: str, name: str, ids: list[ElicitationId]) -> asyncio.subprocess.Process:
    command = [sys.executable, "-m", "tests.unit.stores.racer", url, name, *ids]
    racer = await asyncio.create_subprocess_exec(
        *command, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert racer.stdout is not None
    assert await racer.stdout.readline() == b"ready\n"
    return racer


async def test_a_crowd_of_flows_over_two_workers_finishes_without_an_error(place: Place) -> None:
    async with (
        KeptStore(place.rows()) as agent,
        KeptStore(place.rows()) as one,
        KeptStore(place.rows()) as other,
    ):
        two = Two(agent, one, Clock())

        async def flow(worker: KeptStore) -> StoredLink:
            link = await two.link()
            waiting = two.waiting(link)
            await worker.start(link.id, identity=ALICE, attempt=Attempt(key=link.id))
            await worker.claim(link.id)
            grant = NewGrant(owner=ALICE, name=link.id, sealed=b"sealed")
            await worker.complete(link.id, identity=ALICE, attempt_key=link.id, grant=grant)
            return await waiting

        ends = await asyncio.gather(*(flow(worker) for worker in (one, other) * 60))
        assert {end.state for end in ends} == {LinkState.COMPLETED}
        assert len(await agent.grants(ALICE)) == 120


async def test_an_expiry_that_was_told_stands_for_a_process_whose_clock_is_behind(
    place: Place,
) -> None:
    ahead, behind = Clock(), Clock()
    async with (
        KeptStore(place.rows(), StoreSettings(clock=ahead)) as fast,
        KeptStore(place.rows(), StoreSettings(clock=behind)) as slow,
    ):
        link = await Two(slow, fast, behind).link(lifetime=30.0)
        ahead.pass_by(31.0)
        with pytest.raises(LinkEnded, match="EXPIRED"):
            await fast.complete(link.id, identity=ALICE)
        with pytest.raises(LinkEnded, match="EXPIRED"):
            await slow.complete(link.id, identity=ALICE)


async def test_links_are_forgotten_some_time_after_they_have_expired_and_not_before(
    place: Place,
) -> None:
    clock = Clock()
    clock.pass_by(-1000)  # the server's own clock has passed what this one is about to pass
    settings = StoreSettings(clock=clock, forget_after=10.0)
    async with KeptStore(place.rows(), settings) as store:
        two = Two(store, store, clock)
        ended, forgotten = await two.link(lifetime=1_000_000), await two.link(lifetime=1)
        await store.complete(ended.id, identity=ALICE)
        clock.pass_by(2000)
        await two.link()  # making a link tidies up
        assert (await store.read(ended.id)).state is LinkState.COMPLETED
        with pytest.raises(UnknownLink):
            await store.read(forgotten.id)


@pytest.mark.parametrize("lifetime", [0, -1, 0.0001])
async def test_a_link_that_would_have_no_life_is_refused(lifetime: float) -> None:
    async with KeptStore(SqliteRows(MEMORY)) as store:
        with pytest.raises(ValueError, match="lifetime"):
            await Two(store, store, Clock()).link(lifetime=lifetime)


async def test_whoever_waits_for_a_store_that_is_closed_is_told() -> None:
    async with KeptStore(SqliteRows(MEMORY)) as store:
        two = Two(store, store, Clock())
        link = await two.link()
        waiting = two.waiting(link)
        await asyncio.sleep(0)
    with pytest.raises(StoreUnavailable, match="closed"):
        await waiting
    with pytest.raises(StoreUnavailable, match="closed"):
        await two.wait(link)
    with pytest.raises(StoreUnavailable, match="not open"):
        await store.read(link.id)


async def test_what_a_database_cannot_do_is_an_error_of_the_store_at_once() -> None:
    async with KeptStore(SqliteRows(MEMORY)) as store:
        two = Two(store, store, Clock())
        first, second = await two.link(), await two.link()
        await store.start(first.id, identity=ALICE, attempt=Attempt(key="same"))
        with pytest.raises(StoreUnavailable, match="IntegrityError"):
            await store.start(second.id, identity=ALICE, attempt=Attempt(key="same"))
        assert (await store.read(second.id)).state is LinkState.OPEN

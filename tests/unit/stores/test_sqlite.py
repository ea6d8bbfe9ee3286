"""The store in a file and in memory."""

import asyncio
import os
import sqlite3
import stat
import sys
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, closing
from pathlib import Path

import pytest

from acp_elicitation.protocol.requests import ElicitationId
from acp_elicitation.stores.contract import CHECKS, Check, check_obligation
from acp_elicitation.stores.errors import StoreUnavailable
from acp_elicitation.stores.keeping import KeptStore
from acp_elicitation.stores.lifecycle import LinkState
from acp_elicitation.stores.records import NewGrant
from acp_elicitation.stores.settings import StoreSettings
from acp_elicitation.stores.sqlite import MEMORY, SqliteRows, sqlite_store
from acp_elicitation.stores.trial import ALICE, Clock, Two
from tests.unit.stores.places import SqlitePlace, make_in_memory

unix = pytest.mark.skipif(sys.platform == "win32", reason="modes are those of Unix")


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__.strip("_"))
async def test_memory_keeps_this_obligation_too(check: Check) -> None:
    async with AsyncExitStack() as stack:
        await check_obligation(check, make_in_memory(stack))


@unix
async def test_the_file_and_its_companions_are_for_their_user_alone(tmp_path: Path) -> None:
    path = tmp_path / "state" / "links.sqlite3"
    before = os.umask(0)
    try:
        async with sqlite_store(path) as store:
            await Two(store, store, Clock()).link()
            files = sorted(path.parent.iterdir())
            modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in files}
    finally:
        os.umask(before)
    assert modes == {
        "links.sqlite3": 0o600,
        "links.sqlite3-shm": 0o600,
        "links.sqlite3-wal": 0o600,
    }
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


@unix
async def test_a_file_that_others_can_read_is_closed_to_them(tmp_path: Path) -> None:
    path = tmp_path / "links.sqlite3"
    path.touch(mode=0o644)
    path.chmod(0o644)
    async with sqlite_store(path):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


async def test_what_was_stored_is_there_when_the_file_is_opened_again(tmp_path: Path) -> None:
    path = tmp_path / "links.sqlite3"
    async with sqlite_store(path) as store:
        link = await Two(store, store, Clock()).link()
        grant = NewGrant(owner=ALICE, name="github", sealed=b"sealed")
        await store.complete(link.id, identity=ALICE, grant=grant)
    async with sqlite_store(path) as store:
        assert (await store.read(link.id)).state is LinkState.COMPLETED
        assert [found.sealed for found in await store.grants()] == [b"sealed"]


async def test_every_commit_is_on_the_disk_before_it_is_told(tmp_path: Path) -> None:
    rows = SqliteRows(tmp_path / "links.sqlite3")
    await rows.open()
    settings = [await rows.setting(name) for name in ("journal_mode", "synchronous")]
    await rows.close()
    assert settings == ["wal", 2]


async def test_a_file_that_another_holds_locked_is_waited_for(tmp_path: Path) -> None:
    place = SqlitePlace(tmp_path)
    async with KeptStore(place.rows()) as store:
        two = Two(store, store, Clock())
        link = await two.link()
        with closing(sqlite3.connect(place.path, isolation_level=None)) as other:
            other.execute("BEGIN EXCLUSIVE")
            completing = asyncio.create_task(store.complete(link.id, identity=ALICE))
            assert not (await store.read(link.id)).ended  # reading goes on
            other.execute("COMMIT")
            assert (await completing).state is LinkState.COMPLETED


async def test_a_file_that_stays_locked_is_an_error_and_the_step_was_not_taken(
    tmp_path: Path,
) -> None:
    place = SqlitePlace(tmp_path)
    async with KeptStore(place.rows(), StoreSettings(patience=1.0)) as store:
        link = await Two(store, store, Clock()).link()
        with closing(sqlite3.connect(place.path, isolation_level=None)) as other:
            other.execute("BEGIN EXCLUSIVE")
            with pytest.raises(StoreUnavailable):
                await store.complete(link.id, identity=ALICE)
        assert (await store.read(link.id)).state is LinkState.OPEN
        assert (await store.complete(link.id, identity=ALICE)).state is LinkState.COMPLETED


async def test_tables_of_a_later_version_are_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "links.sqlite3"
    async with sqlite_store(path):
        pass
    with closing(sqlite3.connect(path)) as other, other:
        other.execute("UPDATE version SET number = 99")
    with pytest.raises(StoreUnavailable, match="version 99"):
        async with sqlite_store(path):
            pass
    with closing(sqlite3.connect(path)) as other:
        assert other.execute("SELECT number FROM version").fetchall() == [(99,)]


async def test_several_that_open_a_new_file_at_once_make_its_tables_once(tmp_path: Path) -> None:
    stores = [sqlite_store(tmp_path / "links.sqlite3") for _ in range(6)]
    async with AsyncExitStack() as stack:
        await asyncio.gather(*(stack.enter_async_context(store) for store in stores))
        link = await Two(stores[0], stores[1], Clock()).link()
        assert [await store.read(link.id) for store in stores] == [link] * 6


async def test_a_place_that_cannot_be_written_is_an_error_without_the_path(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreUnavailable) as raised:
        async with sqlite_store(tmp_path / "file" / "links.sqlite3"):
            pass
    assert str(tmp_path) not in str(raised.value)


class Listening(SqliteRows):
    """Rows that say when they have begun to listen."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.begun = asyncio.Event()

    async def news(self) -> AsyncGenerator[ElicitationId | None, None]:
        async for told in super().news():
            yield told
            self.begun.set()  # asked for more: what was told has been looked at


async def test_news_of_another_process_alone_are_enough(tmp_path: Path) -> None:
    far_apart = StoreSettings(scan_every=60.0)
    rows = Listening(tmp_path / "links.sqlite3")
    async with KeptStore(rows, far_apart) as agent, sqlite_store(rows.path, far_apart) as worker:
        two = Two(agent, worker, Clock())
        link = await two.link()
        waiting = two.waiting(link)
        await rows.begun.wait()
        await worker.complete(link.id, identity=ALICE)
        async with asyncio.timeout(10):
            assert (await waiting).state is LinkState.COMPLETED


async def test_two_stores_in_memory_have_nothing_in_common() -> None:
    async with sqlite_store(MEMORY) as first, sqlite_store(MEMORY) as second:
        link = await Two(first, second, Clock()).link()
        again = await second.create(link.id, connection=link.connection, identity=ALICE, lifetime=1)
        assert again.id == link.id

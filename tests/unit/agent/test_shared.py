"""Links whose outside part another process finishes."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from acp_elicitation.agent.elicitor import Elicitor
from acp_elicitation.agent.shared import SharedLinks
from acp_elicitation.protocol.answers import Accepted
from acp_elicitation.protocol.capabilities import Capabilities
from acp_elicitation.protocol.errors import ConnectionLost, NotAccepted, RemoteError, UnknownLink
from acp_elicitation.protocol.reading import JsonObject
from acp_elicitation.protocol.requests import ElicitationId
from acp_elicitation.stores.errors import LinkEnded, StoreUnavailable
from acp_elicitation.stores.keeping import KeptStore
from acp_elicitation.stores.lifecycle import LinkState
from acp_elicitation.stores.records import NewGrant, StoredLink
from acp_elicitation.stores.settings import StoreSettings
from acp_elicitation.stores.sqlite import MEMORY, SqliteRows, sqlite_store
from acp_elicitation.stores.trial import ALICE, Clock

COMPLETE = "elicitation/complete"


def page(link_id: str) -> str:
    return f"https://agent.example/connect/{link_id}"


class Client:
    """A client whose user is the test: each link waits until the test answers it."""

    def __init__(self) -> None:
        self.asked: asyncio.Queue[ElicitationId] = asyncio.Queue()
        self.told: asyncio.Queue[tuple[str, JsonObject]] = asyncio.Queue()
        self._answer: asyncio.Future[object] = asyncio.get_running_loop().create_future()

    async def request(self, method: str, params: JsonObject) -> object:
        assert params["url"] == page(str(params["elicitationId"]))
        self.asked.put_nowait(ElicitationId(str(params["elicitationId"])))
        return await self._answer

    def notify(self, method: str, params: JsonObject) -> None:
        self.told.put_nowait((method, params))

    def answer(self, action: str) -> None:
        self._answer.set_result({"action": action})

    def fail(self, error: Exception) -> None:
        self._answer.set_exception(error)


class Connection:
    """One connection of an agent whose links are in a store."""

    def __init__(self, store: KeptStore, clock: Clock) -> None:
        self.store = store
        self.clock = clock
        self.client = Client()
        self.elicitor = Elicitor(self.client, capabilities=Capabilities(url=True))
        self.shared = SharedLinks(self.elicitor, store, identity=ALICE, lifetime=60.0)

    async def ended(self, link_id: ElicitationId) -> StoredLink:
        """Wait for the end of the link in the store."""
        return await self.store.wait(link_id, connection=self.shared.connection)


@asynccontextmanager
async def connected() -> AsyncIterator[Connection]:
    clock = Clock()
    settings = StoreSettings(clock=clock, scan_every=0.05)
    async with KeptStore(SqliteRows(MEMORY), settings) as store:
        connection = Connection(store, clock)
        try:
            yield connection
        finally:
            await connection.shared.close()


@pytest.mark.requirement("URL-1", "URL-5", "URL-6")
async def test_a_completion_in_the_store_ends_the_wait_and_is_told_to_the_client() -> None:
    async with connected() as here:
        here.client.answer("accept")
        link = await here.shared.link("Connect", page, details=b"github", session="s")
        assert link.answer == Accepted(None)
        assert (await here.store.read(link.id)).details == b"github"
        await here.store.complete(link.id, identity=ALICE)
        await link.completed()
        assert await here.client.told.get() == (COMPLETE, {"elicitationId": link.id})


@pytest.mark.requirement("URL-5", "URL-6")
async def test_a_completion_by_another_process_reaches_the_connection(tmp_path: Path) -> None:
    url = f"sqlite:{tmp_path / 'links.sqlite3'}"
    async with sqlite_store(tmp_path / "links.sqlite3") as store:
        here = Connection(store, Clock())
        here.client.answer("accept")
        link = await here.shared.link("Connect", page, session="s")
        worker = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tests.unit.stores.racer", url, "worker", link.id),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        assert link.id in (await worker.communicate(b"go\n"))[0].decode()
        await link.completed()
        assert await here.client.told.get() == (COMPLETE, {"elicitationId": link.id})
        await here.shared.close()


@pytest.mark.requirement("URL-5")
async def test_a_completion_may_come_before_the_consent() -> None:
    async with connected() as here:
        asking = asyncio.create_task(here.shared.link("Connect", page, session="s"))
        link_id = await here.client.asked.get()
        await here.store.complete(link_id, identity=ALICE)
        assert await here.client.told.get() == (COMPLETE, {"elicitationId": link_id})
        here.client.answer("accept")
        await (await asking).completed()


@pytest.mark.parametrize("early", [False, True])
async def test_a_failure_in_the_store_is_an_error_with_its_reason(early: bool) -> None:
    async with connected() as here:
        asking = asyncio.create_task(here.shared.link("Connect", page, session="s"))
        link_id = await here.client.asked.get()
        if early:
            await here.store.fail(link_id, reason="denied")
        here.client.answer("accept")
        link = await asking
        if not early:
            await here.store.fail(link_id, reason="denied")
        with pytest.raises(LinkEnded, match="denied") as raised:
            await link.completed()
        assert raised.value.state == "FAILED"
        assert here.client.told.empty()  # the protocol has no message for it


async def test_a_link_whose_time_is_over_is_an_error_that_says_so() -> None:
    async with connected() as here:
        here.client.answer("accept")
        link = await here.shared.link("Connect", page, session="s")
        waiting = asyncio.create_task(link.completed())
        here.clock.pass_by(60.0)
        with pytest.raises(LinkEnded, match="EXPIRED"):
            await waiting


@pytest.mark.parametrize("action", ["decline", "cancel"])
async def test_the_page_of_a_link_that_the_user_does_not_want_is_of_no_use(action: str) -> None:
    async with connected() as here:
        here.client.answer(action)
        link = await here.shared.link("Connect", page, session="s")
        assert (await here.ended(link.id)).state is LinkState.WITHDRAWN
        with pytest.raises(LinkEnded):
            await here.store.complete(link.id, identity=ALICE)
        with pytest.raises(NotAccepted):
            await link.completed()


async def test_a_link_withdrawn_here_is_withdrawn_in_the_store() -> None:
    async with connected() as here:
        here.client.answer("accept")
        link = await here.shared.link("Connect", page, session="s")
        link.withdraw()
        assert (await here.ended(link.id)).state is LinkState.WITHDRAWN
        with pytest.raises(NotAccepted):
            await link.completed()


async def test_a_link_completed_here_is_completed_in_the_store() -> None:
    async with connected() as here:
        here.client.answer("accept")
        link = await here.shared.link("Connect", page, session="s")
        here.elicitor.complete(link.id)
        await link.completed()
        assert (await here.ended(link.id)).state is LinkState.COMPLETED
        assert here.client.told.qsize() == 1


@pytest.mark.requirement("RES-5")
async def test_a_request_that_fails_leaves_no_link_to_be_used() -> None:
    async with connected() as here:
        here.client.fail(RemoteError(code=-32602, message="no"))
        with pytest.raises(RemoteError):
            await here.shared.link("Connect", page, session="s")
        link_id = await here.client.asked.get()
        assert (await here.ended(link_id)).state is LinkState.WITHDRAWN


@pytest.mark.requirement("REQ-5")
async def test_a_question_that_is_cancelled_leaves_no_link_to_be_used() -> None:
    async with connected() as here:
        asking = asyncio.create_task(here.shared.link("Connect", page, session="s"))
        link_id = await here.client.asked.get()
        asking.cancel()
        assert (await here.ended(link_id)).state is LinkState.WITHDRAWN


@pytest.mark.requirement("URL-6", "RES-5", "REQ-3")
async def test_what_is_finished_after_the_connection_was_lost_is_kept_for_its_user() -> None:
    async with connected() as here:
        here.client.answer("accept")
        link = await here.shared.link("Connect", page, session="s")
        waiting = asyncio.create_task(link.completed())
        await asyncio.sleep(0)
        here.elicitor.connection_lost()
        with pytest.raises(ConnectionLost):
            await waiting
        grant = NewGrant(owner=ALICE, name="github", sealed=b"sealed")
        await here.store.complete(link.id, identity=ALICE, grant=grant)
        assert await here.store.grant(ALICE, "github") is not None
        assert here.client.told.empty()


@pytest.mark.requirement("URL-6", "REQ-3")
async def test_no_other_connection_can_hear_of_a_link() -> None:
    async with connected() as here:
        other = Connection(here.store, here.clock)
        assert other.shared.connection != here.shared.connection
        here.client.answer("accept")
        link = await here.shared.link("Connect", page, session="s")
        with pytest.raises(UnknownLink):
            await other.ended(link.id)
        await here.store.complete(link.id, identity=ALICE)
        await link.completed()
        assert other.client.told.empty()


async def test_nothing_is_asked_where_the_store_is_away() -> None:
    async with connected() as here:
        pass
    with pytest.raises(StoreUnavailable):
        await here.shared.link("Connect", page, session="s")
    assert here.client.asked.empty()


async def test_a_store_that_is_closed_ends_the_wait_with_that_error() -> None:
    async with connected() as here:
        here.client.answer("accept")
        link = await here.shared.link("Connect", page, session="s")
        waiting = asyncio.create_task(link.completed())
        await here.store.__aexit__(None, None, None)
        with pytest.raises(StoreUnavailable):
            await waiting

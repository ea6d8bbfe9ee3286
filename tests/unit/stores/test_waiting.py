"""Waiting for links: no end is missed, whatever becomes of the news."""

import asyncio
from collections.abc import AsyncGenerator, Collection, Mapping

import pytest
from msgspec.structs import replace

from acp_elicitation.protocol.errors import UnknownLink
from acp_elicitation.protocol.requests import ElicitationId
from acp_elicitation.stores.errors import StoreUnavailable
from acp_elicitation.stores.lifecycle import LinkState
from acp_elicitation.stores.records import ConnectionId, Identity, StoredLink
from acp_elicitation.stores.trial import Clock
from acp_elicitation.stores.waiting import Waiting

HERE = ConnectionId("here")


class Shelf:
    """Links in a dict, and news that the test hands out, holds back or breaks off."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.links: dict[ElicitationId, StoredLink] = {}
        self.looks: list[set[ElicitationId]] = []
        self.looked = asyncio.Event()
        self.away = False
        self.fault: Exception | None = None
        self.news_opened = 0
        self.news_open = 0
        self.flow = asyncio.Event()
        self.flow.set()
        self._news: asyncio.Queue[ElicitationId | Exception | None] = asyncio.Queue()

    def put(self, name: str, state: LinkState = LinkState.OPEN, seconds: int = 60) -> ElicitationId:
        link_id = ElicitationId(name)
        self.links[link_id] = StoredLink(
            id=link_id,
            connection=HERE,
            identity=Identity("alice"),
            created_at=self.clock(),
            expires_at=self.clock() + seconds * 1000,
            state=state,
        )
        return link_id

    def end(self, link_id: ElicitationId, state: LinkState = LinkState.COMPLETED) -> None:
        self.links[link_id] = replace(self.links[link_id], state=state)

    def tell(self, news: ElicitationId | Exception | None) -> None:
        self._news.put_nowait(news)

    async def look_at(self, ids: Collection[ElicitationId]) -> Mapping[ElicitationId, StoredLink]:
        self.looks.append(set(ids))
        self.looked.set()
        if self.fault is not None:
            raise self.fault
        if self.away:
            raise StoreUnavailable("away")
        for link_id, link in self.links.items():
            if self.clock() >= link.expires_at and not link.ended:
                self.end(link_id, LinkState.EXPIRED)
        return {link_id: self.links[link_id] for link_id in ids if link_id in self.links}

    async def news(self) -> AsyncGenerator[ElicitationId | None, None]:
        self.news_opened += 1
        self.news_open += 1
        try:
            await self.flow.wait()
            yield None
            while True:
                told = await self._news.get()
                if isinstance(told, Exception):
                    raise told
                yield told
        finally:
            self.news_open -= 1

    def waiting(self, every: float = 60.0) -> Waiting:
        return Waiting(
            look_at=self.look_at,
            news=self.news,
            broken=(ConnectionError,),
            clock=self.clock,
            every=every,
        )


async def until_looked_at(shelf: Shelf, times: int) -> None:
    while len(shelf.looks) < times:
        shelf.looked.clear()
        await shelf.looked.wait()


async def test_an_end_before_the_wait_is_found_at_once() -> None:
    shelf = Shelf()
    link_id = shelf.put("a", LinkState.COMPLETED)
    assert (await shelf.waiting().ended(link_id, HERE)).state is LinkState.COMPLETED


async def test_news_of_a_link_end_its_wait_and_no_other_link_is_looked_at() -> None:
    shelf, first, second = Shelf(), ElicitationId("a"), ElicitationId("b")
    shelf.put("a")
    shelf.put("b")
    waiting = shelf.waiting()
    waits = [asyncio.ensure_future(waiting.ended(link, HERE)) for link in (first, second)]
    await until_looked_at(shelf, 1)
    shelf.end(first)
    shelf.tell(first)
    assert (await waits[0]).id == first
    assert shelf.looks[-1] == {first}
    assert not waits[1].done()
    await waiting.close()
    await asyncio.wait(waits)


async def test_what_ends_while_the_news_begin_to_flow_is_found_when_they_do() -> None:
    shelf = Shelf()
    shelf.flow.clear()
    link_id = shelf.put("a")
    wait = asyncio.ensure_future(shelf.waiting().ended(link_id, HERE))
    await until_looked_at(shelf, 1)
    shelf.end(link_id)  # after the first look, before anybody listens: no news of it come
    shelf.flow.set()
    assert (await wait).ended


async def test_without_any_news_the_regular_look_finds_the_end() -> None:
    shelf = Shelf()
    link_id = shelf.put("a")
    shelf.flow.clear()
    wait = asyncio.ensure_future(shelf.waiting(every=0.02).ended(link_id, HERE))
    await until_looked_at(shelf, 5)
    shelf.end(link_id)
    assert (await wait).ended


async def test_after_a_break_of_the_news_every_link_is_looked_at() -> None:
    shelf = Shelf()
    ids = [shelf.put(name) for name in "abc"]
    waiting = shelf.waiting()
    waits = [asyncio.ensure_future(waiting.ended(link_id, HERE)) for link_id in ids]
    await until_looked_at(shelf, 1)
    for link_id in ids:
        shelf.end(link_id)
    shelf.tell(ConnectionError("broken"))
    assert [link.id for link in await asyncio.gather(*waits)] == ids
    assert shelf.news_opened == 2


async def test_a_store_that_is_away_is_waited_for() -> None:
    shelf = Shelf()
    link_id = shelf.put("a")
    shelf.away = True
    wait = asyncio.ensure_future(shelf.waiting(every=0.02).ended(link_id, HERE))
    await until_looked_at(shelf, 3)
    shelf.end(link_id)
    shelf.away = False
    assert (await wait).ended


async def test_the_wait_ends_when_the_link_expires_and_not_at_the_next_regular_look() -> None:
    shelf = Shelf()
    link_id = shelf.put("a", seconds=0)
    shelf.links[link_id] = replace(shelf.links[link_id], expires_at=shelf.clock() + 1)
    wait = asyncio.ensure_future(shelf.waiting(every=60.0).ended(link_id, HERE))
    await until_looked_at(shelf, 1)
    shelf.clock.pass_by(0.001)
    async with asyncio.timeout(10):
        assert (await wait).state is LinkState.EXPIRED


@pytest.mark.requirement("URL-6")
async def test_a_link_of_another_connection_is_unknown_and_so_is_one_that_is_gone() -> None:
    shelf = Shelf()
    waiting = shelf.waiting()
    with pytest.raises(UnknownLink):
        await waiting.ended(shelf.put("a", LinkState.COMPLETED), ConnectionId("there"))
    with pytest.raises(UnknownLink):
        await waiting.ended(ElicitationId("ghost"), HERE)


async def test_nobody_listens_or_looks_once_nobody_waits() -> None:
    shelf = Shelf()
    link_id = shelf.put("a")
    waiting = shelf.waiting(every=0.02)
    for _ in range(2):
        wait = asyncio.ensure_future(waiting.ended(link_id, HERE))
        await until_looked_at(shelf, len(shelf.looks) + 1)
        assert shelf.news_open == 1
        wait.cancel()
        await asyncio.wait([wait])
        await waiting.idle()
        assert shelf.news_open == 0
    looks = len(shelf.looks)
    waiting.look(link_id)
    await asyncio.sleep(0)
    assert len(shelf.looks) == looks


async def test_a_fault_in_looking_is_told_to_whoever_waits() -> None:
    shelf = Shelf()
    link_id = shelf.put("a")
    shelf.fault = ZeroDivisionError("a fault of ours")
    with pytest.raises(ZeroDivisionError):
        await shelf.waiting().ended(link_id, HERE)


async def test_closing_ends_every_wait_and_refuses_new_ones() -> None:
    shelf = Shelf()
    waiting = shelf.waiting()
    link_id = shelf.put("a")
    wait = asyncio.ensure_future(waiting.ended(link_id, HERE))
    await until_looked_at(shelf, 1)
    await waiting.close()
    assert shelf.news_open == 0
    for late in (wait, waiting.ended(link_id, HERE)):
        with pytest.raises(StoreUnavailable, match="closed"):
            await late


async def test_more_links_than_one_look_takes_are_all_looked_at() -> None:
    shelf = Shelf()
    ids = [shelf.put(f"link {number}", LinkState.FAILED) for number in range(1_201)]
    waiting = shelf.waiting()
    ends = await asyncio.gather(*(waiting.ended(link_id, HERE) for link_id in ids))
    assert [end.id for end in ends] == ids
    assert max(map(len, shelf.looks)) <= 500

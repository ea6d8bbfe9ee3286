"""The ways through a connect page, with the agent, two workers and the provider as processes.

Every request goes to the other worker than the one before.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator

import pytest

from acp_elicitation.protocol.requests import ElicitationId
from acp_elicitation.stores.lifecycle import LinkState
from acp_elicitation.stores.records import Identity
from tests.connect.client import Client, Shown
from tests.connect.setting import Setting
from tests.connect.visitor import Visitor, heading, visiting


class Asked:
    """An agent that waits for its user, who has consented to the link and has a browser."""

    def __init__(self, here: Setting, client: Client, link: Shown, visitor: Visitor) -> None:
        self.here, self.client, self.link, self.visitor = here, client, link, visitor
        self.answer: asyncio.Task[str] | None = None

    async def state(self) -> LinkState:
        async with self.here.open_store() as store:
            return (await store.read(ElicitationId(self.link.id))).state

    async def grants(self) -> int:
        async with self.here.open_store() as store:
            return len(await store.grants(Identity(self.visitor.user)))

    async def ends_with(self, text: str) -> None:
        """Check that the agent learns this, and that nothing was completed."""
        assert self.answer is not None
        assert text in await self.answer
        assert self.client.completed == []
        assert await self.grants() == 0


@contextlib.asynccontextmanager
async def _asked(here: Setting, user: str) -> AsyncIterator[Asked]:
    async with here.agent(user) as client, visiting(here.balancer.address, user) as visitor:
        answer = asyncio.create_task(client.ask("connect"))
        link = await client.next_link()
        link.consent()
        asked = Asked(here, client, link, visitor)
        asked.answer = answer
        yield asked
        answer.cancel()
        await asyncio.gather(answer, return_exceptions=True)


async def _ended(here: Setting, link: Shown) -> None:
    """Return when the link has ended in the store: the agent need not wait for that."""
    async with here.open_store() as store:
        connection = (await store.read(ElicitationId(link.id))).connection
        await store.wait(ElicitationId(link.id), connection=connection)


async def test_a_user_who_says_no_at_the_provider_ends_it_for_the_agent(here: Setting) -> None:
    async with _asked(here, "denying") as asked:
        onward = await asked.visitor.begin(asked.link.url)
        back = await asked.visitor.allow(onward, "deny")
        assert heading(await asked.visitor.open(back)) == "Not connected"
        await asked.ends_with("denied")


async def test_a_user_who_says_no_on_the_page_ends_it_for_the_agent(here: Setting) -> None:
    async with _asked(here, "refusing") as asked:
        page = await asked.visitor.open(asked.link.url)
        assert heading(await asked.visitor.press(page, "/refuse")) == "Not connected"
        await asked.ends_with("denied")


async def test_a_provider_that_is_down_ends_it_for_the_agent(here: Setting) -> None:
    async with _asked(here, "waiting") as asked:
        back = await asked.visitor.allow(await asked.visitor.begin(asked.link.url))
        await here.provider.behave("down")
        try:
            page = await asked.visitor.open(back)
        finally:
            await here.provider.behave("serve")
        assert heading(page) == "The provider cannot be reached"
        await asked.ends_with("provider-down")


@pytest.mark.requirement("URL-5")
async def test_a_callback_counts_once_whichever_worker_it_comes_to(here: Setting) -> None:
    async with _asked(here, "replaying") as asked:
        back = await asked.visitor.allow(await asked.visitor.begin(asked.link.url))
        before = here.provider.arrived
        pages = await asyncio.gather(*(asked.visitor.open(back) for _ in range(6)))
        said = sorted(heading(page) for page in pages)
        assert said == ["Connected", *["This was used already"] * 5]
        assert here.provider.arrived == before + 1
        assert asked.answer is not None
        assert await asked.answer == "connected replaying"
        assert asked.client.completed == [asked.link.id]


@pytest.mark.requirement("URL-13")
async def test_another_user_finds_nothing_behind_the_link(here: Setting) -> None:
    async with _asked(here, "owner") as asked:
        async with visiting(here.balancer.address, "stranger") as stranger:
            page = await stranger.open(asked.link.url)
            missing = await stranger.open(asked.link.url[:-1])
        assert (page.status_code, page.text) == (missing.status_code, missing.text)
        assert await asked.state() is LinkState.OPEN


@pytest.mark.requirement("URL-13")
async def test_what_was_begun_in_one_browser_is_not_finished_in_another(here: Setting) -> None:
    async with _asked(here, "moving") as asked:
        back = await asked.visitor.allow(await asked.visitor.begin(asked.link.url))
        before = here.provider.arrived
        async with visiting(here.balancer.address, "moving") as other:
            assert heading(await other.open(back)) == "Begun in another browser"
        assert here.provider.arrived == before
        await asked.ends_with("other-browser")


async def test_an_answer_that_does_not_name_its_issuer_is_not_redeemed(here: Setting) -> None:
    async with _asked(here, "mixing") as asked:
        here.balancer.use(0)
        onward = await asked.visitor.begin(asked.link.url)
        back = await asked.visitor.allow(onward)
        before = here.provider.arrived
        await here.replace(here.workers[1])  # by one that has not spoken to the provider yet
        here.balancer.use(1)
        page = await asked.visitor.open(back.partition("&iss=")[0])
        here.balancer.use(0, 1)
        assert heading(page) == "Stopped for your safety"
        assert here.provider.arrived == before
        await asked.ends_with("wrong-issuer")


async def test_looking_at_the_link_changes_nothing(here: Setting) -> None:
    async with _asked(here, "looking") as asked:
        async with visiting(here.balancer.address, "nobody") as preview:
            preview.http.cookies.clear()
            await asyncio.gather(*(preview.open(asked.link.url) for _ in range(4)))
            await preview.http.head(asked.link.url)
        await asked.visitor.open(asked.link.url)
        assert await asked.state() is LinkState.OPEN
        assert await asked.visitor.finish(asked.link.url) == "Connected"
        assert asked.answer is not None
        assert await asked.answer == "connected looking"


async def test_a_link_that_is_declined_leads_nowhere(here: Setting) -> None:
    async with here.agent("declining") as client:
        answer = asyncio.create_task(client.ask("connect"))
        link = await client.next_link()
        link.decline()
        await answer
        await _ended(here, link)
        async with visiting(here.balancer.address, "declining") as visitor:
            assert heading(await visitor.open(link.url)) == "Not needed any more"

"""What is left when a part is killed (SIGKILL), at each step from the link to its completion.

After each kill the person goes on, as people do: reloads the page, or opens the link again.
Whatever happens, nothing is completed that was not granted, nothing is lost that the page said was
done, nobody else hears of it, and the agent that is left is told how it ended.
"""

import asyncio
import base64
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from enum import Enum
from functools import partial

import httpx2
import pytest
import pytest_asyncio

from acp_elicitation.protocol.errors import ConnectionLost
from acp_elicitation.protocol.requests import ElicitationId
from acp_elicitation.stores.lifecycle import LinkState
from acp_elicitation.stores.records import Identity
from tests.connect.balancer import GONE
from tests.connect.client import Client, Shown
from tests.connect.setting import Setting
from tests.connect.settings import STORES, Settings, StoreKind
from tests.connect.visitor import Visitor, heading, visiting

_USER = "ada"


class Step(Enum):
    """When it happens."""

    LINK_MADE = "the link is before the user"
    CONSENTED = "the user has consented"
    PAGE_OPENED = "the connect page is open"
    SENT_AWAY = "the user is at the provider"
    REDEEMING = "the callback waits for the token"
    STORED = "the grant is stored, the agent not told"
    TOLD = "the completion is with the client"


class Victim(Enum):
    """Who is killed."""

    AGENT = "agent"
    WORKER = "worker"
    STORE = "store"


class Place:
    """A setting on one kind of store, and two agents of one user.

    They are shared by the cases; who was killed is started again.
    """

    client: Client
    witness: Client

    def __init__(self, here: Setting, kill_store: Callable[[], None]) -> None:
        self.here, self.kill_store = here, kill_store
        self.repair: asyncio.Task[None] | None = None

    async def repaired(self) -> None:
        """Return when there are two workers again."""
        if self.repair is not None:
            await self.repair

    async def state(self, link: Shown) -> LinkState:
        async with self.here.open_store() as store:
            return (await store.read(ElicitationId(link.id))).state

    async def accounts(self) -> list[str]:
        """What the user has granted, as any process with the key reads it."""
        async with self.here.open_store() as store:
            granted = await self.here.open_vault(store).grants(Identity(_USER))
            return [grant.account for grant in granted]


class Places:
    """One on each kind of store, made when it is first needed."""

    def __init__(self, settings: Settings, stack: AsyncExitStack) -> None:
        self._settings, self._stack = settings, stack
        self._made: dict[StoreKind, Place] = {}

    async def on(self, kind: StoreKind) -> Place:
        if kind not in self._made:
            here = await self._settings.on(kind)
            place = Place(here, partial(self._settings.kill_and_start, kind))
            place.client, place.witness = [
                await self._stack.enter_async_context(here.agent(_USER)) for _ in range(2)
            ]
            self._stack.push_async_callback(place.repaired)
            self._made[kind] = place
        return self._made[kind]


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def places(settings: Settings) -> AsyncIterator[Places]:
    async with AsyncExitStack() as stack:
        yield Places(settings, stack)


class Case:
    """One flow, in which `victim` is killed at `step`."""

    def __init__(
        self, place: Place, victim: Victim, step: Step, client: Client, visitor: Visitor
    ) -> None:
        self.place, self.here, self.victim, self.step = place, place.here, victim, step
        self.client, self.visitor = client, visitor
        self.link: Shown

    async def at(self, step: Step) -> None:
        """Kill the victim, if this is the moment."""
        if step is not self.step:
            return
        match self.victim:
            case Victim.AGENT:
                await self.client.kill()
            case Victim.WORKER:
                busy = self.here.balancer.busy
                worker = max(self.here.workers, key=lambda each: busy.get(each.port, 0))
                await worker.kill()
                self.place.repair = asyncio.create_task(self.here.replace(worker))
            case Victim.STORE:
                await asyncio.to_thread(self.place.kill_store)

    async def run(self) -> str:
        """Go through it; return what the last page says, "" where none was opened."""
        self.link = await self.client.next_link()
        await self.at(Step.LINK_MADE)
        if self.step is Step.LINK_MADE and self.victim is Victim.AGENT:
            return ""  # the question went away with the agent: there is nothing to consent to
        self.link.consent()
        await self.at(Step.CONSENTED)
        last = await self._visit()
        if heading(last) != "Connected":
            last = await self._come_again()
        return heading(last)

    async def _visit(self) -> httpx2.Response:
        page = await self.visitor.open(self.link.url)
        await self.at(Step.PAGE_OPENED)
        onward = await self.visitor.go_on(page)
        await self.at(Step.SENT_AWAY)
        back = await self.visitor.allow(onward)
        page = await self._come_back(back)
        if heading(page) == "Connected" and self.step is Step.TOLD:
            await self.client.has_heard(self.link.id)
            await self.at(Step.TOLD)
        return page

    async def _come_back(self, back: str) -> httpx2.Response:
        if self.step is Step.STORED:
            self.client.send_signal(signal.SIGSTOP)  # it cannot hear of it meanwhile
            page = await self.visitor.open(back)
            await self.at(Step.STORED)
            if self.victim is not Victim.AGENT:
                self.client.send_signal(signal.SIGCONT)
            return page
        if self.step is not Step.REDEEMING:
            return await self.visitor.open(back)
        provider = self.here.provider
        await provider.behave("hold")
        opening = asyncio.create_task(self.visitor.open(back))
        await provider.has_had(arrived=provider.arrived + 1)
        await self.at(Step.REDEEMING)
        await provider.behave("serve")
        page = await opening
        # A reload of what may have been half done is not done a second time.
        return await self.visitor.open(back) if heading(page) == GONE else page

    async def _come_again(self) -> httpx2.Response:
        """Open the link once more, as the page says."""
        return await self.visitor.open(
            await self.visitor.allow(await self.visitor.begin(self.link.url))
        )


async def _check(place: Place, victim: Victim, step: Step) -> None:
    """Go through one case, and look at what is left."""
    await place.repaired()
    account = f"{victim.name}-{step.name}".lower()
    place.client.completed.clear()
    async with AsyncExitStack() as stack:
        client = place.client
        if victim is Victim.AGENT:
            client = await stack.enter_async_context(place.here.agent(_USER))
        visitor = await stack.enter_async_context(visiting(place.here.balancer.address, _USER))
        visitor.account = account
        case = Case(place, victim, step, client, visitor)
        before = await place.accounts()
        asking = asyncio.create_task(client.ask("again"))
        last = await case.run()
        answer, *_ = await asyncio.gather(asking, return_exceptions=True)
    is_begun = last != ""
    assert last == ("Connected" if is_begun else "")
    assert await place.state(case.link) is (LinkState.COMPLETED if is_begun else LinkState.OPEN)
    assert await place.accounts() == ([account] if is_begun else before)
    if victim is not Victim.AGENT:
        assert answer == f"connected {account}"
    elif step is not Step.TOLD:
        assert isinstance(answer, ConnectionLost)
    is_told = victim is not Victim.AGENT or step is Step.TOLD
    assert client.completed == ([case.link.id] if is_told else [])
    assert place.witness.completed == []
    if victim is Victim.AGENT:
        assert place.client.completed == []


_LATE = (Step.REDEEMING, Step.STORED, Step.TOLD)
_CASES: list[tuple[StoreKind, Victim, Step]] = [
    *(("redis", victim, step) for victim in Victim for step in Step),
    *(("postgres", Victim.STORE, step) for step in Step),
    *(("sqlite", victim, step) for victim in (Victim.AGENT, Victim.WORKER) for step in _LATE),
]


@pytest.mark.requirement("URL-2", "URL-6", "REQ-3")
@pytest.mark.parametrize(
    ("store", "victim", "step"),
    [pytest.param(*case, id=f"{case[0]}, {case[1].value}, {case[2].value}") for case in _CASES],
)
async def test_a_kill_makes_up_nothing_and_loses_nothing(
    places: Places, store: StoreKind, victim: Victim, step: Step
) -> None:
    await _check(await places.on(store), victim, step)


@pytest.mark.requirement("URL-2")
@pytest.mark.parametrize("store", STORES)
async def test_no_token_is_in_plain_text_on_the_disk(
    places: Places, settings: Settings, store: StoreKind
) -> None:
    place = await places.on(store)
    await _check(place, Victim.WORKER, Step.STORED)
    given = [token for answer in place.here.provider.answers for token in answer.tokens]
    assert len(given) > 2
    looked_for = [form for token in given for form in _forms(token)]
    files = [path for path in settings.folder(store).rglob("*") if path.is_file()]
    written = b"".join(path.read_bytes() for path in files)
    assert _USER.encode() in written  # it is the store that was looked into
    assert [form for form in looked_for if form in written] == []
    assert [form for form in looked_for if form in b"".join(place.here.errors)] == []


def _forms(token: str) -> list[bytes]:
    """The ways in which a token may be written."""
    plain = token.encode()
    return [plain, base64.b64encode(plain)[:-4], plain.hex().encode()]

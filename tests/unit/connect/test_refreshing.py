"""A credential is refreshed once, whoever needs it in whatever process, and lost to no accident."""

import asyncio
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from acp_elicitation.connect.credential import Credential
from acp_elicitation.connect.errors import NoGrant, ProviderDenied, ProviderDown
from acp_elicitation.connect.leaks import LeakGuard
from acp_elicitation.connect.refreshing import Refreshing
from acp_elicitation.connect.sealed_grants import SealedGrants
from acp_elicitation.connect.sealing import KEY_BYTES, Sealer
from acp_elicitation.connect.secret import Secret
from acp_elicitation.connect.vault import Vault
from acp_elicitation.protocol.requests import ElicitationId
from acp_elicitation.stores.keeping import KeptStore
from acp_elicitation.stores.port import Store
from acp_elicitation.stores.records import ConnectionId, Identity, SealedGrant
from tests.unit.stores.places import Place, SqlitePlace

KEY, NEW_KEY = b"k" * KEY_BYTES, b"n" * KEY_BYTES
ADA = Identity("ada")
NOW = 1_700_000_000_000
HOUR = 3_600_000
MINUTE = 60_000


class Clock:
    """The time for one process, which looks at it each time that it looks at the grant."""

    def __init__(self) -> None:
        self.now = NOW
        self.looks = 0
        self._looked = asyncio.Event()

    def __call__(self) -> int:
        self.looks += 1
        self._looked.set()
        return self.now

    async def looked(self, times: int) -> None:
        """Return when it was looked at so often from now on."""
        until = self.looks + times
        async with asyncio.timeout(10):
            while self.looks < until:
                self._looked.clear()
                await self._looked.wait()


class Provider:
    """Gives a new refresh token each time, and takes all back where one comes twice."""

    def __init__(self) -> None:
        self.calls = 0
        self.valid: str | None = "refresh-0"
        self.called = asyncio.Event()
        self.go_on = asyncio.Event()
        self.error: Exception | None = None

    async def refresh(self, old: Credential) -> Credential:
        assert old.refresh is not None
        self.calls += 1
        self.called.set()
        await self.go_on.wait()
        if self.error is not None:
            raise self.error
        if old.refresh.reveal() != self.valid:
            self.valid = None
            raise ProviderDenied("hub", "it takes this grant no more")
        self.valid = f"refresh-{self.calls}"
        return tokens(self.calls, expires_at=NOW + HOUR)


def tokens(number: int, *, expires_at: int = NOW, account: str = "") -> Credential:
    return Credential(
        secret=Secret(f"access-{number}"),
        refresh=Secret(f"refresh-{number}"),
        expires_at=expires_at,
        account=account,
    )


class Process:
    """What one process has: the store as it has opened it."""

    def __init__(self, store: Store, provider: Provider, *keys: bytes, longest: float = 45) -> None:
        self.store = store
        self.provider = provider
        self.clock = Clock()
        self.grants = SealedGrants(store, Sealer(keys or (KEY,)), LeakGuard())
        self.refreshing = Refreshing(
            self.grants, clock=self.clock, longest=longest, look_every=0.005
        )

    async def fresh(self) -> Credential:
        async with asyncio.timeout(20):
            return await self.refreshing(ADA, "hub", self.provider.refresh)

    def begin(self) -> asyncio.Task[Credential]:
        return asyncio.create_task(self.fresh())

    async def sealed(self) -> SealedGrant:
        return await self.grants.read(ADA, "hub")

    async def kept(self) -> Credential:
        return self.grants.open(await self.sealed())

    async def connect(self, credential: Credential) -> None:
        """Keep a grant in the way that they come: with the completion of a link."""
        link = ElicitationId(f"link-{credential.secret.reveal()}")
        await self.store.create(link, connection=ConnectionId("c"), identity=ADA, lifetime=600)
        grant = self.grants.seal(ADA, "hub", credential)
        await self.store.complete(link, identity=ADA, grant=grant)


Start = Callable[[], Awaitable[Process]]


@pytest.fixture
async def start(place: Place) -> AsyncIterator[Start]:
    """Start a process on a store that all of them share; the first has connected the account."""
    async with AsyncExitStack() as stack:
        provider, started = Provider(), list[Process]()

        async def start() -> Process:
            store = await stack.enter_async_context(KeptStore(place.rows()))
            started.append(Process(store, provider))
            if len(started) == 1:
                await started[0].connect(tokens(0))
            return started[-1]

        yield start


@pytest.fixture
async def one(tmp_path: Path) -> AsyncIterator[Process]:
    async with KeptStore(SqlitePlace(tmp_path).rows()) as store:
        process = Process(store, Provider())
        await process.connect(tokens(0))
        yield process


# --- several processes ----------------------------------------------------------------------------


async def test_processes_that_need_it_at_once_refresh_it_once(start: Start) -> None:
    first, *others = [await start() for _ in range(3)]
    provider = first.provider
    asking = [first.begin()]
    await provider.called.wait()
    asking += [process.begin() for process in others]
    await asyncio.gather(*(process.clock.looked(3) for process in others))
    provider.go_on.set()
    assert await asyncio.gather(*asking) == [tokens(1, expires_at=NOW + HOUR)] * 3
    assert provider.calls == 1
    assert await first.kept() == tokens(1, expires_at=NOW + HOUR)


async def test_processes_that_begin_at_the_same_moment_refresh_it_once(start: Start) -> None:
    processes = [await start() for _ in range(3)]
    provider = processes[0].provider
    provider.go_on.set()
    found = await asyncio.gather(*(process.fresh() for process in processes))
    assert found == [tokens(1, expires_at=NOW + HOUR)] * 3
    assert provider.calls == 1


async def test_a_process_that_has_died_is_not_waited_for_longer_than_a_minute(
    start: Start,
) -> None:
    dead, other = await start(), await start()
    provider = dead.provider
    asking = dead.begin()
    await provider.called.wait()
    (task,) = dead.refreshing._tasks.values()
    task.cancel()  # it will say nothing more, of how it went neither
    with pytest.raises(asyncio.CancelledError):
        await asking
    provider.go_on.set()
    waiting = other.begin()
    other.clock.now += MINUTE - 1
    await other.clock.looked(3)
    assert provider.calls == 1
    other.clock.now += 1
    assert await waiting == tokens(2, expires_at=NOW + HOUR)


async def test_a_clock_that_is_far_ahead_holds_nobody_up_for_longer(start: Start) -> None:
    dead, other = await start(), await start()
    held = Credential(
        secret=Secret("access-0"), refresh=Secret("refresh-0"), expires_at=NOW,
        held_until=NOW + 24 * HOUR,
    )  # fmt: skip
    await dead.grants.rewrite(await dead.sealed(), held)
    dead.provider.error = ProviderDown("hub", "away")
    dead.provider.go_on.set()
    waiting = other.begin()
    await other.clock.looked(3)
    assert dead.provider.calls == 0
    other.clock.now += MINUTE
    with pytest.raises(ProviderDown):
        await waiting
    assert await other.kept() == tokens(0)  # and nothing is left of that clock


async def test_what_the_provider_takes_no_more_is_forgotten_for_all(start: Start) -> None:
    first, second = await start(), await start()
    provider = first.provider
    provider.valid = None
    asking = first.begin()
    await provider.called.wait()
    waiting = second.begin()
    await second.clock.looked(3)
    provider.go_on.set()
    with pytest.raises(ProviderDenied):
        await asking
    with pytest.raises(NoGrant):
        await waiting
    assert provider.calls == 1


async def test_when_one_could_not_refresh_it_the_next_one_tries_at_once(start: Start) -> None:
    first, second = await start(), await start()
    provider = first.provider
    provider.error = ProviderDown("hub", "it cannot be reached")
    provider.go_on.set()
    with pytest.raises(ProviderDown):
        await first.fresh()
    assert await first.kept() == tokens(0)
    provider.error = None
    assert await second.fresh() == tokens(2, expires_at=NOW + HOUR)


# --- one process ----------------------------------------------------------------------------------


async def test_all_who_ask_in_one_process_get_the_same(one: Process) -> None:
    asking = [one.begin() for _ in range(20)]
    await one.provider.called.wait()
    asking[0].cancel()  # one that gives up stops nobody else
    one.provider.go_on.set()
    assert await asyncio.gather(*asking[1:]) == [tokens(1, expires_at=NOW + HOUR)] * 19
    assert (one.provider.calls, one.clock.looks) == (1, 1)
    assert await one.fresh() == tokens(1, expires_at=NOW + HOUR)
    assert one.provider.calls == 1  # it lives long enough
    one.clock.now += HOUR
    assert await one.fresh() == tokens(2, expires_at=NOW + HOUR)


async def test_a_key_that_changes_meanwhile_loses_no_token(one: Process) -> None:
    rotating = Process(one.store, one.provider, KEY, NEW_KEY)
    asking = rotating.begin()
    await one.provider.called.wait()
    assert await Vault(one.store, Sealer([NEW_KEY, KEY])).seal_anew() == 1
    one.provider.go_on.set()
    assert await asking == tokens(1, expires_at=NOW + HOUR)
    assert await rotating.kept() == tokens(1, expires_at=NOW + HOUR)


@pytest.mark.parametrize(
    "error", [None, ProviderDown("hub", "away"), ProviderDenied("hub", "no more")], ids=str
)
async def test_an_account_that_is_connected_meanwhile_is_the_one_that_counts(
    one: Process, error: Exception | None
) -> None:
    one.provider.error = error
    asking = one.begin()
    await one.provider.called.wait()
    await one.connect(tokens(7, account="another"))
    one.provider.go_on.set()
    assert await asking == tokens(7, account="another")
    assert await one.kept() == tokens(7, account="another")


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (None, NoGrant),
        (ProviderDown("hub", "away"), ProviderDown),
        (ProviderDenied("hub", "no more"), ProviderDenied),
    ],
    ids=["refreshed", "down", "denied"],
)
async def test_what_is_revoked_meanwhile_stays_revoked(
    one: Process, error: Exception | None, told: type[Exception]
) -> None:
    one.provider.error = error
    asking = one.begin()
    await one.provider.called.wait()
    await one.store.drop_grant(await one.sealed())
    one.provider.go_on.set()
    with pytest.raises(told):
        await asking
    with pytest.raises(NoGrant):
        await one.sealed()


async def test_refreshing_that_takes_too_long_is_given_up_for_others_to_try(
    one: Process,
) -> None:
    slow = Process(one.store, one.provider, longest=0.01)
    with pytest.raises(ProviderDown, match="too long"):
        await slow.fresh()
    assert await one.kept() == tokens(0)


async def test_a_time_limit_of_whoever_refreshes_is_told_as_it_is(one: Process) -> None:
    one.provider.error = TimeoutError("its own")
    one.provider.go_on.set()
    with pytest.raises(TimeoutError, match="its own"):
        await one.fresh()


async def test_a_store_that_is_away_does_not_hide_why_it_was_not_refreshed(one: Process) -> None:
    one.provider.error = ProviderDown("hub", "away")
    asking = one.begin()
    await one.provider.called.wait()
    await one.store.__aexit__(None, None, None)
    one.provider.go_on.set()
    with pytest.raises(ProviderDown, match="away"):
        await asking


@pytest.mark.requirement("URL-2")
async def test_no_variable_of_what_refreshes_is_in_the_traceback(one: Process) -> None:
    one.provider.error = ProviderDown("hub", "away")
    one.provider.go_on.set()
    with pytest.raises(ProviderDown) as caught:
        await one.fresh()
    came_through = {frame.name for frame in traceback.extract_tb(caught.tb)}
    assert "fresh" in came_through
    assert came_through.isdisjoint({"refresh", "_refresh", "_in_time"})

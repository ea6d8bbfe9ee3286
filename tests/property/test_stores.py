"""Whatever happens to a stored link in whatever order, it ends once at most, and for its user."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acp_elicitation.protocol.errors import StoreError, UnknownLink
from acp_elicitation.protocol.requests import ElicitationId
from acp_elicitation.stores.keeping import KeptStore
from acp_elicitation.stores.records import (
    Attempt,
    ConnectionId,
    Identity,
    NewGrant,
    StoredLink,
)
from acp_elicitation.stores.settings import StoreSettings
from acp_elicitation.stores.sqlite import MEMORY, SqliteRows
from acp_elicitation.stores.trial import ALICE, MALLORY, Clock

LINK = ElicitationId("e1")
HERE, THERE = ConnectionId("here"), ConnectionId("there")
KEYS = st.sampled_from(["k1", "k2"])
USERS = st.sampled_from([ALICE, ALICE, MALLORY])

Step = Callable[[KeptStore, Clock], Awaitable[StoredLink | None]]


async def _pass_time(clock: Clock) -> None:
    clock.pass_by(4)


def starting(key: str, user: Identity) -> Step:
    return lambda store, _: store.start(LINK, identity=user, attempt=Attempt(key=key))


def claiming(key: str) -> Step:
    return lambda store, _: store.claim(key)


def completing(key: str | None, user: Identity, owner: Identity) -> Step:
    grant = NewGrant(owner=owner, name="github", sealed=b"sealed")
    return lambda store, _: store.complete(LINK, identity=user, attempt_key=key, grant=grant)


def failing(key: str | None) -> Step:
    return lambda store, _: store.fail(LINK, reason="denied", attempt_key=key)


def withdrawing(connection: ConnectionId) -> Step:
    return lambda store, _: store.withdraw(LINK, connection=connection)


STEPS = st.one_of(
    st.builds(starting, KEYS, USERS),
    st.builds(claiming, KEYS),
    st.builds(completing, st.none() | KEYS, USERS, USERS),
    st.builds(failing, st.none() | KEYS),
    st.builds(withdrawing, st.sampled_from([HERE, THERE])),
    st.just(lambda _, clock: _pass_time(clock)),
)


@pytest.mark.requirement("URL-13", "REQ-3")
@given(st.lists(STEPS, max_size=14), st.booleans())
def test_any_order_of_events_gives_at_most_one_end(steps: list[Step], at_once: bool) -> None:
    async def check() -> None:
        clock = Clock()
        async with KeptStore(SqliteRows(MEMORY), StoreSettings(clock=clock)) as store:
            await store.create(LINK, connection=HERE, identity=ALICE, lifetime=10.0)
            results = await _taken(steps, store, clock, at_once=at_once)
            ends = [link for link in results if link is not None and link.ended]
            assert len(ends) <= 1
            last = await store.read(LINK)
            assert not ends or last == ends[0]
            # A grant is there if and only if the link was completed, and then it is the user's.
            granted = await store.grants()
            assert [grant.owner for grant in granted] == [ALICE] * (last.state.name == "COMPLETED")
            # Each claim is of an attempt that was begun for it.
            states = [link.state.name for link in results if link is not None]
            assert states.count("CLAIMED") <= states.count("STARTED")

    asyncio.run(check())


async def _taken(
    steps: list[Step], store: KeptStore, clock: Clock, *, at_once: bool
) -> list[StoredLink | None]:
    """What the steps that were not refused have returned."""

    async def take(step: Step) -> StoredLink | None:
        try:
            return await step(store, clock)
        except (StoreError, UnknownLink):
            return None

    if at_once:
        return list(await asyncio.gather(*map(take, steps)))
    return [await take(step) for step in steps]

"""The obligations of the `Store` port as code: every store's tests run `check_store`.

Owns: one check for each obligation. Knows nothing of: which store it judges.
Above it: the tests of the three stores, and of anybody's own. Below it: `port`, `records`.

The text of each obligation is the docstring of `acp_elicitation.stores.port.Store`. A broken one
raises `AssertionError`.
"""

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from typing import TypeAlias

from acp_elicitation.protocol.errors import DuplicateLink, UnknownLink
from acp_elicitation.protocol.requests import ElicitationId
from acp_elicitation.stores.errors import GrantChanged, LinkClaimed, LinkEnded, WrongIdentity
from acp_elicitation.stores.lifecycle import LinkState
from acp_elicitation.stores.records import Attempt, ConnectionId, Identity, NewGrant, StoredLink
from acp_elicitation.stores.trial import (
    ALICE,
    MALLORY,
    Clock,
    MakeStore,
    Two,
    expect,
    expect_refused,
)

__all__ = ["CHECKS", "Check", "check_obligation", "check_store"]

Check: TypeAlias = Callable[[Two], Awaitable[None]]

_LIMIT = 20.0


async def check_store(make_store: MakeStore, *, limit: float = _LIMIT) -> None:
    """Run every obligation of the port against stores from `make_store`.

    `limit` is in seconds, for each; a wait that outlasts it raises `TimeoutError`.
    """
    for check in CHECKS:
        await check_obligation(check, make_store, limit=limit)


async def check_obligation(check: Check, make_store: MakeStore, *, limit: float = _LIMIT) -> None:
    """Run one of `CHECKS`."""
    clock = Clock()
    async with AsyncExitStack() as stack, asyncio.timeout(limit):
        agent = await stack.enter_async_context(make_store(clock))
        worker = await stack.enter_async_context(make_store(clock))
        await check(Two(agent, worker, clock))


async def _keeps_what_it_was_given(two: Two) -> None:
    """Every process reads what was created, to the last byte."""
    details = bytes(range(256))
    link = await two.link(details=details, identity=Identity("Zoë \u202e\U0001f600 'x' -- %s"))
    expect(await two.worker.read(link.id) == link, "what is read is what was created")
    expect(link.expires_at - link.created_at == 600_000, "a lifetime is in seconds")
    attempt = Attempt(key=secrets.token_urlsafe(9), data=details)
    begun = await two.worker.start(link.id, identity=link.identity, attempt=attempt)
    expect(begun.attempt == attempt, "an attempt is kept as it is")
    expect(await two.agent.read(link.id) == begun, "every process sees the attempt")


async def _refuses_an_id_that_is_taken(two: Two) -> None:
    """URL-3: also that of an ended link."""
    link = await two.link()
    again = two.worker.create(link.id, connection=two.connection, identity=ALICE, lifetime=1)
    await expect_refused(again, DuplicateLink, "an id is unique")
    await two.worker.complete(link.id, identity=ALICE)
    again = two.worker.create(link.id, connection=two.connection, identity=ALICE, lifetime=1)
    await expect_refused(again, DuplicateLink, "an id is not used again")


async def _knows_no_link_that_was_not_created(two: Two) -> None:
    """Every method says so, of an id too that no link can have: whoever asks chooses it."""
    for ghost in map(ElicitationId, (secrets.token_urlsafe(9), "a\0b", "", "\ud800", "x" * 5000)):
        for step in (
            two.agent.read(ghost),
            two.agent.start(ghost, identity=ALICE, attempt=Attempt(key="key")),
            two.agent.claim(ghost),
            two.agent.complete(ghost, identity=ALICE),
            two.agent.fail(ghost, reason="x"),
            two.agent.withdraw(ghost, connection=two.connection),
            two.agent.wait(ghost, connection=two.connection),
        ):
            await expect_refused(step, UnknownLink, "an unknown link is unknown")


async def _ends_a_link_once(two: Two) -> None:
    """Of many that try at once in two processes, one gets through."""
    link = await two.link()
    tries = [
        store.complete(link.id, identity=ALICE) if number % 2 else store.fail(link.id, reason="no")
        for number in range(10)
        for store in (two.agent, two.worker)
    ]
    results = await asyncio.gather(*tries, return_exceptions=True)
    ended = [result for result in results if isinstance(result, StoredLink)]
    expect(len(ended) == 1, f"exactly one end, not {len(ended)}")
    losers = [result for result in results if isinstance(result, LinkEnded)]
    expect(len(losers) == len(tries) - 1, "all others hear that it has ended")
    expect(await two.agent.read(link.id) == ended[0], "the end that was told is the one kept")


async def _claims_an_attempt_once(two: Two) -> None:
    """Whoever comes with the same key again, in whatever process, is refused."""
    _, key = await two.begun()
    tries = [store.claim(key) for _ in range(5) for store in (two.agent, two.worker)]
    results = await asyncio.gather(*tries, return_exceptions=True)
    claimed = [result for result in results if isinstance(result, StoredLink)]
    expect(len(claimed) == 1, f"exactly one claim, not {len(claimed)}")
    losers = [result for result in results if isinstance(result, LinkClaimed)]
    expect(len(losers) == len(tries) - 1, "all others hear that it is claimed")
    await two.worker.complete(claimed[0].id, identity=ALICE, attempt_key=key)
    await expect_refused(two.worker.claim(key), LinkEnded, "a replay after the end is refused")


async def _voids_what_was_begun_before(two: Two) -> None:
    """Whoever begins again ends nothing with the first attempt, claimed or not."""
    link, first = await two.claimed()
    second = secrets.token_urlsafe(9)
    await two.worker.start(link.id, identity=ALICE, attempt=Attempt(key=second))
    await expect_refused(two.worker.claim(first), UnknownLink, "a void attempt is unknown")
    late = two.worker.complete(link.id, identity=ALICE, attempt_key=first)
    await expect_refused(late, UnknownLink, "a void claim completes nothing")
    await two.worker.claim(second)
    late = two.worker.complete(link.id, identity=ALICE, attempt_key=first)
    await expect_refused(late, LinkClaimed, "a claim of another completes nothing")
    bare = two.worker.fail(link.id, reason="no")
    await expect_refused(bare, LinkClaimed, "who has not claimed ends nothing that is claimed")
    done = await two.worker.complete(link.id, identity=ALICE, attempt_key=second)
    expect(done.state is LinkState.COMPLETED, "the claimer completes")


async def _lets_nobody_else_complete(two: Two) -> None:
    """URL-13: the user who started is the one who completes; REQ-3: a link has one connection."""
    link = await two.link()
    attempt = Attempt(key=secrets.token_urlsafe(9))
    begin = two.worker.start(link.id, identity=MALLORY, attempt=attempt)
    await expect_refused(begin, WrongIdentity, "another user begins nothing")
    finish = two.worker.complete(link.id, identity=MALLORY)
    await expect_refused(finish, WrongIdentity, "another user completes nothing")
    loot = NewGrant(owner=MALLORY, name="github", sealed=b"token")
    steal = two.worker.complete(link.id, identity=ALICE, grant=loot)
    await expect_refused(steal, WrongIdentity, "nobody is granted what another was asked for")
    expect(await two.agent.grant(MALLORY, "github") is None, "nothing was granted")
    other = ConnectionId("other")
    take_back = two.worker.withdraw(link.id, connection=other)
    await expect_refused(take_back, UnknownLink, "another connection withdraws nothing")
    listen = two.worker.wait(link.id, connection=other)
    await expect_refused(listen, UnknownLink, "another connection waits for nothing")
    expect(await two.agent.read(link.id) == link, "what was refused has changed nothing")


async def _completes_and_grants_as_one(two: Two) -> None:
    """The grant is there with the completion, and is not there without it."""
    link, key = await two.claimed()
    grant = NewGrant(owner=ALICE, name=link.id, sealed=bytes(range(256)))
    waiting = two.waiting(link)
    await two.worker.complete(link.id, identity=ALICE, attempt_key=key, grant=grant)
    expect((await waiting).state is LinkState.COMPLETED, "the completion is heard of")
    kept = await two.agent.grant(ALICE, link.id)
    expect(kept is not None and kept.sealed == grant.sealed, "the grant came with it")
    late = two.worker.complete(
        link.id,
        identity=ALICE,
        attempt_key=key,
        grant=NewGrant(owner=ALICE, name=link.id, sealed=b""),
    )
    await expect_refused(late, LinkEnded, "a second completion is none")
    expect(await two.agent.grant(ALICE, link.id) == kept, "and grants nothing")


async def _hears_of_every_end(two: Two) -> None:
    """In whatever order: ended before, during or after the wait began, here or elsewhere."""
    early = await two.link()
    await two.worker.complete(early.id, identity=ALICE)
    expect((await two.wait(early)).ended, "an end before the wait is found")
    links = [await two.link() for _ in range(12)]
    waits = [two.waiting(link) for link in links for _ in range(2)]
    for number, link in enumerate(links):
        store = (two.agent, two.worker)[number % 2]
        match number % 3:
            case 0:
                await store.complete(link.id, identity=ALICE)
            case 1:
                await store.fail(link.id, reason="denied")
            case _:
                await store.withdraw(link.id, connection=two.connection)
    ends = await asyncio.gather(*waits)
    for number, end in enumerate(ends):
        expect(end.id == links[number // 2].id, "each wait returns its own link")
    states = [end.state.name for end in ends[::2]]
    expect(states == ["COMPLETED", "FAILED", "WITHDRAWN"] * 4, "as it ended")
    expect(ends[2].reason == "denied", "a failure has its reason")


async def _ends_a_wait_when_the_time_is_over(two: Two) -> None:
    """Expiry ends a link for every method and every process."""
    link, key = await two.begun(lifetime=30.0)
    waiting = two.waiting(link)
    two.clock.pass_by(29.999)
    expect(not (await two.worker.read(link.id)).ended, "it has not expired before its time")
    two.clock.pass_by(0.001)
    expect((await waiting).state is LinkState.EXPIRED, "the wait ends with the time")
    error = await expect_refused(two.worker.claim(key), LinkEnded, "nothing is claimed after it")
    expect(isinstance(error, LinkEnded) and error.state == "EXPIRED", "the error says why")
    late = two.worker.complete(link.id, identity=ALICE)
    await expect_refused(late, LinkEnded, "nothing is completed after it")
    unseen = await two.link(lifetime=30.0)
    two.clock.pass_by(30.0)  # and nobody has looked at it since
    late = two.worker.complete(unseen.id, identity=ALICE)
    await expect_refused(late, LinkEnded, "it has expired though nobody looked")
    expect((await two.agent.read(unseen.id)).state is LinkState.EXPIRED, "and is kept as expired")


async def _expires_or_completes_never_both(two: Two) -> None:
    """At the moment of expiry all processes agree on one end, and keep to it."""
    for _ in range(5):
        link = await two.link(lifetime=1.0)
        grant = NewGrant(owner=ALICE, name=link.id, sealed=b"x")
        waiting = two.waiting(link)

        async def complete(link: StoredLink = link, grant: NewGrant = grant) -> None:
            try:
                await two.worker.complete(link.id, identity=ALICE, grant=grant)
            except LinkEnded as error:
                expect(error.state == "EXPIRED", "only expiry stands against it")

        async def expire() -> None:
            two.clock.pass_by(1.0)

        await asyncio.gather(complete(), expire(), two.agent.read(link.id))
        end = await waiting
        expect(await two.worker.read(link.id) == end, "both processes agree")
        granted = await two.agent.grant(ALICE, link.id) is not None
        expect(granted is (end.state is LinkState.COMPLETED), "a grant goes with a completion")


async def _lets_go_of_what_is_cancelled(two: Two) -> None:
    """A wait that is cancelled disturbs no other, and the next one hears of the end."""
    link = await two.link()
    first, second = two.waiting(link), two.waiting(link)
    await asyncio.sleep(0)
    first.cancel()
    await asyncio.wait([first])
    expect(first.cancelled(), "a wait can be cancelled")
    await two.worker.complete(link.id, identity=ALICE)
    expect((await second).ended, "the other wait goes on")
    expect((await two.wait(link)).ended, "a later wait finds the end")


async def _replaces_a_grant_that_nobody_changed(two: Two) -> None:
    """Of two that renew the same grant, one does; the other reads again."""
    link = await two.link()
    grant = NewGrant(owner=ALICE, name=link.id, sealed=b"1")
    await two.worker.complete(link.id, identity=ALICE, grant=grant)
    read = await two.agent.grant(ALICE, link.id)
    if read is None:
        raise AssertionError("a completion keeps its grant")
    renewed = await two.worker.replace_grant(read, sealed=b"2")
    await expect_refused(two.agent.replace_grant(read, sealed=b"3"), GrantChanged, "once only")
    await expect_refused(two.agent.drop_grant(read), GrantChanged, "no change is dropped")
    expect(await two.agent.grant(ALICE, link.id) == renewed, "the one that was told is kept")
    expect(renewed in await two.agent.grants(ALICE), "it is among the user's grants")
    expect(renewed in await two.agent.grants(), "it is among all grants")
    expect(renewed not in await two.agent.grants(MALLORY), "it is nobody else's")
    await two.worker.drop_grant(renewed)
    expect(await two.agent.grant(ALICE, link.id) is None, "what was dropped is gone")
    await expect_refused(
        two.agent.replace_grant(renewed, sealed=b"4"), GrantChanged, "and stays so"
    )


CHECKS: tuple[Check, ...] = (
    _keeps_what_it_was_given,
    _refuses_an_id_that_is_taken,
    _knows_no_link_that_was_not_created,
    _ends_a_link_once,
    _claims_an_attempt_once,
    _voids_what_was_begun_before,
    _lets_nobody_else_complete,
    _completes_and_grants_as_one,
    _hears_of_every_end,
    _ends_a_wait_when_the_time_is_over,
    _expires_or_completes_never_both,
    _lets_go_of_what_is_cancelled,
    _replaces_a_grant_that_nobody_changed,
)

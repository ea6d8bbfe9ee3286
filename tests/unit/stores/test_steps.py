"""What each step does to a link, decided from values alone."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from acp_elicitation.protocol.errors import ElicitationError, UnknownLink
from acp_elicitation.protocol.requests import ElicitationId
from acp_elicitation.stores import steps
from acp_elicitation.stores.errors import LinkClaimed, LinkEnded, WrongIdentity
from acp_elicitation.stores.lifecycle import LinkState
from acp_elicitation.stores.records import Attempt, ConnectionId, Identity, NewGrant, StoredLink

ALICE, MALLORY = Identity("alice"), Identity("mallory")
HERE = ConnectionId("here")

OPEN = StoredLink(
    id=ElicitationId("e1"), connection=HERE, identity=ALICE, created_at=0, expires_at=1000
)
STARTED = replace(OPEN, state=LinkState.STARTED, attempt=Attempt(key="k1"))
CLAIMED = replace(STARTED, state=LinkState.CLAIMED)
ENDED = [
    replace(OPEN, state=state)
    for state in (LinkState.COMPLETED, LinkState.FAILED, LinkState.EXPIRED, LinkState.WITHDRAWN)
]


def complete(link: StoredLink, key: str | None = None, grant: NewGrant | None = None) -> StoredLink:
    return steps.completed(link, identity=ALICE, attempt_key=key, grant=grant)


@pytest.mark.parametrize("link", [OPEN, STARTED, CLAIMED])
def test_a_link_expires_at_its_time_and_not_before(link: StoredLink) -> None:
    assert steps.expired(link, now=999) is link
    assert steps.expired(link, now=1000) == replace(link, state=LinkState.EXPIRED)


@pytest.mark.parametrize("link", ENDED, ids=lambda link: link.state.name)
def test_an_ended_link_takes_no_step_more(link: StoredLink) -> None:
    link = replace(link, reason="denied", attempt=Attempt(key="k1"))
    assert steps.expired(link, now=5000) is link
    taken: list[Callable[[], StoredLink]] = [
        lambda: steps.started(link, identity=ALICE, attempt=Attempt(key="k2")),
        lambda: steps.claimed(link, attempt_key="k1"),
        lambda: complete(link),
        lambda: steps.failed(link, reason="x", attempt_key=None),
        lambda: steps.withdrawn(link, connection=HERE),
    ]
    for step in taken:
        with pytest.raises(LinkEnded) as raised:
            step()
        assert (raised.value.state, raised.value.reason) == (link.state.name, "denied")


@pytest.mark.parametrize("link", [OPEN, STARTED, CLAIMED])
def test_beginning_again_takes_the_place_of_what_was_begun(link: StoredLink) -> None:
    attempt = Attempt(key="k2", data=b"pkce")
    after = steps.started(link, identity=ALICE, attempt=attempt)
    assert after == replace(link, state=LinkState.STARTED, attempt=attempt)


def test_an_attempt_is_claimed_once_and_only_by_its_key() -> None:
    assert steps.claimed(STARTED, attempt_key="k1") == CLAIMED
    with pytest.raises(LinkClaimed):
        steps.claimed(CLAIMED, attempt_key="k1")
    for link in (OPEN, STARTED, CLAIMED):
        with pytest.raises(UnknownLink):
            steps.claimed(link, attempt_key="k0")


@pytest.mark.requirement("URL-5")
def test_a_link_completes_by_its_claim_or_without_one_where_none_was_made() -> None:
    for link, key in ((OPEN, None), (STARTED, None), (CLAIMED, "k1")):
        assert complete(link, key) == replace(link, state=LinkState.COMPLETED)
        failed = steps.failed(link, reason="denied", attempt_key=key)
        assert failed == replace(link, state=LinkState.FAILED, reason="denied")


@pytest.mark.parametrize(
    ("link", "key", "error"),
    [
        (CLAIMED, None, LinkClaimed),
        (CLAIMED, "k0", LinkClaimed),
        (STARTED, "k1", UnknownLink),
        (OPEN, "k1", UnknownLink),
    ],
)
def test_who_does_not_hold_the_claim_ends_nothing(
    link: StoredLink, key: str | None, error: type[ElicitationError]
) -> None:
    with pytest.raises(error):
        complete(link, key)
    with pytest.raises(error):
        steps.failed(link, reason="x", attempt_key=key)


@pytest.mark.requirement("URL-13")
def test_only_the_user_who_started_begins_and_completes_and_is_granted() -> None:
    with pytest.raises(WrongIdentity):
        steps.started(OPEN, identity=MALLORY, attempt=Attempt(key="k"))
    with pytest.raises(WrongIdentity):
        steps.completed(OPEN, identity=MALLORY, attempt_key=None, grant=None)
    with pytest.raises(WrongIdentity) as raised:
        complete(OPEN, grant=NewGrant(owner=MALLORY, name="github", sealed=b""))
    assert "mallory" not in str(raised.value)
    assert "alice" not in str(raised.value)


@pytest.mark.requirement("REQ-3")
def test_only_the_connection_that_asked_takes_a_link_back() -> None:
    for link in (OPEN, STARTED, CLAIMED):
        assert steps.withdrawn(link, connection=HERE).state is LinkState.WITHDRAWN
        with pytest.raises(UnknownLink):
            steps.withdrawn(link, connection=ConnectionId("there"))

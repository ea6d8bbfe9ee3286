"""What each step does to a link, and who may take it: decided from values alone.

Owns: the rules that every store keeps, so that they stand once. Knows nothing of: databases,
clocks, waiting. Above it: `keeping`. Below it: `records`, `lifecycle`, `protocol.errors`.

Each function returns the link as it is after the step, or raises and changes nothing.
"""

from msgspec.structs import replace

from acp_elicitation.protocol.errors import UnknownLink
from acp_elicitation.protocol.ledger import advance
from acp_elicitation.stores.errors import LinkClaimed, LinkEnded, WrongIdentity
from acp_elicitation.stores.lifecycle import STORED, LinkEvent, LinkState
from acp_elicitation.stores.records import Attempt, ConnectionId, Identity, NewGrant, StoredLink

__all__ = [
    "claimed",
    "completed",
    "expired",
    "failed",
    "refuse_ended",
    "started",
    "withdrawn",
]


def expired(link: StoredLink, *, now: int) -> StoredLink:
    """The link at the time `now`: expired where it had not ended by then."""
    if link.ended or now < link.expires_at:
        return link
    return _after(link, LinkEvent.EXPIRE)


def started(link: StoredLink, *, identity: Identity, attempt: Attempt) -> StoredLink:
    """The user has begun; what was begun before can neither be claimed nor completed any more."""
    _same_user(link, identity)
    return replace(_after(link, LinkEvent.START), attempt=attempt)


def claimed(link: StoredLink, *, attempt_key: str) -> StoredLink:
    """Take hold of what was begun, once: whoever comes with the same key again is refused."""
    if link.attempt is None or link.attempt.key != attempt_key:
        raise UnknownLink(link.id)
    if link.state is LinkState.CLAIMED:
        raise LinkClaimed(link.id)
    return _after(link, LinkEvent.CLAIM)


def completed(
    link: StoredLink, *, identity: Identity, attempt_key: str | None, grant: NewGrant | None
) -> StoredLink:
    """The outside part is finished, by the user who started it (URL-13)."""
    refuse_ended(link)
    _same_user(link, identity)
    if grant is not None:
        _same_user(link, grant.owner)
    _holds(link, attempt_key)
    return _after(link, LinkEvent.COMPLETE)


def failed(link: StoredLink, *, reason: str, attempt_key: str | None) -> StoredLink:
    """The outside part ended without success."""
    refuse_ended(link)
    _holds(link, attempt_key)
    return replace(_after(link, LinkEvent.FAIL), reason=reason)


def withdrawn(link: StoredLink, *, connection: ConnectionId) -> StoredLink:
    """The connection that asked takes it back; no other can (REQ-3)."""
    if link.connection != connection:  # for another connection it does not exist
        raise UnknownLink(link.id)
    return _after(link, LinkEvent.WITHDRAW)


def refuse_ended(link: StoredLink) -> None:
    """Raise `LinkEnded` where nothing more can happen."""
    if link.ended:
        raise LinkEnded(link.id, state=link.state.name, reason=link.reason)


def _after(link: StoredLink, event: LinkEvent) -> StoredLink:
    refuse_ended(link)
    return replace(link, state=advance(STORED, link.state, event))


def _same_user(link: StoredLink, identity: Identity) -> None:
    if link.identity != identity:  # URL-13: who completes is who started
        raise WrongIdentity(link.id)


def _holds(link: StoredLink, attempt_key: str | None) -> None:
    """A claimed link is ended by whoever claimed it, and a void claim ends nothing."""
    if attempt_key is None:
        if link.state is LinkState.CLAIMED:
            raise LinkClaimed(link.id)
    elif link.state is not LinkState.CLAIMED or link.attempt is None:
        raise UnknownLink(link.id)
    elif link.attempt.key != attempt_key:
        raise LinkClaimed(link.id)

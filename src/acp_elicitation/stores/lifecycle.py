"""The life of one link in a store, as a table.

Owns: the states, the events, the table. Knows nothing of: rows, clocks, who may do what (`steps`).
Above it: `steps`, `records`, the diagram in `docs/lifecycle.md`. Below it: `protocol.ledger`.

This is the outside part of a link, seen by whoever shares the store. The user's consent in the
client is not in it: the agent's own ledger joins the two, since a completion may come first.
"""

import enum
from types import MappingProxyType

from acp_elicitation.protocol.ledger import LedgerTable

__all__ = ["STORED", "LinkEvent", "LinkState"]


class LinkState(enum.Enum):
    """A link in the eyes of the processes that share its store."""

    OPEN = "made, and nobody has begun"
    STARTED = "the user has begun, and is away at a provider or typing"
    CLAIMED = "one process carries out what came back"
    COMPLETED = "finished, and what was granted is kept"
    FAILED = "ended without success; the reason says why"
    EXPIRED = "its time is over"
    WITHDRAWN = "nobody waits for it any more"


class LinkEvent(enum.Enum):
    """What happens to it."""

    START = "the user begins, or begins again, which voids what was begun before"
    CLAIM = "what was begun comes back: it counts once"
    COMPLETE = "the outside part is finished (URL-5)"
    FAIL = "it was denied, or cannot be finished"
    EXPIRE = "its time is over"
    WITHDRAW = "the connection that asked takes it back"


_END = {
    LinkEvent.COMPLETE: LinkState.COMPLETED,
    LinkEvent.FAIL: LinkState.FAILED,
    LinkEvent.EXPIRE: LinkState.EXPIRED,
    LinkEvent.WITHDRAW: LinkState.WITHDRAWN,
}

STORED: LedgerTable[LinkState, LinkEvent] = MappingProxyType(
    {
        LinkState.OPEN: {LinkEvent.START: LinkState.STARTED, **_END},
        LinkState.STARTED: {
            LinkEvent.START: LinkState.STARTED,
            LinkEvent.CLAIM: LinkState.CLAIMED,
            **_END,
        },
        # Begun again from here, a link outlives the process that died with the claim in its hands.
        LinkState.CLAIMED: {LinkEvent.START: LinkState.STARTED, **_END},
        LinkState.COMPLETED: {},
        LinkState.FAILED: {},
        LinkState.EXPIRED: {},
        LinkState.WITHDRAWN: {},
    }
)

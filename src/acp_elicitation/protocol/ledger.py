"""The life of one elicitation as two tables: as its agent sees it, and as its client does.

Owns: the states, the events, the tables, and the one function that steps through them.
Knows nothing of: ids, connections, prompts, or what an event does besides.
Above it: `agent.outstanding`, `client.outstanding`. Below it: `errors`.

A form and a link share a table; a form never sees CONSENT or COMPLETE. The diagrams in
`docs/lifecycle.md` are drawn from these tables.
"""

import enum
from collections.abc import Mapping
from types import MappingProxyType
from typing import TypeAlias, TypeVar

from acp_elicitation.protocol.errors import IllegalTransition

__all__ = [
    "AGENT",
    "CLIENT",
    "Asked",
    "AskedEvent",
    "LedgerTable",
    "Received",
    "ReceivedEvent",
    "advance",
    "is_final",
]


class _Step(enum.Enum):
    """A key of the tables: it is looked up by identity, since an enum's own hash is slow."""

    __hash__ = object.__hash__


class Asked(_Step):
    """An elicitation in the eyes of the agent that asked."""

    WAITING = "waiting for the answer"
    COMPLETED_EARLY = "completed before the answer"
    CONSENTED = "consented, waiting for completion"
    COMPLETED = "completed"
    ANSWERED = "answered"
    WITHDRAWN = "withdrawn"
    LOST = "lost"


class AskedEvent(_Step):
    """What happens to it."""

    ANSWER = "an answer that ends it: any answer to a form, a link's decline or cancel"
    CONSENT = "the user consents to open the link (URL-1: that is not completion)"
    COMPLETE = "the outside part is finished (URL-5)"
    WITHDRAW = "nobody waits for it any more (REQ-5)"
    LOSE = "the connection is lost (RES-5)"


class Received(_Step):
    """An elicitation in the eyes of the client that was asked."""

    QUEUED = "waiting for its turn"
    QUEUED_COMPLETED = "completed while waiting for its turn"
    SHOWN = "before the user"
    SHOWN_COMPLETED = "completed while before the user"
    ANSWERED = "answered"
    OUTSTANDING = "consented, waiting for completion"
    COMPLETED = "completed"
    WITHDRAWN = "withdrawn"


class ReceivedEvent(_Step):
    """What happens to it."""

    SHOW = "its turn has come"
    ANSWER = "submit, decline or cancel"
    DECLINE_UNSEEN = "declined with the one before the user: no to all from this agent"
    CONSENT = "the user consents to open the link (URL-1)"
    COMPLETE = "elicitation/complete arrives (URL-7)"
    WITHDRAW = "cancelled, refused, or its session or connection is gone (REQ-6)"


StateT = TypeVar("StateT", bound=enum.Enum)
EventT = TypeVar("EventT", bound=enum.Enum)

LedgerTable: TypeAlias = Mapping[StateT, Mapping[EventT, StateT]]

AGENT: LedgerTable[Asked, AskedEvent] = MappingProxyType(
    {
        Asked.WAITING: {
            AskedEvent.ANSWER: Asked.ANSWERED,
            AskedEvent.CONSENT: Asked.CONSENTED,
            AskedEvent.COMPLETE: Asked.COMPLETED_EARLY,
            AskedEvent.WITHDRAW: Asked.WITHDRAWN,
            AskedEvent.LOSE: Asked.LOST,
        },
        Asked.COMPLETED_EARLY: {
            AskedEvent.ANSWER: Asked.ANSWERED,
            AskedEvent.CONSENT: Asked.COMPLETED,
            AskedEvent.WITHDRAW: Asked.WITHDRAWN,
            AskedEvent.LOSE: Asked.LOST,
        },
        Asked.CONSENTED: {
            AskedEvent.COMPLETE: Asked.COMPLETED,
            AskedEvent.WITHDRAW: Asked.WITHDRAWN,
            AskedEvent.LOSE: Asked.LOST,
        },
        Asked.COMPLETED: {},
        Asked.ANSWERED: {},
        Asked.WITHDRAWN: {},
        Asked.LOST: {},
    }
)

CLIENT: LedgerTable[Received, ReceivedEvent] = MappingProxyType(
    {
        Received.QUEUED: {
            ReceivedEvent.SHOW: Received.SHOWN,
            ReceivedEvent.COMPLETE: Received.QUEUED_COMPLETED,
            ReceivedEvent.DECLINE_UNSEEN: Received.ANSWERED,
            ReceivedEvent.WITHDRAW: Received.WITHDRAWN,
        },
        Received.QUEUED_COMPLETED: {
            ReceivedEvent.SHOW: Received.SHOWN_COMPLETED,
            ReceivedEvent.DECLINE_UNSEEN: Received.ANSWERED,
            ReceivedEvent.WITHDRAW: Received.WITHDRAWN,
        },
        Received.SHOWN: {
            ReceivedEvent.ANSWER: Received.ANSWERED,
            ReceivedEvent.CONSENT: Received.OUTSTANDING,
            ReceivedEvent.COMPLETE: Received.SHOWN_COMPLETED,
            ReceivedEvent.WITHDRAW: Received.WITHDRAWN,
        },
        Received.SHOWN_COMPLETED: {
            ReceivedEvent.ANSWER: Received.ANSWERED,
            ReceivedEvent.CONSENT: Received.COMPLETED,
            ReceivedEvent.WITHDRAW: Received.WITHDRAWN,
        },
        Received.OUTSTANDING: {
            ReceivedEvent.COMPLETE: Received.COMPLETED,
            ReceivedEvent.WITHDRAW: Received.WITHDRAWN,
        },
        Received.ANSWERED: {},
        Received.COMPLETED: {},
        Received.WITHDRAWN: {},
    }
)


def advance(table: LedgerTable[StateT, EventT], state: StateT, event: EventT) -> StateT:
    """Return the state that follows, or raise `IllegalTransition`."""
    try:
        return table[state][event]
    except KeyError:
        raise IllegalTransition(state=state.name, event=event.name) from None


def is_final(table: LedgerTable[StateT, EventT], state: StateT) -> bool:
    """Whether nothing more can happen."""
    return not table[state]

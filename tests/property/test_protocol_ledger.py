"""Whatever happens in whatever order, an elicitation is answered once at most, and ends."""

from collections import Counter
from enum import Enum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acp_elicitation.protocol.errors import IllegalTransition
from acp_elicitation.protocol.ledger import (
    AGENT,
    CLIENT,
    Asked,
    AskedEvent,
    LedgerTable,
    Received,
    ReceivedEvent,
    advance,
    is_final,
)

Table = LedgerTable[Any, Any]

LEDGERS = [
    pytest.param(AGENT, Asked.WAITING, AskedEvent, id="agent"),
    pytest.param(CLIENT, Received.QUEUED, ReceivedEvent, id="client"),
]
both_ledgers = pytest.mark.parametrize(("table", "start", "events"), LEDGERS)


def _run(table: Table, start: Enum, events: list[Enum]) -> tuple[list[Enum], list[Enum]]:
    """Feed the events to the table: the states passed through, and the events that happened."""
    states, happened = [start], []
    for one in events:
        try:
            states.append(advance(table, states[-1], one))
        except IllegalTransition:
            continue
        happened.append(one)
    return states, happened


@pytest.mark.requirement("RES-1", "URL-1", "URL-7")
@both_ledgers
def test_any_order_of_events_gives_at_most_one_answer_and_one_completion(
    table: Table, start: Enum, events: type[Enum]
) -> None:
    @given(st.lists(st.sampled_from(events), max_size=12))
    def check(order: list[Enum]) -> None:
        states, happened = _run(table, start, order)
        count = Counter(one.name for one in happened)
        assert count["ANSWER"] + count["CONSENT"] + count["DECLINE_UNSEEN"] <= 1
        assert not (count["SHOW"] and count["DECLINE_UNSEEN"])
        assert count["COMPLETE"] <= 1
        assert count["WITHDRAW"] + count["LOSE"] <= 1
        # Consent alone is not completion, and completion alone is not consent.
        both = count["CONSENT"] == 1 and count["COMPLETE"] == 1
        assert (states[-1].name == "COMPLETED") is both

    check()


@both_ledgers
def test_nothing_happens_after_a_final_state(table: Table, start: Enum, events: type[Enum]) -> None:
    @given(st.lists(st.sampled_from(events), max_size=12))
    def check(order: list[Enum]) -> None:
        states, _ = _run(table, start, order)
        assert not any(is_final(table, state) for state in states[:-1])

    check()


@pytest.mark.requirement("RES-5", "REQ-6")
@both_ledgers
def test_whatever_has_happened_what_is_not_over_can_be_withdrawn(
    table: Table, start: Enum, events: type[Enum]
) -> None:
    @given(st.lists(st.sampled_from(events), max_size=12))
    def check(order: list[Enum]) -> None:
        states, _ = _run(table, start, order)
        if not is_final(table, states[-1]):
            assert is_final(table, advance(table, states[-1], events["WITHDRAW"]))

    check()

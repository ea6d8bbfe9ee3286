"""The two tables: every step, every state, and nothing after the end."""

from enum import Enum
from typing import Any

import pytest

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
    pytest.param(AGENT, Asked, AskedEvent, id="agent"),
    pytest.param(CLIENT, Received, ReceivedEvent, id="client"),
]
both_ledgers = pytest.mark.parametrize(("table", "states", "events"), LEDGERS)

START: dict[type[Enum], Enum] = {Asked: Asked.WAITING, Received: Received.QUEUED}


def _run(table: Table, state: Enum, *events: Enum) -> Enum:
    for event in events:
        state = advance(table, state, event)
    return state


@both_ledgers
def test_every_state_has_its_row(table: Table, states: type[Enum], events: type[Enum]) -> None:
    assert set(table) == set(states)
    for row in table.values():
        assert set(row) <= set(events)
        assert set(row.values()) <= set(states)


@both_ledgers
def test_every_state_can_be_reached_and_every_event_can_happen(
    table: Table, states: type[Enum], events: type[Enum]
) -> None:
    reached, waiting = set[Enum](), [START[states]]
    while waiting:
        state = waiting.pop()
        if state not in reached:
            reached.add(state)
            waiting += table[state].values()
    assert reached == set(states)
    assert {event for row in table.values() for event in row} == set(events)


@both_ledgers
def test_a_final_state_has_no_way_out_and_any_other_has_one(
    table: Table, states: type[Enum], events: type[Enum]
) -> None:
    final = {state for state in states if is_final(table, state)}
    ends = {"ANSWERED", "COMPLETED", "WITHDRAWN", "LOST"} & set(states.__members__)
    assert {state.name for state in final} == ends
    for state in final:
        for event in events:
            with pytest.raises(IllegalTransition):
                advance(table, state, event)


@both_ledgers
def test_what_a_table_has_no_step_for_is_refused_by_name(
    table: Table, states: type[Enum], events: type[Enum]
) -> None:
    for state in states:
        for event in set(events) - set(table[state]):
            with pytest.raises(IllegalTransition) as caught:
                advance(table, state, event)
            assert (caught.value.state, caught.value.event) == (state.name, event.name)


@both_ledgers
def test_states_and_events_are_told_apart_in_words(
    table: Table, states: type[Enum], events: type[Enum]
) -> None:
    # An enum would make two members of one text the same member.
    assert len(states) == len(states.__members__) == len(table)
    assert len(events) == len(events.__members__)


# --- the agent ------------------------------------------------------------------------------------


@pytest.mark.requirement("RES-1", "RES-5")
@pytest.mark.parametrize(
    ("event", "end"),
    [
        (AskedEvent.ANSWER, Asked.ANSWERED),
        (AskedEvent.WITHDRAW, Asked.WITHDRAWN),
        (AskedEvent.LOSE, Asked.LOST),
    ],
)
def test_a_form_ends_with_its_answer_its_withdrawal_or_the_connection(
    event: AskedEvent, end: Asked
) -> None:
    assert advance(AGENT, Asked.WAITING, event) is end


@pytest.mark.requirement("URL-1")
def test_a_link_is_completed_by_consent_and_completion_in_either_order() -> None:
    consent, complete = AskedEvent.CONSENT, AskedEvent.COMPLETE
    assert _run(AGENT, Asked.WAITING, consent) is Asked.CONSENTED
    assert _run(AGENT, Asked.WAITING, consent, complete) is Asked.COMPLETED
    assert _run(AGENT, Asked.WAITING, complete) is Asked.COMPLETED_EARLY
    assert _run(AGENT, Asked.WAITING, complete, consent) is Asked.COMPLETED


@pytest.mark.requirement("RES-5")
@pytest.mark.parametrize("before", [AskedEvent.CONSENT, AskedEvent.COMPLETE])
def test_a_link_can_be_withdrawn_or_lost_half_way(before: AskedEvent) -> None:
    assert _run(AGENT, Asked.WAITING, before, AskedEvent.WITHDRAW) is Asked.WITHDRAWN
    assert _run(AGENT, Asked.WAITING, before, AskedEvent.LOSE) is Asked.LOST


@pytest.mark.requirement("RES-1")
def test_a_link_that_was_completed_early_can_still_be_declined() -> None:
    events = AskedEvent.COMPLETE, AskedEvent.ANSWER
    assert _run(AGENT, Asked.WAITING, *events) is Asked.ANSWERED


@pytest.mark.requirement("URL-1")
def test_consent_leaves_no_second_answer() -> None:
    for event in (AskedEvent.ANSWER, AskedEvent.CONSENT):
        with pytest.raises(IllegalTransition):
            _run(AGENT, Asked.WAITING, AskedEvent.CONSENT, event)


# --- the client -----------------------------------------------------------------------------------


@pytest.mark.requirement("UI-3")
def test_nothing_is_answered_that_was_not_shown() -> None:
    for state in (Received.QUEUED, Received.QUEUED_COMPLETED):
        for event in (ReceivedEvent.ANSWER, ReceivedEvent.CONSENT):
            with pytest.raises(IllegalTransition):
                advance(CLIENT, state, event)


@pytest.mark.requirement("RES-1")
def test_a_question_is_shown_and_answered() -> None:
    show, answer = ReceivedEvent.SHOW, ReceivedEvent.ANSWER
    assert _run(CLIENT, Received.QUEUED, show) is Received.SHOWN
    assert _run(CLIENT, Received.QUEUED, show, answer) is Received.ANSWERED


@pytest.mark.requirement("URL-1")
def test_a_link_is_outstanding_from_the_consent_to_the_completion() -> None:
    consent = ReceivedEvent.SHOW, ReceivedEvent.CONSENT
    assert _run(CLIENT, Received.QUEUED, *consent) is Received.OUTSTANDING
    assert _run(CLIENT, Received.QUEUED, *consent, ReceivedEvent.COMPLETE) is Received.COMPLETED


@pytest.mark.requirement("URL-7")
def test_a_completion_may_come_before_the_user_has_consented() -> None:
    show, complete = ReceivedEvent.SHOW, ReceivedEvent.COMPLETE
    for events in ((show, complete), (complete, show)):
        shown = _run(CLIENT, Received.QUEUED, *events)
        assert shown is Received.SHOWN_COMPLETED
        assert advance(CLIENT, shown, ReceivedEvent.CONSENT) is Received.COMPLETED
        assert advance(CLIENT, shown, ReceivedEvent.ANSWER) is Received.ANSWERED
    assert _run(CLIENT, Received.QUEUED, complete) is Received.QUEUED_COMPLETED


@pytest.mark.requirement("URL-7")
def test_a_second_completion_is_no_step() -> None:
    for state in (Received.QUEUED_COMPLETED, Received.SHOWN_COMPLETED, Received.COMPLETED):
        with pytest.raises(IllegalTransition):
            advance(CLIENT, state, ReceivedEvent.COMPLETE)


@pytest.mark.requirement("REQ-6")
def test_a_question_can_be_withdrawn_until_it_is_over() -> None:
    for state in Received:
        if not is_final(CLIENT, state):
            assert advance(CLIENT, state, ReceivedEvent.WITHDRAW) is Received.WITHDRAWN


@pytest.mark.requirement("RES-1")
def test_only_what_was_never_shown_is_declined_unseen() -> None:
    unseen, complete = ReceivedEvent.DECLINE_UNSEEN, ReceivedEvent.COMPLETE
    assert _run(CLIENT, Received.QUEUED, unseen) is Received.ANSWERED
    assert _run(CLIENT, Received.QUEUED, complete, unseen) is Received.ANSWERED
    with pytest.raises(IllegalTransition):
        _run(CLIENT, Received.QUEUED, ReceivedEvent.SHOW, unseen)

"""The table of a stored link's life."""

from acp_elicitation.protocol.ledger import advance, is_final
from acp_elicitation.stores.lifecycle import STORED, LinkEvent, LinkState

ENDS = {LinkState.COMPLETED, LinkState.FAILED, LinkState.EXPIRED, LinkState.WITHDRAWN}


def test_every_state_has_its_row_and_the_ends_have_no_way_out() -> None:
    assert set(STORED) == set(LinkState)
    assert {state for state in STORED if is_final(STORED, state)} == ENDS


def test_whatever_has_not_ended_can_end_in_each_way() -> None:
    ways = (LinkEvent.COMPLETE, LinkEvent.FAIL, LinkEvent.EXPIRE, LinkEvent.WITHDRAW)
    for state in set(LinkState) - ENDS:
        assert {advance(STORED, state, way) for way in ways} == ENDS


def test_only_what_was_begun_can_be_claimed_and_a_claim_is_not_claimed_again() -> None:
    claimable = [state for state, ways in STORED.items() if LinkEvent.CLAIM in ways]
    assert claimable == [LinkState.STARTED]

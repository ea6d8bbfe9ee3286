"""The branch of the error tree that belongs to stores: its shape, fields and messages."""

import re

import pytest

from acp_elicitation.protocol.errors import ElicitationError, StoreError
from acp_elicitation.stores import errors
from acp_elicitation.stores.errors import (
    GrantChanged,
    LinkClaimed,
    LinkEnded,
    StoreUnavailable,
    WrongIdentity,
)


def test_the_branch_is_as_it_is_drawn_at_the_top_of_the_module() -> None:
    drawn = re.findall(r"[├└]── (\w+)", errors.__doc__ or "")
    assert sorted(drawn) == errors.__all__
    assert {getattr(errors, name).__base__ for name in drawn} == {StoreError}


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (LinkEnded("e1", state="COMPLETED"), "link 'e1' has ended: COMPLETED; make a new one"),
        (
            LinkEnded("e1", state="FAILED", reason="denied"),
            "link 'e1' has ended: FAILED (denied); make a new one",
        ),
        (LinkClaimed("e1"), "link 'e1' is in the hands of another; begin it again"),
        (WrongIdentity("e1"), "link 'e1' was made for another user"),
        (GrantChanged("x"), "the grant 'x' was changed by another process; read it again"),
        (StoreUnavailable("gone"), "the store of links is not available: gone"),
    ],
)
def test_a_message_says_what_is_wrong_and_what_to_do(error: ElicitationError, message: str) -> None:
    assert str(error) == message


def test_an_error_carries_its_facts_as_fields() -> None:
    ended = LinkEnded("e1", state="FAILED", reason="denied")
    assert (ended.elicitation_id, ended.state, ended.reason) == ("e1", "FAILED", "denied")
    assert LinkClaimed("e1").elicitation_id == WrongIdentity("e1").elicitation_id == "e1"
    assert GrantChanged("github").name == "github"
    assert StoreUnavailable("gone").reason == "gone"

"""What is remembered of a beginning: sealed to its link, found by a hash, bound to a browser."""

import pytest

from acp_elicitation.connect.attempt import (
    Begun,
    attempt_key,
    binding_of,
    open_begun,
    seal_begun,
)
from acp_elicitation.connect.errors import VaultError
from acp_elicitation.connect.sealing import KEY_BYTES, Sealer
from acp_elicitation.protocol.requests import ElicitationId

SEALER = Sealer([b"k" * KEY_BYTES])
LINK, OTHER = ElicitationId("one"), ElicitationId("other")
BEGUN = Begun(
    provider="github",
    redirect_uri="https://agent.example/callback/github",
    verifier="verify-me",
    nonce="once",
    binding=binding_of("cookie"),
    scopes=("repo",),
)


def test_what_was_begun_comes_back_for_its_link_alone() -> None:
    sealed = seal_begun(SEALER, LINK, BEGUN)
    assert b"verify-me" not in sealed
    assert open_begun(SEALER, LINK, sealed) == BEGUN
    with pytest.raises(VaultError):
        open_begun(SEALER, OTHER, sealed)


def test_what_is_of_another_version_is_refused() -> None:
    with pytest.raises(VaultError, match="another version"):
        open_begun(SEALER, LINK, SEALER.seal(b"\xc1", "attempt", LINK))


def test_only_the_browser_that_began_is_bound() -> None:
    assert BEGUN.is_bound_to("cookie")
    assert not BEGUN.is_bound_to("Cookie")
    assert not BEGUN.is_bound_to("")
    assert not Begun(provider="github").is_bound_to("cookie")
    assert b"cookie" not in BEGUN.binding


def test_the_key_of_an_attempt_does_not_give_its_state_away() -> None:
    assert attempt_key("state") == attempt_key("state") != attempt_key("State")
    assert "state" not in attempt_key("state")


def test_a_repr_shows_no_secret() -> None:
    assert repr(BEGUN) == "<Begun github>"

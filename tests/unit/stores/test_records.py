"""What a store keeps, and what it does not say."""

import pytest

from acp_elicitation.protocol.requests import ElicitationId
from acp_elicitation.stores.records import (
    Attempt,
    ConnectionId,
    Identity,
    SealedGrant,
    StoredLink,
    check_text,
)
from acp_elicitation.stores.rows import grant_columns, grant_of, link_columns, link_of

LINK = StoredLink(
    id=ElicitationId("e1"),
    connection=ConnectionId("c"),
    identity=Identity("alice@example.com"),
    created_at=1,
    expires_at=2,
    details=b"details",
    attempt=Attempt(key="state-of-oauth", data=b"verifier"),
)
GRANT = SealedGrant(owner=Identity("alice@example.com"), name="github", sealed=b"tok", version="1")


def test_what_is_printed_of_a_record_is_neither_secret_nor_personal() -> None:
    printed = f"{LINK!r} {LINK.attempt!r} {GRANT!r} {LINK} {GRANT}"
    assert printed.count("e1") == 2
    for hidden in ("alice", "oauth", "verifier", "tok", "details"):
        assert hidden not in printed


def test_a_record_is_read_from_its_columns_as_it_was() -> None:
    assert link_of(link_columns(LINK)) == LINK
    assert grant_of(grant_columns(GRANT)) == GRANT


@pytest.mark.parametrize("text", ["", "a\0b", "x" * 1025, "\ud83d"])
def test_a_text_that_some_store_could_not_keep_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="identity"):
        check_text(link_id="fine", identity=text)


@pytest.mark.parametrize("text", ["a", "x" * 1024, "Zoë \U0001f600\n"])
def test_any_other_text_is_taken(text: str) -> None:
    check_text(identity=text)
    assert text

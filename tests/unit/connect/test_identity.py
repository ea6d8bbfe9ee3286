"""The answers of the port by which a user is known are told apart by their type alone."""

import pytest
from starlette.responses import Response

from acp_elicitation.connect.identity import Identified, Known, NotKnown, SignIn
from acp_elicitation.protocol.requests import ElicitationId
from acp_elicitation.stores.records import ConnectionId, Identity, StoredLink


def test_the_three_answers_are_told_apart() -> None:
    answers: list[Identified] = [Known(Identity("ada")), SignIn(Response()), NotKnown()]
    assert [type(answer).__name__ for answer in answers] == ["Known", "SignIn", "NotKnown"]
    assert Known(Identity("ada")) == Known(Identity("ada")) != Known(Identity("bob"))


@pytest.mark.requirement("URL-13")
@pytest.mark.parametrize("other", ["ad", "adaa", "Ada", "", "ádà", "\ud800"])
def test_a_user_owns_the_links_that_were_made_for_exactly_that_user(other: str) -> None:
    link = StoredLink(
        id=ElicitationId("link"),
        connection=ConnectionId("connection"),
        identity=Identity("ada"),
        created_at=0,
        expires_at=1,
    )
    assert Known(Identity("ada")).owns(link)
    assert not Known(Identity(other)).owns(link)

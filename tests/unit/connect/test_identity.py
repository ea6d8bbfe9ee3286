"""The answers of the port by which a user is known are told apart by their type alone."""

from starlette.responses import Response

from acp_elicitation.connect.identity import Identified, Known, NotKnown, SignIn
from acp_elicitation.stores.records import Identity


def test_the_three_answers_are_told_apart() -> None:
    answers: list[Identified] = [Known(Identity("ada")), SignIn(Response()), NotKnown()]
    assert [type(answer).__name__ for answer in answers] == ["Known", "SignIn", "NotKnown"]
    assert Known(Identity("ada")) == Known(Identity("ada")) != Known(Identity("bob"))

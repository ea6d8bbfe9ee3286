"""What an agent gets back: a value, a no, or nothing."""

import pytest

from acp_elicitation.protocol.answers import Accepted, Answer, Cancelled, Declined
from acp_elicitation.protocol.errors import NotAccepted


@pytest.mark.requirement("RES-1")
def test_an_accepted_answer_gives_its_value() -> None:
    answer = Accepted({"a": 1})
    assert answer.unwrap() == {"a": 1}
    assert answer.value_or({}) == {"a": 1}
    assert Accepted(None).value_or(5) is None


@pytest.mark.requirement("RES-1")
@pytest.mark.parametrize("answer", [Declined(), Cancelled(), Cancelled(reason="expired")])
def test_an_answer_without_a_value_gives_the_default(answer: Declined | Cancelled) -> None:
    assert answer.value_or("default") == "default"


@pytest.mark.requirement("RES-1")
@pytest.mark.parametrize(
    ("answer", "action"),
    [
        (Declined(), "declined"),
        (Cancelled(), "cancelled"),
        (Cancelled(reason="not-shown"), "cancelled (not-shown)"),
    ],
)
def test_unwrapping_an_answer_without_a_value_says_what_the_user_did(
    answer: Declined | Cancelled, action: str
) -> None:
    with pytest.raises(NotAccepted) as caught:
        answer.unwrap()
    assert caught.value.action == action


@pytest.mark.requirement("RES-1")
def test_only_an_accepted_answer_is_true_whatever_its_value() -> None:
    assert Accepted(False)
    assert not Declined()
    assert not Cancelled()


@pytest.mark.requirement("CAP-5")
def test_an_answer_names_the_fallback_that_gave_it_and_none_otherwise() -> None:
    asked = (Accepted(3), Declined(), Cancelled())
    assert [answer.via for answer in asked] == [None, None, None]
    fallen_back = (Accepted(3, "text"), Declined("text"), Cancelled(via="text"))
    assert [answer.via for answer in fallen_back] == ["text", "text", "text"]


def test_the_three_answers_are_told_apart_by_match() -> None:
    def name(answer: Answer[int]) -> str:
        match answer:
            case Accepted(value=value):
                return f"accepted {value}"
            case Declined():
                return "declined"
            case Cancelled(reason=reason):
                return f"cancelled {reason}"

    assert name(Accepted(3)) == "accepted 3"
    assert name(Declined()) == "declined"
    assert name(Cancelled()) == "cancelled None"


@pytest.mark.requirement("RES-6")
def test_a_cancelled_answer_names_the_action_that_it_was_read_from() -> None:
    assert Cancelled().action == "cancel"
    assert Cancelled(action="_defer").action == "_defer"

"""Which answer belongs to which question, and what else ends one."""

import pytest

from acp_elicitation.cli.trace.timeline import (
    Answered,
    Asked,
    Chosen,
    Completed,
    Failure,
    Met,
    TakenBack,
    Timeline,
    TurnCancelled,
)
from acp_elicitation.protocol.errors import MalformedMessage
from acp_elicitation.protocol.requests import FormRequest
from acp_elicitation.protocol.responses import Accept, Cancel, Decline
from tests.unit.cli.trace.recorded import FORM, LINK, Recording

PERMISSION = {
    "sessionId": "s1",
    "toolCall": {"toolCallId": "t", "title": "Paint"},
    "options": [{"optionId": "o1", "name": "Allow", "kind": "allow_once"}],
}


def test_a_question_and_its_answer_are_told_with_the_time_between() -> None:
    asked, answered = Recording().asks().agent(method="x").answers(action="decline").events()
    assert isinstance(asked, Asked)
    assert isinstance(asked.question.asked, FormRequest)
    assert isinstance(answered, Answered)
    assert answered.question is asked.question
    assert isinstance(answered.answer, Decline)
    assert answered.seconds == 2.0


def test_the_agent_says_who_it_is() -> None:
    hello = {"protocolVersion": 1, "agentInfo": {"name": "ada", "version": "1"}}
    recording = Recording().client(id="a", method="initialize", params={})
    (met,) = recording.agent(id="a", result=hello).events()
    assert isinstance(met, Met)
    assert (met.hello.info.name, met.hello.version.number) == ("ada", 1)


@pytest.mark.parametrize("hello", [None, {}, {"protocolVersion": "one"}])
def test_an_agent_that_says_nothing_usable_tells_nothing(hello: object) -> None:
    recording = Recording().client(id="a", method="initialize").agent(id="a", result=hello)
    assert recording.agent(id="a", error={"code": 1, "message": "no"}).events() == []


def test_the_means_of_the_proxy_and_when_it_asked_are_noted() -> None:
    recording = (
        Recording().asks().agent(method="x").add("proxy", asks={"requestId": 7, "by": "web"})
    )
    _, answered = recording.answers(action="accept", content={}).events()
    assert isinstance(answered, Answered)
    assert answered.question.by == "web"
    assert answered.seconds == 1.0


def test_ids_are_told_apart_by_their_type() -> None:
    recording = Recording().asks(7).asks("7").answers("7", action="decline")
    one, other, answered = recording.answers(8, action="accept").events()
    assert isinstance(one, Asked)
    assert isinstance(other, Asked)
    assert isinstance(answered, Answered)
    assert answered.question is other.question


def test_a_second_question_with_an_id_in_use_gets_the_refusal_and_the_first_its_answer() -> None:
    refusal = {"code": -32600, "message": "in use"}
    recording = Recording().asks().asks().client(id=7, error=refusal).answers(action="accept")
    one, other, refused, answered = recording.events()
    assert isinstance(one, Asked)
    assert isinstance(other, Asked)
    assert isinstance(refused, Answered)
    assert isinstance(answered, Answered)
    assert (refused.question, answered.question) == (other.question, one.question)
    assert refused.answer == Failure(code=-32600, message="in use")


@pytest.mark.parametrize("result", [None, {}, [], {"action": "accept", "content": 3}])
def test_a_malformed_answer_is_told_as_one(result: object) -> None:
    _, answered = Recording().asks().client(id=7, result=result).events()
    assert isinstance(answered, Answered)
    assert isinstance(answered.answer, MalformedMessage)


@pytest.mark.parametrize("params", [None, 3, {"mode": "form"}, {**FORM, "requestedSchema": 3}])
def test_a_malformed_question_is_told_as_one(params: object) -> None:
    recording = Recording().agent(id=1, method="elicitation/create", params=params)
    (asked,) = recording.events()
    assert isinstance(asked, Asked)
    assert isinstance(asked.question.asked, MalformedMessage)


def test_a_link_is_complete_once_and_others_are_not_known() -> None:
    recording = Recording().asks(1, **LINK).answers(1, action="accept")
    for id in ("e1", "e1", 3):
        recording.agent(method="elicitation/complete", params={"elicitationId": id})
    asked, answered, completed, unknown = recording.events()
    assert isinstance(asked, Asked)
    assert isinstance(answered, Answered)
    assert isinstance(answered.answer, Accept)
    assert isinstance(completed, Completed)
    assert (completed.question, completed.seconds) == (asked.question, 2.0)
    assert isinstance(unknown, Completed)
    assert unknown.question is None


def test_the_agent_takes_a_question_back() -> None:
    recording = Recording().asks()
    for params in ({"requestId": 8}, {"requestId": None}, 3, {"requestId": 7}):
        recording.agent(method="$/cancel_request", params=params)
    error = {"code": -32800, "message": "cancelled"}
    _, taken, answered = recording.client(id=7, error=error).events()
    assert isinstance(taken, TakenBack)
    assert taken.seconds == 4.0
    assert isinstance(answered, Answered)
    assert isinstance(answered.answer, Failure)


def test_a_cancelled_turn_is_told_while_a_question_is_open() -> None:
    cancel = {"method": "session/cancel", "params": {"sessionId": "s1"}}
    recording = Recording().client(**cancel).asks().client(**cancel).answers(action="cancel")
    _, cancelled, answered = recording.client(**cancel).events()
    assert isinstance(cancelled, TurnCancelled)
    assert cancelled.session == "s1"
    assert isinstance(answered, Answered)
    assert isinstance(answered.answer, Cancel)


@pytest.mark.parametrize(
    ("outcome", "expected"),
    [
        ({"outcome": "selected", "optionId": "o1"}, Chosen(name="Allow")),
        ({"outcome": "selected", "optionId": "o9"}, Chosen(name="o9")),
        ({"outcome": "cancelled"}, Cancel()),
    ],
)
def test_a_permission_request_is_a_question_too(outcome: object, expected: object) -> None:
    recording = Recording().agent(id=1, method="session/request_permission", params=PERMISSION)
    _, answered = recording.answers(1, outcome=outcome).events()
    assert isinstance(answered, Answered)
    assert answered.answer == expected


def test_the_outcome_of_a_permission_request_may_be_malformed() -> None:
    recording = Recording().agent(id=1, method="session/request_permission", params=PERMISSION)
    _, answered = recording.answers(1, outcome=3).events()
    assert isinstance(answered, Answered)
    assert isinstance(answered.answer, MalformedMessage)


def test_what_has_no_answer_is_left_also_when_the_agent_is_started_anew() -> None:
    recording = Recording().asks(1).client(id=0, method="initialize").asks(2).asks(3)
    timeline = Timeline()
    for entry in recording.answers(3, action="cancel").answers(1, action="accept").entries():
        list(timeline.take(entry))
    assert [question.number for question in timeline.unanswered] == [1, 2]


def test_noise_a_response_to_nobody_and_what_lies_too_deep_tell_nothing() -> None:
    recording = Recording().add("agent", text="noise").answers(99, action="accept")
    recording.agent(method=[], id={}).client(method="session/cancel").agent(id=1.5, method="x")
    deep = b'{"at":"2026-12-02T10:00:00Z","from":"client","message":{"method":"session/cancel",'
    recording.lines.append(deep + b'"params":{"sessionId":"s1"}}}\n')
    assert recording.events() == []

"""How the events read, and what is hidden of them."""

import io

import pytest

from acp_elicitation.cli.trace.telling import Teller
from acp_elicitation.cli.trace.timeline import Timeline
from acp_elicitation.presenters.page import Page
from tests.unit.cli.trace.recorded import FORM, LINK, Recording


def told(recording: Recording, *, shows_answers: bool = False) -> list[str]:
    out = io.StringIO()
    timeline = Timeline()
    teller = Teller(Page(out), shows_answers=shows_answers)
    for entry in recording.entries():
        for event in timeline.take(entry):
            teller.tell(event)
    teller.end(timeline.unanswered)
    return out.getvalue().splitlines()


def test_a_whole_conversation_reads_as_a_timeline() -> None:
    hello = {"protocolVersion": 2, "info": {"name": "ada", "version": "1"}}
    recording = (
        Recording()
        .client(id=0, method="initialize", params={})
        .agent(id=0, result=hello)
        .asks()
        .answers(action="accept", content={"colour": "blue", "more": 3})
        .asks(8, **LINK)
        .add("proxy", asks={"requestId": 8, "by": "web"})
        .answers(8, action="accept")
        .agent(method="elicitation/complete", params={"elicitationId": "e1"})
        .asks(9)
        .agent(method="$/cancel_request", params={"requestId": 9})
    )
    assert told(recording) == [
        "2026-12-02, in UTC",
        "10:00:01.250  The agent is ada 1, in version 2.",
        "10:00:02.250  #1 Form in the session s1",
        "| Which colour?",
        "  asks for: Colour",
        "10:00:03.250  #1 accepted after 1 s, by the client",
        "  Colour: (hidden)",
        "  more: (hidden)",
        "10:00:04.250  #2 Link in the session s1",
        "| Authorize",
        "  host: agent.example",
        "10:00:06.250  #2 accepted after 1 s, on the web page",
        "10:00:07.250  #2 The link is complete after 3 s.",
        "10:00:08.250  #3 Form in the session s1",
        "| Which colour?",
        "  asks for: Colour",
        "10:00:09.250  #3 The agent takes it back after 1 s.",
        "#3 It has no answer in this record.",
        "3 questions: 2 accepted, 1 without an answer",
    ]


@pytest.mark.requirement("UI-2")
def test_answers_and_the_whole_of_links_are_shown_only_where_that_is_asked_for() -> None:
    error = {"code": -32603, "message": "hunter2"}
    recording = (
        Recording()
        .asks(**FORM)
        .answers(action="accept", content={"colour": "hunter2", "hunter": ["hunter2"]})
        .asks(**LINK)
        .client(id=7, error=error)
    )
    assert "hunter2" not in "\n".join(told(recording))
    shown = told(recording, shows_answers=True)
    assert "  Colour: hunter2" in shown
    assert '  hunter: ["hunter2"]' in shown
    assert "  address: https://agent.example/connect?state=hunter2" in shown
    assert "  hunter2" in shown


@pytest.mark.requirement("FORM-8", "UI-1")
def test_what_the_other_sides_wrote_is_made_visible() -> None:
    evil = "\x1b[2J\u202e\n10:00:00  #9 accepted"
    schema = {"type": "object", "properties": {evil: {"type": "string"}}}
    recording = Recording().client(id=0, method="initialize", params={})
    recording.agent(id=0, result={"protocolVersion": 2, "info": {"name": evil, "version": "1"}})
    recording.asks(sessionId=evil, mode="form", message=evil, requestedSchema=schema)
    recording.answers(action="accept", content={evil: evil}).asks(
        mode=evil, message=evil, sessionId="s"
    )
    recording.answers(action=evil)
    lines = told(recording, shows_answers=True)
    assert "\x1b" not in "".join(lines)
    assert "\u202e" not in "".join(lines)
    assert not any(line.startswith("10:00:00  #9") for line in lines)
    assert "| <U+001B>[2J<U+202E>" in lines


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        ({"action": "decline"}, ["declined after 1 s, by the client"]),
        ({"action": "cancel"}, ["cancelled after 1 s, by the client"]),
        (
            {"action": "later"},
            ["answered in a way that is not known after 1 s, by the client",
             "The action is not known: later"],
        ),
        (
            {},
            ["answered with something malformed after 1 s, by the client",
             "Malformed answer: /action: expected a string"],
        ),
    ],
)  # fmt: skip
def test_each_answer_has_its_words(result: dict[str, object], expected: list[str]) -> None:
    *_, summary = lines = told(Recording().asks().answers(**result))
    assert [line.partition("#1 ")[2] or line.strip() for line in lines[4:-1]] == expected
    assert summary.startswith("1 question: 1 ")


def test_a_reason_of_ours_is_told_in_words() -> None:
    meta = {"acp-elicitation": {"reason": "withdrawn"}}
    lines = told(Recording().asks().answers(action="cancel", _meta=meta))
    assert "  It was taken back before its user answered." in lines


def test_an_error_is_told_by_its_code() -> None:
    for code, said in ((-32800, "cancelled (-32800)"), (-32000, "an error (-32000)")):
        error = {"code": code, "message": ""}
        assert f"  {said}" in told(Recording().asks().client(id=7, error=error))


def test_a_question_of_a_request_a_permission_and_a_malformed_one_are_told_as_that() -> None:
    form = {name: value for name, value in FORM.items() if name != "sessionId"}
    options = [{"optionId": "o", "name": "Yes", "kind": "allow_once"}]
    permission = {"sessionId": "s1", "title": "Paint", "options": options}
    recording = Recording().asks(1, **form, requestId=4).asks(2, mode="form")
    recording.agent(id=3, method="session/request_permission", params=permission)
    recording.answers(3, outcome={"outcome": "selected", "optionId": "o"})
    recording.client(method="session/cancel", params={"sessionId": "s1"})
    recording.agent(method="elicitation/complete", params={"elicitationId": "e9"})
    assert [line.partition("  ")[2] for line in told(recording) if line.startswith("10:")] == [
        "#1 Form in the request 4",
        "#2 Malformed question: /message: expected a string",
        "#3 Permission request in the session s1",
        "#3 answered with an option after 1 s, by the client",
        "The user cancels the turn in the session s1.",
        "A link is complete that was not asked for.",
    ]


def test_a_long_text_of_the_agent_is_cut() -> None:
    lines = told(Recording().asks(**{**FORM, "message": "x" * 100_000}))
    assert len(lines[2]) < 3_000
    assert lines[2].endswith("…")


def test_a_record_without_questions_says_so() -> None:
    assert told(Recording().agent(method="session/update")) == ["0 questions"]

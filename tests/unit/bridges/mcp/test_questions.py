"""Reading a server's question: its mode, its texts, its size."""

from typing import Any

import pytest

from acp_elicitation.bridges.mcp.losses import Loss, NotForwarded
from acp_elicitation.bridges.mcp.questions import ServerForm, ServerLink, read_question
from acp_elicitation.client.limits import Limits
from acp_elicitation.protocol.errors import ModeNotAdvertised

EMPTY = {"type": "object", "properties": {}}
LINK = {"mode": "url", "message": "Go.", "url": "https://mcp.example/"}


@pytest.mark.parametrize("mode", [{}, {"mode": "form"}, {"mode": None}])
def test_without_a_mode_it_is_a_form(mode: dict[str, Any]) -> None:
    question = read_question({"message": "Which?", "requestedSchema": EMPTY, **mode})
    assert isinstance(question, ServerForm)
    assert question.message == "Which?"
    assert question.losses == ()


@pytest.mark.parametrize(
    ("more", "name"), [({}, None), ({"elicitationId": "x"}, "x"), ({"elicitationId": None}, None)]
)
def test_a_link_has_a_name_or_none(more: dict[str, Any], name: str | None) -> None:
    question = read_question({**LINK, **more})
    assert question == ServerLink(message="Go.", url="https://mcp.example/", id=name)


@pytest.mark.requirement("FWD-1")
def test_a_mode_that_nobody_knows_is_none_that_was_advertised() -> None:
    with pytest.raises(ModeNotAdvertised, match="voice"):
        read_question({"mode": "voice", "message": "x"})


def test_other_members_are_left_out_and_reported() -> None:
    params = {**LINK, "task": {"ttl": 1}, "_meta": {"a": 1}, "nothing": None}
    reason = "a question of ACP has no such member"
    assert read_question(params).losses == (
        Loss("/task", "dropped", reason),
        Loss("/_meta", "dropped", reason),
    )


@pytest.mark.parametrize(
    ("params", "path"),
    [
        (None, ""),
        ([], ""),
        ({"mode": 3, "message": "x"}, "/mode"),
        ({"requestedSchema": EMPTY}, "/message"),
        ({"mode": "url", "message": "x"}, "/url"),
        ({**LINK, "elicitationId": 7}, "/elicitationId"),
        ({**LINK, "message": "\ud800"}, ""),
        ({"message": "x"}, "/requestedSchema"),
    ],
)
def test_a_malformed_question_is_not_forwarded(params: Any, path: str) -> None:
    with pytest.raises(NotForwarded) as caught:
        read_question(params)
    assert caught.value.why == "malformed"
    assert [loss.path for loss in caught.value.losses] == [path]


def nested(depth: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(depth):
        value = {"a": value}
    return value


def test_a_question_deeper_than_json_can_be_written_is_not_forwarded() -> None:
    with pytest.raises(NotForwarded) as caught:
        read_question({"message": "x", "requestedSchema": EMPTY, "deep": nested(100_000)})
    assert caught.value.why == "malformed"


@pytest.mark.requirement("FORM-9")
@pytest.mark.parametrize(
    ("params", "limits", "path"),
    [
        ({**LINK, "more": "x" * 200}, Limits(request_bytes=200), ""),
        ({**LINK, "message": "ä" * 6}, Limits(text_bytes=10), "/message"),
        (LINK, Limits(text_bytes=10), "/url"),
        (
            {"message": "x", "requestedSchema": {**EMPTY, "title": "x" * 11}},
            Limits(text_bytes=10),
            "/requestedSchema/title",
        ),
        (
            {
                "message": "x",
                "requestedSchema": {
                    "type": "object",
                    "properties": {"a": {"type": "boolean"}, "b": {"type": "boolean"}},
                },
            },
            Limits(properties=1),
            "/requestedSchema/properties",
        ),
    ],
)
def test_a_question_that_is_too_large_is_not_forwarded(
    params: Any, limits: Limits, path: str
) -> None:
    with pytest.raises(NotForwarded) as caught:
        read_question(params, limits)
    assert caught.value.why == "too-large"
    assert [loss.path for loss in caught.value.losses] == [path]

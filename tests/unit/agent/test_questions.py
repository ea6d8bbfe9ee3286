"""The short questions: what stands on the wire, and what comes back."""

import datetime
import enum
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from acp_elicitation.agent.elicitor import Elicitor
from acp_elicitation.protocol.answers import Accepted, Answer, Cancelled, Declined
from acp_elicitation.protocol.capabilities import Capabilities
from acp_elicitation.protocol.errors import InvalidAnswer, ModeNotAdvertised
from acp_elicitation.protocol.reading import JsonObject
from acp_elicitation.protocol.version import V1


class Color(enum.Enum):
    RED = "#f00"
    GREEN = "#0f0"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


class Client:
    """Answers every question the same way."""

    def __init__(self, result: object) -> None:
        self.params: JsonObject = {}
        self._result = result

    async def request(self, method: str, params: JsonObject) -> object:
        self.params = params
        return self._result

    def notify(self, method: str, params: JsonObject) -> None:
        raise AssertionError("nothing is told")


Ask = Callable[[Elicitor], Awaitable[Answer[Any]]]


async def asked(ask: Ask, content: object) -> tuple[JsonObject, Answer[Any]]:
    client = Client({"action": "accept", "content": content})
    answer = await ask(Elicitor(client, capabilities=Capabilities(form=True), version=V1))
    return client.params["requestedSchema"], answer


ONE = [
    (
        lambda e: e.text("?", label="Name", min_length=1, max_length=9, pattern="^a", session="s"),
        {"type": "string", "title": "Name", "minLength": 1, "maxLength": 9, "pattern": "^a"},
        "ada",
        "ada",
    ),
    (
        lambda e: e.text("?", description="d", default="x@y.example", format="email", session="s"),
        {"type": "string", "description": "d", "default": "x@y.example", "format": "email"},
        "ada@example.org",
        "ada@example.org",
    ),
    (
        lambda e: e.number("?", minimum=0.5, maximum=2, default=1, session="s"),
        {"type": "number", "minimum": 0.5, "maximum": 2, "default": 1},
        2,
        2.0,
    ),
    (
        lambda e: e.integer("?", minimum=1, maximum=9, default=5, session="s"),
        {"type": "integer", "minimum": 1, "maximum": 9, "default": 5},
        3.0,
        3,
    ),
    (
        lambda e: e.date("?", default=datetime.date(2026, 12, 31), session="s"),
        {"type": "string", "format": "date", "default": "2026-12-31"},
        "2027-01-01",
        datetime.date(2027, 1, 1),
    ),
    (
        lambda e: e.choose("?", ["pg", "sqlite"], default="pg", session="s"),
        {"type": "string", "enum": ["pg", "sqlite"], "default": "pg"},
        "sqlite",
        "sqlite",
    ),
    (
        lambda e: e.choose("?", {"pg": "PostgreSQL"}, session="s"),
        {"type": "string", "oneOf": [{"const": "pg", "title": "PostgreSQL"}]},
        "pg",
        "pg",
    ),
    (
        lambda e: e.choose("?", Color, default=Color.RED, session="s"),
        {"type": "string", "enum": ["#f00", "#0f0"], "default": "#f00"},
        "#0f0",
        Color.GREEN,
    ),
    (
        lambda e: e.choose("?", Level, session="s"),
        {
            "type": "string",
            "oneOf": [{"const": "LOW", "title": "LOW"}, {"const": "HIGH", "title": "HIGH"}],
        },
        "HIGH",
        Level.HIGH,
    ),
    (
        lambda e: e.choose_many("?", ["a", "b"], default=["b"], min_items=1, session="s"),
        {
            "type": "array",
            "items": {"type": "string", "enum": ["a", "b"]},
            "default": ["b"],
            "minItems": 1,
        },
        ["a"],
        ["a"],
    ),
    (
        lambda e: e.choose_many("?", Color, default=[Color.GREEN], max_items=2, session="s"),
        {
            "type": "array",
            "items": {"type": "string", "enum": ["#f00", "#0f0"]},
            "default": ["#0f0"],
            "maxItems": 2,
        },
        ["#f00", "#0f0"],
        [Color.RED, Color.GREEN],
    ),
]


@pytest.mark.requirement("FORM-1")
@pytest.mark.parametrize(("ask", "member", "content", "value"), ONE)
async def test_a_short_question_is_a_form_of_one_required_property(
    ask: Ask, member: JsonObject, content: object, value: object
) -> None:
    schema, answer = await asked(ask, {"answer": content})
    assert schema == {"type": "object", "properties": {"answer": member}, "required": ["answer"]}
    assert answer == Accepted(value)
    assert type(answer.unwrap()) is type(value)


@pytest.mark.parametrize("ask", [ask for ask, *_ in ONE])
async def test_no_answer_is_no_value(ask: Ask) -> None:
    with pytest.raises(InvalidAnswer):
        await asked(ask, {})


@pytest.mark.requirement("RES-1")
@pytest.mark.parametrize(
    ("action", "answer", "truth"),
    [("accept", Accepted(True), True), ("decline", Declined(), False), ("cancel", Cancelled(), 0)],
)
async def test_a_confirmation_has_no_fields_and_is_true_when_accepted(
    action: str, answer: object, truth: bool
) -> None:
    client = Client({"action": action})
    elicitor = Elicitor(client, capabilities=Capabilities(form=True), version=V1)
    given = await elicitor.confirm("Overwrite?", session="s")
    assert client.params["requestedSchema"] == {"type": "object", "properties": {}}
    assert given == answer
    assert bool(given) is bool(truth)


@pytest.mark.parametrize(
    ("content", "value"),
    [
        ({"answer": "pg"}, "pg"),
        ({"answer_other": "duckdb"}, "duckdb"),
        ({"answer": "pg", "answer_other": "duckdb"}, "duckdb"),
    ],
)
async def test_a_choice_with_another_answer_is_one_value(content: object, value: str) -> None:
    schema, answer = await asked(
        lambda e: e.choose("?", ["pg", "sqlite"], other="Another one", session="s"), content
    )
    assert schema == {
        "type": "object",
        "properties": {
            "answer": {"type": "string", "enum": ["pg", "sqlite"]},
            "answer_other": {"type": "string", "title": "Another one", "minLength": 1},
        },
    }
    assert answer == Accepted(value)


async def test_a_choice_with_another_answer_needs_one_of_them() -> None:
    with pytest.raises(InvalidAnswer):
        await asked(lambda e: e.choose("?", ["a"], other=True, session="s"), {})


@pytest.mark.requirement("RES-1")
async def test_a_declined_choice_with_another_answer_is_declined() -> None:
    client = Client({"action": "decline"})
    elicitor = Elicitor(client, capabilities=Capabilities(form=True), version=V1)
    assert await elicitor.choose("?", ["a"], other=True, session="s") == Declined()


@pytest.mark.requirement("CAP-4")
async def test_a_short_question_needs_the_form_mode() -> None:
    elicitor = Elicitor(Client(None), capabilities=Capabilities(url=True), version=V1)
    with pytest.raises(ModeNotAdvertised):
        await elicitor.confirm("?", session="s")


@pytest.mark.requirement("FORM-3")
@pytest.mark.parametrize(
    ("ask", "value"),
    [
        (lambda e: e.number("?", session="s"), 10**400),
        (lambda e: e.date("?", session="s"), "0000-01-01"),
    ],
)
async def test_what_python_has_no_value_for_is_no_answer(ask: Ask, value: object) -> None:
    with pytest.raises(InvalidAnswer):
        await asked(ask, {"answer": value})


async def test_many_choices_come_once_each_in_the_order_of_the_options() -> None:
    _, answer = await asked(
        lambda e: e.choose_many("?", ["a", "b", "c"], session="s"), {"answer": ["c", "a", "c"]}
    )
    assert answer == Accepted(["a", "c"])

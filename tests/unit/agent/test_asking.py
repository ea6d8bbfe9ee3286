"""What is wrong with a question is told where it is asked, and nothing is sent."""

import datetime
import enum
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from acp_elicitation.agent.elicitor import Elicitor
from acp_elicitation.protocol.capabilities import Capabilities
from acp_elicitation.protocol.errors import InvalidQuestion
from acp_elicitation.protocol.reading import JsonObject
from acp_elicitation.protocol.schema import FormSchema
from acp_elicitation.protocol.version import V1

EMPTY = FormSchema(properties={})
WRONG: Any = object()
URL = "https://agent.example/c"


class Nobody:
    """A client that is never asked."""

    async def request(self, method: str, params: JsonObject) -> object:
        raise AssertionError("nothing is asked")

    def notify(self, method: str, params: JsonObject) -> None:
        raise AssertionError("nothing is told")


class Empty(enum.Enum):
    """No choice at all."""


Ask = Callable[[Elicitor], Awaitable[object]]


async def told(ask: Ask) -> str:
    elicitor = Elicitor(Nobody(), capabilities=Capabilities(form=True, url=True), version=V1)
    with pytest.raises(InvalidQuestion) as raised:
        await ask(elicitor)
    return str(raised.value)


@pytest.mark.requirement("FWD-5")
@pytest.mark.parametrize(
    ("ask", "begins"),
    [
        (lambda e: e.form("", EMPTY, session="s"), "message: it is empty; say what"),
        (lambda e: e.confirm(" \n", session="s"), "message: it is empty; say what"),
        (lambda e: e.link("", URL, session="s"), "message: it is empty; say what"),
        (lambda e: e.confirm(WRONG, session="s"), "message: it must be a str, and not this obj"),
        (lambda e: e.confirm("?"), "session= and request=: a question belongs to"),
        (lambda e: e.confirm("?", session="s", request=1), "session= and request=: a question"),
        (lambda e: e.confirm("?", request=1, tool_call="t"), "tool_call: a tool call belongs to"),
        (lambda e: e.link("?", URL), "session= and request=: a question belongs to"),
        (lambda e: e.confirm("?", session=WRONG), "session: it must be of type str, and not"),
        (lambda e: e.confirm("?", request=True), "request: it must be of type int or str, and"),
        (lambda e: e.confirm("?", session="s", timeout=0), "timeout: nobody can answer within 0 s"),
        (lambda e: e.confirm("?", session="s", timeout=-1.5), "timeout: nobody can answer within"),
        (lambda e: e.link("?", URL, session="s", timeout=-1), "timeout: nobody can answer within"),
        (
            lambda e: e.confirm("?", session="s", timeout=float("nan")),
            "timeout: nobody can answer within nan s",
        ),
        (
            lambda e: e.confirm("?", session="s", timeout=WRONG),
            "timeout: it must be of type int or float, and not this object",
        ),
        (lambda e: e.confirm("?", session="s", attempts=0), "attempts: 0 is less than one; give"),
        (
            lambda e: e.confirm("?", session="s", reviewed="answer"),
            "reviewed: a text is no list of names; put the name into a list",
        ),
    ],
)
async def test_an_option_that_cannot_be_followed(ask: Ask, begins: str) -> None:
    assert (await told(ask)).startswith(begins)


@pytest.mark.requirement("FWD-5")
@pytest.mark.parametrize(
    ("ask", "begins"),
    [
        (lambda e: e.choose("?", [], session="s"), "options of property 'answer': there are none"),
        (lambda e: e.choose("?", Empty, session="s"), "options of property 'answer': there are"),
        (lambda e: e.choose("?", {}, session="s"), "options of property 'answer': there are none"),
        (
            lambda e: e.choose("?", "abc", session="s"),
            "options: it must be a list of texts, and not this str; put the text into a list",
        ),
        (
            lambda e: e.choose_many("?", 5, session="s"),
            "options: it must be a list of texts, and not this int; give a list",
        ),
        (lambda e: e.choose("?", [1, 2], session="s"), "options of property 'answer': a value is"),
        (lambda e: e.choose("?", {"a": 1}, session="s"), "options of property 'answer': a title"),
        (
            lambda e: e.choose("?", ["a"], default="b", session="s"),
            "default of property 'answer': it is none of the options",
        ),
        (
            lambda e: e.choose("?", ["a"], default="b", other=True, session="s"),
            "default of property 'answer': it is none of the options",
        ),
        (
            lambda e: e.choose_many("?", ["a", "b"], default="ab", session="s"),
            "default: it must be a list of texts, and not this str",
        ),
        (
            lambda e: e.choose_many("?", ["a", "b"], default=["c"], session="s"),
            "default of property 'answer': it is none of the options",
        ),
        (
            lambda e: e.choose_many("?", ["a"], min_items=2, session="s"),
            "min_items of property 'answer': 2 is more than there are options (1)",
        ),
        (
            lambda e: e.text("?", pattern="(", session="s"),
            "pattern of property 'answer': it is no valid ECMA-262 regular expression",
        ),
        (
            lambda e: e.text("?", min_length=5, max_length=2, session="s"),
            "min_length of property 'answer': 5 is more than max_length, which is 2",
        ),
        (
            lambda e: e.integer("?", minimum=5, maximum=2, session="s"),
            "minimum of property 'answer': 5 is more than maximum, which is 2",
        ),
        (
            lambda e: e.number("?", default=float("inf"), session="s"),
            "default of property 'answer': it must be a number within the range of a double",
        ),
        (
            lambda e: e.date("?", default="2026-12-31", session="s"),
            "default: it must be a datetime.date, and not this str; convert it",
        ),
        (
            lambda e: e.date("?", default=datetime.datetime.now(datetime.UTC), session="s"),
            "default: it must be a datetime.date, and not this datetime; convert it",
        ),
    ],
)
async def test_a_short_question_that_cannot_be_asked(ask: Ask, begins: str) -> None:
    assert (await told(ask)).startswith(begins)


async def test_a_wrong_question_has_no_fallback() -> None:
    assert "there are none" in await told(
        lambda e: e.choose("?", [], fallback="sqlite", session="s")
    )

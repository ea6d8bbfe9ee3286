"""A form asked again because its answer did not fit."""

import threading
from typing import Any

import pytest
from pydantic import BaseModel, model_validator

from acp_elicitation.agent.elicitor import Elicitor
from acp_elicitation.forms.check import Check
from acp_elicitation.forms.problem import Problem
from acp_elicitation.protocol.answers import Accepted, Declined
from acp_elicitation.protocol.capabilities import Capabilities
from acp_elicitation.protocol.errors import InvalidAnswer
from acp_elicitation.protocol.reading import JsonObject
from acp_elicitation.protocol.schema import (
    FormSchema,
    IntegerProperty,
    MultiSelectProperty,
    Option,
    StringProperty,
    UnknownProperty,
)
from acp_elicitation.protocol.version import V1


class Range(BaseModel):
    low: int = 0
    high: int = 10

    @model_validator(mode="after")
    def ordered(self) -> "Range":
        if self.low > self.high:
            raise ValueError("low must not be above high")
        return self


class Client:
    """Answers the questions in turn."""

    def __init__(self, *contents: object) -> None:
        self.asked: list[JsonObject] = []
        self._contents = list(contents)

    async def request(self, method: str, params: JsonObject) -> object:
        self.asked.append(params)
        content = self._contents.pop(0)
        return (
            {"action": "decline"} if content is None else {"action": "accept", "content": content}
        )

    def notify(self, method: str, params: JsonObject) -> None:
        raise AssertionError("nothing is told")


def elicitor(client: Client) -> Elicitor:
    return Elicitor(client, capabilities=Capabilities(form=True), version=V1)


@pytest.mark.requirement("RES-5", "FORM-3")
async def test_the_reasons_of_a_model_are_told_and_the_question_asked_again() -> None:
    client = Client({"low": 5, "high": 1}, {"low": 1, "high": 5})
    answer = await elicitor(client).form("Range?", Range, session="s", attempts=2)
    assert answer == Accepted(Range(low=1, high=5))
    assert client.asked[0]["message"] == "Range?"
    assert client.asked[1]["message"].startswith("Range?\n\nPlease correct:\n- ")
    assert "low must not be above high" in client.asked[1]["message"]


FORM = FormSchema(
    properties={
        "name": StringProperty(title="Name", min_length=3),
        "port": IntegerProperty(default=80),
        "tags": MultiSelectProperty(options=(Option(value="a"), Option(value="b"))),
        "where": UnknownProperty(type="_location"),
        "raw": StringProperty(raw={"type": "string", "x": 1}),
    }
)


@pytest.mark.requirement("FORM-4")
async def test_what_did_fit_is_the_default_the_second_time() -> None:
    content = {"name": "x", "port": 8080, "tags": ["b"], "where": 1, "raw": "r", "extra": 1}
    client = Client(content, None)
    assert await elicitor(client).form("?", FORM, session="s", attempts=3) == Declined()
    first, second = (asked["requestedSchema"]["properties"] for asked in client.asked)
    assert "default" not in second["name"]
    assert second["port"] == {**first["port"], "default": 8080}
    assert second["tags"] == {**first["tags"], "default": ["b"]}
    assert second["where"] == first["where"]
    assert second["raw"] == {"type": "string", "x": 1}
    assert "Name: " in client.asked[1]["message"]


@pytest.mark.requirement("RES-5")
@pytest.mark.parametrize("attempts", [None, 1])
async def test_it_is_asked_once_unless_told_otherwise(attempts: int | None) -> None:
    client = Client({"name": "x"})
    asking: dict[str, Any] = {} if attempts is None else {"attempts": attempts}
    with pytest.raises(InvalidAnswer):
        await elicitor(client).form("?", FORM, session="s", **asking)
    assert len(client.asked) == 1


async def test_the_reasons_are_those_of_the_last_answer() -> None:
    client = Client({"name": "x"}, {"name": "xyz", "port": "http"}, {"name": "xyz"})
    assert await elicitor(client).form("?", FORM, session="s", attempts=3) == Accepted(
        {"name": "xyz"}
    )
    assert "Name" in client.asked[1]["message"]
    assert "Name" not in client.asked[2]["message"]
    assert "port: " in client.asked[2]["message"]
    assert client.asked[2]["requestedSchema"]["properties"]["name"]["default"] == "xyz"


@pytest.mark.requirement("FORM-9")
async def test_the_values_to_keep_are_judged_off_the_event_loop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    judged_in: list[threading.Thread] = []
    judge = Check.of

    def noting(check: Check, name: str, value: object) -> list[Problem]:
        judged_in.append(threading.current_thread())
        return judge(check, name, value)

    monkeypatch.setattr(Check, "of", noting)
    form = FormSchema(
        properties={"name": StringProperty(pattern="^a"), "port": IntegerProperty(minimum=1)}
    )
    client = Client({"name": "abc", "port": 0}, {"port": 1})
    assert await elicitor(client).form("?", form, session="s", attempts=2) == Accepted({"port": 1})
    assert client.asked[1]["requestedSchema"]["properties"]["name"]["default"] == "abc"
    assert judged_in
    assert threading.main_thread() not in judged_in

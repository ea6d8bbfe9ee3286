"""Exclusive bounds and steps: carried where a form can say them, else checked on receipt."""

from typing import Any

import pytest

from acp_elicitation.bridges.mcp.limits import take_limits
from acp_elicitation.bridges.mcp.losses import Loss
from acp_elicitation.protocol.errors import MalformedMessage


def taken(value: dict[str, Any]) -> tuple[dict[str, Any], list[str], list[str]]:
    losses: list[Loss] = []
    said, tests = take_limits(value, "/x", losses)
    return said, [reason for _, reason in tests], [f"{one.path} {one.effect}" for one in losses]


@pytest.mark.parametrize(
    "value",
    [
        {"type": "number", "minimum": 0.5, "maximum": 2},
        {"type": "integer", "minimum": 1, "maximum": 2.0},
        {"type": "string", "exclusiveMinimum": 1},
        {"type": "number", "exclusiveMinimum": None},
    ],
)
def test_what_a_form_can_say_stays_as_it_is(value: dict[str, Any]) -> None:
    losses: list[Loss] = []
    said, tests = take_limits(value, "/x", losses)
    assert said is value
    assert tests == []
    assert losses == []


def test_exclusive_bounds_of_whole_numbers_become_inclusive_ones() -> None:
    value = {"type": "integer", "exclusiveMinimum": 0, "exclusiveMaximum": 10}
    said, _, losses = taken(value)
    assert said == {"type": "integer", "minimum": 1, "maximum": 9}
    assert losses == ["/x/exclusiveMaximum converted", "/x/exclusiveMinimum converted"]


def test_broken_bounds_of_whole_numbers_become_the_next_whole_ones() -> None:
    said, _, losses = taken({"type": "integer", "minimum": 0.5, "maximum": 3})
    assert said == {"type": "integer", "minimum": 1, "maximum": 3}
    assert losses == ["/x/minimum converted"]


def test_exclusive_bounds_of_numbers_are_asked_inclusively_and_checked_on_receipt() -> None:
    losses: list[Loss] = []
    said, tests = take_limits({"type": "number", "exclusiveMinimum": 0, "minimum": -5}, "", losses)
    assert said == {"type": "number", "minimum": 0}
    [(passes, reason)] = tests
    assert reason == "must be greater than 0"
    assert not passes(0)
    assert passes(0.1)
    assert [loss.effect for loss in losses] == ["checked"]


def test_a_step_is_checked_on_receipt() -> None:
    said, tests, losses = taken({"type": "number", "multipleOf": 0.1, "maximum": 1})
    assert said == {"type": "number", "maximum": 1}
    assert tests == ["must be a multiple of 0.1"]
    assert losses == ["/x/multipleOf checked"]


@pytest.mark.parametrize(
    ("value", "path"),
    [
        ({"exclusiveMinimum": True}, "/exclusiveMinimum"),
        ({"maximum": "9"}, "/maximum"),
        ({"multipleOf": 0}, "/multipleOf"),
        ({"multipleOf": float("inf")}, "/multipleOf"),
    ],
)
def test_a_limit_that_is_no_number_makes_the_form_malformed(
    value: dict[str, Any], path: str
) -> None:
    with pytest.raises(MalformedMessage) as caught:
        take_limits({"type": "number", **value}, "", [])
    assert caught.value.path == path

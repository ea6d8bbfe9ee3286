"""What the data of an error says, in the shapes of the peers in the field."""

from typing import Any

import pytest

from acp_elicitation.protocol.error_data import reason_in


def nested(depth: int) -> dict[str, Any]:
    tree: dict[str, Any] = {"_errors": ["too deep"]}
    for _ in range(depth):
        tree = {"_errors": [], "a": tree}
    return tree


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"path": "/mode", "reason": "expected a string"}, "/mode: expected a string"),
        ({"path": "", "reason": "expected an object"}, "/: expected an object"),
        ({"reason": "too many questions wait"}, "too many questions wait"),
        (
            {"errors": [{"loc": ["requestedSchema", "properties", 0], "msg": "Field required"}]},
            "/requestedSchema/properties/0: Field required",
        ),
        (
            {"_errors": [], "mode": {"_errors": ["Invalid input: expected string"]}},
            "/mode: Invalid input: expected string",
        ),
        ({"_errors": ["Unrecognized key"]}, "/: Unrecognized key"),
        ("missing field `sessionId`", "missing field `sessionId`"),
    ],
)
def test_the_place_and_the_reason_are_told(data: object, said: str) -> None:
    assert reason_in(data) == said


@pytest.mark.parametrize(
    "data",
    [None, 7, "", [], {}, {"path": "/mode"}, {"errors": []}, {"_errors": []}, {"requested": 3}],
)
def test_data_without_a_reason_says_nothing(data: object) -> None:
    assert reason_in(data) is None


def test_a_value_that_is_quoted_is_left_out() -> None:
    assert reason_in('invalid type: string "hunter2", expected u32') == (
        'invalid type: string "…", expected u32'
    )


def test_what_cannot_be_printed_is_made_visible() -> None:
    assert reason_in("a\x1b[31mb\nc") == "a\ufffd[31mb\ufffdc"


def test_a_long_reason_is_cut() -> None:
    said = reason_in("a" * 1_000)
    assert said is not None
    assert (len(said), said[-1]) == (300, "…")


def test_a_tree_of_reasons_is_searched_to_a_limit() -> None:
    assert reason_in(nested(5)) == "/a/a/a/a/a: too deep"
    assert reason_in(nested(500)) is None

"""What a problem says, and what it never says."""

import msgspec
import pytest

from acp_elicitation.forms.problem import Problem
from acp_elicitation.protocol.errors import InvalidAnswer


def test_a_problem_names_the_property_the_code_and_the_limits() -> None:
    problem = Problem("port", "too-small", {"minimum": 1024})
    assert (problem.property, problem.code, problem.params) == (
        "port",
        "too-small",
        {"minimum": 1024},
    )


def test_two_problems_without_limits_do_not_share_their_parameters() -> None:
    first, second = Problem("a", "required"), Problem("b", "required")
    assert first.params == {}
    assert first.params is not second.params


def test_a_problem_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        Problem("a", "required").code = "type"  # type: ignore[misc]


def test_a_problem_can_be_sent_and_logged_as_json() -> None:
    problem = Problem("port", "too-small", {"minimum": 1024})
    assert msgspec.json.decode(msgspec.json.encode(problem)) == {
        "property": "port",
        "code": "too-small",
        "params": {"minimum": 1024},
    }


def test_an_invalid_answer_lists_each_property_with_its_code() -> None:
    error = InvalidAnswer([Problem("a", "required"), Problem("b", "too-big", {"maximum": 1})])
    assert "a: required; b: too-big" in str(error)

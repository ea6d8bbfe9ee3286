"""Making an instance, and the reasons of a type that refuses, without what the user typed."""

from typing import Any

import pytest
from pydantic import BaseModel, TypeAdapter

from acp_elicitation.forms.field import WHOLE_FORM, plain_make, reason_of, without_answers
from acp_elicitation.forms.problem import Problem
from acp_elicitation.protocol.errors import InvalidAnswer


def rejected(reason: str) -> Problem:
    return Problem("x", "rejected", {"reason": reason})


def test_an_instance_is_made_of_keyword_arguments() -> None:
    assert plain_make(dict)({"a": 1}) == {"a": 1}


@pytest.mark.requirement("FORM-3")
@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (ValueError("the end is before the start"), "the end is before the start"),
        (AssertionError("too early"), "too early"),
        (AssertionError(), "it is not valid"),
    ],
)
def test_a_value_error_of_the_type_is_a_problem_of_the_whole_form(
    error: Exception, reason: str
) -> None:
    def refuse(**values: Any) -> None:
        raise error

    with pytest.raises(InvalidAnswer) as caught:
        plain_make(refuse)({"a": 1})
    assert caught.value.problems == (Problem(WHOLE_FORM, "rejected", {"reason": reason}),)
    assert caught.value.__context__ is None


def test_any_other_exception_of_the_type_is_its_fault_and_not_the_answers() -> None:
    def fail(**values: Any) -> None:
        raise KeyError("gone")

    with pytest.raises(KeyError):
        plain_make(fail)({})


def test_an_error_of_pydantic_says_its_reason_without_the_input() -> None:
    class Inner(BaseModel):
        number: int
        word: str

    with pytest.raises(ValueError, match="hunter2") as caught:
        TypeAdapter(Inner).validate_python({"number": "hunter2", "word": 5})
    reason = reason_of(caught.value)
    assert "valid integer" in reason
    assert "; Input should be a valid string" in reason
    assert "hunter2" not in reason


@pytest.mark.parametrize(
    ("reason", "texts", "cleaned"),
    [
        ("no branch 'main' here", ["main"], "no branch '…' here"),
        ("main exists", ["main"], "… exists"),
        ("not a float: 'a'", ["a"], "not a float: '…'"),
        ("a day in the past", ["a", "in"], "a day in the past"),
        ("a day in the past", ["the"], "a day in … past"),
        ("not 'two words'", ["two words", "two"], "not '…'"),
        ("all fine", [], "all fine"),
    ],
)
def test_what_the_user_typed_is_taken_out_of_a_reason(
    reason: str, texts: list[str], cleaned: str
) -> None:
    assert without_answers(rejected(reason), texts) == rejected(cleaned)


def test_a_problem_without_a_reason_stays_as_it_is() -> None:
    problem = Problem("x", "too-small", {"minimum": 1})
    assert without_answers(problem, ["1"]) is problem

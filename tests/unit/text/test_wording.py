"""Every problem and every limit, in words."""

from typing import Any, get_args

import pytest

from acp_elicitation.forms.draft import FormDraft
from acp_elicitation.forms.problem import Code, Problem
from acp_elicitation.protocol.schema import (
    BooleanProperty,
    FormSchema,
    IntegerProperty,
    MultiSelectProperty,
    NumberProperty,
    Option,
    Property,
    SelectProperty,
    StringProperty,
    UnknownProperty,
)
from acp_elicitation.text.wording import word_constraints, word_label, word_problem

OPTIONS = (Option(value="a"), Option(value="b"))

WORDED: list[tuple[Code, dict[str, Any], str]] = [
    ("required", {}, "An answer is required here."),
    ("undeclared", {}, "The form does not ask for this: leave it out."),
    ("type", {"expected": "text"}, "This has to be text."),
    ("type", {"expected": "number"}, "This has to be a number."),
    ("type", {"expected": "integer"}, "This has to be a whole number."),
    ("type", {"expected": "boolean"}, "This has to be yes or no."),
    ("type", {"expected": "choice"}, "This has to be one of the choices."),
    ("type", {"expected": "choices"}, "This has to be a list of choices."),
    ("type", {}, "This is not a value of the expected type."),
    ("not-a-choice", {}, "Choose from the list: this is none of the choices."),
    (
        "not-a-choice",
        {"ambiguous": True},
        "More than one choice reads like that: pick it from the list instead.",
    ),
    (
        "format",
        {"format": "date", "why": "no-such-day"},
        "There is no such day. Enter a date like 2026-12-31.",
    ),
    (
        "not-a-number",
        {"why": "separator", "integer": True},
        "Enter a whole number in digits alone, as in 1234.",
    ),
    ("too-short", {"min_length": 3}, "Enter at least 3 characters."),
    ("too-short", {"min_length": 1}, "Enter at least 1 character."),
    ("too-long", {"max_length": 40}, "Enter at most 40 characters."),
    ("pattern", {"pattern": "^a$"}, "Enter a text that matches the pattern ^a$"),
    (
        "pattern",
        {"pattern": "^a$", "too_costly": True},
        "Enter a shorter or simpler text: comparing this one with the pattern ^a$ takes too long.",
    ),
    (
        "pattern",
        {"pattern": "(", "bad_pattern": "invalid"},
        "No text can be accepted here: the agent's pattern ( cannot be used.",
    ),
    ("format", {"format": "email"}, "Enter an e-mail address like ada@example.org."),
    (
        "format",
        {"format": "uri"},
        "Enter a complete address in plain ASCII, from its https:// (or another scheme) on.",
    ),
    ("format", {"format": "date"}, "Enter a date like 2026-12-31."),
    (
        "format",
        {"format": "date-time"},
        "Enter a date and time with offset like 2026-12-31T18:00:00Z.",
    ),
    ("format", {"format": "uuid"}, "Enter a valid uuid."),
    ("too-small", {"minimum": 1024}, "Enter 1024 or more."),
    ("too-small", {"minimum": 1024.0}, "Enter 1024 or more."),
    ("too-big", {"maximum": 0.5}, "Enter 0.5 or less."),
    ("too-big", {"maximum": 1e22}, "Enter 10000000000000000000000 or less."),
    ("too-few", {"min_items": 1}, "Choose at least 1."),
    ("too-many", {"max_items": 2}, "Choose at most 2."),
    (
        "rejected",
        {"reason": "ends before it starts"},
        "The agent does not take this: ends before it starts",
    ),
    (
        "unknown-kind",
        {"type": "location"},
        "This question is of a kind that cannot be shown here, and it requires an answer: "
        "decline or cancel the form.",
    ),
    (
        "impossible",
        {},
        "No answer can satisfy the limits of this question, and it requires one: "
        "decline or cancel the form.",
    ),
    ("not-a-number", {"why": "other"}, "Enter a number in digits, such as 42."),
    (
        "not-a-number",
        {"why": "other", "integer": True},
        "Enter a whole number in digits, such as 42.",
    ),
    ("not-a-number", {"why": "digits"}, "Enter a number with the digits 0 to 9."),
    ("not-a-number", {"why": "exponent"}, "Write a number out in full, without an exponent."),
    (
        "not-a-number",
        {"why": "fraction", "integer": True},
        "Enter a whole number, without a fraction.",
    ),
    (
        "not-a-number",
        {"why": "not-finite"},
        "Enter a number: not-a-number and infinity cannot be sent.",
    ),
    ("not-a-number", {"why": "plus"}, "Leave the plus sign out."),
    ("not-a-number", {"why": "prefix"}, "Enter a number in decimal digits, not as 0x, 0o or 0b."),
    (
        "not-a-number",
        {"why": "separator"},
        "Leave out what separates digits; only a decimal point is read, as in 1234.5.",
    ),
    ("not-a-number", {"why": "too-long"}, "Enter a number with fewer digits."),
    ("not-yes-or-no", {}, "Answer yes or no."),
    (
        "not-unicode",
        {},
        "Some characters are damaged and cannot be sent: enter the text again.",
    ),
]


@pytest.mark.parametrize(("code", "params", "sentence"), WORDED)
def test_a_problem_is_worded_as_what_to_do(
    code: Code, params: dict[str, Any], sentence: str
) -> None:
    assert word_problem(Problem("x", code, params)) == sentence


def test_every_code_is_worded() -> None:
    assert {code for code, _, _ in WORDED} == set(get_args(Code))


@pytest.mark.parametrize(
    ("member", "hint"),
    [
        (StringProperty(), ""),
        (StringProperty(min_length=0), ""),
        (StringProperty(min_length=3, max_length=40), "3 to 40 characters"),
        (StringProperty(min_length=0, max_length=40), "at most 40 characters"),
        (StringProperty(min_length=3), "at least 3 characters"),
        (StringProperty(min_length=1), "at least 1 character"),
        (StringProperty(max_length=40), "at most 40 characters"),
        (StringProperty(max_length=1), "at most 1 character"),
        (StringProperty(max_length=0), "at most 0 characters"),
        (StringProperty(min_length=3, max_length=3), "exactly 3 characters"),
        (StringProperty(min_length=1, max_length=1), "exactly 1 character"),
        (StringProperty(min_length=1, max_length=2), "1 to 2 characters"),
        (StringProperty(format="date"), "a date like 2026-12-31"),
        (StringProperty(format="phone"), ""),
        (StringProperty(pattern="^[a-z]+$"), "matches the pattern ^[a-z]+$"),
        (
            StringProperty(max_length=9, format="email", pattern="a"),
            "at most 9 characters; an e-mail address like ada@example.org; matches the pattern a",
        ),
        (IntegerProperty(), "a whole number"),
        (IntegerProperty(minimum=1024, maximum=65535), "1024 to 65535"),
        (IntegerProperty(minimum=0), "0 or more"),
        (IntegerProperty(maximum=0), "0 or less"),
        (NumberProperty(), "a number"),
        (NumberProperty(minimum=0.5, maximum=2.0), "0.5 to 2"),
        (BooleanProperty(), "yes or no"),
        (SelectProperty(options=OPTIONS, min_length=1, pattern="a"), ""),
        (MultiSelectProperty(options=OPTIONS), ""),
        (MultiSelectProperty(options=OPTIONS, min_items=0), ""),
        (MultiSelectProperty(options=OPTIONS, min_items=1, max_items=2), "choose 1 to 2"),
        (MultiSelectProperty(options=OPTIONS, min_items=1), "choose at least 1"),
        (MultiSelectProperty(options=OPTIONS, min_items=0, max_items=2), "choose at most 2"),
        (MultiSelectProperty(options=OPTIONS, min_items=2, max_items=2), "choose exactly 2"),
        (UnknownProperty(type="location"), ""),
    ],
)
def test_limits_are_told_beforehand_in_one_line(member: Property, hint: str) -> None:
    assert word_constraints(member) == hint


@pytest.mark.parametrize(
    ("properties", "label"),
    [
        ({"answer": StringProperty()}, "Your answer"),
        ({"answer": StringProperty(title="Colour")}, "Colour"),
        ({"colour": StringProperty()}, "colour"),
        ({"answer": StringProperty(), "more": StringProperty()}, "answer"),
    ],
)
def test_only_a_single_question_without_a_title_gets_our_own_label(
    properties: dict[str, Property], label: str
) -> None:
    draft = FormDraft(FormSchema(properties=properties))
    assert word_label(draft.questions[0], draft) == label

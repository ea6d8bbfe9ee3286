"""Content against a form, keyword by keyword, and the questions that no answer can satisfy."""

from typing import Any

import pytest

from acp_elicitation.forms.check import (
    Check,
    check,
    clean,
    compile_check,
    find_bad_pattern,
    unanswerable,
)
from acp_elicitation.forms.patterns import MAX_PATTERN
from acp_elicitation.forms.problem import Problem
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

NAN, INFINITY = float("nan"), float("inf")
OPTIONS = (Option(value="a"), Option(value="b", title="Bee"), Option(value="c"))


def form(required: tuple[str, ...] = (), **properties: Property) -> FormSchema:
    return FormSchema(properties=properties, required=required)


def problems_of(member: Property, value: object) -> list[tuple[str, dict[str, Any]]]:
    found = check(form(x=member), {"x": value})
    assert all(problem.property == "x" for problem in found)
    return [(problem.code, problem.params) for problem in found]


# --- the form as a whole


@pytest.mark.requirement("FORM-2", "FORM-3")
def test_content_that_fits_has_no_problems() -> None:
    schema = form(("name",), name=StringProperty(min_length=1), port=IntegerProperty(maximum=9))
    assert check(schema, {"name": "x", "port": 9}) == []


@pytest.mark.requirement("RES-2")
def test_no_content_counts_as_the_empty_object() -> None:
    schema = form(("name",), name=StringProperty(), note=StringProperty())
    assert check(schema, None) == check(schema, {}) == [Problem("name", "required")]


def test_problems_come_in_the_order_of_the_form_then_missing_names_then_undeclared_keys() -> None:
    schema = form(
        ("ghost", "c", "b"), a=IntegerProperty(), b=IntegerProperty(), c=IntegerProperty()
    )
    found = check(schema, {"z": 1, "y": 2, "c": "no", "a": "no"})
    assert [(problem.property, problem.code) for problem in found] == [
        ("a", "type"),
        ("b", "required"),
        ("c", "type"),
        ("ghost", "required"),
        ("z", "undeclared"),
        ("y", "undeclared"),
    ]


def test_a_required_name_that_is_not_declared_cannot_be_given() -> None:
    assert check(form(("ghost",)), {"ghost": 1}) == [Problem("ghost", "undeclared")]


def test_a_null_is_a_value_and_no_absence() -> None:
    assert problems_of(StringProperty(), None) == [("type", {"expected": "text"})]


def test_a_check_judges_any_number_of_contents() -> None:
    judge = compile_check(form(x=IntegerProperty(maximum=1)))
    assert isinstance(judge, Check)
    assert [len(judge({"x": value})) for value in (1, 2, 1, "1")] == [0, 1, 0, 1]


def test_one_property_can_be_judged_alone() -> None:
    judge = compile_check(form(("x", "y"), x=IntegerProperty(maximum=1), y=StringProperty()))
    assert judge.of("x", 1) == []
    assert judge.of("x", 2) == [Problem("x", "too-big", {"maximum": 1})]
    with pytest.raises(KeyError):
        judge.of("z", 1)


@pytest.mark.requirement("UI-2")
def test_no_problem_carries_the_value() -> None:
    schema = form(
        a=StringProperty(max_length=1, pattern="^b$", format="email"),
        b=SelectProperty(options=OPTIONS),
        c=MultiSelectProperty(options=OPTIONS, max_items=0),
        d=NumberProperty(maximum=0),
        e=BooleanProperty(),
    )
    content = {"a": "hunter2", "b": "hunter2", "c": ["hunter2"], "d": 7777, "e": "hunter2"}
    found = check(schema, content)
    assert {problem.property for problem in found} == set("abcde")
    assert "hunter2" not in repr(found)
    assert "7777" not in repr(found)


# --- text


def test_lengths_count_code_points() -> None:
    member = StringProperty(min_length=2, max_length=3)
    assert problems_of(member, "\U0001f600") == [("too-short", {"min_length": 2})]
    assert problems_of(member, "\U0001f600" * 2) == []
    assert problems_of(member, "\U0001f600" * 3) == []
    assert problems_of(member, "\U0001f600" * 4) == [("too-long", {"max_length": 3})]


@pytest.mark.parametrize("value", [1, 1.5, True, None, ["a"], {"a": 1}, b"a"])
def test_what_is_no_text_is_no_text(value: object) -> None:
    assert problems_of(StringProperty(), value) == [("type", {"expected": "text"})]


def test_every_limit_that_a_text_breaks_is_reported() -> None:
    member = StringProperty(min_length=5, pattern="^b", format="date")
    assert problems_of(member, "a") == [
        ("too-short", {"min_length": 5}),
        ("pattern", {"pattern": "^b"}),
        ("format", {"format": "date"}),
    ]


@pytest.mark.parametrize(
    ("format", "good", "bad"),
    [
        ("email", "ada@example.org", "ada"),
        ("uri", "https://example.org", "example.org"),
        ("date", "2026-12-31", "31.12.2026"),
        ("date-time", "2026-12-31T00:00:00Z", "2026-12-31"),
    ],
)
def test_the_formats_of_the_protocol_are_asserted(format: str, good: str, bad: str) -> None:
    assert problems_of(StringProperty(format=format), good) == []
    assert problems_of(StringProperty(format=format), bad) == [("format", {"format": format})]


@pytest.mark.requirement("FWD-4")
@pytest.mark.parametrize("format", ["phone", "", "Email", "uuid", "regex", "__class__"])
def test_an_unknown_format_rejects_nothing(format: str) -> None:
    assert problems_of(StringProperty(format=format), "anything") == []


def test_a_pattern_matches_anywhere_in_the_text() -> None:
    member = StringProperty(pattern="b")
    assert problems_of(member, "abc") == []
    assert problems_of(member, "ac") == [("pattern", {"pattern": "b"})]


@pytest.mark.requirement("FORM-9")
def test_a_pattern_that_takes_too_long_is_no_match() -> None:
    evil = "^(?=(a+)+$)b"
    assert problems_of(StringProperty(pattern=evil), "a" * 40 + "!") == [
        ("pattern", {"pattern": evil, "too_costly": True})
    ]


@pytest.mark.requirement("FORM-9")
def test_a_pattern_that_cannot_be_used_is_a_problem_of_every_value() -> None:
    assert problems_of(StringProperty(pattern="("), "(") == [
        ("pattern", {"pattern": "(", "bad_pattern": "invalid"})
    ]


def test_a_check_says_whether_it_may_take_a_moment() -> None:
    assert not compile_check(form()).has_patterns
    assert not compile_check(form(x=StringProperty(), y=IntegerProperty())).has_patterns
    assert compile_check(form(y=IntegerProperty(), x=StringProperty(pattern=""))).has_patterns
    assert compile_check(form(x=SelectProperty(options=OPTIONS, pattern="a"))).has_patterns


# --- numbers


@pytest.mark.parametrize("value", [0, -1, 3, 3.0, -0.0, 1e18, 2**62, 9007199254740993])
def test_an_integer_is_any_number_without_a_fraction(value: object) -> None:
    assert problems_of(IntegerProperty(), value) == []


@pytest.mark.parametrize("value", [3.5, True, False, "3", None, [3], NAN, INFINITY, -INFINITY, 1j])
def test_what_has_a_fraction_or_is_no_number_is_no_integer(value: object) -> None:
    assert problems_of(IntegerProperty(), value) == [("type", {"expected": "integer"})]


@pytest.mark.parametrize("value", [0, 3, 3.5, -0.0, 1e-300, 10**400])
def test_a_number_is_any_finite_number(value: object) -> None:
    assert problems_of(NumberProperty(), value) == []


@pytest.mark.parametrize("value", [True, False, "3", None, [3], NAN, INFINITY, -INFINITY, 1j])
def test_what_is_not_finite_or_no_number_is_no_number(value: object) -> None:
    assert problems_of(NumberProperty(), value) == [("type", {"expected": "number"})]


@pytest.mark.parametrize("kind", [IntegerProperty, NumberProperty])
def test_bounds_are_inclusive(kind: type[IntegerProperty | NumberProperty]) -> None:
    member = kind(minimum=2, maximum=4)
    assert [problems_of(member, value) for value in (1, 2, 3, 4, 5)] == [
        [("too-small", {"minimum": 2})],
        [],
        [],
        [],
        [("too-big", {"maximum": 4})],
    ]


def test_a_bound_of_zero_is_a_bound() -> None:
    assert problems_of(NumberProperty(minimum=0), -0.5) == [("too-small", {"minimum": 0})]
    assert problems_of(NumberProperty(maximum=0), 0.5) == [("too-big", {"maximum": 0})]


@pytest.mark.requirement("FORM-3", "RES-3")
@pytest.mark.parametrize(
    ("value", "found"),
    [
        (2**63 - 1, []),
        (-(2**63), []),
        (2**63, [("too-big", {"maximum": 2**63 - 1})]),
        (-(2**63) - 1, [("too-small", {"minimum": -(2**63)})]),
        (1e19, [("too-big", {"maximum": 2**63 - 1})]),
        (10**400, [("too-big", {"maximum": 2**63 - 1})]),
    ],
)
def test_an_integer_fits_into_64_bits(value: float, found: list[tuple[str, object]]) -> None:
    assert problems_of(IntegerProperty(), value) == found
    assert problems_of(NumberProperty(), value) == []


def test_a_limit_of_the_form_is_told_before_that_of_the_protocol() -> None:
    found = problems_of(IntegerProperty(maximum=9), 2**70)
    assert found == [("too-big", {"maximum": 9})]


def test_large_integers_are_compared_exactly() -> None:
    assert problems_of(IntegerProperty(maximum=2**53), 2**53 + 1) == [
        ("too-big", {"maximum": 2**53})
    ]
    assert problems_of(NumberProperty(maximum=1.5e300), 10**400) == [
        ("too-big", {"maximum": 1.5e300})
    ]


# --- yes or no


@pytest.mark.parametrize("value", [True, False])
def test_a_boolean_is_true_or_false(value: object) -> None:
    assert problems_of(BooleanProperty(), value) == []


@pytest.mark.parametrize("value", [0, 1, "true", "yes", None, [], 0.0])
def test_nothing_else_is_a_boolean(value: object) -> None:
    assert problems_of(BooleanProperty(), value) == [("type", {"expected": "boolean"})]


# --- choices


def test_a_choice_is_the_value_of_an_option_and_not_its_title() -> None:
    member = SelectProperty(options=OPTIONS)
    assert problems_of(member, "b") == []
    assert problems_of(member, "Bee") == [("not-a-choice", {})]
    assert problems_of(member, "B") == [("not-a-choice", {})]


@pytest.mark.parametrize("value", [1, None, ["a"], True])
def test_what_is_no_text_is_no_choice(value: object) -> None:
    member = SelectProperty(options=OPTIONS)
    assert problems_of(member, value) == [("type", {"expected": "choice"})]


def test_the_limits_of_text_hold_for_choices_too() -> None:
    options = (Option(value="a"), Option(value="bb"), Option(value="2026-12-31"))
    assert problems_of(SelectProperty(options=options, min_length=2), "a") == [
        ("too-short", {"min_length": 2})
    ]
    assert problems_of(SelectProperty(options=options, max_length=2), "2026-12-31") == [
        ("too-long", {"max_length": 2})
    ]
    assert problems_of(SelectProperty(options=options, pattern="^b+$"), "a") == [
        ("pattern", {"pattern": "^b+$"})
    ]
    assert problems_of(SelectProperty(options=options, format="date"), "bb") == [
        ("format", {"format": "date"})
    ]
    assert problems_of(SelectProperty(options=options, format="date"), "2026-12-31") == []


def test_a_choice_without_options_has_no_answer() -> None:
    assert problems_of(SelectProperty(options=()), "a") == [("not-a-choice", {})]
    assert problems_of(MultiSelectProperty(options=()), ["a"]) == [("not-a-choice", {})]
    assert problems_of(MultiSelectProperty(options=()), []) == []


def test_a_list_of_choices_holds_values_of_options() -> None:
    member = MultiSelectProperty(options=OPTIONS)
    assert problems_of(member, []) == []
    assert problems_of(member, ["c", "a"]) == []
    assert problems_of(member, ("a",)) == []
    assert problems_of(member, ["a", "Bee"]) == [("not-a-choice", {})]


def test_a_choice_may_be_repeated_as_the_schema_has_no_rule_against_it() -> None:
    assert problems_of(MultiSelectProperty(options=OPTIONS), ["a", "a"]) == []
    member = MultiSelectProperty(options=OPTIONS, max_items=1)
    assert problems_of(member, ["a", "a"]) == [("too-many", {"max_items": 1})]


@pytest.mark.parametrize("value", ["a", None, 1, {"a": 1}, {"a"}, [1], [["a"]], ["a", None], [{}]])
def test_what_is_no_list_of_texts_is_no_list_of_choices(value: object) -> None:
    member = MultiSelectProperty(options=OPTIONS, min_items=1)
    assert problems_of(member, value) == [("type", {"expected": "choices"})]


def test_the_number_of_choices_has_inclusive_limits() -> None:
    member = MultiSelectProperty(options=OPTIONS, min_items=1, max_items=2)
    assert problems_of(member, []) == [("too-few", {"min_items": 1})]
    assert problems_of(member, ["a"]) == []
    assert problems_of(member, ["a", "b"]) == []
    assert problems_of(member, ["a", "b", "c"]) == [("too-many", {"max_items": 2})]
    assert problems_of(member, ["a", "b", "z"]) == [
        ("not-a-choice", {}),
        ("too-many", {"max_items": 2}),
    ]


# --- unknown kinds


@pytest.mark.requirement("FWD-2", "FWD-3")
@pytest.mark.parametrize("value", [1, None, "x", {"lat": 1}, [[]]])
def test_a_value_of_an_unknown_kind_is_taken_as_it_is(value: object) -> None:
    assert problems_of(UnknownProperty(type="location"), value) == []
    assert problems_of(UnknownProperty(type="array", items_type="integer"), value) == []


@pytest.mark.requirement("FWD-2")
def test_a_required_value_of_an_unknown_kind_has_to_be_there() -> None:
    schema = form(("place",), place=UnknownProperty(type="location"))
    assert check(schema, {}) == [Problem("place", "required")]


# --- beside the check


@pytest.mark.requirement("FWD-8")
def test_cleaning_drops_the_keys_that_the_form_does_not_declare() -> None:
    schema = form(a=StringProperty(), b=StringProperty(), c=StringProperty())
    content = {"z": 1, "c": "3", "a": "1"}
    assert list(clean(schema, content).items()) == [("a", "1"), ("c", "3")]
    assert content == {"z": 1, "c": "3", "a": "1"}


@pytest.mark.requirement("RES-2")
def test_cleaning_no_content_gives_the_empty_object() -> None:
    assert clean(form(a=StringProperty()), None) == {}


@pytest.mark.requirement("FORM-9")
def test_a_bad_pattern_is_found_before_anyone_sees_the_form() -> None:
    schema = form(
        a=StringProperty(pattern="^a$"),
        n=IntegerProperty(),
        b=SelectProperty(options=OPTIONS, pattern="["),
        c=StringProperty(pattern="("),
    )
    assert find_bad_pattern(schema) == ("b", "invalid")


@pytest.mark.requirement("FORM-9")
def test_a_pattern_over_the_limit_is_a_bad_one() -> None:
    schema = form(a=StringProperty(pattern="a" * (MAX_PATTERN + 1)))
    assert find_bad_pattern(schema) == ("a", "too-long")


def test_a_form_with_good_patterns_or_none_has_no_bad_one() -> None:
    assert find_bad_pattern(form()) is None
    assert find_bad_pattern(form(a=StringProperty(pattern=r"^\p{L}+$"), n=StringProperty())) is None


@pytest.mark.requirement("FWD-2", "FWD-3")
def test_a_required_question_of_an_unknown_kind_cannot_be_answered() -> None:
    schema = form(
        ("place", "sizes"),
        place=UnknownProperty(type="location"),
        sizes=UnknownProperty(type="array", items_type="integer"),
        other=UnknownProperty(type="location"),
        name=StringProperty(),
    )
    assert unanswerable(schema) == [
        Problem("place", "unknown-kind", {"type": "location"}),
        Problem("sizes", "unknown-kind", {"type": "integer"}),
    ]


def test_a_required_name_that_is_not_declared_cannot_be_answered() -> None:
    assert unanswerable(form(("ghost", "a"), a=StringProperty())) == [Problem("ghost", "required")]


def test_a_check_remembers_what_cannot_be_answered() -> None:
    judge = compile_check(form(("ghost",), a=StringProperty()))
    assert judge.unanswerable == (Problem("ghost", "required"),)
    assert judge.unanswerable is judge.unanswerable


@pytest.mark.parametrize(
    "member",
    [
        StringProperty(min_length=3, max_length=2),
        SelectProperty(options=()),
        SelectProperty(options=OPTIONS, min_length=3, max_length=2),
        IntegerProperty(minimum=1, maximum=0),
        NumberProperty(minimum=0.5, maximum=0.25),
        MultiSelectProperty(options=OPTIONS, min_items=3, max_items=2),
        MultiSelectProperty(options=OPTIONS, min_items=4),
        MultiSelectProperty(options=(), min_items=1),
    ],
)
def test_a_required_question_whose_limits_exclude_each_other_cannot_be_answered(
    member: Property,
) -> None:
    assert unanswerable(form(("x",), x=member)) == [Problem("x", "impossible")]
    assert unanswerable(form(x=member)) == []


@pytest.mark.parametrize(
    "member",
    [
        StringProperty(min_length=2, max_length=2),
        StringProperty(min_length=2),
        StringProperty(max_length=0),
        SelectProperty(options=OPTIONS),
        IntegerProperty(minimum=0, maximum=0),
        NumberProperty(maximum=-1),
        BooleanProperty(),
        MultiSelectProperty(options=OPTIONS, min_items=3, max_items=3),
        MultiSelectProperty(options=()),
    ],
)
def test_a_required_question_with_room_between_its_limits_can_be_answered(
    member: Property,
) -> None:
    assert unanswerable(form(("x",), x=member)) == []

"""One question of a draft: what it starts with, and what an entry amounts to."""

from typing import Any

import pytest

from acp_elicitation.forms.draft_field import (
    ABSENT,
    DraftField,
    Entry,
    chosen_of,
    default_entry,
    field_of,
    shown,
    value_of,
)
from acp_elicitation.forms.parse import Refusal
from acp_elicitation.protocol.schema import (
    BooleanProperty,
    IntegerProperty,
    MultiSelectProperty,
    NumberProperty,
    Option,
    Property,
    SelectProperty,
    StringProperty,
    UnknownProperty,
)

OPTIONS = (Option(value="a"), Option(value="b", title="Bee"), Option(value="c", title=""))


def question(member: Property, *, required: bool = False) -> DraftField:
    return field_of("x", member, required=required)


# --- what a presenter is told


@pytest.mark.parametrize(
    ("member", "kind"),
    [
        (StringProperty(), "text"),
        (NumberProperty(), "number"),
        (IntegerProperty(), "integer"),
        (BooleanProperty(), "boolean"),
        (SelectProperty(options=OPTIONS), "select"),
        (MultiSelectProperty(options=OPTIONS), "multi-select"),
        (UnknownProperty(type="location"), "unknown"),
    ],
)
def test_each_type_of_property_is_a_kind_of_question(member: Property, kind: str) -> None:
    field = question(member)
    assert (field.name, field.property, field.kind, field.required) == ("x", member, kind, False)
    assert field.options == (OPTIONS if "select" in kind else ())
    assert (field.has_default, field.default_text, field.default_chosen) == (False, "", ())


def test_a_question_is_labelled_with_its_title_or_else_its_name() -> None:
    assert question(StringProperty(title="Name", description="Yours")).label == "Name"
    assert question(StringProperty(title="Name", description="Yours")).description == "Yours"
    assert question(StringProperty(title="")).label == "x"
    assert question(StringProperty()).label == "x"
    assert question(StringProperty()).description is None


def test_a_question_says_whether_it_is_required() -> None:
    assert question(StringProperty(), required=True).required


# --- defaults


@pytest.mark.requirement("FORM-4")
@pytest.mark.parametrize(
    ("member", "entry", "text", "chosen"),
    [
        (StringProperty(default=" a "), " a ", " a ", ()),
        (StringProperty(default=""), "", "", ()),
        (StringProperty(default="abc", max_length=1), "abc", "abc", ()),
        (NumberProperty(default=1e-7), "0.0000001", "0.0000001", ()),
        (NumberProperty(default=0), "0", "0", ()),
        (IntegerProperty(default=0), "0", "0", ()),
        (IntegerProperty(default=2**53 + 1), "9007199254740993", "9007199254740993", ()),
        (BooleanProperty(default=True), "yes", "yes", ()),
        (BooleanProperty(default=False), "no", "no", ()),
        (SelectProperty(options=OPTIONS, default="b"), ("b",), "Bee", ("b",)),
        (SelectProperty(options=OPTIONS, default="c"), ("c",), "c", ("c",)),
        (
            MultiSelectProperty(options=OPTIONS, default=("b", "z", "a", "b")),
            ("a", "b"),
            "a, Bee",
            ("a", "b"),
        ),
        (MultiSelectProperty(options=OPTIONS, default=()), (), "", ()),
    ],
)
def test_a_default_is_what_a_field_starts_with(
    member: Property, entry: Entry, text: str, chosen: tuple[str, ...]
) -> None:
    field = question(member)
    assert default_entry(member) == entry
    assert (field.has_default, field.default_text, field.default_chosen) == (True, text, chosen)


@pytest.mark.requirement("FORM-4")
@pytest.mark.parametrize(
    "member",
    [
        StringProperty(),
        NumberProperty(),
        IntegerProperty(),
        BooleanProperty(),
        SelectProperty(options=OPTIONS),
        SelectProperty(options=OPTIONS, default="Bee"),
        SelectProperty(options=OPTIONS, default=""),
        MultiSelectProperty(options=OPTIONS),
        MultiSelectProperty(options=OPTIONS, default=("y", "z")),
        UnknownProperty(type="location"),
    ],
)
def test_without_a_default_or_with_one_that_is_no_option_a_field_starts_empty(
    member: Property,
) -> None:
    assert default_entry(member) is None
    assert not question(member).has_default


# --- from what stands in a field to its value


@pytest.mark.parametrize(
    ("member", "entry", "value"),
    [
        (StringProperty(), " a ", " a "),
        (StringProperty(), "  ", "  "),
        (StringProperty(), "two\nlines\n", "two\nlines\n"),
        (StringProperty(format="phone"), " 1 ", " 1 "),
        (StringProperty(format="email"), " ada@example.org ", "ada@example.org"),
        (StringProperty(format="uri"), " urn:a\n", "urn:a"),
        (StringProperty(format="date"), " 2026-12-31 ", "2026-12-31"),
        (StringProperty(format="date-time"), "\t2026-12-31T00:00:00Z", "2026-12-31T00:00:00Z"),
        (IntegerProperty(), "1.0", 1),
        (NumberProperty(), " 1.5 ", 1.5),
        (BooleanProperty(), "NO", False),
        (SelectProperty(options=OPTIONS), "Bee", "b"),
        (SelectProperty(options=OPTIONS), ("b",), "b"),
        (SelectProperty(options=OPTIONS), ("z",), "z"),
        (SelectProperty(options=(Option(value="", title="Nothing"),)), ("",), ""),
        (MultiSelectProperty(options=OPTIONS), "Bee, a, a", ["a", "b"]),
        (MultiSelectProperty(options=OPTIONS), ("c", "a", "c"), ["a", "c"]),
        (MultiSelectProperty(options=OPTIONS), ("z", "c", "y", "a", "z"), ["a", "c", "y", "z"]),
    ],
)
def test_an_entry_becomes_the_value_of_its_kind(
    member: Property, entry: Entry, value: object
) -> None:
    read = value_of(question(member), entry)
    assert read == value
    assert type(read) is type(value)


@pytest.mark.requirement("RES-3")
@pytest.mark.parametrize("required", [False, True])
@pytest.mark.parametrize(
    ("member", "entry"),
    [
        (StringProperty(), None),
        (StringProperty(), ""),
        (StringProperty(format="date"), "  "),
        (IntegerProperty(), ""),
        (IntegerProperty(), "  "),
        (NumberProperty(), "\n"),
        (BooleanProperty(), " "),
        (SelectProperty(options=OPTIONS), " "),
        (SelectProperty(options=OPTIONS), ()),
        (SelectProperty(options=(Option(value="", title="Nothing"),)), ""),
        (MultiSelectProperty(options=OPTIONS), None),
        (MultiSelectProperty(options=OPTIONS, min_items=1), ()),
        (MultiSelectProperty(options=OPTIONS, min_items=1), ""),
        (UnknownProperty(type="location"), "x"),
    ],
)
def test_what_is_left_empty_is_absent(member: Property, entry: Entry, required: bool) -> None:
    assert value_of(question(member, required=required), entry) is ABSENT


@pytest.mark.parametrize("member", [StringProperty(default=""), StringProperty(min_length=0)])
def test_a_required_text_may_be_empty_where_the_agent_says_so(member: StringProperty) -> None:
    assert value_of(question(member, required=True), "") == ""
    assert value_of(question(member, required=True), None) is ABSENT
    assert value_of(question(member, required=False), "") is ABSENT


def test_a_required_text_with_a_minimum_of_one_may_not_be_empty() -> None:
    assert value_of(question(StringProperty(min_length=1), required=True), "") is ABSENT


@pytest.mark.parametrize("entry", [(), "", " , "])
def test_nothing_chosen_is_an_empty_list_where_it_answers_something(entry: Entry) -> None:
    plain = MultiSelectProperty(options=OPTIONS)
    zero = MultiSelectProperty(options=OPTIONS, min_items=0)
    preset = MultiSelectProperty(options=OPTIONS, default=("a",))
    nothing_preset = MultiSelectProperty(options=OPTIONS, default=())
    assert value_of(question(plain, required=True), entry) == []
    assert value_of(question(zero, required=True), entry) == []
    assert value_of(question(preset), entry) == []
    assert value_of(question(plain), entry) is ABSENT
    assert value_of(question(nothing_preset), entry) is ABSENT


@pytest.mark.parametrize(
    ("member", "entry", "code"),
    [
        (IntegerProperty(), "1.5", "not-a-number"),
        (NumberProperty(), "1,5", "not-a-number"),
        (BooleanProperty(), "maybe", "not-yes-or-no"),
        (SelectProperty(options=OPTIONS), "z", "not-a-choice"),
        (SelectProperty(options=OPTIONS), ("a", "b"), "too-many"),
        (MultiSelectProperty(options=OPTIONS), "a, z", "not-a-choice"),
    ],
)
def test_text_that_is_no_value_is_refused(member: Property, entry: Entry, code: str) -> None:
    refusal = value_of(question(member), entry)
    assert isinstance(refusal, Refusal)
    assert refusal.code == code
    if code == "too-many":
        assert refusal.params == {"max_items": 1}


# --- what is shown


@pytest.mark.parametrize(
    ("member", "entry", "chosen"),
    [
        (SelectProperty(options=OPTIONS), None, ()),
        (SelectProperty(options=OPTIONS), ("b",), ("b",)),
        (SelectProperty(options=OPTIONS), "Bee", ("b",)),
        (SelectProperty(options=OPTIONS), "z", ()),
        (MultiSelectProperty(options=OPTIONS), ("c", "z", "a"), ("a", "c")),
        (MultiSelectProperty(options=OPTIONS), "Bee, a", ("a", "b")),
        (MultiSelectProperty(options=OPTIONS), "", ()),
        (StringProperty(), "a", ()),
    ],
)
def test_chosen_options_come_in_the_order_of_the_form(
    member: Property, entry: Entry, chosen: tuple[str, ...]
) -> None:
    assert chosen_of(question(member), entry) == chosen


@pytest.mark.parametrize(
    ("member", "value", "text"),
    [
        (StringProperty(), " a ", " a "),
        (NumberProperty(), 1e-7, "0.0000001"),
        (IntegerProperty(), 3, "3"),
        (BooleanProperty(), True, "yes"),
        (BooleanProperty(), False, "no"),
        (SelectProperty(options=OPTIONS), "b", "Bee"),
        (SelectProperty(options=OPTIONS), "c", "c"),
        (SelectProperty(options=OPTIONS), "z", "z"),
        (MultiSelectProperty(options=OPTIONS), ["a", "b"], "a, Bee"),
        (MultiSelectProperty(options=OPTIONS), [], ""),
        (StringProperty(), ABSENT, None),
        (StringProperty(), Refusal("not-a-number"), None),
    ],
)
def test_a_value_is_shown_as_a_person_reads_it(
    member: Property, value: Any, text: str | None
) -> None:
    assert shown(question(member), value) == text

"""Which forms of one's own cannot be asked, and how their author is told."""

from typing import Any

import pytest

from acp_elicitation.forms.check import Check
from acp_elicitation.forms.own import check_own_form
from acp_elicitation.protocol.errors import InvalidQuestion
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
from acp_elicitation.protocol.schema_wire import read_schema, write_schema
from acp_elicitation.protocol.version import V1

A, B = Option(value="a"), Option(value="b", title="B")
WRONG: Any = object()


def judged(member: Property, name: str = "x") -> str:
    """Return what the author of a form with this property is told."""
    with pytest.raises(InvalidQuestion) as raised:
        check_own_form(Check(FormSchema(properties={name: member})))
    return str(raised.value)


@pytest.mark.requirement("FORM-1")
@pytest.mark.parametrize(
    "member",
    [
        StringProperty(min_length=1, max_length=1, pattern="^a", default="a", format="ssn"),
        StringProperty(min_length=0, default=""),
        NumberProperty(minimum=0.5, maximum=0.5, default=0.5),
        IntegerProperty(minimum=-1, maximum=1, default=0),
        BooleanProperty(default=False),
        SelectProperty(options=(A, B), default="b"),
        MultiSelectProperty(options=(A, B), default=("b",), min_items=0, max_items=5),
        MultiSelectProperty(options=(A, B), min_items=2),
        UnknownProperty(type="_new"),
    ],
)
def test_a_form_that_can_be_answered_passes(member: Property) -> None:
    check = Check(FormSchema(properties={"x": member}, required=("x",)))
    check_own_form(check)
    assert check.schema.properties == {"x": member}


@pytest.mark.requirement("FWD-5")
@pytest.mark.parametrize(
    ("member", "told"),
    [
        (
            SelectProperty(options=()),
            "options of property 'x': there are none; give one at least, or do not ask",
        ),
        (
            MultiSelectProperty(options=()),
            "options of property 'x': there are none; give one at least, or do not ask",
        ),
        (
            SelectProperty(options=(Option(value=WRONG),)),
            "options of property 'x': a value is no text; make each a str",
        ),
        (
            SelectProperty(options=(WRONG,)),
            "options of property 'x': a value is no text; make each a str",
        ),
        (
            SelectProperty(options=(Option(value="a", title=WRONG),)),
            "options of property 'x': a title is no text; make each a str",
        ),
        (
            MultiSelectProperty(options=(A, A)),
            "options of property 'x': two have the same value; give each a value of its own",
        ),
        (
            StringProperty(min_length=-1),
            "min_length of property 'x': it must be an integer from 0 to 2**32 - 1, "
            "and not this int; correct it, or leave it out",
        ),
        (
            NumberProperty(maximum=float("nan")),
            "maximum of property 'x': it must be a number within the range of a double, "
            "and not this float; correct it, or leave it out",
        ),
        (
            BooleanProperty(title=WRONG),
            "title of property 'x': it must be a string, and not this object; "
            "correct it, or leave it out",
        ),
        (
            IntegerProperty(default=WRONG),
            "default of property 'x': it must be an integer, and not this object; "
            "correct it, or leave it out",
        ),
        (
            MultiSelectProperty(options=(A,), default=(WRONG,)),
            "default of property 'x': it must be a list of strings, and not this tuple; "
            "correct it, or leave it out",
        ),
        (
            StringProperty(min_length=3, max_length=2),
            "min_length of property 'x': 3 is more than max_length, which is 2; "
            "exchange them, or leave one out",
        ),
        (
            IntegerProperty(minimum=10, maximum=1),
            "minimum of property 'x': 10 is more than maximum, which is 1; "
            "exchange them, or leave one out",
        ),
        (
            NumberProperty(minimum=0.5, maximum=0.25),
            "minimum of property 'x': 0.5 is more than maximum, which is 0.25; "
            "exchange them, or leave one out",
        ),
        (
            MultiSelectProperty(options=(A, B), min_items=2, max_items=1),
            "min_items of property 'x': 2 is more than max_items, which is 1; "
            "exchange them, or leave one out",
        ),
        (
            MultiSelectProperty(options=(A, B), min_items=3),
            "min_items of property 'x': 3 is more than there are options (2); ask for fewer",
        ),
        (
            SelectProperty(options=(A, B), default="c"),
            "default of property 'x': it is none of the options; give one that fits, or none",
        ),
        (
            MultiSelectProperty(options=(A, B), default=("a", "c")),
            "default of property 'x': it is none of the options; give one that fits, or none",
        ),
        (
            IntegerProperty(minimum=1, default=0),
            "default of property 'x': it breaks the property's limits: too-small; "
            "give one that fits, or none",
        ),
        (
            StringProperty(pattern="^a", default="b"),
            "default of property 'x': it does not match the pattern; give one that fits, or none",
        ),
        (
            StringProperty(format="date", default="today"),
            "default of property 'x': it is not of the format; give one that fits, or none",
        ),
    ],
)
def test_a_form_that_cannot_be_asked_is_told_with_its_place(member: Property, told: str) -> None:
    assert judged(member) == told


@pytest.mark.requirement("FORM-9")
@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        ("(", "it is no valid ECMA-262 regular expression"),
        ("a" * 1_001, "it is too long"),
        ("(" * 480 + "a" + ")" * 480, "it takes too much memory or too deep a stack to compile"),
    ],
)
def test_a_pattern_that_no_client_takes_is_told(pattern: str, why: str) -> None:
    told = judged(StringProperty(pattern=pattern))
    assert told == f"pattern of property 'x': {why}; write one that JavaScript takes"


def test_a_required_name_without_a_property_is_told() -> None:
    with pytest.raises(InvalidQuestion) as raised:
        check_own_form(Check(FormSchema(properties={}, required=("ghost",))))
    assert raised.value.where == "required of property 'ghost'"


def test_neither_a_default_nor_an_option_is_quoted() -> None:
    told = judged(SelectProperty(options=(Option(value="mine"),), default="typed"))
    assert "mine" not in told
    assert "typed" not in told


SENT_BY_ANOTHER = {
    "type": "object",
    "required": ["ghost"],
    "properties": {
        "a": {"type": "string", "enum": ["x"], "default": "y"},
        "b": {"type": "integer", "minimum": 5, "maximum": 1},
    },
}


@pytest.mark.requirement("FWD-8")
def test_a_form_of_another_agent_is_left_to_the_client() -> None:
    form = read_schema(SENT_BY_ANOTHER, V1)
    for forwarded in (form, FormSchema(properties=form.properties)):
        check_own_form(Check(forwarded))
        assert write_schema(forwarded)["properties"] == SENT_BY_ANOTHER["properties"]


@pytest.mark.requirement("FORM-9")
def test_the_patterns_of_another_agent_are_judged() -> None:
    form = read_schema(
        {"type": "object", "properties": {"a": {"type": "string", "pattern": "("}}}, V1
    )
    with pytest.raises(InvalidQuestion):
        check_own_form(Check(form))

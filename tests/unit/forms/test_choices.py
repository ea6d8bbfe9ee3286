"""Literal and Enum as choices: what stands on the wire, what the user reads, what comes back."""

import enum
from typing import Any

import pytest

from acp_elicitation.forms.choices import (
    Choices,
    enum_choices,
    literal_choices,
    select,
    select_many,
)
from acp_elicitation.forms.kinds import NO_DEFAULT, Refused
from acp_elicitation.forms.limits import Limits
from acp_elicitation.protocol.errors import UnsupportedType
from acp_elicitation.protocol.schema import MultiSelectProperty, Option, SelectProperty


class Color(enum.Enum):
    RED = "red"
    """Bright red

    As of a fire engine,
    if it is new."""
    BLUE = "blue"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


class Planet(enum.Enum):
    EARTH = (5.97, 6378)
    MARS = (0.64, 3396)

    def __init__(self, mass: float, radius: float) -> None:
        self.__doc__ = f"radius {radius} km"


class Access(enum.Flag):
    READ = 1
    WRITE = 2


class Nothing(enum.Enum):
    pass


def of_enum(kind: Any, titles: dict[Any, str] | None = None) -> Choices:
    return enum_choices(kind, kind, titles or {}, where="Model.field")


def of_literal(*values: object, titles: dict[Any, str] | None = None) -> Choices:
    return literal_choices(values, titles or {}, where="Model.field")


def test_an_enum_of_strings_is_asked_for_by_value_with_titles_from_its_docstrings() -> None:
    assert of_enum(Color).options == (
        Option(value="red", title="Bright red", description="As of a fire engine, if it is new."),
        Option(value="blue"),
    )


@pytest.mark.parametrize(("kind", "texts"), [(Level, ["LOW", "HIGH"]), (Planet, ["EARTH", "MARS"])])
def test_any_other_enum_is_asked_for_by_name(kind: Any, texts: list[str]) -> None:
    assert [option.value for option in of_enum(kind).options] == texts


def test_a_docstring_that_a_member_sets_itself_is_its_title() -> None:
    assert [option.title for option in of_enum(Planet).options] == [
        "radius 6378 km",
        "radius 3396 km",
    ]


def test_given_titles_win_over_docstrings() -> None:
    found = of_enum(Color, {Color.RED: "Rot", "blue": "not this one"})
    assert [option.title for option in found.options] == ["Rot", None]


def test_integers_are_asked_for_as_text_and_come_back_as_integers() -> None:
    found = of_literal(1, 2, titles={2: "two"})
    assert found.options == (Option(value="1"), Option(value="2", title="two"))
    value = select(found).read("2")
    assert value == 2
    assert type(value) is int


def test_a_literal_of_members_of_an_enum_is_a_part_of_that_enum() -> None:
    found = of_literal(Color.BLUE)
    assert found.options == (Option(value="blue"),)
    assert select(found).read("blue") is Color.BLUE


@pytest.mark.requirement("FORM-1")
@pytest.mark.parametrize("values", [("a", 1), (True, False), (b"a",), (Color.RED, Level.LOW), ()])
def test_a_literal_of_anything_else_is_refused(values: tuple[object, ...]) -> None:
    with pytest.raises(UnsupportedType) as caught:
        of_literal(*values)
    assert caught.value.where == "Model.field"
    assert "use an Enum" in str(caught.value)


@pytest.mark.requirement("FORM-1")
@pytest.mark.parametrize(
    ("kind", "reason"), [(Access, "a set of flags"), (Nothing, "nothing to choose from")]
)
def test_flags_and_an_enum_without_members_are_refused(kind: Any, reason: str) -> None:
    with pytest.raises(UnsupportedType, match=reason):
        of_enum(kind)


def test_a_choice_is_read_as_the_member_that_it_stands_for() -> None:
    shape = select(of_enum(Planet))
    assert isinstance(shape.property, SelectProperty)
    assert shape.read("MARS") is Planet.MARS


@pytest.mark.parametrize(
    ("sent", "code"), [("green", "not-a-choice"), ("RED", "not-a-choice"), (1, "type")]
)
def test_what_is_no_choice_is_refused(sent: object, code: str) -> None:
    with pytest.raises(Refused) as caught:
        select(of_enum(Color)).read(sent)
    assert caught.value.code == code
    assert caught.value.__context__ is None


@pytest.mark.requirement("FORM-4")
@pytest.mark.parametrize(
    ("found", "default", "shown"),
    [
        (of_enum(Color), Color.RED, "red"),
        (of_enum(Color), "blue", "blue"),
        (of_enum(Color), "green", NO_DEFAULT),
        (of_enum(Level), Level.HIGH, "HIGH"),
        (of_enum(Level), 2, NO_DEFAULT),
        (of_literal(1, 2), 2, "2"),
        (of_literal(1, 2), True, NO_DEFAULT),
        (of_literal(1, 2), [], NO_DEFAULT),
        (of_literal("a"), "a", "a"),
    ],
)
def test_a_default_is_shown_as_the_text_of_its_choice(
    found: Choices, default: object, shown: object
) -> None:
    assert select(found).show(default) == shown


def test_several_choices_are_made_into_the_container_that_was_asked_for() -> None:
    shape = select_many(of_enum(Color), Limits(min_length=1, max_length=2), frozenset)
    options = of_enum(Color).options
    assert shape.property == MultiSelectProperty(options=options, min_items=1, max_items=2)
    assert shape.read(["blue", "red"]) == frozenset({Color.RED, Color.BLUE})


def test_a_choice_made_twice_counts_once() -> None:
    shape = select_many(of_enum(Color), Limits(), list)
    assert shape.read(["blue", "red", "blue"]) == [Color.BLUE, Color.RED]


@pytest.mark.parametrize(
    ("sent", "code", "params"),
    [
        ("red", "type", {"expected": "choices"}),
        (["green"], "not-a-choice", {}),
        ([["red"]], "type", {"expected": "text"}),
    ],
)
def test_what_is_no_list_of_choices_is_refused(
    sent: object, code: str, params: dict[str, str]
) -> None:
    with pytest.raises(Refused) as caught:
        select_many(of_enum(Color), Limits(), list).read(sent)
    assert (caught.value.code, caught.value.params) == (code, params)


@pytest.mark.parametrize(
    ("default", "shown"),
    [
        ({Color.BLUE, Color.RED}, ("red", "blue")),
        (["blue"], ("blue",)),
        ([], ()),
        ([Color.RED, 5], NO_DEFAULT),
        ("red", NO_DEFAULT),
        ("", NO_DEFAULT),
        (5, NO_DEFAULT),
    ],
)
def test_a_default_of_several_choices_is_shown_in_the_order_of_the_options(
    default: object, shown: object
) -> None:
    assert select_many(of_enum(Color), Limits(), list).show(default) == shown

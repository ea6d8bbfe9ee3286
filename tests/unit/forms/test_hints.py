"""Hints: which ones a form can say, in every way of writing them, and why each other one fails."""

import collections.abc
import datetime
import enum
import uuid
from decimal import Decimal
from pathlib import Path
from typing import (
    Annotated,
    Any,
    Final,
    Generic,
    Literal,
    NewType,
    Optional,
    TypeVar,
    Union,
)

import annotated_types as at
import pytest
from pydantic import (
    AfterValidator,
    AnyUrl,
    BaseModel,
    BeforeValidator,
    EmailStr,
    Field,
    FilePath,
    PlainSerializer,
    PositiveInt,
    SecretStr,
    StrictBool,
    StringConstraints,
)
from typing_extensions import TypeAliasType

from acp_elicitation.forms.hints import Asked, Place, understand
from acp_elicitation.forms.kinds import Refused
from acp_elicitation.protocol.errors import UnsupportedType
from acp_elicitation.protocol.schema import (
    BooleanProperty,
    IntegerProperty,
    MultiSelectProperty,
    NumberProperty,
    Option,
    Property,
    SelectProperty,
    StringProperty,
)


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Inner(BaseModel):
    name: str


T = TypeVar("T")


class Box(Generic[T]):
    pass


UserId = NewType("UserId", int)
Score = TypeAliasType("Score", Annotated[int, Field(ge=0)])
Letter = TypeAliasType("Letter", Literal["a"] | Literal["b"])
COLORS = (Option(value="red"), Option(value="blue"))
AB = (Option(value="a"), Option(value="b"))


def asked(hint: object, *metadata: object, validates: bool = False) -> Asked:
    return understand(hint, metadata, Place("Model.field", {}, validates))


@pytest.mark.requirement("FORM-1")
@pytest.mark.parametrize(
    ("hint", "member"),
    [
        (str, StringProperty()),
        (int, IntegerProperty()),
        (float, NumberProperty()),
        (bool, BooleanProperty()),
        (StrictBool, BooleanProperty()),
        (datetime.date, StringProperty(format="date")),
        (datetime.datetime, StringProperty(format="date-time")),
        (Decimal, NumberProperty()),
        (Path, StringProperty(min_length=1)),
        (EmailStr, StringProperty(format="email")),
        (AnyUrl, StringProperty(format="uri", min_length=1)),
        (PositiveInt, IntegerProperty(minimum=1)),
        (UserId, IntegerProperty()),
        (Score, IntegerProperty(minimum=0)),
        (Final[int], IntegerProperty()),
        (Annotated[UserId, at.Lt(5)], IntegerProperty(maximum=4)),
        (Literal["a", "b"], SelectProperty(options=AB)),
        (Union[Literal["a"], Literal["b"]], SelectProperty(options=AB)),  # noqa: UP007
        (Color, SelectProperty(options=COLORS)),
        (list[Color], MultiSelectProperty(options=COLORS)),
        (Annotated[set[Color], at.Len(1, 2)], MultiSelectProperty(options=COLORS, min_items=1,
                                                                  max_items=2)),
        (frozenset[Literal["a", "b"]], MultiSelectProperty(options=AB)),
        (tuple[Annotated[Color, "a color"], ...], MultiSelectProperty(options=COLORS)),
    ],
)  # fmt: skip
def test_a_hint_is_asked_for_as_the_one_property_that_says_it(hint: Any, member: Property) -> None:
    found = asked(hint)
    assert found.shape.property == member
    assert not found.nullable


def test_an_identifier_is_read_as_one() -> None:
    text = "12345678-1234-5678-1234-567812345678"
    assert asked(uuid.UUID).shape.read(text) == uuid.UUID(text)


@pytest.mark.parametrize(
    "hint",
    [
        int | None,
        Optional[int],  # noqa: UP045
        Union[None, int],  # noqa: UP007
        Annotated[int | None, "words"],
        Annotated[int, "words"] | None,
    ],
)
def test_none_is_never_a_value_of_the_property(hint: Any) -> None:
    found = asked(hint)
    assert found.nullable
    assert found.shape.property == IntegerProperty()


def test_none_among_the_choices_is_no_choice() -> None:
    for hint in (Literal["a", "b", None], Literal["a", None] | Literal["b"]):
        found = asked(hint)
        assert found.nullable
        assert found.shape.property == SelectProperty(options=AB)


def test_none_outside_of_an_alias_counts() -> None:
    found = asked(Union[Letter, None])  # noqa: UP007
    assert found.nullable
    assert found.shape.property == SelectProperty(options=AB)


def test_limits_inside_and_outside_of_none_count_both() -> None:
    hint = Annotated[Annotated[int, at.Ge(2)] | None, at.Le(5)]
    assert asked(hint, at.Lt(5)).shape.property == IntegerProperty(minimum=2, maximum=4)


def test_the_metadata_of_all_layers_is_handed_on_from_the_outside_in() -> None:
    found = asked(Annotated[Annotated[int, "inner"] | None, "outer"], "field")
    assert found.metadata == ("field", "outer", "inner")


@pytest.mark.parametrize(
    ("hint", "value"),
    [
        (list[Color], [Color.RED]),
        (set[Color], {Color.RED}),
        (frozenset[Color], frozenset({Color.RED})),
        (tuple[Color, ...], (Color.RED,)),
        (collections.abc.Sequence[Color], [Color.RED]),
        (collections.abc.Set[Color], frozenset({Color.RED})),
    ],
)
def test_choices_are_read_into_the_container_of_the_hint(hint: Any, value: object) -> None:
    read = asked(hint).shape.read(["red"])
    assert read == value
    assert type(read) is type(value)


@pytest.mark.requirement("FORM-1")
@pytest.mark.parametrize(
    ("hint", "reason"),
    [
        (int | str, "a union of several types"),
        (Literal["a"] | int, "a union of several types"),
        (list[str], "no list of free values"),
        (list[int], "no list of free values"),
        (list[Color | None], "no list of free values"),
        (list[Literal["a", None]], "no list of free values"),
        (list[list[Color]], "no list of free values"),
        (list, "no list of free values"),
        (tuple, "no list of free values"),
        (list[None], "no list of free values"),
        (tuple[Color, Color], "a tuple of a fixed length"),
        (tuple[Color], "a tuple of a fixed length"),
        (tuple[()], "a tuple of a fixed length"),
        (dict[str, str], "no dictionaries"),
        (Inner, "Inner has fields of its own"),
        (Box, "Box is none of the types"),
        (Box[int], "is none of the types"),
        (SecretStr, "must not ask for a secret"),
        (datetime.timedelta, "timedelta is none of the types"),
        (Any, "any type at all"),
        (None, "None is none of the types"),
        (Literal[1, "a"], "a Literal has to be"),
        (T, "stands for no type yet"),
    ],
)
def test_what_a_form_cannot_say_is_refused_with_its_place(hint: Any, reason: str) -> None:
    with pytest.raises(UnsupportedType) as caught:
        asked(hint)
    assert caught.value.where == "Model.field"
    assert reason in caught.value.reason
    assert caught.value.instead


def test_in_a_pydantic_model_what_pydantic_knows_is_text() -> None:
    found = asked(datetime.timedelta, validates=True)
    assert found.shape.property == StringProperty(format="duration")


@pytest.mark.requirement("FORM-3")
def test_where_nobody_else_checks_them_the_limits_are_checked_on_receipt() -> None:
    read = asked(float, at.Gt(0), at.MultipleOf(0.5)).shape.read
    assert read(1.5) == 1.5
    for wrong, reason in ((0, "must be greater than 0"), (0.7, "must be a multiple of 0.5")):
        with pytest.raises(Refused) as caught:
            read(wrong)
        assert caught.value.code == "rejected"
        assert caught.value.params == {"reason": reason}


def test_a_model_that_validates_checks_its_limits_itself() -> None:
    assert asked(float, at.Gt(0), validates=True).shape.read(-1) == -1


def test_bounds_of_a_date_are_checked_on_receipt() -> None:
    read = asked(Annotated[datetime.date, at.Ge(datetime.date(2026, 1, 1))]).shape.read
    assert read("2026-01-01") == datetime.date(2026, 1, 1)
    with pytest.raises(Refused):
        read("2025-12-31")


@pytest.mark.parametrize(
    "metadata",
    [
        AfterValidator(str.strip),
        BeforeValidator(str.strip),
        StringConstraints(strip_whitespace=True),
        StringConstraints(to_upper=True),
    ],
)
def test_what_only_a_pydantic_model_does_is_refused_elsewhere(metadata: object) -> None:
    assert asked(str, metadata, validates=True).shape.property == StringProperty()
    with pytest.raises(UnsupportedType, match="works in a pydantic model only"):
        asked(str, metadata)


def test_metadata_that_changes_no_answer_is_fine_anywhere() -> None:
    found = asked(str, PlainSerializer(str.upper), StringConstraints(min_length=1))
    assert found.shape.property == StringProperty(min_length=1)
    with pytest.raises(UnsupportedType, match="PathType works in a pydantic model only"):
        asked(FilePath)

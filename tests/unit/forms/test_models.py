"""pydantic's own types as sources: fields, aliases, validators, and errors without the input."""

import enum
from typing import Annotated, Any, Generic, TypeVar

import pydantic.dataclasses
import pytest
from pydantic import (
    AliasChoices,
    AliasGenerator,
    AliasPath,
    BaseModel,
    ConfigDict,
    Field,
    RootModel,
    TypeAdapter,
    field_validator,
    model_validator,
)
from pydantic.alias_generators import to_camel
from pydantic.json_schema import SkipJsonSchema
from pydantic_core import PydanticCustomError

from acp_elicitation.forms.field import ABSENT, Source
from acp_elicitation.forms.field import Field as Asked
from acp_elicitation.forms.models import model_source
from acp_elicitation.forms.problem import Problem
from acp_elicitation.protocol.errors import InvalidAnswer, UnsupportedType

T = TypeVar("T")


class Branch(BaseModel):
    """Where to work.

    Attributes:
        name: not for users
    """

    model_config = ConfigDict(title="Branch", extra="forbid")

    name: str
    base: str = "main"
    depth: int | None = None
    tags: list[str] = Field(default_factory=lambda: ["a"])


def fields(model: Any) -> dict[str, Asked]:
    return {field.name: field for field in model_source(model).fields}


def problems(source: Source, **values: Any) -> tuple[object, ...]:
    with pytest.raises(InvalidAnswer) as caught:
        source.make(values)
    assert caught.value.__context__ is None
    return caught.value.problems


def rejected(name: str, reason: str) -> Problem:
    return Problem(name, "rejected", {"reason": reason})


def test_a_model_is_its_fields_in_their_order() -> None:
    source = model_source(Branch)
    assert [field.name for field in source.fields] == ["name", "base", "depth", "tags"]
    assert (source.name, source.title, source.validates) == ("Branch", "Branch", True)
    assert (source.description or "").startswith("Where to work.")


def test_a_default_a_factory_and_neither() -> None:
    found = fields(Branch)
    assert (found["name"].default, found["name"].factory) == (ABSENT, None)
    assert (found["base"].default, found["base"].metadata) == (
        "main",
        (Branch.model_fields["base"],),
    )
    assert found["depth"].default is None
    assert found["tags"].default is ABSENT
    assert found["tags"].factory is not None
    assert found["tags"].factory() == ["a"]


def test_an_instance_is_made_by_pydantic() -> None:
    assert model_source(Branch).make({"name": "x"}) == Branch(name="x")


def test_an_alias_is_the_name_in_the_form() -> None:
    class Model(BaseModel):
        model_config = ConfigDict(alias_generator=AliasGenerator(validation_alias=to_camel))

        base_branch: str
        b: int = Field(alias="count")
        c: str = Field(default="", validation_alias=AliasChoices(AliasPath("x", 0), "see"))

    found = fields(Model)
    assert [field.wire for field in found.values()] == ["baseBranch", "count", "see"]
    made = model_source(Model).make({"baseBranch": "main", "count": 3, "see": "c"})
    assert (made.base_branch, made.b, made.c) == ("main", 3, "c")


@pytest.mark.parametrize(
    "config",
    [ConfigDict(), ConfigDict(validate_by_name=True, validate_by_alias=False)],
)
def test_an_alias_counts_whatever_the_config_says(config: ConfigDict) -> None:
    class Model(BaseModel):
        model_config = config

        a: int = Field(alias="b")
        b: int = Field(default=0, alias="a")

    made = model_source(Model).make({"b": 1})
    assert (made.a, made.b) == (1, 0)


def test_a_field_whose_alias_is_a_path_has_its_own_name_in_the_form() -> None:
    class Model(BaseModel):
        first: int = Field(validation_alias=AliasPath("list", 0))
        second: int = Field(alias="zweite")

    assert [field.wire for field in fields(Model).values()] == ["first", "zweite"]
    made = model_source(Model).make({"first": 1, "zweite": 2})
    assert (made.first, made.second) == (1, 2)


@pytest.mark.requirement("FORM-3")
def test_validators_refuse_with_their_own_words_at_their_property() -> None:
    class Model(BaseModel):
        number: int = Field(alias="n", gt=0)
        other: int

        @field_validator("other")
        @classmethod
        def check_other(cls, value: int) -> int:
            if value == 3:
                raise AssertionError("three is taken")
            if value == 4:
                raise ValueError("four is taken")
            return value

        @model_validator(mode="after")
        def check_both(self) -> "Model":
            if self.number == self.other:
                raise ValueError("choose two different numbers")
            return self

    source = model_source(Model)
    assert problems(source, n=0, other=3) == (
        rejected("n", "Input should be greater than 0"),
        rejected("other", "three is taken"),
    )
    assert problems(source, n=1, other=4) == (rejected("other", "four is taken"),)
    assert problems(source, n=1, other=1) == (rejected("*", "choose two different numbers"),)


def test_an_error_that_pydantic_words_itself_keeps_its_words() -> None:
    class Model(BaseModel):
        email: str

        @field_validator("email")
        @classmethod
        def check(cls, value: str) -> str:
            raise PydanticCustomError("value_error", "no address: {why}", {"why": "no @"})

    assert problems(model_source(Model), email="x") == (rejected("email", "no address: no @"),)


def test_an_error_at_a_place_that_the_form_does_not_have_is_one_of_the_whole_form() -> None:
    class Model(BaseModel):
        name: str

        @model_validator(mode="before")
        @classmethod
        def add(cls, data: dict[str, Any]) -> dict[str, Any]:
            unknown: Any = "extra" if data["name"] == "x" else 5
            return {**data, unknown: 1}

        model_config = ConfigDict(extra="forbid")

    source = model_source(Model)
    assert problems(source, name="x") == (rejected("*", "Extra inputs are not permitted"),)
    assert problems(source, name="y") == (rejected("*", "Keys should be strings"),)


def test_an_error_inside_of_a_list_is_one_of_its_property() -> None:
    class Model(BaseModel):
        tags: list[Annotated[str, Field(min_length=2)]]

    assert [problem.property for problem in model_problems(Model, tags=["a"])] == ["tags"]


def model_problems(model: Any, **values: Any) -> list[Problem]:
    return [one for one in problems(model_source(model), **values) if isinstance(one, Problem)]


def test_a_validator_that_validates_something_itself_does_not_repeat_the_input() -> None:
    class Model(BaseModel):
        text: str

        @field_validator("text")
        @classmethod
        def check(cls, value: str) -> str:
            TypeAdapter(int).validate_python(value)
            return value

    (problem,) = model_problems(Model, text="hunter2")
    assert "valid integer" in problem.params["reason"]
    assert "hunter2" not in problem.params["reason"]


def test_a_field_without_a_place_in_a_json_schema_is_not_asked_for() -> None:
    class Model(BaseModel):
        name: str
        state: SkipJsonSchema[dict[str, int]] = {}
        needed: SkipJsonSchema[int]

    assert list(fields(Model)) == ["name", "needed"]


def test_a_factory_that_needs_the_answers_shows_no_default() -> None:
    class Model(BaseModel):
        name: str
        slug: str = Field(default_factory=lambda data: data["name"].lower())

    found = fields(Model)["slug"]
    assert (found.factory, found.default, found.optional) == (None, ABSENT, True)
    assert model_source(Model).make({"name": "A"}).slug == "a"


def test_a_pydantic_dataclass_is_a_source_too() -> None:
    @pydantic.dataclasses.dataclass
    class Data:
        name: Annotated[str, Field(alias="n", description="What it is called.")]
        made: int = pydantic.Field(default=5, init=False)

    source = model_source(Data)
    assert [(field.name, field.wire) for field in source.fields] == [("name", "n")]
    assert source.description is None
    made = source.make({"n": "x"})
    assert (made.name, made.made) == ("x", 5)


def test_inherited_and_generic_models_have_all_their_fields() -> None:
    class Box(BaseModel, Generic[T]):
        value: T

    class Labelled(Box[int]):
        label: str

    assert [field.hint for field in fields(Labelled).values()] == [int, str]
    assert fields(Box[str])["value"].hint is str


class Early(BaseModel):
    kind: "Kind"


@pydantic.dataclasses.dataclass
class EarlyData:
    kind: "Kind"


class Kind(enum.Enum):
    A = "a"


@pytest.mark.parametrize("model", [Early, EarlyData])
def test_a_model_that_was_defined_too_early_is_completed(model: Any) -> None:
    assert fields(model)["kind"].hint is Kind


def test_an_annotation_that_cannot_be_resolved_is_said() -> None:
    class Never(BaseModel):
        kind: "NotThere"  # type: ignore[name-defined] # noqa: F821

    with pytest.raises(UnsupportedType, match="Never: the annotation 'NotThere' cannot be"):
        model_source(Never)


def test_a_root_model_has_no_fields() -> None:
    class Names(RootModel[list[str]]):
        pass

    with pytest.raises(UnsupportedType, match="a RootModel has no fields"):
        model_source(Names)

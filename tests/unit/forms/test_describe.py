"""A type, described: what is asked on the wire, what becomes of an answer, and what is refused."""

import datetime
import enum
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Generic, Literal, NamedTuple, NotRequired, TypedDict, TypeVar
from uuid import UUID

import msgspec
import pytest
from pydantic import AnyUrl, BaseModel, ConfigDict, Field, SecretStr, field_validator

from acp_elicitation.forms import describe as module
from acp_elicitation.forms.check import check
from acp_elicitation.forms.describe import Description, describe
from acp_elicitation.forms.problem import Problem
from acp_elicitation.protocol.errors import InvalidAnswer, SecretInForm, UnsupportedType
from acp_elicitation.protocol.schema import (
    FormSchema,
    IntegerProperty,
    Option,
    SelectProperty,
    StringProperty,
    UnknownProperty,
)
from acp_elicitation.protocol.schema_wire import read_schema, write_schema
from acp_elicitation.protocol.version import V1, V2, Version
from tests.official_schemas import strict_validator

T = TypeVar("T")
ID = "12345678-1234-5678-1234-567812345678"


class Color(enum.Enum):
    RED = "red"
    """Bright red"""
    BLUE = "blue"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


class Everything(BaseModel):
    """Everything that a form can ask for."""

    text: str = Field(title="Text", description="Any text", min_length=1, max_length=80)
    word: str = Field(default="x", pattern=r"\A\w+\z")
    whole: int = Field(gt=0, lt=10, examples=[1, 2])
    number: float = Field(default=0.5, gt=0)
    yes: bool = True
    literal: Literal["a", "b"] = "a"
    digits: Literal[1, 2, 3] = 2
    color: Color = Color.RED
    level: Level = Level.HIGH
    colors: set[Color] = {Color.BLUE}
    letters: list[Literal["a", "b"]] = Field(default_factory=list, max_length=1)
    maybe: int | None = None
    day: datetime.date = datetime.date(2026, 12, 31)
    moment: datetime.datetime | None = None
    url: AnyUrl | None = None
    id: UUID | None = None
    amount: Decimal = Decimal("0.1")
    exact: Decimal | None = Field(default=None, max_digits=30)
    path: Path = Path("a/b")
    renamed: int = Field(default=0, alias="reNamed", json_schema_extra={"_meta": {"a": 1}})


@dataclass
class Branch:
    """Where to work."""

    name: str
    """What it is called."""
    base: str = "main"
    color: Color | None = None


@dataclass
class Box(Generic[T]):
    value: T


class Struct(msgspec.Struct, rename="camel"):
    base_name: str
    size: Annotated[int, msgspec.Meta(ge=1)] = 3


class Dict(TypedDict):
    name: str
    size: NotRequired[int]
    depth: int | None


class Tuple(NamedTuple):
    name: str
    size: int = 3


def problems(description: Description[Any], content: Any) -> list[tuple[str, str]]:
    with pytest.raises(InvalidAnswer) as caught:
        description.build(content)
    return [(one.property, one.code) for one in caught.value.problems]


def members(value: object) -> Iterator[tuple[str, object]]:
    if isinstance(value, dict):
        for key, member in value.items():
            yield key, member
            yield from members(member)
    elif isinstance(value, list):
        for member in value:
            yield from members(member)


@pytest.mark.requirement("FORM-1")
@pytest.mark.parametrize("source", [Everything, Branch, Box[int], Struct, Dict, Tuple])
def test_what_is_sent_is_valid_in_both_versions(source: Any) -> None:
    for number, version in ((1, V1), (2, V2)):
        sent = write_schema(describe(source).schema, version)
        strict_validator(number, "ElicitationSchema").validate(sent)
        assert write_schema(read_schema(sent, version), version) == sent


@pytest.mark.requirement("FORM-1")
def test_what_is_sent_has_nothing_that_the_restricted_schema_lacks() -> None:
    sent = write_schema(describe(Everything).schema)
    found = list(members(sent["properties"]))
    assert {key for key, _ in found}.isdisjoint({"$ref", "$defs", "allOf", "not", "examples"})
    assert all(value is not None for _, value in found)
    # `const` stands in the titled options of the restricted schema, and nowhere else.
    for member in sent["properties"].values():
        assert "const" not in member
        assert "anyOf" not in member


def test_properties_keep_the_order_of_the_fields() -> None:
    names = [info.alias or name for name, info in Everything.model_fields.items()]
    assert list(describe(Everything).schema.properties) == names


def test_the_whole_form_has_the_words_of_its_type() -> None:
    form = describe(Everything).schema
    assert form.description == "Everything that a form can ask for."
    assert form.required == ("text", "whole")


def test_an_answer_becomes_an_instance() -> None:
    description = describe(Everything)
    content = {
        "text": "hello", "whole": 3.0, "digits": "3", "color": "blue", "level": "LOW",
        "colors": ["red", "blue"], "letters": ["b"], "day": "2026-01-02", "id": ID,
        "moment": "2026-01-02T03:04:05Z", "url": "https://example.org", "amount": 0.3,
        "exact": "0.12345678901234567890", "path": "c", "reNamed": 7,
    }  # fmt: skip
    assert check(description.schema, content) == []
    made = description.build(content)
    assert made == Everything(
        text="hello",
        whole=3,
        digits=3,
        color=Color.BLUE,
        level=Level.LOW,
        colors={Color.RED, Color.BLUE},
        letters=["b"],
        day=datetime.date(2026, 1, 2),
        moment=datetime.datetime(2026, 1, 2, 3, 4, 5, tzinfo=datetime.UTC),
        url=AnyUrl("https://example.org"),
        id=UUID(ID),
        amount=Decimal("0.3"),
        exact=Decimal("0.12345678901234567890"),
        path=Path("c"),
        reNamed=7,
    )
    assert type(made.whole) is int


@pytest.mark.parametrize(
    ("source", "content", "made"),
    [
        (Branch, {"name": "x", "color": "red"}, Branch("x", color=Color.RED)),
        (Branch, {"name": "x"}, Branch("x")),
        (Box[int], {"value": 3}, Box(3)),
        (Struct, {"baseName": "x"}, Struct(base_name="x")),
        (Dict, {"name": "x"}, {"name": "x", "depth": None}),
        (Dict, {"name": "x", "size": 1, "depth": 2}, {"name": "x", "size": 1, "depth": 2}),
        (Tuple, {"name": "x", "size": 5}, Tuple("x", 5)),
    ],
)
def test_every_kind_of_type_is_built(source: Any, content: dict[str, Any], made: object) -> None:
    built = describe(source).build(content)
    assert built == made
    assert type(built) is type(made)


def test_the_parameters_of_a_function_come_back_as_its_keyword_arguments() -> None:
    def deploy(target: Literal["staging", "live"], *, dry_run: bool = True) -> str:
        """Deploy the service."""
        return f"{target} {dry_run}"

    description = describe(deploy)
    assert description.schema.description == "Deploy the service."
    assert deploy(**description.build({"target": "live"})) == "live True"


def test_a_form_that_is_there_already_gives_its_content_back() -> None:
    form = FormSchema(
        properties={
            "name": StringProperty(),
            "count": IntegerProperty(),
            "new": UnknownProperty(type="_new"),
        },
        required=("name",),
    )
    description = describe(form)
    assert description.schema is form
    assert description.build({"name": "x", "count": 3.0, "new": [1]}) == {
        "name": "x",
        "count": 3,
        "new": [1],
    }
    assert problems(description, {"count": "3"}) == [("count", "type"), ("name", "required")]


@pytest.mark.requirement("RES-2")
def test_no_content_is_the_empty_object() -> None:
    class Optional(BaseModel):
        note: str | None = None

    assert describe(Optional).build(None) == Optional()
    assert problems(describe(Branch), None) == [("name", "required")]


def test_an_optional_field_that_is_absent_is_none_and_any_other_has_its_default() -> None:
    @dataclass
    class Data:
        bare: int | None
        cleared: int | None = 3
        kept: int = 5
        made: list[Color] = field(default_factory=lambda: [Color.RED])

    assert describe(Data).build({}) == Data(None, None, 5, [Color.RED])


@pytest.mark.requirement("FORM-3")
@pytest.mark.parametrize(
    ("content", "found"),
    [
        ({"whole": True}, ("whole", "type")),
        ({"whole": "3"}, ("whole", "type")),
        ({"yes": "yes"}, ("yes", "type")),
        ({"yes": 1}, ("yes", "type")),
        ({"text": 5}, ("text", "type")),
        ({"digits": 2}, ("digits", "type")),
        ({"digits": "4"}, ("digits", "not-a-choice")),
        ({"color": "RED"}, ("color", "not-a-choice")),
        ({"maybe": None}, ("maybe", "type")),
        ({"day": "2026-02-30"}, ("day", "format")),
        ({"renamed": 1}, ("renamed", "undeclared")),
        ({"whole": 0}, ("whole", "rejected")),
        ({"number": 0}, ("number", "rejected")),
    ],
)
def test_nothing_is_converted_that_the_type_does_not_take(
    content: dict[str, Any], found: tuple[str, str]
) -> None:
    fine = {"text": "hello", "whole": 3}
    assert problems(describe(Everything), fine | content) == [found]


@pytest.mark.requirement("FORM-3")
def test_an_exclusive_bound_that_the_wire_cannot_say_is_checked_on_receipt() -> None:
    @dataclass
    class Data:
        share: Annotated[float, Field(gt=0, lt=1)]

    description = describe(Data)
    assert check(description.schema, {"share": 0}) == []
    with pytest.raises(InvalidAnswer) as caught:
        description.build({"share": 0})
    assert caught.value.problems == (
        Problem("share", "rejected", {"reason": "must be greater than 0"}),
    )


def test_what_the_user_typed_is_in_no_problem_and_in_no_exception() -> None:
    class Model(BaseModel):
        name: str
        text: str
        choice: Literal["short", "long"] = "short"

        @field_validator("text")
        @classmethod
        def check(cls, value: str) -> str:
            raise ValueError(f"{value} is not short")

    with pytest.raises(InvalidAnswer) as caught:
        describe(Model).build({"name": "hunter", "text": "hunter2", "choice": "short"})
    (problem,) = caught.value.problems
    assert problem == Problem("text", "rejected", {"reason": "… is not short"})
    assert "hunter2" not in str(caught.value)
    assert caught.value.__context__ is None


@pytest.mark.requirement("FORM-4")
def test_a_factory_is_called_each_time_that_the_form_is_made() -> None:
    numbers = iter([1, 2])

    class Model(BaseModel):
        plain: int = 0
        number: int = Field(default_factory=lambda: next(numbers))

    description = describe(Model)
    defaults = [description.schema.properties["number"] for _ in range(2)]
    assert defaults == [IntegerProperty(default=1), IntegerProperty(default=2)]
    assert describe(Branch).schema is describe(Branch).schema


def test_a_factory_that_gives_the_same_again_gives_the_same_form() -> None:
    @dataclass
    class Data:
        colors: list[Color] = field(default_factory=lambda: [Color.RED])

    description = describe(Data)
    assert description.schema is description.schema


def test_the_check_is_the_one_of_the_form_that_was_made_last() -> None:
    numbers = iter([1, 2])

    class Model(BaseModel):
        number: int = Field(default_factory=lambda: next(numbers))

    description = describe(Model)
    for _ in range(2):
        form = description.schema
        assert description.check.schema is form


@pytest.mark.parametrize("version", [V1, V2])
def test_a_form_is_written_once_for_as_long_as_it_holds(version: Version) -> None:
    numbers = iter([1, 2])

    class Model(BaseModel):
        number: int = Field(default_factory=lambda: next(numbers))

    description = describe(Model)
    first = description.schema
    written = description.written(first, version)
    assert written == write_schema(first, version)
    assert description.written(first, version) is written
    second = description.schema
    assert description.written(second, version)["properties"]["number"]["default"] == 2
    assert description.written(first, version) == write_schema(first, version)


def test_each_version_is_written_in_its_own_way() -> None:
    class Model(BaseModel):
        id: UUID

    description = describe(Model)
    form = description.schema
    formats = [
        description.written(form, version)["properties"]["id"].get("format") for version in (V1, V2)
    ]
    assert formats == [None, "uuid"]


def test_the_title_of_the_model_is_that_of_the_form() -> None:
    class Model(BaseModel):
        model_config = ConfigDict(title="A title")

    assert describe(Model).schema == FormSchema(properties={}, title="A title")


def test_titles_say_what_the_user_reads() -> None:
    class Model(BaseModel):
        color: Color
        database: Literal["pg", "lite"]

    titled = describe(Model, titles={Color.BLUE: "Blue", "pg": "PostgreSQL"})
    assert titled.schema.properties == {
        "color": SelectProperty(
            options=(Option(value="red", title="Bright red"), Option(value="blue", title="Blue"))
        ),
        "database": SelectProperty(
            options=(Option(value="pg", title="PostgreSQL"), Option(value="lite"))
        ),
    }
    assert describe(Model) is not titled


def test_a_type_is_described_once() -> None:
    class Unhashable(type):
        __hash__ = None  # type: ignore[assignment]

        def __eq__(cls, other: object) -> bool:
            return False

    @dataclass
    class Data(metaclass=Unhashable):
        name: str

    assert describe(Branch) is describe(Branch)
    assert describe(Data) is describe(Data)
    assert describe(Box[int]) is describe(Box[int])


def test_the_oldest_description_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_CACHE_SIZE", 2)
    monkeypatch.setattr(module, "_cache", {})
    first = describe(Branch)
    describe(Struct)
    assert describe(Branch) is first
    describe(Tuple)
    assert describe(Branch) is not first


@pytest.mark.requirement("FORM-1")
def test_two_fields_of_one_name_are_refused() -> None:
    class Model(BaseModel):
        a: int = Field(alias="x")
        b: int = Field(alias="x")

    with pytest.raises(UnsupportedType, match=r"Model\.b: another field is called 'x'"):
        describe(Model)


@pytest.mark.requirement("FORM-5")
def test_a_secret_is_refused_by_its_type() -> None:
    class Login(BaseModel):
        user: str
        password: SecretStr

    with pytest.raises(SecretInForm) as caught:
        describe(Login)
    assert (caught.value.property, caught.value.where) == ("password", "type")


def test_describing_does_not_import_pydantic_for_another_type() -> None:
    program = """
import sys
from dataclasses import dataclass
from acp_elicitation.forms.describe import describe

@dataclass
class Data:
    name: str

assert describe(Data).build({"name": "x"}) == Data("x")
heavy = {"pydantic", "pydantic_core", "uuid", "pathlib", "decimal"} & set(sys.modules)
sys.exit(f"imported {heavy}" if "pydantic" in heavy else 0)
"""
    done = subprocess.run([sys.executable, "-c", program], check=False, timeout=50)
    assert done.returncode == 0


@pytest.mark.requirement("FORM-1")
def test_a_field_that_no_form_can_ask_for_is_named_with_what_to_use_instead() -> None:
    class Nested(BaseModel):
        owner: dict[str, str]

    with pytest.raises(UnsupportedType, match=r"Nested\.owner: a form has no dictionaries; use"):
        describe(Nested)


def test_what_is_described_already_is_returned_as_it_is() -> None:
    description = describe(FormSchema(properties={}))
    assert describe(description) is description

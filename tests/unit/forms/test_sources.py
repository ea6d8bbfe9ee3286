"""Which types are sources of a form, and what their fields are."""

import functools
from collections import namedtuple
from dataclasses import InitVar, dataclass, field
from typing import (
    Annotated,
    Any,
    ClassVar,
    Generic,
    NamedTuple,
    NotRequired,
    Required,
    TypedDict,
    TypeVar,
)

import msgspec
import pytest
import typing_extensions
from pydantic import BaseModel

from acp_elicitation.forms.field import ABSENT, Field, Source
from acp_elicitation.forms.sources import source_of
from acp_elicitation.protocol.errors import InvalidAnswer, UnsupportedType

T = TypeVar("T")


class Model(BaseModel):
    name: str


@dataclass
class Data:
    """A dataclass."""

    name: str
    """What it is called."""
    size: int = 3
    tags: list[str] = field(default_factory=list, metadata={"title": "Tags", "description": "Any"})
    made: int = field(default=0, init=False)
    count: ClassVar[int] = 0

    def __post_init__(self) -> None:
        if self.size < 0:
            raise ValueError("a size is not negative")


@dataclass
class Wide(Data):
    width: int = 1
    """How wide."""


@dataclass
class Box(Generic[T]):
    value: T


class Struct(msgspec.Struct, rename="camel"):
    """A struct."""

    base_name: str
    """What it is called."""
    size: int = 3
    tags: list[str] = []


class GenericStruct(msgspec.Struct, Generic[T]):
    value: T


class Base(TypedDict):
    name: str
    """What it is called."""


class Dict(Base, total=False):
    """A dict."""

    size: int
    base: Required[str]
    depth: "NotRequired[Annotated[int, 'deep']]"


class Hidden(TypedDict):
    name: "NotRequired[str]"


class Tuple(NamedTuple):
    """A tuple."""

    name: str
    """What it is called."""
    size: int = 3


def function(name: str, /, size: int = 3) -> None:
    """Takes two."""


def fields(source: Any) -> dict[str, Field]:
    return {one.name: one for one in source_of(source).fields}


def outline(source: Source) -> list[tuple[str, object, object]]:
    return [(one.wire, one.hint, one.default) for one in source.fields]


def test_a_pydantic_model_is_left_to_its_own_module() -> None:
    assert source_of(Model).validates


def test_a_dataclass_is_its_fields_that_init_takes() -> None:
    source = source_of(Data)
    assert outline(source) == [
        ("name", str, ABSENT),
        ("size", int, 3),
        ("tags", list[str], ABSENT),
    ]
    assert (source.name, source.description, source.validates) == ("Data", "A dataclass.", False)
    found = fields(Data)
    assert found["name"].description == "What it is called."
    assert (found["tags"].title, found["tags"].description) == ("Tags", "Any")
    assert (found["size"].factory, found["tags"].factory) == (None, list)
    assert source.make({"name": "x"}) == Data("x")


def test_a_dataclass_may_refuse_the_answer() -> None:
    with pytest.raises(InvalidAnswer) as caught:
        source_of(Data).make({"name": "x", "size": -1})
    assert [one.property for one in caught.value.problems] == ["*"]


def test_what_a_dataclass_inherits_keeps_its_docstring() -> None:
    found = fields(Wide)
    assert list(found) == ["name", "size", "tags", "width"]
    assert found["name"].description == "What it is called."
    assert found["width"].description == "How wide."


def test_a_generic_type_is_described_with_its_arguments() -> None:
    assert fields(Box[int])["value"].hint is int
    assert source_of(Box[int]).make({"value": 1}) == Box(1)
    assert fields(GenericStruct[int])["value"].hint is int


@pytest.mark.requirement("FORM-1")
def test_an_init_var_is_refused() -> None:
    @dataclass
    class Derived:
        given: InitVar[int]

    with pytest.raises(UnsupportedType, match=r"Derived\.given: an InitVar is no field"):
        source_of(Derived)


def test_a_struct_is_asked_for_by_the_names_it_is_encoded_with() -> None:
    source = source_of(Struct)
    assert outline(source) == [
        ("baseName", str, ABSENT),
        ("size", int, 3),
        ("tags", list[str], ABSENT),
    ]
    assert [one.key for one in source.fields] == ["base_name", "size", "tags"]
    assert [one.factory for one in source.fields] == [None, None, list]
    assert fields(Struct)["base_name"].description == "What it is called."
    assert source.description == "A struct."
    assert source.make({"base_name": "x"}) == Struct(base_name="x")


def test_a_struct_with_an_annotation_that_cannot_be_resolved_is_refused() -> None:
    class Never(msgspec.Struct):
        kind: "NotThere"  # type: ignore[name-defined] # noqa: F821

    with pytest.raises(UnsupportedType, match="'NotThere' cannot be resolved"):
        source_of(Never)


def test_a_typed_dict_may_leave_keys_out() -> None:
    source = source_of(Dict)
    assert {one.name: (one.hint, one.optional) for one in source.fields} == {
        "name": (str, False),
        "size": (int, True),
        "base": (str, False),
        "depth": (Annotated[int, "deep"], True),
    }
    assert source.description == "A dict."
    assert fields(Dict)["name"].description is None  # a TypedDict does not keep what it extends
    assert fields(Base)["name"].description == "What it is called."
    assert source.make({"name": "x"}) == {"name": "x"}


def test_a_string_annotation_does_not_hide_that_a_key_may_be_left_out() -> None:
    assert [(one.hint, one.optional) for one in fields(Hidden).values()] == [(str, True)]


def test_a_key_that_is_only_read_is_asked_for_like_any_other() -> None:
    class Fixed(typing_extensions.TypedDict):
        name: typing_extensions.ReadOnly[str]
        size: NotRequired[typing_extensions.ReadOnly[int]]

    found = fields(Fixed)
    assert [(one.hint, one.optional) for one in found.values()] == [(str, False), (int, True)]


def test_a_named_tuple_is_a_source_with_its_defaults() -> None:
    source = source_of(Tuple)
    assert outline(source) == [("name", str, ABSENT), ("size", int, 3)]
    assert (source.description, fields(Tuple)["name"].description) == (
        "A tuple.",
        "What it is called.",
    )
    assert source.make({"name": "x"}) == Tuple("x")


def test_a_function_is_asked_for_by_its_parameters() -> None:
    def work(name: str, *, size: int | None, depth: int = 3) -> None:
        """Do it.

        For programmers.
        """

    source = source_of(work)
    assert outline(source) == [
        ("name", str, ABSENT),
        ("size", int | None, ABSENT),
        ("depth", int, 3),
    ]
    assert source.make({"name": "x", "size": None}) == {"name": "x", "size": None, "depth": 3}
    assert (source.description or "").startswith("Do it.")
    assert source.name.endswith("work")


def test_a_method_is_asked_for_without_self() -> None:
    class Worker:
        def work(self, name: str) -> None: ...

    source = source_of(Worker().work)
    assert outline(source) == [("name", str, ABSENT)]
    assert source.description is None


@pytest.mark.requirement("FORM-1")
def test_a_parameter_that_cannot_be_answered_is_refused() -> None:
    def many(*names: str) -> None: ...
    def bare(name) -> None: ...  # type: ignore[no-untyped-def]

    for source, reason in (
        (function, r"function\.name: it has no name that"),
        (many, r"many\.names: it has no name that"),
        (bare, r"bare\.name: it has no annotation"),
    ):
        with pytest.raises(UnsupportedType, match=reason):
            source_of(source)


@pytest.mark.requirement("FORM-1")
@pytest.mark.parametrize(
    ("source", "where"),
    [
        (int, "int"),
        (list[int], "list"),
        (namedtuple("Untyped", []), "Untyped"),
        (functools.partial(print, 1), "functools.partial"),
        (print, "print"),
        (5, "5"),
    ],
)
def test_anything_else_is_no_source(source: Any, where: str) -> None:
    if where == "Untyped":
        assert source_of(source).fields == ()
    else:
        with pytest.raises(
            UnsupportedType, match="a form is made from a type with fields"
        ) as caught:
            source_of(source)
        assert where in caught.value.where

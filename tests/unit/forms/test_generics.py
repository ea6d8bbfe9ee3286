"""The hints of a class: string annotations, inherited ones, and type variables replaced."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Generic, NamedTuple, TypedDict, TypeVar

import pytest

from acp_elicitation.forms.generics import hints_of
from acp_elicitation.protocol.errors import UnsupportedType

T = TypeVar("T")
U = TypeVar("U")


@dataclass
class Box(Generic[T]):
    value: T
    size: int


@dataclass
class Pair(Box[str], Generic[T]):
    other: list[T]


@dataclass
class Named(Pair[int]):
    name: Annotated[str, "a name"]


@dataclass
class Swapped(Generic[T, U], Box[U]):
    first: T


@dataclass
class Changed(Box[int], Generic[U]):
    value: list[U]  # type: ignore[assignment]


@dataclass
class Bare:
    box: Box  # type: ignore[type-arg]


@dataclass
class Diamond(Named, Box[str]):
    pass


class Entry(TypedDict, Generic[T]):
    value: T


class Entries(Entry[int]):
    other: str


class Point(NamedTuple, Generic[T]):
    x: T
    y: T | None


class Later(NamedTuple):
    box: NotThere  # type: ignore[name-defined] # noqa: F821


def function(a: int, b: str = "") -> None:
    """Takes two."""


@pytest.mark.parametrize(
    ("source", "hints"),
    [
        (Box[int], {"value": int, "size": int}),
        (Box, {"value": T, "size": int}),
        (Pair[bool], {"value": str, "size": int, "other": list[bool]}),
        (
            Named,
            {"value": str, "size": int, "other": list[int], "name": Annotated[str, "a name"]},
        ),
        (Swapped[bool, bytes], {"first": bool, "value": bytes, "size": int}),
        (
            Diamond,
            {"value": str, "size": int, "other": list[int], "name": Annotated[str, "a name"]},
        ),
        (Changed[str], {"value": list[str], "size": int}),
        (Bare, {"box": Box}),
        (Entry[int], {"value": int}),
        (Entries, {"value": int, "other": str}),
        (Point[int], {"x": int, "y": int | None}),
        (function, {"a": int, "b": str, "return": type(None)}),
    ],
)
def test_the_hints_are_those_of_the_class_that_wrote_them(
    source: Any, hints: dict[str, object]
) -> None:
    assert hints_of(source, "Name") == hints


def test_a_name_that_cannot_be_found_is_said() -> None:
    with pytest.raises(UnsupportedType) as caught:
        hints_of(Later, "Later")
    assert caught.value.where == "Later"
    assert caught.value.reason == "the annotation 'NotThere' cannot be resolved"


def test_an_attribute_that_a_module_lacks_is_said() -> None:
    def ask(kind: pytest.NotThere) -> None:  # type: ignore[name-defined]
        """Ask."""

    asking: Callable[..., None] = ask
    with pytest.raises(UnsupportedType, match="'NotThere' cannot be resolved"):
        hints_of(asking, "ask")

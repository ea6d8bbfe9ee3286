"""Why a form cannot ask for a type: the reason, and what to use instead."""

import collections.abc
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypedDict, TypeVar

import msgspec
import pytest
from pydantic import BaseModel, Secret, SecretBytes, SecretStr
from pydantic.types import NaiveDatetime

from acp_elicitation.forms.unsayable import FORBIDDEN, why_not

T = TypeVar("T")


class Model(BaseModel):
    name: str


@dataclass
class Data(Generic[T]):
    value: T


class Struct(msgspec.Struct):
    name: str


class Dict(TypedDict):
    name: str


class Tuple(NamedTuple):
    name: str


@pytest.mark.requirement("FORM-1")
@pytest.mark.parametrize(
    ("hint", "reason", "instead"),
    [
        (T, "~T stands for no type yet", "as in Box[int]"),
        (Any, "any type at all", "name the type"),
        (object, "any type at all", "name the type"),
        (dict, "no dictionaries", "one field for each key"),
        (dict[str, int], "no dictionaries", "one field for each key"),
        (collections.abc.Mapping[str, int], "no dictionaries", "one field for each key"),
        (bytes, "no bytes", "use str"),
        (bytearray, "no bytes", "use str"),
        (complex, "complex is none of the types", "use str"),
        (collections.abc.Callable[[], int], "is none of the types", "use str"),
        ("a text", "a text is none of the types", "use str"),
    ],
)
def test_each_type_has_its_own_reason(hint: object, reason: str, instead: str) -> None:
    found = why_not(hint)
    assert reason in found[0]
    assert instead in found[1]


@pytest.mark.requirement("FORM-1")
@pytest.mark.parametrize("hint", [Model, Data, Data[int], Struct, Dict, Tuple])
def test_a_form_is_flat(hint: Any) -> None:
    reason, instead = why_not(hint)
    assert reason.endswith("has fields of its own, and a form is flat")
    assert "a form of its own" in instead


@pytest.mark.requirement("FORM-5")
@pytest.mark.parametrize("hint", [SecretStr, SecretBytes, Secret[str]])
def test_a_secret_is_asked_for_with_a_link(hint: Any) -> None:
    assert why_not(hint) == (
        "a form must not ask for a secret",
        "ask for it with a link (url mode)",
    )


def test_a_type_that_is_only_called_like_one_of_pydantic_is_none() -> None:
    assert why_not(type("SecretStr", (), {})) != FORBIDDEN["SecretStr"]
    assert why_not(NaiveDatetime) == FORBIDDEN["NaiveDatetime"]

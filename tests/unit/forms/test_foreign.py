"""Types that only pydantic knows: what their own JSON Schema says, within what a form can say."""

import datetime
import ipaddress
from dataclasses import dataclass
from typing import Any

import pytest
from pydantic import AnyUrl, BaseModel, ByteSize, HttpUrl, ImportString, Json, PastDate, SecretStr
from pydantic.types import AwareDatetime, NaiveDatetime

from acp_elicitation.forms.foreign import foreign_shape, is_foreign
from acp_elicitation.forms.kinds import NO_DEFAULT, Refused, Shape
from acp_elicitation.forms.limits import Limits
from acp_elicitation.protocol.errors import UnsupportedType
from acp_elicitation.protocol.schema import (
    BooleanProperty,
    IntegerProperty,
    NumberProperty,
    Property,
    StringProperty,
)


def shape_of(hint: Any, *, validates: bool = True, limits: Limits | None = None) -> Shape:
    return foreign_shape(hint, limits or Limits(), where="Model.field", validates=validates)


def custom(**schema: Any) -> type:
    """A type that tells pydantic any JSON Schema."""

    def core_schema(source: Any, handler: Any) -> Any:
        return {"type": "str"}

    def json_schema(core: Any, handler: Any) -> Any:
        return schema

    hooks = {
        "__get_pydantic_core_schema__": core_schema,
        "__get_pydantic_json_schema__": json_schema,
    }
    return type("Custom", (), hooks)


class Hooked(BaseModel):
    name: str


@dataclass
class HookedData:
    name: str

    __get_pydantic_core_schema__ = None


class Broken:
    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        return handler(source)


@pytest.mark.parametrize(
    ("hint", "in_pydantic", "known"),
    [
        (AnyUrl, False, True),
        (datetime.timedelta, True, True),
        (datetime.timedelta, False, False),
        (ipaddress.IPv4Address, True, True),
        (complex, True, False),
        (Hooked, True, False),
        (HookedData, True, False),
    ],
)
def test_a_type_is_foreign_when_pydantic_knows_it_and_it_has_no_fields(
    hint: type, in_pydantic: bool, known: bool
) -> None:
    assert is_foreign(hint, in_pydantic) is known


@pytest.mark.parametrize(
    ("hint", "asked"),
    [
        (AnyUrl, StringProperty(format="uri", min_length=1)),
        (HttpUrl, StringProperty(format="uri", min_length=1, max_length=2083)),
        (PastDate, StringProperty(format="date")),
        (AwareDatetime, StringProperty(format="date-time")),
        (datetime.time, StringProperty(format="time")),
        (
            custom(type="string", format="ipv4", pattern=r"a\Z"),
            StringProperty(format="ipv4", pattern="a$"),
        ),
        (
            custom(type="integer", minimum=1, exclusiveMaximum=9),
            IntegerProperty(minimum=1, maximum=8),
        ),
        (
            custom(type="number", exclusiveMinimum=0, maximum=1),
            NumberProperty(minimum=0, maximum=1),
        ),
        (custom(type="boolean"), BooleanProperty()),
    ],
)
def test_the_json_schema_of_the_type_says_what_is_asked(hint: Any, asked: Property) -> None:
    assert shape_of(hint).property == asked


def test_limits_in_the_hint_are_kept() -> None:
    limits = Limits(max_length=9, ge=3)
    assert shape_of(AnyUrl, limits=limits).property == StringProperty(
        format="uri", min_length=1, max_length=9
    )
    assert shape_of(custom(type="integer"), limits=limits).property == IntegerProperty(minimum=3)


@pytest.mark.requirement("FORM-1")
@pytest.mark.parametrize("hint", [ByteSize, Json, custom(), custom(type="object"), Broken])
def test_what_is_more_than_one_value_is_refused(hint: Any) -> None:
    with pytest.raises(UnsupportedType) as caught:
        shape_of(hint)
    assert caught.value.where == "Model.field"
    assert "more than the property of a form can say" in caught.value.reason


@pytest.mark.requirement("FORM-5")
@pytest.mark.parametrize(
    ("hint", "reason"),
    [
        (SecretStr, "must not ask for a secret"),
        (ImportString, "would import what the user names"),
        (NaiveDatetime, "has its offset"),
        (custom(type="string", writeOnly=True), "more than the property of a form"),
    ],
)
def test_what_only_looks_like_text_is_refused(hint: Any, reason: str) -> None:
    with pytest.raises(UnsupportedType, match=reason):
        shape_of(hint)


def test_in_a_model_the_value_is_left_to_the_model() -> None:
    assert shape_of(AnyUrl).read("https://example.org") == "https://example.org"
    with pytest.raises(Refused):
        shape_of(AnyUrl).read(5)


def test_elsewhere_the_value_is_what_pydantic_makes_of_it() -> None:
    found = shape_of(AnyUrl, validates=False).read("https://example.org")
    assert found == AnyUrl("https://example.org")


def test_elsewhere_the_reason_of_pydantic_is_the_reason() -> None:
    with pytest.raises(Refused) as caught:
        shape_of(PastDate, validates=False).read("2999-01-01")
    assert (caught.value.code, caught.value.params) == (
        "rejected",
        {"reason": "Date should be in the past"},
    )
    assert caught.value.__context__ is None


@pytest.mark.parametrize(
    ("hint", "default", "shown"),
    [
        (AnyUrl, AnyUrl("https://example.org"), "https://example.org/"),
        (AnyUrl, "https://example.org", "https://example.org"),
        (datetime.timedelta, datetime.timedelta(hours=1), "PT1H"),
        (AnyUrl, object(), NO_DEFAULT),
    ],
)
def test_a_default_is_shown_as_pydantic_writes_it(
    hint: Any, default: object, shown: object
) -> None:
    assert shape_of(hint).show(default) == shown

"""One field as one property: its words, its default, and whether it is required."""

import datetime
from pathlib import Path
from typing import Any, Literal

import pytest
from pydantic import Field as Info

from acp_elicitation.forms.field import ABSENT, Field, Source
from acp_elicitation.forms.question import Question, question_of
from acp_elicitation.protocol.errors import UnsupportedType
from acp_elicitation.protocol.schema import (
    IntegerProperty,
    NumberProperty,
    Option,
    SelectProperty,
    StringProperty,
)

SOURCE = Source(name="Model", fields=(), make=dict)


def question(hint: Any, *metadata: object, titles: Any = None, **rest: Any) -> Question:
    field = Field(name="x", wire="x", key="x", hint=hint, metadata=metadata, **rest)
    return question_of(field, SOURCE, titles or {})


def test_words_of_the_field_become_those_of_the_property() -> None:
    found = question(str, Info(title="T", description="D", json_schema_extra={"_meta": {"a": 1}}))
    assert found.shape.property == StringProperty(title="T", description="D", meta={"a": 1})


def test_the_words_of_the_source_stand_in() -> None:
    assert question(str, title="T", description="  D\n    e").shape.property == StringProperty(
        title="T", description="D\ne"
    )
    assert question(
        str, Info(title="A", description="B"), title="T", description="D"
    ).shape.property == (StringProperty(title="A", description="B"))


def test_examples_stand_in_the_description_as_the_user_would_write_them() -> None:
    examples = [datetime.date(2026, 1, 2), "2026-01-03", 5]
    assert question(datetime.date, Info(description="When?", examples=examples)).shape.property == (
        StringProperty(format="date", description="When? (e.g. 2026-01-02, 2026-01-03)")
    )
    assert question(int, Info(examples=[1, 2])).shape.property == IntegerProperty(
        description="(e.g. 1, 2)"
    )


def test_examples_of_choices_are_the_choices() -> None:
    found = question(Literal["a"], Info(examples=["a"])).shape.property
    assert found == SelectProperty(options=(Option(value="a"),))


def test_titles_of_choices_are_given_from_outside() -> None:
    found = question(Literal["a"], titles={"a": "Aye"}).shape.property
    assert found == SelectProperty(options=(Option(value="a", title="Aye"),))


@pytest.mark.parametrize(("hint", "format"), [(str, "email"), (datetime.date, "date"), (int, None)])
def test_a_format_is_added_to_text_that_has_none(hint: Any, format: str | None) -> None:
    found = question(hint, Info(json_schema_extra={"format": "email"})).shape.property
    assert getattr(found, "format", None) == format


@pytest.mark.parametrize(
    ("hint", "rest", "required", "none_if_absent"),
    [
        (int, {}, True, False),
        (int, {"default": 3}, False, False),
        (int, {"default": None}, False, False),
        (int, {"factory": int}, False, False),
        (int, {"optional": True}, False, False),
        (int | None, {}, False, True),
        (int | None, {"default": None}, False, False),
        (int | None, {"default": 3}, False, True),
        (int | None, {"factory": int}, False, True),
        (int | None, {"optional": True}, False, False),
    ],
)
def test_what_may_be_left_out_and_what_that_means(
    hint: Any, rest: dict[str, Any], required: bool, none_if_absent: bool
) -> None:
    found = question(hint, **rest)
    assert (found.required, found.none_if_absent) == (required, none_if_absent)


@pytest.mark.requirement("FORM-4")
def test_a_default_is_declared() -> None:
    assert question(int, default=3).shape.property == IntegerProperty(default=3)
    assert question(int | None, default=None).shape.property == IntegerProperty()
    assert question(int, default=ABSENT).shape.property == IntegerProperty()
    assert question(Path | None, default=None).shape.property == StringProperty(min_length=1)
    assert question(Path, default=ABSENT).shape.property == StringProperty(min_length=1)


@pytest.mark.requirement("FORM-4")
def test_a_default_that_is_no_answer_is_not_declared() -> None:
    assert question(int, Info(ge=0), default=-1).shape.property == IntegerProperty(minimum=0)
    assert question(float, default=object()).shape.property == NumberProperty()
    naive = datetime.datetime(2026, 1, 1)
    assert question(datetime.datetime, default=naive).shape.property == StringProperty(
        format="date-time"
    )


@pytest.mark.requirement("FORM-4")
def test_a_default_from_a_factory_is_fresh_each_time() -> None:
    numbers = iter([1, 2])
    found = question(int, factory=lambda: next(numbers))
    assert found.shape.property == IntegerProperty()
    assert [found.with_default(found.fresh_default()) for _ in range(2)] == [
        IntegerProperty(default=1),
        IntegerProperty(default=2),
    ]


@pytest.mark.requirement("FORM-1")
@pytest.mark.parametrize(
    ("hint", "metadata"), [(dict, ()), (str, (Info(json_schema_extra={"enum": ["a"]}),))]
)
def test_a_refusal_names_the_field(hint: Any, metadata: tuple[object, ...]) -> None:
    with pytest.raises(UnsupportedType) as caught:
        question(hint, *metadata)
    assert caught.value.where == "Model.x"

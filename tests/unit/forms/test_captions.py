"""The words of a field: where they come from, which one counts, and what may not be words."""

from typing import Any

import msgspec
import pytest
from pydantic import Field
from typing_extensions import Doc

from acp_elicitation.forms.captions import Caption, caption, first_paragraph
from acp_elicitation.protocol.errors import UnsupportedType


def words(*metadata: object) -> Caption:
    return caption(metadata, where="Model.field")


def extra_of(schema: dict[str, Any]) -> None:
    schema["title"] = "From a function"


@pytest.mark.parametrize(
    "metadata",
    [
        Field(title="T", description="D", examples=["a", "b"]),
        msgspec.Meta(title="T", description="D", examples=["a", "b"]),
        Field(json_schema_extra={"title": "T", "description": "D", "examples": ["a", "b"]}),
        msgspec.Meta(extra_json_schema={"title": "T", "description": "D", "examples": ["a", "b"]}),
    ],
)
def test_words_stand_in_metadata(metadata: object) -> None:
    assert words(metadata) == Caption(title="T", description="D", examples=("a", "b"))


def test_a_doc_is_a_description() -> None:
    assert words(Doc("What it is for.")) == Caption(description="What it is for.")


def test_the_outermost_words_count() -> None:
    inner = Field(title="inner", description="inner", examples=["inner"])
    assert words(Field(title="outer", examples=["outer"]), inner, Doc("doc")) == Caption(
        title="outer", description="inner", examples=("outer",)
    )
    assert words(Field(title="", examples=[]), inner) == words(inner)


def test_the_words_of_a_field_win_over_its_extra_ones() -> None:
    assert words(Field(title="T", json_schema_extra={"title": "E"})).title == "T"


def test_a_function_may_give_the_extra_words() -> None:
    assert words(Field(json_schema_extra=extra_of)).title == "From a function"


def test_of_the_extra_members_a_format_and_meta_are_kept_and_the_rest_is_not_sent() -> None:
    extra: dict[str, Any] = {"format": "ipv4", "_meta": {"a": 1}, "x-widget": "big"}
    assert words(Field(json_schema_extra=extra)) == Caption(format="ipv4", meta={"a": 1})


def test_other_metadata_has_no_words() -> None:
    assert words("a text", 5, Caption(title="T"), type("Doc", (), {"documentation": 5})()) == (
        Caption()
    )


@pytest.mark.requirement("FORM-1")
@pytest.mark.parametrize("name", ["enum", "pattern", "default", "$ref", "minimum"])
def test_extra_words_cannot_change_which_answers_are_right(name: str) -> None:
    with pytest.raises(UnsupportedType) as caught:
        words(Field(json_schema_extra={name: ["a"]}))
    assert caught.value.where == "Model.field"
    assert repr(name) in caught.value.reason


@pytest.mark.requirement("FORM-5")
@pytest.mark.parametrize("extra", [{"format": "password"}, {"writeOnly": True}])
def test_a_field_that_is_marked_as_a_secret_is_refused(extra: dict[str, Any]) -> None:
    with pytest.raises(UnsupportedType, match="must not ask for a secret"):
        words(Field(json_schema_extra=extra))


@pytest.mark.parametrize(
    ("text", "first"),
    [
        (None, None),
        ("", None),
        ("  \n ", None),
        ("One line.", "One line."),
        ("Two\n    lines.\n\n    Attributes:\n        a: not for users", "Two\nlines."),
    ],
)
def test_the_first_paragraph_of_a_docstring_is_for_everyone(
    text: str | None, first: str | None
) -> None:
    assert first_paragraph(text) == first

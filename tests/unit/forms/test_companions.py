"""Which free text belongs to the choice before it."""

from typing import Any

import pytest

from acp_elicitation.forms.companions import Companion, companions_of
from acp_elicitation.protocol.schema import (
    FormSchema,
    MultiSelectProperty,
    Option,
    Property,
    SelectProperty,
    StringProperty,
)

OPTIONS = (Option(value="pg"), Option(value="my"))
ONE = SelectProperty(options=OPTIONS)
MANY = MultiSelectProperty(options=OPTIONS)
TEXT = StringProperty()


def found(*required: str, **properties: Property) -> dict[str, tuple[str, bool]]:
    schema = FormSchema(properties=properties, required=required)
    return {name: (c.name, c.is_note) for name, c in companions_of(schema).items()}


def marked(**meta: Any) -> StringProperty:
    return StringProperty(meta=meta)


@pytest.mark.parametrize("choice", [ONE, MANY])
@pytest.mark.parametrize(("end", "is_note"), [("other", False), ("custom", False), ("note", True)])
def test_a_text_that_is_named_after_the_choice_before_it_belongs_to_it(
    choice: Property, end: str, is_note: bool
) -> None:
    name = f"question_0_{end}"
    assert found(**{"question_0": choice, name: TEXT}) == {"question_0": (name, is_note)}


@pytest.mark.parametrize(
    ("meta", "is_note"),
    [
        ({"role": "user_note", "questionId": "db"}, True),
        ({"role": "user_note"}, True),
        ({"isOther": True, "isSecret": False}, False),
    ],
)
def test_a_text_whose_meta_says_so_belongs_to_the_choice_before_it(
    meta: dict[str, Any], is_note: bool
) -> None:
    assert found(db=ONE, q7=marked(**meta)) == {"db": ("q7", is_note)}


def test_a_note_stays_a_note_whatever_it_is_named() -> None:
    assert found(db=ONE, db_other=marked(role="user_note")) == {"db": ("db_other", True)}


@pytest.mark.parametrize(
    "properties",
    [
        {"db": ONE, "name": TEXT},
        {"db": ONE, "db_others": TEXT},
        {"db": ONE, "between": ONE, "db_other": TEXT},
        {"db_other": TEXT, "db": ONE},
        {"db": TEXT, "db_other": TEXT},
        {"db": ONE, "db_other": ONE},
        {"db": ONE, "q7": marked(role="user_note", questionId="cache")},
        {"db": ONE, "db_note": marked(questionId="cache")},
        {"db": ONE, "q7": marked(role="title")},
        {"db": ONE, "q7": marked(isOther="yes")},
        {"db": ONE, "q7": marked(isOther=False)},
        {"db": ONE},
        {},
    ],
)
def test_any_other_text_is_a_question_of_its_own(properties: dict[str, Property]) -> None:
    assert found(**properties) == {}


def test_a_required_text_is_a_question_of_its_own() -> None:
    assert found("db_other", db=ONE, db_other=TEXT) == {}
    assert found("db", db=ONE, db_other=TEXT) == {"db": ("db_other", False)}


def test_each_choice_has_its_own_companion() -> None:
    schema = FormSchema(properties={"a": ONE, "a_other": TEXT, "b": MANY, "b_note": TEXT})
    assert companions_of(schema) == {
        "a": Companion(name="a_other", is_note=False),
        "b": Companion(name="b_note", is_note=True),
    }

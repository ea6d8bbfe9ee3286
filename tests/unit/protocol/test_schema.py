"""The types of a form: plain frozen data, in the order in which it was given."""

import pytest

from acp_elicitation.protocol.schema import (
    BooleanProperty,
    FormSchema,
    IntegerProperty,
    MultiSelectProperty,
    NumberProperty,
    Option,
    Property,
    SelectProperty,
    StringProperty,
    UnknownProperty,
)

OPTIONS = (Option(value="a"), Option(value="b"))

EVERY_KIND: list[Property] = [
    StringProperty(),
    NumberProperty(),
    IntegerProperty(),
    BooleanProperty(),
    SelectProperty(options=OPTIONS),
    MultiSelectProperty(options=OPTIONS),
    UnknownProperty(type="_location"),
]


@pytest.mark.requirement("FORM-1")
@pytest.mark.parametrize("member", EVERY_KIND, ids=lambda member: type(member).__name__)
def test_a_property_says_nothing_that_it_was_not_given(member: Property) -> None:
    given = {"options", "type"}
    for name in set(member.__struct_fields__) - given:
        assert getattr(member, name) is None, name


@pytest.mark.parametrize("member", EVERY_KIND, ids=lambda member: type(member).__name__)
def test_a_property_cannot_be_changed(member: Property) -> None:
    with pytest.raises(AttributeError):
        member.title = "x"  # type: ignore[misc]


def test_a_choice_is_free_text_with_options_so_the_limits_of_text_apply() -> None:
    choice = SelectProperty(options=OPTIONS, max_length=1, pattern="a", format="email")
    assert isinstance(choice, StringProperty)
    assert (choice.max_length, choice.pattern, choice.format) == (1, "a", "email")


@pytest.mark.requirement("FWD-9")
def test_a_form_keeps_its_properties_in_order_and_requires_none_by_itself() -> None:
    schema = FormSchema(properties={"z": StringProperty(), "a": BooleanProperty()})
    assert list(schema.properties) == ["z", "a"]
    assert schema.required == ()
    assert (schema.raw, schema.meta, schema.title, schema.description) == (None,) * 4


def test_an_option_is_sent_by_its_value_alone_unless_more_is_said() -> None:
    option = Option(value="a")
    assert (option.title, option.description, option.meta) == (None, None, None)

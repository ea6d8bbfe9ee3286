"""A whole form in line mode: the way through it, the review, and the four things to do there."""

import pytest

from acp_elicitation.client.prompts import Reply
from acp_elicitation.forms.draft import FormDraft
from acp_elicitation.presenters.filling import FormFiller
from acp_elicitation.presenters.page import Page
from acp_elicitation.protocol.answers import Accepted, Cancelled, Declined
from acp_elicitation.protocol.schema import (
    BooleanProperty,
    FormSchema,
    IntegerProperty,
    MultiSelectProperty,
    Option,
    Property,
    SelectProperty,
    StringProperty,
    UnknownProperty,
)
from tests.unit.presenters.dialogue import Person

DOG: dict[str, Property] = {
    "name": StringProperty(title="Name"),
    "age": IntegerProperty(title="Age", default=3, minimum=0),
    "tame": BooleanProperty(title="Tame"),
}
REVIEW = "submit, change NUMBER, decline or cancel> "


async def fill(
    *lines: str, properties: dict[str, Property] | None = None, required: tuple[str, ...] = ()
) -> tuple[Reply, str]:
    schema = FormSchema(properties=DOG if properties is None else properties, required=required)
    person = Person(*lines)
    filler = FormFiller(FormDraft(schema), page=Page(person.shown), lines=person.lines)
    return await person.answers(filler.run()), person.sees


@pytest.mark.requirement("UI-4", "RES-1")
async def test_all_values_are_reviewed_before_anything_is_submitted() -> None:
    reply, sees = await fill("Rex", "", "yes", "submit", required=("name",))
    assert reply == Accepted({"name": "Rex", "age": 3, "tame": True})
    assert (
        "\nReview. This is what will be sent:\n"
        "  1. Name: Rex\n"
        "  2. Age: 3\n"
        "  3. Tame: yes\n" + REVIEW
    ) in sees


@pytest.mark.requirement("UI-3")
async def test_a_form_says_how_to_decline_and_to_cancel_before_the_first_field() -> None:
    _, sees = await fill()
    assert sees.index("/decline says no to the agent, /cancel dismisses") < sees.index("1/3 Name")


@pytest.mark.requirement("UI-4")
@pytest.mark.parametrize("change", ["change 1", "1", "Change  1", "/change 1", "#1"])
async def test_every_value_can_be_changed_in_the_review(change: str) -> None:
    reply, sees = await fill("Rex", "", "", change, "Fido", "submit")
    assert reply == Accepted({"name": "Fido", "age": 3})
    assert "[Rex]> " in sees
    assert "  1. Name: Fido\n" in sees


@pytest.mark.requirement("UI-4")
@pytest.mark.parametrize(
    ("line", "how"),
    [
        ("", "Type submit to send these values"),
        ("yes", "Type submit to send these values"),
        ("ok", "Type submit to send these values"),
        ("changed", "Type submit to send these values"),
        ("change", "Type change and the number of what to change"),
        ("change Name", "Type change and the number of what to change"),
        ("change 99999999999", "Type change and the number of what to change"),
        ("change 0", "There is no number 0: they go from 1 to 3."),
        ("4", "There is no number 4: they go from 1 to 3."),
    ],
)
async def test_nothing_but_the_word_submit_submits(line: str, how: str) -> None:
    reply, sees = await fill("", "", "", line)
    assert reply == Cancelled()
    assert sees.count(REVIEW) == 2
    assert f"  ! {how}" in sees


async def test_what_keeps_a_form_from_being_sent_is_said() -> None:
    name: dict[str, Property] = {"a": StringProperty(title="A")}
    lines = ("/review", "submit", "x", "change 2", "submit")
    reply, sees = await fill(*lines, properties=name, required=("a",))
    assert reply == Accepted({"a": "x"})
    assert (
        "  ! Nothing is sent yet. Look at this first: A\n    An answer is required here.\n" in sees
    )
    assert "  ! There is no number 2: there is only 1.\n" in sees


async def test_the_only_question_of_a_short_form_is_called_so() -> None:
    _, sees = await fill("x", "submit", properties={"answer": StringProperty()})
    assert "\n1/1 Your answer (optional)\n" in sees
    assert "\n  1. Your answer: x\n" in sees


@pytest.mark.requirement("UI-3", "RES-1")
@pytest.mark.parametrize(
    ("word", "reply"),
    [
        ("decline", Declined()),
        ("/decline", Declined()),
        ("cancel", Cancelled()),
        ("/cancel", Cancelled()),
    ],
)
async def test_the_review_can_decline_and_cancel(word: str, reply: Reply) -> None:
    assert (await fill("Rex", "", "", word))[0] == reply


@pytest.mark.requirement("UI-3", "RES-1")
@pytest.mark.parametrize(
    ("lines", "reply"),
    [
        (("/decline",), Declined()),
        (("Rex", "/cancel"), Cancelled()),
        (("Rex", "", "", "1", "/decline"), Declined()),
        (("Rex", "", "", "1", "/cancel"), Cancelled()),
        (("Rex",), Cancelled()),
        (("Rex", "", ""), Cancelled()),
    ],
)
async def test_every_field_can_decline_and_cancel(lines: tuple[str, ...], reply: Reply) -> None:
    assert (await fill(*lines))[0] == reply


async def test_the_way_back_leads_to_the_field_before_and_stops_at_the_first() -> None:
    reply, sees = await fill("/back", "Rex", "/back", "Fido", "", "", "submit")
    assert reply == Accepted({"name": "Fido", "age": 3})
    assert sees.count("1/3 Name") == 3


async def test_back_from_a_field_under_change_returns_to_the_review() -> None:
    reply, sees = await fill("Rex", "", "", "1", "/back", "submit")
    assert reply == Accepted({"name": "Rex", "age": 3})
    assert sees.count("Review.") == 2


@pytest.mark.requirement("UI-4", "FORM-2")
async def test_the_review_can_be_reached_early_and_says_what_is_missing() -> None:
    reply, sees = await fill("/review", "submit", "Rex", "submit", required=("name", "age"))
    assert reply == Accepted({"name": "Rex", "age": 3})
    assert "  1. Name: (left empty)\n     ! An answer is required here.\n  2. Age: 3\n" in sees
    assert sees.count("1/3 Name (required)") == 2  # submit led to the field, and sent nothing


async def test_the_review_tells_the_kinds_of_nothing_apart() -> None:
    properties: dict[str, Property] = {
        "a": StringProperty(title="A", default=""),
        "b": MultiSelectProperty(title="B", options=(Option(value="x"),)),
        "c": BooleanProperty(title="C"),
    }
    reply, sees = await fill("", "/clear", "", "submit", properties=properties, required=("a", "b"))
    assert reply == Accepted({"a": "", "b": []})
    assert "  1. A: (an empty text)\n  2. B: (nothing chosen)\n  3. C: (left empty)\n" in sees


async def test_the_review_shows_titles_and_all_lines_of_a_text() -> None:
    properties: dict[str, Property] = {
        "a": StringProperty(title="A"),
        "b": SelectProperty(title="B", options=(Option(value="x", title="The X"),)),
    }
    reply, sees = await fill('"""', "one", "two", '"""', "x", "submit", properties=properties)
    assert reply == Accepted({"a": "one\ntwo", "b": "x"})
    assert "  1. A:\n| one\n| two\n  2. B: The X\n" in sees


async def test_a_form_with_a_pattern_submits_what_was_checked() -> None:
    properties: dict[str, Property] = {"a": StringProperty(pattern="^x")}
    assert (await fill("y", "x1", "submit", properties=properties))[0] == Accepted({"a": "x1"})


@pytest.mark.requirement("UI-2")
async def test_what_was_typed_stays_here_when_the_form_is_declined_or_cancelled() -> None:
    for last in ("/decline", "/cancel"):
        reply, _ = await fill("Rex", last)
        assert "Rex" not in repr(reply)


# --- what is not known ----------------------------------------------------------------------------


@pytest.mark.requirement("FWD-2", "FWD-3")
async def test_an_optional_question_of_unknown_kind_is_named_and_left_out() -> None:
    properties: dict[str, Property] = {
        "blob": UnknownProperty(type="object", title="Blob"),
        "rows": UnknownProperty(type="array", items_type="object", title="Rows"),
        "name": StringProperty(title="Name"),
    }
    reply, sees = await fill("Rex", "submit", properties=properties)
    assert reply == Accepted({"name": "Rex"})
    assert "Left out, since its kind is not known here: Blob\n" in sees
    assert "Left out, since its kind is not known here: Rows\n" in sees
    assert "1/1 Name" in sees


@pytest.mark.requirement("FWD-2", "FWD-3")
@pytest.mark.parametrize("items", [None, "object"])
async def test_a_form_that_requires_an_unknown_kind_can_only_be_declined_or_cancelled(
    items: str | None,
) -> None:
    properties: dict[str, Property] = {
        "name": StringProperty(title="Name"),
        "blob": UnknownProperty(type="thing", items_type=items, title="Blob"),
    }
    for line, expected in (("decline", Declined()), ("cancel", Cancelled())):
        reply, sees = await fill(
            "yes", "submit", "accept", line, properties=properties, required=("blob",)
        )
        assert reply == expected
        assert "This form cannot be filled in here:\n  ! Blob\n    This question is of a" in sees
        assert sees.count("decline or cancel> ") == 4
        assert "1/" not in sees


@pytest.mark.requirement("FWD-2")
async def test_a_form_that_requires_what_it_does_not_have_cannot_be_accepted() -> None:
    reply, sees = await fill("submit", required=("ghost",))
    assert reply == Cancelled()
    assert "  ! ghost\n" in sees


@pytest.mark.requirement("FWD-2")
async def test_a_form_of_optional_unknowns_only_is_reviewed_and_submitted_empty() -> None:
    reply, sees = await fill("submit", properties={"blob": UnknownProperty(type="object")})
    assert reply == Accepted({})
    assert "Left out, since its kind is not known here: blob\n" in sees

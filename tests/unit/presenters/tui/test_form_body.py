"""A form on a full screen: each kind of field, what is wrong with it, and the ways out."""

from typing import Any

import pytest

from acp_elicitation.protocol.answers import Accepted, Cancelled, Declined
from acp_elicitation.protocol.schema import (
    BooleanProperty,
    IntegerProperty,
    MultiSelectProperty,
    NumberProperty,
    Option,
    Property,
    SelectProperty,
    StringProperty,
    UnknownProperty,
)
from tests.contract.presenters import form_prompt
from tests.unit.presenters.tui.stage import on_stage

COLOURS = tuple(Option(value=v, title=v.title()) for v in ("red", "green", "blue"))
MANY = tuple(Option(value=f"v{n}", title=f"Version {n}") for n in range(12))


@pytest.mark.parametrize(
    ("member", "keys", "value"),
    [
        (StringProperty(), ["h", "i"], "hi"),
        (StringProperty(max_length=20), ["h", "i"], "hi"),
        (StringProperty(), ["a", "enter", "b"], "a\nb"),
        (StringProperty(format="date"), [*"2026", "minus", *"12", "minus", *"02"], "2026-12-02"),
        (IntegerProperty(default=8), ["backspace", "9"], 9),
        (NumberProperty(), ["1", "full_stop", "5"], 1.5),
        (BooleanProperty(), ["space"], True),
        (BooleanProperty(), ["down", "space"], False),
        (BooleanProperty(default=True), ["n"], False),
        (SelectProperty(options=COLOURS), ["down", "space"], "green"),
        (SelectProperty(options=COLOURS, default="red"), [], "red"),
        (
            MultiSelectProperty(options=COLOURS),
            ["down", "down", "space", "up", "space"],
            ["green", "blue"],
        ),
        (SelectProperty(options=MANY), ["1", "1", "enter", "space"], "v11"),
    ],
)
@pytest.mark.requirement("FORM-2")
async def test_each_kind_is_filled_in_by_keys_alone(
    member: Property, keys: list[str], value: object
) -> None:
    async with on_stage(form_prompt({"it": member}, required=("it",))) as stage:
        await stage.press(*keys, "tab")
        await stage.press("enter")
        assert await stage.reply() == Accepted({"it": value})


@pytest.mark.parametrize(
    "member",
    [
        StringProperty(max_length=9),
        BooleanProperty(),
        SelectProperty(options=COLOURS),
        IntegerProperty(),
    ],
)
@pytest.mark.requirement("FORM-4")
async def test_nothing_is_chosen_that_is_no_declared_default(member: Property) -> None:
    async with on_stage(form_prompt({"it": member})) as stage:
        await stage.press("tab", "enter")
        assert await stage.reply() == Accepted({})


@pytest.mark.requirement("FORM-4")
async def test_a_default_can_be_taken_back() -> None:
    fields: dict[str, Property] = {
        "a": SelectProperty(options=COLOURS, default="red"),
        "b": BooleanProperty(default=True),
    }
    async with on_stage(form_prompt(fields)) as stage:
        await stage.press("delete", "tab", "delete", "tab", "enter", "enter")
        assert await stage.reply() == Accepted({})


async def test_a_problem_is_shown_while_the_user_types_and_goes_with_its_cause() -> None:
    fields = {"n": IntegerProperty(title="Workers", maximum=64)}
    async with on_stage(form_prompt(fields)) as stage:
        await stage.types("99")
        assert "! Enter 64 or less." in stage.sees
        await stage.press("backspace")
        assert "!" not in stage.sees


async def test_a_form_with_problems_is_not_sent_and_leads_to_the_first_of_them() -> None:
    fields: dict[str, Property] = {
        "a": StringProperty(title="A"),
        "b": StringProperty(max_length=9, title="B"),
    }
    async with on_stage(form_prompt(fields, required=("b",))) as stage:
        await stage.press("tab", "tab", "enter")
        assert "! An answer is required here." in stage.sees
        assert "Submit" not in stage.sees
        await stage.types("x")
        await stage.press("tab", "enter", "enter")
        assert await stage.reply() == Accepted({"b": "x"})


@pytest.mark.requirement("UI-4")
async def test_several_fields_are_reviewed_before_they_are_sent_and_can_be_changed() -> None:
    fields: dict[str, Property] = {
        "name": StringProperty(title="Name", max_length=9),
        "list": MultiSelectProperty(title="List", options=COLOURS, default=("red", "blue")),
        "more": StringProperty(title="More", max_length=9),
    }
    async with on_stage(form_prompt(fields)) as stage:
        await stage.types("Ada")
        await stage.press("tab", "tab", "tab", "enter")
        assert "This is what will be sent" in stage.sees
        for line in ("Name\nAda", "List\nRed, Blue", "More\n(left empty)"):
            assert line in stage.sees
        await stage.press("escape")
        assert "This is what will be sent" not in stage.sees
        await stage.types("x")
        await stage.press("tab", "tab", "tab", "enter", "enter")
        assert await stage.reply() == Accepted({"name": "Adax", "list": ["red", "blue"]})


@pytest.mark.requirement("RES-3")
async def test_a_form_without_fields_is_a_question_of_yes_or_no() -> None:
    async with on_stage(form_prompt({})) as stage:
        assert "Yes" in stage.sees
        await stage.pilot.click("#do-submit")
        assert await stage.reply() == Accepted({})


@pytest.mark.requirement("UI-3", "RES-1")
@pytest.mark.parametrize(("keys", "reply"), [(["ctrl+d"], Declined()), (["escape"], Cancelled())])
async def test_decline_and_cancel_are_two_keys(keys: list[str], reply: object) -> None:
    async with on_stage(form_prompt({"a": StringProperty()})) as stage:
        await stage.press(*keys)
        assert await stage.reply() == reply


async def test_typed_text_is_not_lost_by_one_escape() -> None:
    async with on_stage(form_prompt({"a": StringProperty()})) as stage:
        await stage.types("a")
        await stage.press("escape")
        assert stage.replies == []
        await stage.press("escape")
        assert await stage.reply() == Cancelled()


@pytest.mark.requirement("FORM-5")
async def test_declining_is_the_easiest_answer_to_a_form_that_asks_for_a_secret() -> None:
    fields = {"password": StringProperty(title="Password")}
    async with on_stage(form_prompt(fields)) as stage:
        assert "Agents must not ask for secrets" in stage.sees
        await stage.press("enter")
        assert await stage.reply() == Declined()


@pytest.mark.requirement("FORM-5")
async def test_a_field_that_is_marked_as_secret_is_masked() -> None:
    fields = {"x": StringProperty(title="Data", meta={"isSecret": True})}
    async with on_stage(form_prompt(fields)) as stage:
        (line,) = stage.screen.query("Input")
        assert line.password  # type: ignore[attr-defined]


@pytest.mark.requirement("FWD-2")
async def test_a_required_field_of_an_unknown_kind_leaves_decline_and_cancel() -> None:
    fields: dict[str, Property] = {"a": StringProperty(), "b": UnknownProperty(type="object")}
    async with on_stage(form_prompt(fields, required=("b",))) as stage:
        assert "cannot be filled in here" in stage.sees
        assert "Submit" not in stage.sees
        await stage.press("enter")
        assert await stage.reply() == Declined()


@pytest.mark.requirement("FWD-2")
async def test_an_optional_field_of_an_unknown_kind_is_named_and_left_out() -> None:
    fields: dict[str, Property] = {
        "b": UnknownProperty(type="object", title="Blob"),
        "a": BooleanProperty(),
    }
    async with on_stage(form_prompt(fields)) as stage:
        assert "its kind is not known here: Blob" in stage.sees
        await stage.press("space", "tab", "enter", "enter")
        assert await stage.reply() == Accepted({"a": True})


PAIR: dict[str, Property] = {
    "db": SelectProperty(title="Database", options=COLOURS),
    "db_other": StringProperty(title="Other", max_length=20),
}


@pytest.mark.parametrize(
    ("keys", "content"),
    [
        (["space"], {"db": "red"}),
        (["tab", *"sqlite"], {"db_other": "sqlite"}),
        (["space", "tab", *"sqlite"], {"db_other": "sqlite"}),
        (["tab", "x", "shift+tab", "space"], {"db": "red"}),
    ],
)
async def test_a_choice_and_its_companion_are_one_question(
    keys: list[str], content: dict[str, Any]
) -> None:
    async with on_stage(form_prompt(PAIR)) as stage:
        await stage.press(*keys)
        await stage.pilot.click("#do-submit")
        assert await stage.reply() == Accepted(content)


@pytest.mark.requirement("FORM-9")
async def test_a_pattern_is_judged_beside_the_screen_and_typing_goes_on() -> None:
    fields = {"a": StringProperty(pattern="^[a-z]+$", max_length=20)}
    async with on_stage(form_prompt(fields, required=("a",))) as stage:
        await stage.types("abc")
        await stage.press("1")
        await stage.pilot.click("#do-submit")
        assert stage.replies == []
        await stage.press("backspace")
        await stage.pilot.click("#do-submit")
        assert await stage.reply() == Accepted({"a": "abc"})


@pytest.mark.parametrize("size", [(40, 12), (200, 60)])
async def test_the_controls_stay_in_view_whatever_the_size(size: tuple[int, int]) -> None:
    fields: dict[str, Property] = {f"f{n}": SelectProperty(options=COLOURS) for n in range(9)}
    prompt = form_prompt(fields, message="long\n" * 40)
    async with on_stage(prompt, size=size) as stage:
        region = stage.screen.query_one("#controls").region
        assert region.y > 0
        assert region.bottom <= size[1]
        for button in stage.screen.query("#controls Button"):
            if button.display:
                assert stage.screen.region.contains_region(button.region)

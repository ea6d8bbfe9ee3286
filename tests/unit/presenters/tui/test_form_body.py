"""A form on a full screen: each kind of field, what is wrong with it, and the ways out."""

from typing import Any

import pytest
from textual.widgets import Button, Input

from acp_elicitation.presenters.tui.jumps import Jump
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
from tests.unit.presenters.tui.shown import shown
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


THREE: dict[str, Property] = {
    "a": StringProperty(title="Alpha", min_length=3, max_length=9),
    "b": IntegerProperty(title="Beta", maximum=64, default=70),
    "c": StringProperty(title="Gamma", max_length=9),
}


async def test_what_is_missing_is_told_when_the_user_goes_on_and_a_bad_default_at_once() -> None:
    async with on_stage(form_prompt(THREE, required=("a", "c"))) as stage:
        assert "An answer is required" not in stage.sees
        assert "! Enter 64 or less." in stage.sees
        await stage.press("ctrl+s")
        assert "3 answers need a change:" in stage.sees
        assert "! Alpha: An answer is required here." in stage.sees
        assert isinstance(stage.app.focused, Input)


async def test_the_list_of_what_is_wrong_leads_to_each_and_shrinks_as_it_is_mended() -> None:
    async with on_stage(form_prompt(THREE, required=("a", "c")), size=(80, 50)) as stage:
        await stage.press("ctrl+s")
        await stage.pilot.click(stage.screen.query(Jump).last())
        await stage.pilot.pause()
        assert stage.app.focused is stage.screen.query(Input).last()
        await stage.types("x")
        assert "2 answers need a change:" in stage.sees
        stage.screen.query(Jump).first().focus()
        await stage.press("enter")
        await stage.types("abc")
        assert "1 answer needs a change:" in stage.sees
        stage.screen.query(Input)[1].value = "7"
        await stage.press("tab")
        assert "need" not in stage.sees
        await stage.press("ctrl+s", "ctrl+s")
        assert await stage.reply() == Accepted({"a": "abc", "b": 7, "c": "x"})


@pytest.mark.requirement("UI-4")
async def test_each_line_of_the_review_leads_back_to_its_field() -> None:
    fields: dict[str, Property] = {"a": StringProperty(max_length=9), "b": BooleanProperty()}
    async with on_stage(form_prompt(fields)) as stage:
        await stage.press("x", "tab", "y", "ctrl+s")
        assert "a\nx" in stage.sees
        assert "b\nYes" in stage.sees
        stage.screen.query(Jump).first().focus()
        await stage.press("enter")
        assert stage.app.focused is stage.screen.query_one(Input)
        await stage.types("y")
        await stage.press("ctrl+s")
        assert "a\nxy" in stage.sees
        await stage.pilot.click("#do-change")
        await stage.pilot.pause()
        assert "will be sent" not in stage.sees


@pytest.mark.parametrize("way", ["ctrl+d", "escape"])
@pytest.mark.requirement("UI-2")
async def test_what_was_entered_is_not_lost_by_one_key_and_typing_on_keeps_it(way: str) -> None:
    async with on_stage(form_prompt({"a": StringProperty(max_length=9)})) as stage:
        await stage.types("ab")
        await stage.press(way)
        assert "would be lost" in stage.sees
        await stage.types("c")
        assert "would be lost" not in stage.sees
        await stage.press(way)
        assert stage.replies == []
        await stage.press("backspace", "backspace", "backspace")
        await stage.press(way)  # there is nothing to lose any more
        assert await stage.reply() in (Declined(), Cancelled())


@pytest.mark.requirement("FORM-5")
async def test_a_secret_is_masked_until_the_user_has_it_shown_in_the_review_too() -> None:
    fields: dict[str, Property] = {
        "password": StringProperty(title="Password"),
        "note": StringProperty(title="Note", max_length=9),
    }
    async with on_stage(form_prompt(fields), size=(80, 40)) as stage:
        line = stage.screen.query(Input).first()
        line.focus()
        await stage.types("hunter2")
        assert "hunter2" not in shown(stage.screen)
        await stage.pilot.click(".reveal")
        assert "hunter2" in shown(stage.screen)
        await stage.press("ctrl+s")
        assert "Password\n•••••••" in stage.sees
        assert not stage.screen.query_one("#do-submit").has_class("-primary")


@pytest.mark.requirement("RES-3")
async def test_an_empty_text_is_an_answer_where_the_form_takes_one() -> None:
    fields: dict[str, Property] = {"a": StringProperty(min_length=0, max_length=9)}
    async with on_stage(form_prompt(fields, required=("a",))) as stage:
        await stage.press("ctrl+s", "ctrl+s")
        assert await stage.reply() == Accepted({"a": ""})


async def test_a_double_click_on_submit_answers_once() -> None:
    async with on_stage(form_prompt({"a": StringProperty(default="x")})) as stage:
        button = stage.screen.query_one("#do-submit", Button)
        button.press()
        button.press()
        await stage.pilot.pause()
        assert await stage.reply() == Accepted({"a": "x"})
        assert stage.replies == [Accepted({"a": "x"})]


async def test_the_field_with_the_focus_is_in_view_in_a_small_terminal() -> None:
    fields: dict[str, Property] = {
        f"f{n}": StringProperty(title=f"Field {n}", description="What it is for", max_length=10 + n)
        for n in range(6)
    }
    prompt = form_prompt(fields, required=("f5",))
    async with on_stage(prompt, size=(40, 12)) as stage:
        await stage.press("ctrl+s")
        await stage.pilot.pause()
        assert "Field 5 (required)" in shown(stage.screen)
        assert "! An answer is required here." in shown(stage.screen)
        stage.screen.query(Input).first().focus()
        await stage.pilot.pause()
        for n in range(5):
            seen = shown(stage.screen)
            assert f"Field {n} (optional)" in seen
            assert f"at most {10 + n} characters" in seen
            await stage.press("tab")


async def test_a_message_is_selected_with_the_mouse_and_copied() -> None:
    async with on_stage(form_prompt({"a": StringProperty()}, message="Which colour?")) as stage:
        message = stage.screen.query_one("#message")
        await stage.pilot.mouse_down(message, offset=(2, 0))
        await stage.pilot.hover(message, offset=(7, 0))
        await stage.pilot.mouse_up(message, offset=(7, 0))
        await stage.press("ctrl+c")
        assert stage.app.clipboard.startswith("Which")


async def test_a_review_in_a_small_terminal_begins_with_its_first_answer() -> None:
    fields: dict[str, Property] = {f"f{n}": StringProperty(max_length=9) for n in range(6)}
    prompt = form_prompt(fields, message="long\n" * 30)
    async with on_stage(prompt, size=(40, 12)) as stage:
        await stage.press("ctrl+s")
        await stage.pilot.pause()
        assert "will be sent" in shown(stage.screen)
        assert "f0" in shown(stage.screen)
        assert "Submit" in shown(stage.screen)


async def test_the_only_question_of_a_short_form_is_called_so() -> None:
    async with on_stage(form_prompt({"answer": StringProperty()})) as stage:
        assert "Your answer (optional)" in shown(stage.screen)


@pytest.mark.requirement("FORM-5")
async def test_a_companion_that_asks_for_a_secret_is_masked_and_its_choice_is_not() -> None:
    fields: dict[str, Property] = {
        "db": SelectProperty(title="Database", options=MANY),
        "db_other": StringProperty(title="Other", max_length=20, meta={"isSecret": True}),
        "more": BooleanProperty(),
    }
    async with on_stage(form_prompt(fields), size=(80, 50)) as stage:
        find, own = stage.screen.query(Input)
        assert (find.password, own.password) == (False, True)
        own.focus()
        await stage.types("hunter2")
        await stage.pilot.click(".reveal")
        assert (find.password, own.password) == (False, False)
        await stage.press("ctrl+s")
        assert "hunter2" not in stage.sees

"""Lines, dates and areas: which question gets which, and what keys do in them."""

import datetime

import pytest

from acp_elicitation.forms.draft import FormDraft
from acp_elicitation.presenters.tui.editors import Area, DateLine, Editor, Line, editor_of
from acp_elicitation.protocol.answers import Accepted
from acp_elicitation.protocol.schema import (
    FormSchema,
    IntegerProperty,
    NumberProperty,
    Property,
    StringProperty,
)
from tests.contract.presenters import form_prompt
from tests.unit.presenters.tui.stage import on_stage


def editor_for(member: Property, *, masked: bool = False) -> Editor:
    draft = FormDraft(FormSchema(properties={"it": member}))
    return editor_of(draft.field("it"), draft.text("it"), masked=masked)


@pytest.mark.parametrize(
    ("member", "kind"),
    [
        (StringProperty(), Area),
        (StringProperty(max_length=121), Area),
        (StringProperty(max_length=120), Line),
        (StringProperty(format="email"), Line),
        (StringProperty(pattern="^x$"), Line),
        (StringProperty(max_length=9, default="a\nb"), Area),
        (StringProperty(format="date"), DateLine),
        (IntegerProperty(), Line),
        (NumberProperty(), Line),
    ],
)
async def test_a_question_gets_the_editor_that_its_answers_fit_into(
    member: Property, kind: type
) -> None:
    editor = editor_for(member)
    assert type(editor) is kind


async def test_a_secret_is_masked_on_one_line_whatever_its_kind() -> None:
    for member in (StringProperty(), StringProperty(format="date"), IntegerProperty()):
        editor = editor_for(member, masked=True)
        assert isinstance(editor, Line)
        assert editor.password


async def test_arrow_keys_change_a_date_by_days_and_pages_by_weeks() -> None:
    fields: dict[str, Property] = {"it": StringProperty(format="date", default="2026-02-28")}
    async with on_stage(form_prompt(fields)) as stage:
        (line,) = stage.screen.query(DateLine)
        for key, date in [
            ("up", "2026-03-01"),
            ("pageup", "2026-03-08"),
            ("pagedown", "2026-03-01"),
            ("down", "2026-02-28"),
        ]:
            await stage.press(key)
            assert line.value == date
        await stage.types("x")
        await stage.press("up")
        assert line.value == "2026-02-28x"  # what is being typed is left alone
        assert "! Enter a date like 2026-12-31." in stage.sees
        line.value = ""
        await stage.press("down")
        assert datetime.date.fromisoformat(line.value) <= datetime.date.today()
        line.value = datetime.date.max.isoformat()
        await stage.press("up")
        assert line.value == datetime.date.max.isoformat()


async def test_enter_goes_on_from_a_line_and_begins_a_new_one_in_an_area() -> None:
    fields: dict[str, Property] = {"line": StringProperty(max_length=9), "area": StringProperty()}
    async with on_stage(form_prompt(fields)) as stage:
        await stage.press("a", "enter", "b", "enter", "c", "ctrl+s", "ctrl+s")
        assert await stage.reply() == Accepted({"line": "a", "area": "b\nc"})


async def test_an_area_is_as_high_as_its_text_up_to_a_bound() -> None:
    long = "\n".join(map(str, range(50)))
    fields: dict[str, Property] = {
        "one": StringProperty(default="a\nb\nc\nd"),
        "many": StringProperty(default=long),
    }
    async with on_stage(form_prompt(fields), size=(80, 60)) as stage:
        one, many = stage.screen.query(Area)
        assert (one.size.height, many.size.height) == (4, 10)
        assert many.scroll_offset.y > 0  # it begins where the text ends

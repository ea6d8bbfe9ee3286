"""Whatever an agent writes, wherever it writes it, stays text on the full screen."""

import json
import unicodedata
from pathlib import Path

import pytest
from textual.widgets import Input, TextArea

from acp_elicitation.client.prompts import Asker, FormPrompt
from acp_elicitation.protocol.answers import Accepted
from acp_elicitation.protocol.handshake import Implementation
from acp_elicitation.protocol.requests import FormRequest
from acp_elicitation.protocol.schema import Property, StringProperty
from acp_elicitation.text.terminal import visible
from tests.contract.presenters import form_full_of, form_prompt
from tests.unit.presenters.tui.shown import asked
from tests.unit.presenters.tui.stage import Stage, on_stage

CASES = Path(__file__).parents[3] / "cases" / "terminal.jsonl"
MARKUP = "[b]bold[/] [/nothing] [@click=app.exit]x[/] [link=https://evil.test]y[/] [ [[ $primary"
HOSTILE = " ".join(
    [MARKUP, *(json.loads(line)["text"] for line in CASES.read_text("utf-8").splitlines())]
)


def full_of(text: str) -> FormPrompt:
    scope = form_prompt().request.scope
    return FormPrompt(
        request=FormRequest(message=text, schema=form_full_of(text, pattern=text), scope=scope),
        asker=Asker(info=Implementation(name=text, title=text, version=text), command=(text,)),
    )


def assert_is_only_text(stage: Stage) -> None:
    for strip in stage.screen._compositor.render_strips():
        assert visible(strip.text, newlines=False) == strip.text
        for segment in strip:
            if segment.style is not None:
                assert segment.style.link is None
                assert "@click" not in segment.style.meta


@pytest.mark.requirement("UI-1", "FORM-8")
async def test_nothing_that_a_form_holds_is_markup_a_link_or_a_control() -> None:
    async with on_stage(full_of(HOSTILE), size=(100, 380)) as stage:
        assert_is_only_text(stage)
        stage.screen.query_one("#question").scroll_end(animate=False)
        await stage.pilot.pause()
        assert_is_only_text(stage)
        assert "[b]bold[/]" in stage.sees
        assert "<U+001B>]8;;https://evil.test/" in stage.sees
        await stage.press("ctrl+s")  # the problems, whose words quote the pattern
        assert_is_only_text(stage)
        assert "! " in stage.sees


@pytest.mark.requirement("UI-4")
async def test_a_hostile_answer_is_reviewed_by_the_names_of_its_characters_and_sent_as_it_is() -> (
    None
):
    fields: dict[str, Property] = {
        "line": StringProperty(default="a\x1b[31mb\u202e", max_length=90),
        "area": StringProperty(default="a\x1b[31m\nb\u202e\x0bc\r\nd"),
        "other": StringProperty(max_length=90),
    }
    async with on_stage(form_prompt(fields)) as stage:
        assert_is_only_text(stage)
        await stage.press("ctrl+s")
        assert "line\na<U+001B>[31mb<U+202E>" in stage.sees
        assert_is_only_text(stage)
        await stage.press("ctrl+s")
        defaults = {"line": fields["line"].default, "area": fields["area"].default}  # type: ignore[union-attr]
        assert await stage.reply() == Accepted(defaults)


async def test_what_is_pasted_is_text_and_none_of_it_is_lost() -> None:
    fields: dict[str, Property] = {"line": StringProperty(max_length=90), "area": StringProperty()}
    async with on_stage(form_prompt(fields)) as stage:
        line, area = stage.screen.query_one(Input), stage.screen.query_one(TextArea)
        await stage.paste("one\x1b[2J\ntwo\n", into=line)
        await stage.paste("one\x1b[2J\ntwo", into=area)
        assert_is_only_text(stage)
        assert (line.value, area.text) == ("one\x1b[2J two", "one\x1b[2J\ntwo")


@pytest.mark.parametrize("text", ["👩‍💻 e\u0301 ❤️", "नमस्ते 你好 שלום"])
async def test_the_scripts_and_emoji_of_the_world_are_edited_as_they_are(text: str) -> None:
    assert unicodedata.category(text[0])  # a text, not a control
    prompt = form_prompt({"a": StringProperty(default=text, max_length=90)})
    async with asked(prompt) as (_, screen):
        lines = [strip.text for strip in screen._compositor.render_strips()]
        assert any(text in line for line in lines)

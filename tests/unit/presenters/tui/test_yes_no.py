"""Yes, no, or no answer, on one line."""

import pytest

from acp_elicitation.presenters.tui.yes_no import YesNo
from acp_elicitation.protocol.answers import Accepted
from acp_elicitation.protocol.schema import BooleanProperty
from tests.contract.presenters import form_prompt
from tests.unit.presenters.tui.stage import Stage, on_stage


def drawn(stage: Stage) -> str:
    return stage.screen.query_one(YesNo).render().plain.rstrip()


@pytest.mark.parametrize(
    ("default", "keys", "line", "content"),
    [
        (None, [], "( ) Yes   ( ) No   (●) No answer", {}),
        (None, ["space"], "(●) Yes   ( ) No   ( ) No answer", {"it": True}),
        (None, ["n"], "( ) Yes   (●) No   ( ) No answer", {"it": False}),
        (True, ["right", "space"], "( ) Yes   (●) No   ( ) No answer", {"it": False}),
        (True, ["left", "space"], "( ) Yes   ( ) No   (●) No answer", {}),
        (False, ["up", "y", "backspace"], "( ) Yes   ( ) No   (●) No answer", {}),
    ],
)
@pytest.mark.requirement("FORM-4")
async def test_each_answer_is_given_and_taken_back_by_keys(
    default: bool | None, keys: list[str], line: str, content: dict[str, bool]
) -> None:
    async with on_stage(form_prompt({"it": BooleanProperty(default=default)})) as stage:
        await stage.press(*keys)
        assert drawn(stage) == line
        await stage.press("ctrl+s")
        assert await stage.reply() == Accepted(content)


async def test_a_required_answer_is_yes_or_no_and_neither_at_first() -> None:
    prompt = form_prompt({"it": BooleanProperty()}, required=("it",))
    async with on_stage(prompt) as stage:
        assert drawn(stage) == "( ) Yes   ( ) No"
        await stage.press("ctrl+s")
        assert "! An answer is required here." in stage.sees
        await stage.pilot.click(YesNo, offset=(12, 0))
        assert drawn(stage) == "( ) Yes   (●) No"
        await stage.press("enter", "enter")  # Enter keeps what the cursor is at, and goes on
        assert await stage.reply() == Accepted({"it": False})

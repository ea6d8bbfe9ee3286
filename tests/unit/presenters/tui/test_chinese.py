"""The full screen in Simplified Chinese: all that it says itself, and nothing of the agent's."""

from collections.abc import Iterator

import pytest

from acp_elicitation.protocol.answers import Accepted
from acp_elicitation.protocol.schema import (
    BooleanProperty,
    MultiSelectProperty,
    Option,
    Property,
    StringProperty,
)
from acp_elicitation.text.language import use_language
from tests.contract.presenters import form_prompt
from tests.unit.presenters.tui.shown import shown
from tests.unit.presenters.tui.stage import on_stage

OPTIONS = tuple(Option(value=f"选项{n}") for n in range(12))
FIELDS: dict[str, Property] = {
    "姓名": StringProperty(min_length=2, max_length=9),
    "说明": StringProperty(),
    "日期": StringProperty(format="date"),
    "确定": BooleanProperty(),
    "多选": MultiSelectProperty(options=OPTIONS, min_items=1),
}


@pytest.fixture(autouse=True)
def chinese() -> Iterator[None]:
    use_language("zh-CN")
    yield
    use_language("en")


def english_in(text: str) -> list[str]:
    """The lines that have two Latin letters in a row, apart from names of keys and examples."""
    for known in ("House Painter 3.1", "painter --acp", "ctrl+s", "ctrl+d", "esc", "Tab"):
        text = text.replace(known, "")
    latin = [line for line in text.splitlines() if line.isascii() and any(map(str.isalpha, line))]
    return [line for line in latin if line.strip() not in ("YYYY-MM-DD",)]


async def test_a_form_speaks_chinese_from_its_first_word_to_its_review() -> None:
    prompt = form_prompt(FIELDS, required=("姓名",), message="请填写。", waiting=2)
    prompt.count_from_asker = lambda: 2
    prompt.decline_all = lambda: None
    async with on_stage(prompt, size=(80, 70)) as stage:
        assert english_in(shown(stage.screen)) == []
        assert "姓名（必填）" in stage.sees.replace(" ", "")
        await stage.press("ctrl+s")
        assert english_in(stage.sees) == []
        await stage.types("张三")
        await stage.press("escape")
        assert english_in(stage.sees) == []
        await stage.press("ctrl+s")
        assert english_in(stage.sees) == []
        assert "姓名\n张三" in stage.sees
        await stage.press("ctrl+s")
        assert await stage.reply() == Accepted({"姓名": "张三"})

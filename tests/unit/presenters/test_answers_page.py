"""The page about the answers file, and the sample: what they show is what is read."""

import re
from pathlib import Path

import pytest

from acp_elicitation.presenters.answers import Rule, When, read_answers

PROJECT = Path(__file__).parents[3]
PAGE = (PROJECT / "docs/answers.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("format", ["yaml", "json", "toml"])
def test_the_rules_of_the_page_are_the_same_in_every_format(tmp_path: Path, format: str) -> None:
    (block,) = re.findall(rf"```{format}\n(.*?)```", PAGE, re.DOTALL)
    path = tmp_path / f"answers.{format}"
    path.write_text(block, encoding="utf-8")
    assert read_answers(path) == [
        Rule(
            when=When(message="colour", property="name"),
            action="accept",
            content={"name": "Ada", "day": "2026-12-31", "many": ["a", "b"]},
        ),
        Rule(when=When(mode="url"), action="accept", open=True, repeat=True),
        Rule(when=When(permission=True), option="allow_once"),
        Rule(action="decline"),
    ]


def test_the_page_names_every_key() -> None:
    for key in (*Rule.__struct_fields__, *When.__struct_fields__):
        assert f"| `{key}` |" in PAGE

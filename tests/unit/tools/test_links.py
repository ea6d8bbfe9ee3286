"""The page docs/links.md, written from the rules and from examples."""

from pathlib import Path
from typing import get_args

import pytest

from acp_elicitation.links import inspect_link
from acp_elicitation.links.report import RULES, Code
from tools.links import EXAMPLES, OWN, main, page
from tools.pages import PROJECT


def test_the_page_shows_each_code_with_its_meaning_and_an_example() -> None:
    for code, rule in RULES.items():
        assert f"| `{code}` | {rule.meaning} |" in page()
    assert {code for url in EXAMPLES for code in inspect_link(url).codes} == set(get_args(Code))


def test_the_page_shows_what_an_agent_may_send() -> None:
    rows = [line for line in page().splitlines() if any(f"| `{url}` |" in line for url in OWN)]
    assert any(line.endswith("| yes |") for line in rows)
    assert any("| no: parameter session: the link would let in" in line for line in rows)


def test_the_page_has_no_character_that_cannot_be_seen() -> None:
    assert all(line.isprintable() for line in page().splitlines())


@pytest.mark.requirement("URL-12")
def test_the_page_that_is_committed_is_current() -> None:
    assert main(["--check"], project=PROJECT) == 0


def test_check_refuses_a_missing_or_stale_page_and_accepts_a_fresh_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--check"], project=tmp_path) == 1
    assert "docs/links.md is not up to date: run `make docs`" in capsys.readouterr().err
    assert main([], project=tmp_path) == 0
    assert main(["--check"], project=tmp_path) == 0
    with (tmp_path / "docs/links.md").open("a") as file:
        file.write("more\n")
    assert main(["--check"], project=tmp_path) == 1

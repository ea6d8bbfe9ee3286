"""The page docs/types.md, written from what `describe` gives for each type."""

from pathlib import Path

import pytest

from tools.types_table import Color, main, page, refusals, rows


@pytest.mark.requirement("FORM-1")
def test_a_row_is_what_describe_gives_for_the_field() -> None:
    assert list(rows((("x: int | None = 3", None), ('x: int = Field(alias="y")', 4)))) == [
        (
            r"`int \| None = 3`",
            '`{"type": "integer", "default": 3}`',
            "none",
            "`None`",
            "no",
        ),
        (
            '`int = Field(alias="y")`',
            '`{"y": {"type": "integer"}}`',
            "`4`",
            "`4`",
            "yes",
        ),
    ]


@pytest.mark.requirement("FORM-1")
def test_every_refusal_has_a_reason_and_an_advice() -> None:
    found = list(refusals())
    assert len(found) > 10
    assert all(field and reason and instead for field, reason, instead in found)


def test_a_field_that_a_form_can_ask_for_is_no_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.types_table._REFUSED", ("x: int",))
    with pytest.raises(AssertionError, match="a form can ask for x: int"):
        list(refusals())


def test_the_page_names_the_docstring_of_a_member_as_its_title() -> None:
    assert Color.RED.value == "red"
    assert '{"const": "red", "title": "Bright red"}' in page()


def test_the_page_that_is_kept_is_current() -> None:
    assert main(["--check"]) == 0


def test_check_refuses_a_missing_or_stale_page_and_accepts_a_fresh_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--check"], project=tmp_path) == 1
    assert "docs/types.md is not up to date: run `make docs`" in capsys.readouterr().err
    assert main([], project=tmp_path) == 0
    assert main(["--check"], project=tmp_path) == 0
    with (tmp_path / "docs/types.md").open("a") as file:
        file.write("more\n")
    assert main(["--check"], project=tmp_path) == 1

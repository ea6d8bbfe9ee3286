"""The page docs/secrets.md: its numbers, and that they are current."""

import shutil
from pathlib import Path

import msgspec
import pytest

from tools.pages import PROJECT
from tools.secrets_table import MARK, Row, judge, main, page, part_of, read_rows, schema_of


def row(**changes: object) -> Row:
    plain = Row(
        case="en-1", message="Set up", name="token", type="string", kind="token", verdict="secret"
    )
    return msgspec.structs.replace(plain, **changes)


def test_the_page_of_the_project_is_current() -> None:
    assert main(["--check"]) == 0


def test_a_row_is_in_the_part_that_its_name_decides() -> None:
    parts = {part_of(row(case=f"en-{number}")) for number in range(20)}
    assert parts == {"tuned on", "held out"}
    assert part_of(row(case="en-1")) == part_of(row(case="en-1", verdict="fine", name="b"))
    assert part_of(row(batch=2)) == "second batch"


def test_both_halves_of_the_first_batch_are_of_a_size() -> None:
    parts = [part_of(row) for row in read_rows()]
    assert abs(parts.count("tuned on") - parts.count("held out")) < 0.1 * len(parts)


def test_a_row_is_read_as_it_would_come_over_the_wire() -> None:
    many = schema_of(row(type="array", options=["a", "b"])).properties["token"]
    assert type(many).__name__ == "MultiSelectProperty"
    one = schema_of(row(options=["a", "b"], default="a", title="T")).properties["token"]
    assert (type(one).__name__, one.title) == ("SelectProperty", "T")
    pieces = schema_of(row(default=["a", "b"], raw={"writeOnly": True})).properties["token"]
    assert pieces.raw == {"type": "string", "default": "ab", "writeOnly": True}


def test_the_page_counts_what_was_found_missed_left_alone_and_refused() -> None:
    rows = [
        row(),
        row(case="zh-1", kind="pin", name="answer", title="Answer"),
        row(case="en-2", verdict="fine", name="branch"),
        row(case="en-3", verdict="fine", name="token"),
    ]
    assert [judge(it) for it in rows] == ["secret", "fine", "fine", "secret"]
    text = page(f"By hand.\n{MARK}old numbers", rows)
    assert text.startswith(f"By hand.\n{MARK}\n## By part")
    assert "old numbers" not in text
    assert text.count("| **all** | 2 | 1 | 1 | 2 | 1 | 1 (50.0%) |\n") == 3
    assert "| pin | 1 | 0 | 1 | 0 | 0 | 0 |\n" in text
    assert "| zh | 1 | 0 | 1 | 0 | 0 | 0 |\n" in text
    assert "- `answer`, titled 'Answer', in a form that says 'Set up': missed\n" in text
    assert "- `token`, titled None, in a form that says 'Set up': refused, though fine\n" in text


def test_a_page_without_mistakes_says_so() -> None:
    assert page("", [row()]).endswith("## Judged wrongly\n\nNone.\n")


def test_check_refuses_a_stale_page_and_accepts_a_fresh_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "docs").mkdir()
    target = tmp_path / "docs/secrets.md"
    shutil.copy(PROJECT / "docs/secrets.md", target)
    with target.open("a") as file:
        file.write("more\n")
    assert main(["--check"], project=tmp_path) == 1
    assert "docs/secrets.md is not up to date: run `make docs`" in capsys.readouterr().err
    assert main([], project=tmp_path) == 0
    assert main(["--check"], project=tmp_path) == 0

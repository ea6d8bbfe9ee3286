"""The page docs/conformance.md, and what `make check` says about it."""

from pathlib import Path

import pytest

from acp_elicitation.conformance.manifest import REQUIREMENTS
from tools.conformance import complaints, main, page
from tools.evidence import CodeEvidence, scan_code, scan_tests
from tools.evidence import TestEvidence as Evidence

SIDES = {("agent",): "A", ("client",): "C", ("agent", "client"): "A, C"}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A small project in which code and tests quote every id."""
    ids = [r.id for r in REQUIREMENTS]
    for folder in ("src/package", "tests", "docs"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "src/package/module.py").write_text(f"# {' '.join(ids)}\n", encoding="utf-8")
    marks = ", ".join(repr(id) for id in ids)
    (tmp_path / "tests/test_all.py").write_text(
        f"import pytest\n@pytest.mark.requirement({marks})\ndef test_all(): ...\n", encoding="utf-8"
    )
    return tmp_path


def evidence_of(project: Path) -> tuple[CodeEvidence, Evidence]:
    return scan_code(project), scan_tests(project)


def rows(project: Path) -> dict[str, list[str]]:
    """The cells of each row of the page, by id."""
    lines = [line for line in page(*evidence_of(project)).splitlines() if line.startswith("| ")]
    cells = [line.strip("| ").split(" | ") for line in lines]
    return {row[0]: row for row in cells if "-" in row[0]}


def test_the_page_has_each_requirement_once_with_side_level_and_statement(project: Path) -> None:
    table = rows(project)
    assert list(table) == [r.id for r in REQUIREMENTS]
    for requirement in REQUIREMENTS:
        assert table[requirement.id][1:4] == [
            SIDES[requirement.sides],
            requirement.level,
            requirement.statement,
        ]


def test_a_row_names_its_code_and_the_file_whose_tests_all_carry_the_id(project: Path) -> None:
    assert rows(project)["CAP-6"][4:] == ["`src/package/module.py`", "`tests/test_all.py`"]


def test_a_row_names_the_tests_where_others_in_the_file_do_not_carry_the_id(project: Path) -> None:
    with (project / "tests/test_all.py").open("a") as file:
        file.write("def test_other(): ...\n")
    assert rows(project)["CAP-6"][5] == "`tests/test_all.py`: `test_all`"


def test_a_project_in_order_has_no_complaints(project: Path) -> None:
    assert complaints(*evidence_of(project)) == []


def test_an_id_without_code_is_a_complaint(project: Path) -> None:
    (project / "src/package/module.py").write_text("# nothing\n")
    assert "CAP-6: no comment or docstring in src/ quotes it" in complaints(*evidence_of(project))


def test_an_id_without_a_test_is_a_complaint(project: Path) -> None:
    (project / "tests/test_all.py").write_text("def test_all(): ...\n")
    assert "CAP-6: no test carries its mark" in complaints(*evidence_of(project))


def test_an_id_that_does_not_exist_is_a_complaint_in_code_and_on_a_test(project: Path) -> None:
    (project / "src/package/more.py").write_text("# CAP-99\n")
    (project / "tests/test_more.py").write_text(
        'import pytest\n@pytest.mark.requirement("CAP-98")\ndef test_more(): ...\n'
    )
    assert complaints(*evidence_of(project)) == [
        "src/package/more.py: quotes CAP-99, which no requirement has",
        "tests/test_more.py:2: the mark names 'CAP-98', which no requirement has",
    ]


def test_a_mark_that_says_nothing_is_a_complaint(project: Path) -> None:
    (project / "tests/test_more.py").write_text(
        'import pytest\nCASES = [pytest.mark.requirement("CAP-1")]\ndef test_more(): ...\n'
    )
    assert complaints(*evidence_of(project)) == [
        "tests/test_more.py:2: this requirement mark reaches no test"
    ]


def test_check_accepts_the_page_that_was_just_written(project: Path) -> None:
    assert main([], project=project) == 0
    assert main(["--check"], project=project) == 0


def test_check_refuses_a_missing_page(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--check"], project=project) == 1
    assert "docs/conformance.md is not up to date: run `make docs`" in capsys.readouterr().err
    assert not (project / "docs/conformance.md").exists()


def test_check_refuses_a_stale_page_and_leaves_it_alone(project: Path) -> None:
    main([], project=project)
    before = (project / "docs/conformance.md").read_text()
    (project / "src/package/more.py").write_text("# CAP-6\n")
    assert main(["--check"], project=project) == 1
    assert (project / "docs/conformance.md").read_text() == before


def test_writing_succeeds_and_still_says_what_is_missing(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "tests/test_all.py").write_text("def test_all(): ...\n")
    assert main([], project=project) == 0
    assert "CAP-6: no test carries its mark" in capsys.readouterr().err
    assert main(["--check"], project=project) == 1

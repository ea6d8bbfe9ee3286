"""What counts as evidence for a requirement, in code and in tests."""

from pathlib import Path

import pytest

from tools.evidence import TestEvidence as Evidence
from tools.evidence import scan_code, scan_tests


def quoting(tmp_path: Path, source: str, name: str = "src/package/module.py") -> set[str]:
    file = tmp_path / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(source, encoding="utf-8")
    return set(scan_code(tmp_path).files)


def reading(tmp_path: Path, source: str, name: str = "tests/test_sample.py") -> Evidence:
    file = tmp_path / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"import pytest\n{source}", encoding="utf-8")
    return scan_tests(tmp_path)


def carriers(evidence: Evidence, id: str) -> list[str]:
    return evidence.tests[id].get("tests/test_sample.py", [])


@pytest.mark.parametrize(
    "source",
    [
        '"""A module (CAP-2)."""',
        'def f():\n    """A function, CAP-2."""',
        'class C:\n    """A class: CAP-2"""',
        'class C:\n    x: int\n    """An attribute. CAP-2."""',
        "x = 1  # CAP-2",
        "# CAP-2: reason\nx = 1",
    ],
)
def test_a_comment_or_a_docstring_that_quotes_an_id_is_evidence(
    tmp_path: Path, source: str
) -> None:
    assert quoting(tmp_path, source) == {"CAP-2"}


@pytest.mark.parametrize(
    "source",
    [
        'x = "CAP-2"',
        'raise ValueError("CAP-2")',
        "# XCAP-2",
        "# CAP-2x",
        "# UTF-8",
        "cap = CAP - 2",
    ],
)
def test_other_strings_and_other_words_are_no_evidence(tmp_path: Path, source: str) -> None:
    assert quoting(tmp_path, source) == set()


def test_a_range_of_ids_quotes_each_of_them(tmp_path: Path) -> None:
    assert quoting(tmp_path, "# FORM-1..3, URL-5..URL-6") == {
        *("FORM-1", "FORM-2", "FORM-3"),
        *("URL-5", "URL-6"),
    }


@pytest.mark.parametrize("name", ["conformance/manifest.py", "protocol/errors.py"])
def test_the_manifest_and_the_error_tree_are_no_evidence(tmp_path: Path, name: str) -> None:
    assert quoting(tmp_path, "# CAP-2", f"src/package/{name}") == set()


def test_code_is_named_relative_to_the_project(tmp_path: Path) -> None:
    quoting(tmp_path, "# CAP-2")
    assert scan_code(tmp_path).files["CAP-2"] == {"src/package/module.py"}


def test_a_mark_reaches_the_test_below_it_with_all_of_its_ids(tmp_path: Path) -> None:
    evidence = reading(
        tmp_path,
        """
@pytest.mark.requirement("CAP-1", "CAP-2")
@pytest.mark.requirement("CAP-3")
async def test_one(): ...

def test_two(): ...
""",
    )
    assert {id: carriers(evidence, id) for id in evidence.tests} == {
        "CAP-1": ["test_one"],
        "CAP-2": ["test_one"],
        "CAP-3": ["test_one"],
    }
    assert evidence.count == {"tests/test_sample.py": 2}
    assert evidence.problems == []


@pytest.mark.parametrize(
    "pytestmark",
    [
        'pytestmark = pytest.mark.requirement("CAP-1")',
        'pytestmark = [pytest.mark.timeout(5), pytest.mark.requirement("CAP-1")]',
        'pytestmark: list = [pytest.mark.requirement("CAP-1")]',
    ],
)
def test_pytestmark_reaches_every_test_of_its_module(tmp_path: Path, pytestmark: str) -> None:
    evidence = reading(
        tmp_path,
        f"""
{pytestmark}
def test_one(): ...
class TestMore:
    def test_two(self): ...
""",
    )
    assert carriers(evidence, "CAP-1") == ["test_one", "TestMore::test_two"]
    assert evidence.problems == []


def test_a_mark_on_a_class_or_in_it_reaches_its_tests_only(tmp_path: Path) -> None:
    evidence = reading(
        tmp_path,
        """
@pytest.mark.requirement("CAP-1")
class TestMarked:
    pytestmark = pytest.mark.requirement("CAP-2")
    def test_in(self): ...
def test_out(): ...
""",
    )
    assert carriers(evidence, "CAP-1") == ["TestMarked::test_in"]
    assert carriers(evidence, "CAP-2") == ["TestMarked::test_in"]


@pytest.mark.parametrize(
    "source",
    [
        """
@pytest.mark.parametrize("x", [pytest.param(1, marks=pytest.mark.requirement("CAP-1"))])
def test_one(x): ...
""",
        """
CASES = [pytest.param(1, marks=[pytest.mark.requirement("CAP-1")])]
@pytest.mark.parametrize("x", CASES)
def test_one(x): ...
""",
        """
def cases():
    yield pytest.param(1, marks=pytest.mark.requirement("CAP-1"))
@pytest.mark.parametrize("x", cases())
def test_one(x): ...
""",
        """
requirement = pytest.mark.requirement
@requirement("CAP-1")
def test_one(): ...
""",
    ],
    ids=["param", "named list", "function", "alias"],
)
def test_a_mark_on_a_parameter_or_under_another_name_reaches_the_test(
    tmp_path: Path, source: str
) -> None:
    evidence = reading(tmp_path, source)
    assert carriers(evidence, "CAP-1") == ["test_one"]
    assert evidence.problems == []


def test_a_mark_that_reaches_no_test_is_a_problem(tmp_path: Path) -> None:
    evidence = reading(
        tmp_path, 'CASES = [pytest.mark.requirement("CAP-1")]\ndef test_one(): ...\n'
    )
    assert evidence.tests == {}
    assert evidence.problems == [
        "tests/test_sample.py:2: this requirement mark reaches no test",
    ]


def test_ids_that_are_not_plain_strings_are_a_problem(tmp_path: Path) -> None:
    evidence = reading(
        tmp_path, 'ID = "CAP-1"\n@pytest.mark.requirement(ID)\ndef test_one(): ...\n'
    )
    assert evidence.problems == [
        "tests/test_sample.py:3: the ids of a requirement mark must be plain strings",
    ]


def test_a_problem_of_parameters_that_two_tests_share_is_told_once(tmp_path: Path) -> None:
    evidence = reading(
        tmp_path,
        """
ID = "CAP-1"
CASES = [pytest.param(1, marks=pytest.mark.requirement(ID))]
@pytest.mark.parametrize("x", CASES)
def test_one(x): ...
@pytest.mark.parametrize("x", CASES)
def test_two(x): ...
""",
    )
    assert len(evidence.problems) == 1


def test_installed_packages_are_not_read(tmp_path: Path) -> None:
    name = "tests/node_modules/x/test_x.py"
    evidence = reading(tmp_path, '@pytest.mark.requirement("CAP-1")\ndef test_one(): ...\n', name)
    assert evidence.tests == {}

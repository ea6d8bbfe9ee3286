"""The gate on mirror files: which modules, which test file, and a real measurement."""

from pathlib import Path

import pytest

from tools.mirror import main, mirror_of, strict_modules


@pytest.mark.parametrize(
    ("module", "mirror"),
    [
        ("src/acp_elicitation/forms/check.py", "tests/unit/forms/test_check.py"),
        ("src/acp_elicitation/wire/jsonrpc.py", "tests/unit/wire/test_jsonrpc.py"),
        ("src/acp_elicitation/forms/_bounds.py", "tests/unit/forms/test_bounds.py"),
    ],
)
def test_a_module_is_covered_by_the_test_file_at_its_own_place(module: str, mirror: str) -> None:
    assert mirror_of(module) == mirror


def test_the_pure_core_is_strict_and_the_rest_is_not(tmp_path: Path) -> None:
    package = tmp_path / "src/acp_elicitation"
    for name in (
        *("protocol/__init__.py", "protocol/schema.py", "forms/check.py", "links/inspect.py"),
        *("wire/jsonrpc.py", "wire/stdio.py", "client/queue.py"),
    ):
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).touch()
    assert strict_modules(tmp_path) == [
        f"src/acp_elicitation/{name}"
        for name in ("forms/check.py", "links/inspect.py", "protocol/schema.py", "wire/jsonrpc.py")
    ]


MODULE = """\
def sign(number: int) -> str:
    if number < 0:
        return "-"
    return "+"
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with a package of the same name, which has one module."""
    settings = "[tool.pytest.ini_options]\npythonpath=['src']\n[tool.coverage.run]\nbranch=true\n"
    (tmp_path / "pyproject.toml").write_text(settings)
    (tmp_path / "src/acp_elicitation/forms").mkdir(parents=True)
    (tmp_path / "src/acp_elicitation/__init__.py").touch()
    (tmp_path / "src/acp_elicitation/forms/__init__.py").touch()
    (tmp_path / "src/acp_elicitation/forms/sign.py").write_text(MODULE)
    (tmp_path / "tests/unit/forms").mkdir(parents=True)
    return tmp_path


def write_test(project: Path, *claims: str) -> None:
    body = "\n".join(f"    assert {claim}" for claim in claims)
    (project / "tests/unit/forms/test_sign.py").write_text(
        f"from acp_elicitation.forms.sign import sign\ndef test_sign():\n{body}\n"
    )


def test_a_module_without_a_test_file_fails(
    project: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(project=project) == 1
    captured = capfd.readouterr()
    assert "its test file tests/unit/forms/test_sign.py does not exist" in captured.err
    assert "0 of 1 modules covered fully" in captured.out


def test_a_module_whose_own_tests_reach_all_of_it_passes(
    project: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    write_test(project, 'sign(-1) == "-"', 'sign(1) == "+"')
    assert main(project=project) == 0
    assert "1 of 1 modules covered fully" in capfd.readouterr().out


def test_a_module_fails_with_the_lines_and_branches_that_its_own_tests_miss(
    project: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    write_test(project, 'sign(1) == "+"')
    assert main(project=project) == 1
    assert capfd.readouterr().err == (
        "src/acp_elicitation/forms/sign.py: tests/unit/forms/test_sign.py does not reach line 3, "
        "branch 2 -> 3\n"
    )


def test_a_test_file_that_does_not_pass_alone_fails_and_shows_why(
    project: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    write_test(project, 'sign(-1) == "-"', 'sign(1) == "positive"')
    assert main(project=project) == 1
    captured = capfd.readouterr()
    assert "tests/unit/forms/test_sign.py does not pass alone" in captured.err
    assert "AssertionError" in captured.err

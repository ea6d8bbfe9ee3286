"""The project's own habits, checked on its files: names, sizes, `__all__`, tests, pins, hosts."""

import ast
import importlib
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PROJECT = Path(__file__).resolve().parents[2]
SOURCE = PROJECT / "src"
MODULES = sorted((SOURCE / "acp_elicitation").rglob("*.py"))
TEST_FILES = sorted(
    path for path in (PROJECT / "tests").rglob("*.py") if "node_modules" not in path.parts
)


def relative(path: Path) -> str:
    return path.relative_to(PROJECT).as_posix()


def import_name(path: Path) -> str:
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def defined_publicly(tree: ast.Module) -> Iterator[str]:
    """The names without a leading underscore that a module defines itself, at its top level."""
    for node in tree.body:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name
            case ast.ClassDef(name=name):
                yield name
            case ast.Assign(value=ast.Call(func=ast.Name(id="TypeVar" | "ParamSpec"))):
                pass
            case ast.Assign(targets=targets):
                yield from (target.id for target in targets if isinstance(target, ast.Name))
            case ast.AnnAssign(target=ast.Name(id=name)):
                yield name


@pytest.mark.parametrize("path", MODULES, ids=relative)
def test_a_module_lists_in_all_exactly_what_it_defines_publicly(path: Path) -> None:
    defined = {name for name in defined_publicly(parse(path)) if not name.startswith("_")}
    module = importlib.import_module(import_name(path))
    listed = getattr(module, "__all__", [])
    assert len(listed) == len(set(listed))
    assert defined <= set(listed)
    if path.name == "__init__.py":  # a package may also hand on, lazily, what its modules define
        assert [name for name in listed if not hasattr(module, name)] == []
    else:
        assert set(listed) <= defined


@pytest.mark.parametrize("path", MODULES, ids=relative)
def test_a_module_has_a_telling_name_a_docstring_and_a_readable_size(path: Path) -> None:
    vague = {"utils", "util", "helpers", "helper", "common", "base", "manager", "misc"}
    assert path.stem.strip("_") not in vague
    assert ast.get_docstring(parse(path))
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 320


class _Assertions:
    """Which functions of a test file assert something, themselves or in a function they call."""

    def __init__(self, tree: ast.Module) -> None:
        self._functions: dict[str, ast.AST] = {
            node.name: node
            for node in ast.walk(tree)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        }

    def tests(self) -> Iterator[str]:
        return (name for name in self._functions if name.startswith("test_"))

    def asserts(self, name: str, seen: frozenset[str] = frozenset()) -> bool:
        for node in ast.walk(self._functions[name]):
            if isinstance(node, ast.Assert):
                return True
            if isinstance(node, ast.Call) and self._call_asserts(node, seen | {name}):
                return True
        return False

    def _call_asserts(self, call: ast.Call, seen: frozenset[str]) -> bool:
        called = _last_name(call.func)
        if called in {"raises", "warns", "fail", "validate"} or called.startswith(
            ("assert_", "check_", "expect")
        ):
            return True
        if any(word.arg == "check" and _is_true(word.value) for word in call.keywords):
            return True  # a program that has to succeed, and may assert on its own
        return called in self._functions and called not in seen and self.asserts(called, seen)


def _is_true(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is True


def _last_name(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


@pytest.mark.parametrize("path", TEST_FILES, ids=relative)
def test_every_test_asserts_something(path: Path) -> None:
    functions = _Assertions(parse(path))
    assert [name for name in functions.tests() if not functions.asserts(name)] == []


@pytest.mark.parametrize("path", TEST_FILES, ids=relative)
def test_no_test_waits_by_sleeping(path: Path) -> None:
    """`sleep(0)` lets other tasks run and waits for nothing; any other sleep is a guess."""
    sleeps = [
        node.lineno
        for node in ast.walk(parse(path))
        if isinstance(node, ast.Call)
        and _last_name(node.func) == "sleep"
        and not (node.args and isinstance(node.args[0], ast.Constant) and node.args[0].value == 0)
    ]
    assert sleeps == []


@pytest.mark.parametrize(
    ("source", "verdict"),
    [
        ("def test_a():\n    assert True", True),
        ("def test_a():\n    with pytest.raises(ValueError):\n        int('x')", True),
        ("def test_a():\n    claim()\ndef claim():\n    assert True", True),
        ("def test_a():\n    claim()\ndef claim():\n    claim()", False),
        ("def test_a():\n    subprocess.run(['x'], check=True)", True),
        ("def test_a():\n    subprocess.run(['x'], check=False)", False),
        ("def test_a():\n    print()", False),
    ],
)
def test_an_assertion_counts_where_it_stands_in_the_test_or_in_what_it_calls(
    source: str, verdict: bool
) -> None:
    assert _Assertions(ast.parse(source)).asserts("test_a") is verdict


def own_files() -> list[Path]:
    """Every text file that is committed, or would be by `git add`."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=True).stdout
    paths = [PROJECT / name for name in names.split("\0") if name]
    return [path for path in paths if path.is_file() and b"\0" not in path.read_bytes()]


# Written in pieces, so that this file does not name them itself.
FOREIGN = re.compile(
    "|".join(
        [
            r"(?<![\w.~-])/(?:work|root)/",
            r"(?<![\w.~-])/tmp/" + r"(?:plan|v)/",
            r"(?<![\w.~-])/opt/" + "(?:wheels|pypi)",
            "pypi" + r"\.org",
            "python" + r"hosted\.org",
            "npmjs" + r"\.(?:org|com)",
            "index-" + "url",
            '"resolved"' + ":",
        ]
    )
)


def test_no_file_names_a_package_index_or_a_path_of_one_machine() -> None:
    found = [
        f"{relative(path)}:{number}: {line.strip()[:120]}"
        for path in own_files()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if FOREIGN.search(line) and path != Path(__file__).resolve()
    ]
    assert found == []


def test_no_lock_file_of_npm_is_kept() -> None:
    assert [relative(path) for path in own_files() if path.name.endswith("-lock.json")] == []


def pins() -> dict[str, str]:
    lines = (PROJECT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    split = [line.split("==") for line in lines if not line.startswith("#")]
    return {canonicalize_name(name): pinned for name, pinned in split}


def test_every_dependency_is_pinned_within_the_range_that_the_project_declares() -> None:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
    declared = list(project["project"]["dependencies"])
    for extra in project["project"]["optional-dependencies"].values():
        declared += extra
    declared += project["build-system"]["requires"]
    for requirement in map(Requirement, declared):
        pinned = pins()[canonicalize_name(requirement.name)]
        assert requirement.specifier.contains(pinned), requirement


def test_every_pin_is_a_plain_version() -> None:
    lines = (PROJECT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    assert lines
    for line in lines:
        assert line.startswith("#") or re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.!+]+", line), line


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        arguments, capture_output=True, text=True, timeout=30, check=False, stdin=subprocess.DEVNULL
    )


def test_the_command_prints_its_version() -> None:
    finished = run(str(Path(sys.executable).with_name("acp-elicit")), "--version")
    assert finished.returncode == 0, finished.stderr
    assert finished.stdout.split()[-1] == version("acp-elicitation")


def test_the_command_starts_without_loading_what_only_some_commands_need() -> None:
    program = "import sys, acp_elicitation.cli; print(*sys.modules)"
    loaded = set(run(sys.executable, "-c", program).stdout.split())
    assert "acp_elicitation.cli" in loaded
    assert (
        loaded & {"ada_url", "asyncio", "gettext", "msgspec", "pydantic", "quickjs", "yaml"}
        == set()
    )

"""The pages for readers: what they show is there, and runs."""

import ast
import builtins
import inspect
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

from acp_elicitation.client.responder import Responder
from acp_elicitation.presenters.answers import read_rules
from acp_elicitation.presenters.script import ScriptPresenter

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
URL = "https://agent.example/connect"
COMMAND = Path(sys.executable).with_name("acp-elicit")
NAMES_OF_PAGES = [page.relative_to(ROOT).as_posix() for page in PAGES]

# What a snippet may use without importing it: what its page says in words, and public names of the
# module that its page is about.
SPOKEN_OF = """
AgentProtocolRouter Awaitable Callable KeptStore MyAgent MyPresenter MyRows StoreSettings acp app
asyncio command connection data driven link_id my_client params presenter prompt reader responder
store turn url user writer
"""
MODULES = (
    "acp_elicitation",
    "acp_elicitation.bridges.acp_sdk",
    "acp_elicitation.presenters.tui",
    "acp_elicitation.presenters.web",
    "acp_elicitation.text.links",
    "acp_elicitation.text.terminal",
    "acp_elicitation.text.warnings",
    "acp_elicitation.text.wording",
    "acp_elicitation.presenters.browser",
)


def blocks(*languages: str) -> list[Any]:
    """Return the fenced blocks of these languages, each with its page and number."""
    found = []
    for page, name in zip(PAGES, NAMES_OF_PAGES, strict=True):
        fenced = re.findall(r"^```(\w*)\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL)
        for number, (language, text) in enumerate(fenced):
            if language in languages:
                found.append(pytest.param(text, id=f"{name}-{number}"))
    return found


def bound_in(tree: ast.AST) -> Iterator[str]:
    """Yield the names that a snippet gives itself."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()):
                yield name
            case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
                yield from (alias.asname or alias.name for alias in aliases)
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name):
                yield name
            case ast.AsyncFunctionDef(name=name) | ast.MatchAs(name=str(name)):
                yield name
            case ast.arg(arg=name):
                yield name


@pytest.mark.parametrize("text", blocks("python"))
def test_a_snippet_is_python_and_every_name_in_it_is_there(text: str) -> None:
    tree = compile(text, "snippet", "exec", ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    assert isinstance(tree, ast.Module)
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            module = import_module(node.module)
            assert all(hasattr(module, alias.name) for alias in node.names)
    known = {*SPOKEN_OF.split(), *dir(builtins), *bound_in(tree)}
    known |= {name for module in MODULES for name in dir(import_module(module))}
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    assert used <= known


async def test_the_lines_about_a_responder_run() -> None:
    (text,) = (text.values[0] for text in blocks("python") if "responder.create" in text.values[0])
    opened: list[str] = []

    def open_url(url: str) -> bool:
        opened.append(url)
        return True

    rules = read_rules([{"action": "accept", "open": True}])
    presenter = ScriptPresenter(rules, open_url=open_url)
    # As the params of a completion they name the same link.
    params = {"sessionId": "s", "mode": "url", "message": "?", "elicitationId": "e", "url": URL}
    scope: dict[str, Any] = {"Responder": Responder, "presenter": presenter, "params": params}
    running = eval(compile(text, "README", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT), scope)
    assert inspect.isawaitable(running)
    await running
    assert opened == [URL]
    assert len(scope["responder"].open_links) == 0


def commands() -> Iterator[str]:
    for block in blocks("sh", "console"):
        yield from (line.removeprefix("$ ") for line in block.values[0].splitlines())
    for page in PAGES:
        yield from re.findall(r"`((?:acp-elicit|make) [^`\n]+)`", page.read_text())


def of(program: str) -> list[str]:
    found = {line.partition("  #")[0].strip() for line in commands()}
    return sorted(line for line in found if line.startswith(f"{program} "))


@pytest.fixture(scope="module")
def helped() -> dict[str, str]:
    """The help of each command, once."""
    return {}


@pytest.mark.parametrize("line", of("acp-elicit"))
def test_a_command_that_is_shown_has_the_options_that_are_shown(
    line: str, helped: dict[str, str]
) -> None:
    words = line.partition(" -- ")[0].split()[1:]
    if words[0] in ("COMMAND", "--version", "--help"):
        return
    named = words[:2] if words[0] == "connect" and words[1:2] else words[:1]
    name = " ".join(named)
    if name not in helped:
        command = [str(COMMAND), *named, "--help"]
        seen = subprocess.run(command, capture_output=True, text=True, check=True)
        helped[name] = seen.stdout
    for option in [word.partition("=")[0] for word in words if word.startswith("--")]:
        assert re.search(rf"{re.escape(option)}\b", helped[name]), option


@pytest.mark.parametrize("line", of("make"))
def test_a_make_target_that_is_shown_is_there(line: str) -> None:
    makefile = (ROOT / "Makefile").read_text()
    targets = [word for word in line.split()[1:] if re.fullmatch(r"[a-z]+", word)]
    for target in targets[:1]:
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


@pytest.mark.parametrize("page", PAGES, ids=NAMES_OF_PAGES)
def test_a_link_within_the_project_leads_somewhere(page: Path) -> None:
    text = re.sub(r"```.*?```|`[^`]*`", "", page.read_text(), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if not target.startswith(("http://", "https://", "#")):
            path, _, _ = target.partition("#")
            assert (page.parent / path).exists(), target


def test_the_index_has_every_page_once() -> None:
    index = (ROOT / "docs" / "README.md").read_text()
    listed = re.findall(r"\]\((\w+\.md)\)", index)
    pages = sorted(page.name for page in (ROOT / "docs").glob("*.md") if page.name != "README.md")
    assert sorted(listed) == pages


def extras() -> dict[str, set[str]]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    declared: dict[str, list[str]] = project["optional-dependencies"]
    return {name: set(map(str, map(Requirement, of))) for name, of in declared.items()}


def test_the_readme_names_every_extra_and_what_all_of_them_brings() -> None:
    table = re.findall(r"^\| (`[a-z`, ]+`) \| (.*) \|$", install_section(), re.MULTILINE)
    rows = {extra: about for names, about in table for extra in re.findall(r"`(\w+)`", names)}
    declared = extras()
    assert set(rows) == set(declared) - {"dev"}
    in_all = [declared[name] for name in re.findall(r"`(\w+)`", rows["all"])]
    assert set().union(*in_all) == declared["all"]


def install_section() -> str:
    text = (ROOT / "README.md").read_text()
    return text.partition("## Install")[2].partition("\n## ")[0]


@pytest.mark.parametrize("page", PAGES, ids=NAMES_OF_PAGES)
def test_an_extra_that_is_asked_for_is_declared(page: Path) -> None:
    asked = re.findall(r"'(?:\.|acp-elicitation)\[([\w,]+)\]'", page.read_text())
    assert {extra for group in asked for extra in group.split(",")} <= set(extras())


def test_the_demo_asks_as_the_readme_shows() -> None:
    shown = (ROOT / "README.md").read_text().partition("```\nQuestion from")[2]
    lines = ("Question from" + shown.partition("```")[0]).splitlines()
    seen = subprocess.run(
        [str(COMMAND), "demo"], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True
    )
    asked = seen.stdout[seen.stdout.index(lines[0]) :].splitlines()
    assert asked[0] == lines[0]
    assert asked[1].endswith(lines[1].partition("python ")[2])
    assert asked[2] == lines[2]


def test_each_row_of_the_threat_model_names_tests_that_exist() -> None:
    page = (ROOT / "docs/security.md").read_text()
    rows = [line for line in page.splitlines() if line.startswith("| ") and "---" not in line][1:]
    assert len(rows) > 15
    for row in rows:
        named = re.findall(r"`(\w[\w/]+\.py)(?:::(\w+))?`", row)
        assert named, row
        for path, name in named:
            text = (ROOT / "tests" / path).read_text()
            assert f"def {name}(" in text if name else text, (path, name)

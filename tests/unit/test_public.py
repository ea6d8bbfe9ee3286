"""The public face of the package."""

import ast
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import acp_elicitation


@pytest.mark.parametrize("name", acp_elicitation.__all__)
def test_every_public_name_can_be_had(name: str) -> None:
    assert getattr(acp_elicitation, name) is not None


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="ghost"):
        _ = acp_elicitation.ghost


def test_importing_the_package_imports_nothing_else() -> None:
    code = "import sys, acp_elicitation; print([m for m in sys.modules if 'acp_elicitation.' in m])"
    seen = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert seen.stdout.strip() == "[]"


def test_every_public_name_is_listed_before_it_is_used() -> None:
    code = "import acp_elicitation as a; print(*(n for n in a.__all__ if n not in dir(a)))"
    seen = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert seen.stdout.strip() == ""


def test_a_type_checker_finds_each_name_where_it_is_loaded_from() -> None:
    tree = ast.parse(Path(acp_elicitation.__file__).read_text())
    (branch,) = [node for node in tree.body if isinstance(node, ast.If)]
    checked = {
        alias.name: node.module
        for node in branch.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    loaded = {name: f"acp_elicitation.{home}" for name, home in acp_elicitation._HOMES.items()}
    assert checked == loaded
    assert {*loaded, "__version__"} == set(acp_elicitation.__all__)


@pytest.mark.parametrize("ask", [acp_elicitation.Elicitor.form, acp_elicitation.Elicitor.link])
def test_every_error_that_asking_can_raise_is_public(ask: Callable[..., object]) -> None:
    doc = (ask.__doc__ or "").partition("Raises:")[2]
    raised = re.findall(r"^ {12}(\w+)\*?: ", doc, re.MULTILINE)
    assert "ModeNotAdvertised" in raised
    assert set(raised) <= set(acp_elicitation.__all__)

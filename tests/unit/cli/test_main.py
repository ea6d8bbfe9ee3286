"""`acp-elicit` itself: which command is meant, and how fast it says its version."""

import subprocess
import sys

import pytest

from acp_elicitation import __version__
from acp_elicitation.cli import main


@pytest.mark.parametrize("option", ["--version", "-V"])
def test_the_version_is_told(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([option]) == 0
    assert capsys.readouterr().out == f"acp-elicit {__version__}\n"


def test_telling_the_version_loads_nothing_that_costs_time() -> None:
    program = (
        "import sys; from acp_elicitation.cli import main; main(['--version']);"
        "heavy = {'asyncio', 'argparse', 'msgspec', 'importlib.metadata', 'logging', 'yaml'};"
        "print(sorted(heavy & set(sys.modules)))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=30
    )
    assert ran.stdout == f"acp-elicit {__version__}\n[]\n"


@pytest.mark.parametrize("option", ["--help", "-h", "help"])
def test_help_lists_the_commands(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([option]) == 0
    out = capsys.readouterr().out
    assert "\n  demo " in out
    assert "\n  chat " in out


@pytest.mark.parametrize(("arguments", "reason"), [([], "usage:"), (["dance"], "command: dance")])
def test_anything_else_is_exit_code_2(
    arguments: list[str], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert reason in captured.err
    assert captured.out == ""


def test_the_arguments_of_the_process_are_the_default(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["acp-elicit", "--version"])
    assert main() == 0
    assert __version__ in capsys.readouterr().out

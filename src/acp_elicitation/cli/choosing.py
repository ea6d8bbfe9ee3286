"""Which face a conversation gets: `--ui`, else the environment, else what the terminal can do.

Owns: the names of the faces, the packages that each needs, and the choice.
Knows nothing of: how a face works (see `faces`). Above it: `chat`, `demo`, `proxy`.
Below it: `text.language`.
"""

import argparse
import importlib.util
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from acp_elicitation.text.language import tr

__all__ = [
    "UIS",
    "Terminal",
    "WrongUi",
    "add_ui_option",
    "check_ui",
    "choose_ui",
    "is_installed",
]

UIS = ("auto", "plain", "tui", "web", "script")
"""What `--ui` takes."""

_NEEDS: Mapping[str, str] = MappingProxyType({"tui": "textual", "web": "uvicorn"})
"""The package that a face cannot do without; it comes with the extra of the face's name."""

_VARIABLE = "ACP_ELICIT_UI"
_LEAST_COLUMNS, _LEAST_ROWS = 40, 12
_INCAPABLE = frozenset(("", "dumb", "unknown"))


class WrongUi(Exception):
    """The face that was asked for cannot be had. Its text says why, and what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Terminal:
    """What stdin and stdout are."""

    is_terminal: bool
    kind: str = ""
    """What the environment calls it: TERM."""
    columns: int = 0
    rows: int = 0

    @classmethod
    def here(cls) -> "Terminal":
        """Look at the streams and the environment of this process."""
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            return cls(is_terminal=False)
        size = os.get_terminal_size(sys.stdout.fileno())
        default = "windows" if sys.platform == "win32" else ""
        kind = os.environ.get("TERM", default)
        return cls(is_terminal=True, kind=kind, columns=size.columns, rows=size.lines)

    @property
    def is_capable(self) -> bool:
        """Whether a program can draw on it."""
        return self.is_terminal and self.kind not in _INCAPABLE

    @property
    def is_large(self) -> bool:
        """Whether a whole screen has room on it."""
        return self.columns >= _LEAST_COLUMNS and self.rows >= _LEAST_ROWS


def add_ui_option(parser: argparse.ArgumentParser) -> None:
    """Have the parser know `--ui`; `choose_ui` takes its value."""
    parser.add_argument(
        "--ui",
        choices=UIS,
        help=tr(
            "where questions are shown and who answers (default: script with --answers, "
            "else what {variable} says, else auto: tui on a terminal that can do it, else plain)",
            variable=_VARIABLE,
        ),
    )


def choose_ui(
    asked: str | None,
    *,
    has_answers: bool,
    stays: bool,
    terminal: Terminal,
    environment: Mapping[str, str],
) -> str:
    """Return the name of a face that works here.

    Args:
        asked: the value of `--ui`, if it was given.
        has_answers: whether there are scripted answers.
        stays: whether the user goes on talking; otherwise what was said has to stay on the
            terminal after the end, which a full screen does not.
        terminal: what stdin and stdout are.
        environment: that of the process.

    Raises:
        WrongUi: the face that was asked for does not work here.
    """
    ui = asked or _from_environment(environment, has_answers=has_answers)
    if ui == "auto" and has_answers:
        ui = "script"
    if ui == "auto":
        suits = stays and terminal.is_capable and terminal.is_large and is_installed("tui")
        return "tui" if suits else "plain"
    check_ui(ui, has_answers=has_answers)
    if ui == "tui" and not terminal.is_capable:
        if asked is None:  # the variable is for the terminal, and this run has none
            return "plain"
        raise WrongUi(
            tr("--ui tui needs a terminal that can be drawn on; --ui plain works anywhere")
        )
    return ui


def check_ui(ui: str, *, has_answers: bool) -> None:
    """Raise WrongUi where a face does not go with what else was asked for, or is not installed."""
    if ui == "script" and not has_answers:
        raise WrongUi(tr("--ui script needs --answers FILE"))
    if ui != "script" and has_answers:
        raise WrongUi(tr("--answers needs --ui script"))
    if not is_installed(ui):
        raise WrongUi(
            tr(
                "--ui {ui} needs a package that is not installed: "
                "pip install 'acp-elicitation[{ui}]'",
                ui=ui,
            )
        )


def is_installed(ui: str) -> bool:
    """Whether the packages are here that a face needs."""
    package = _NEEDS.get(ui)
    try:
        return package is None or importlib.util.find_spec(package) is not None
    except ValueError:  # it is marked as not there
        return False


def _from_environment(environment: Mapping[str, str], *, has_answers: bool) -> str:
    """Return the default: a variable is for every run, so it never gets into the way of one."""
    ui = environment.get(_VARIABLE) or "auto"
    if ui not in UIS:
        names = ", ".join(UIS)
        raise WrongUi(
            tr("{variable}: no such ui: {ui}; there are {names}",
               variable=_VARIABLE, ui=ui, names=names)
        )  # fmt: skip
    return "auto" if has_answers or ui == "script" else ui

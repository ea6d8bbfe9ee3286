"""Which face a conversation gets."""

import argparse
import sys

import pytest

from acp_elicitation.cli.choosing import UIS, Terminal, WrongUi, add_ui_option, choose_ui
from tests.unit.cli.test_chat import run

GOOD = Terminal(is_terminal=True, kind="xterm-256color", columns=80, rows=24)
PIPE = Terminal(is_terminal=False)


def choose(
    asked: str | None = None,
    *,
    variable: str | None = None,
    has_answers: bool = False,
    stays: bool = True,
    terminal: Terminal = GOOD,
) -> str:
    environment = {} if variable is None else {"ACP_ELICIT_UI": variable}
    return choose_ui(
        asked, has_answers=has_answers, stays=stays, terminal=terminal, environment=environment
    )


def test_a_pipe_gets_lines() -> None:
    assert choose(terminal=PIPE) == "plain"
    assert choose("auto", terminal=PIPE) == "plain"


def test_a_capable_terminal_gets_a_full_screen() -> None:
    assert choose() == "tui"
    assert choose("auto") == "tui"


@pytest.mark.parametrize(
    "terminal",
    [
        Terminal(is_terminal=True, kind="dumb", columns=80, rows=24),
        Terminal(is_terminal=True, kind="", columns=80, rows=24),
        Terminal(is_terminal=True, kind="xterm", columns=39, rows=24),
        Terminal(is_terminal=True, kind="xterm", columns=80, rows=11),
    ],
)
def test_a_terminal_that_is_too_simple_or_too_small_gets_lines(terminal: Terminal) -> None:
    assert choose(terminal=terminal) == "plain"


def test_the_smallest_terminal_that_will_do() -> None:
    terminal = Terminal(is_terminal=True, kind="xterm", columns=40, rows=12)
    assert choose(terminal=terminal) == "tui"


def test_what_was_said_stays_on_the_terminal_where_nobody_talks_on() -> None:
    assert choose(stays=False) == "plain"
    assert choose("tui", stays=False) == "tui"


def test_without_the_package_auto_takes_lines_and_the_extra_is_named_where_it_was_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "textual", None)  # which is how Python marks what is not there
    assert choose() == "plain"
    with pytest.raises(WrongUi, match=r"pip install 'acp-elicitation\[tui\]'"):
        choose("tui")


def test_a_full_screen_needs_a_terminal_that_can_be_drawn_on() -> None:
    with pytest.raises(WrongUi, match="--ui plain works anywhere"):
        choose("tui", terminal=PIPE)
    assert choose(variable="tui", terminal=PIPE) == "plain"


def test_a_page_needs_no_terminal_but_its_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    assert choose("web", terminal=PIPE) == "web"
    assert choose(variable="web", terminal=PIPE, stays=False) == "web"
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    with pytest.raises(WrongUi, match=r"pip install 'acp-elicitation\[web\]'"):
        choose("web")


def test_a_small_terminal_gets_a_full_screen_where_it_was_asked_for() -> None:
    small = Terminal(is_terminal=True, kind="xterm", columns=20, rows=5)
    assert choose("tui", terminal=small) == "tui"
    assert choose(variable="tui", terminal=small) == "tui"


def test_answers_are_given_by_a_script() -> None:
    assert choose(has_answers=True) == "script"
    assert choose("auto", has_answers=True) == "script"
    assert choose("script", has_answers=True) == "script"


def test_answers_and_another_face_contradict_each_other() -> None:
    for ui in ("plain", "tui", "web"):
        with pytest.raises(WrongUi, match="--answers needs --ui script"):
            choose(ui, has_answers=True)


def test_a_script_needs_answers() -> None:
    with pytest.raises(WrongUi, match="--ui script needs --answers FILE"):
        choose("script")


def test_the_environment_sets_the_default() -> None:
    assert choose(variable="plain") == "plain"
    assert choose(variable="") == choose()


def test_the_option_wins_over_the_environment() -> None:
    assert choose("plain", variable="nonsense") == "plain"


def test_the_environment_never_gets_into_the_way_of_answers() -> None:
    assert choose(variable="plain", has_answers=True) == "script"
    assert choose(variable="script", terminal=PIPE) == "plain"


def test_a_variable_that_names_no_face_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(WrongUi) as refused:
        choose(variable="gui")
    assert str(refused.value) == f"ACP_ELICIT_UI: no such ui: gui; there are {', '.join(UIS)}"


def test_the_option_takes_the_names_of_the_faces() -> None:
    parser = argparse.ArgumentParser(exit_on_error=False)
    add_ui_option(parser)
    assert parser.parse_args(["--ui", "plain"]).ui == "plain"
    with pytest.raises(argparse.ArgumentError):
        parser.parse_args(["--ui", "gui"])


async def test_a_wrong_choice_is_wrong_usage(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACP_ELICIT_UI", "gui")
    for command in (("chat", "--", "x"), ("demo", "--ui", "nonsense")):
        ran = await run(*command)
        assert (ran.code, ran.out) == (2, "")
        assert "gui" in ran.err or "nonsense" in ran.err


def test_the_streams_of_a_test_are_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    assert Terminal.here() == PIPE

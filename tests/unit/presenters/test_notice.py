"""What calls a user, and that it says nothing of the agent's."""

import io
import os
from collections.abc import Iterator

import pytest

from acp_elicitation.presenters.notice import NOTIFY, Notice, attention
from acp_elicitation.text.language import LANGUAGES, use_language
from tests.contract.presenters import form_prompt
from tests.unit.presenters.dialogue import Person

XTERM = {"TERM": "xterm-256color"}


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        return os.open(os.devnull, os.O_RDONLY)


@pytest.fixture
def english() -> Iterator[None]:
    yield
    use_language("en")


def test_off_writes_nothing_and_the_bell_rings() -> None:
    assert NOTIFY == ("off", "bell", "desktop")
    assert attention("off", XTERM) == ""
    assert attention("bell", XTERM) == "\a"


def test_a_notification_is_one_sequence_with_our_own_words() -> None:
    assert attention("desktop", XTERM) == "\x1b]9;An agent asks you a question.\a"


@pytest.mark.usefixtures("english")
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_words_of_no_language_end_the_sequence(language: str) -> None:
    use_language(language)
    words = attention("desktop", XTERM).removeprefix("\x1b]9;").removesuffix("\a")
    assert words.isprintable()
    assert ";" not in words
    assert words


def test_tmux_gets_it_wrapped_to_hand_it_on() -> None:
    sequence = attention("desktop", {**XTERM, "TMUX": "/tmp/tmux-0/default,1,0"})
    assert sequence == "\x1bPtmux;\x1b\x1b]9;An agent asks you a question.\a\x1b\\"


@pytest.mark.parametrize("environment", [{}, {"TERM": "dumb"}])
def test_a_terminal_without_sequences_rings(environment: dict[str, str]) -> None:
    assert attention("desktop", environment) == "\a"


def test_only_a_terminal_is_written_to() -> None:
    pipe, terminal = io.StringIO(), Terminal()
    Notice("bell", pipe).call()
    Notice("bell", terminal).call()
    Notice("off", terminal).call()
    assert (pipe.getvalue(), terminal.getvalue()) == ("", "\a")


async def test_a_question_calls_its_user_once_in_line_mode() -> None:
    calls = Terminal()
    person = Person("/decline", notice=Notice("bell", calls))
    prompt = form_prompt(message="\x1b]9;Evil\a")
    await person.answers(person.presenter.form(prompt))
    assert calls.getvalue() == "\a"

"""Lines for the user: wrapped by us, marked as the agent's, and free of anything that acts."""

import fcntl
import io
import os
import pty
import struct
import termios
from collections.abc import Iterator

import pytest

from acp_elicitation.presenters.page import Page, columns_of, width, wrapped


def written() -> tuple[Page, io.StringIO]:
    out = io.StringIO()
    return Page(out), out


def test_without_a_terminal_nothing_is_wrapped() -> None:
    page, out = written()
    page.tell("own ", "untrusted " * 40, own_end="end")
    assert columns_of(out) is None
    assert out.getvalue().count("\n") == 1


def test_a_terminal_wraps_one_column_before_its_edge() -> None:
    keys, device = pty.openpty()
    fcntl.ioctl(device, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    with open(device, "w") as out:
        assert columns_of(out) == 79
        fcntl.ioctl(device, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 3, 0, 0))
        assert columns_of(out) == 20
    os.close(keys)


@pytest.mark.requirement("UI-1")
def test_every_line_of_the_agent_carries_the_mark() -> None:
    page, out = written()
    page.quote("one\n\ntwo")
    assert out.getvalue() == "| one\n|\n| two\n"


@pytest.mark.requirement("UI-1")
def test_a_wrapped_line_of_the_agent_carries_the_mark_again() -> None:
    text = " " * 30 + "Question from Your Bank"
    lines = list(wrapped("| " + text, 20, rest="| "))
    assert all(line.startswith("| ") and len(line) <= 20 for line in lines)
    assert len(lines) > 2


def test_text_breaks_at_spaces_and_continues_behind_the_indent() -> None:
    assert list(wrapped("  one two three four", 11, rest="    ")) == [
        "  one two",
        "    three",
        "    four",
    ]


def test_a_word_longer_than_the_line_is_cut() -> None:
    assert list(wrapped("ab" + "c" * 10, 5, rest=" ")) == ["abccc", " cccc", " ccc"]


def test_wide_characters_take_two_columns_and_marks_none() -> None:
    assert list(wrapped("中文字", 4, rest="")) == ["中文", "字"]
    assert list(wrapped("e\u0301" * 4, 4, rest="")) == ["e\u0301" * 4]
    assert list(wrapped("| 中中中", 3, rest="| ")) == ["| 中", "| 中", "| 中"]


def test_text_without_spaces_is_broken_anywhere_but_before_its_punctuation() -> None:
    assert list(wrapped("/clear 清空此项，默认值", 12, rest="  ")) == [
        "/clear 清空",
        "  此项，默认",
        "  值",
    ]
    assert list(wrapped("中文。字", 4, rest="")) == ["中", "文。", "字"]


def test_the_width_of_a_text_counts_columns() -> None:
    assert width("a中e\u0301") == 4


def test_a_narrow_line_still_brings_the_text_on() -> None:
    assert list(wrapped("| abc", 2, rest="| ")) == ["| a", "| b", "| c"]


def test_own_words_and_untrusted_ones_stay_on_one_line() -> None:
    page, out = written()
    page.tell("Name: ", "two\nlines")
    assert out.getvalue().count("\n") == 1
    assert out.getvalue().startswith("Name: two")


def test_what_stands_before_the_cursor_is_shortened() -> None:
    page, out = written()
    page.ask("[", "x" * 100, "]> ", at_most=10)
    assert out.getvalue() == "[xxxxxxxxx…]> "


@pytest.mark.requirement("FORM-8")
def test_nothing_that_acts_on_a_terminal_gets_through() -> None:
    page, out = written()
    hostile = "\x1b]8;;https://evil.test\x07click\x1b]8;;\x07 \x9b31m \u202e \x08 \r"
    page.tell("", hostile)
    page.quote(hostile)
    page.show_exactly(hostile)
    page.ask("", hostile)
    assert not set(out.getvalue()) & set("\x1b\x07\x9b\u202e\x08\r")


class Narrow(io.StringIO):
    """A terminal of 40 columns."""

    def __init__(self) -> None:
        super().__init__()
        self._keys, self._device = pty.openpty()
        fcntl.ioctl(self._device, termios.TIOCSWINSZ, struct.pack("HHHH", 12, 40, 0, 0))

    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._device

    def close(self) -> None:
        os.close(self._keys)
        os.close(self._device)


@pytest.fixture
def narrow() -> Iterator[Narrow]:
    out = Narrow()
    yield out
    out.close()


def test_further_lines_stand_below_the_first_word(narrow: Narrow) -> None:
    page = Page(narrow)
    page.tell("  ! One problem that is explained in many words.")
    page.tell("  A hint that is longer than the line is wide.")
    page.tell("No lead at all, and longer than the line is wide.")
    assert narrow.getvalue() == (
        "  ! One problem that is explained in\n"
        "    many words.\n"
        "  A hint that is longer than the line\n"
        "  is wide.\n"
        "No lead at all, and longer than the\n"
        "line is wide.\n"
    )


def test_what_stands_before_the_cursor_is_wrapped_at_words(narrow: Narrow) -> None:
    Page(narrow).ask("Enter declines; type continue to fill it in, or cancel> ")
    assert narrow.getvalue() == ("Enter declines; type continue to fill\nit in, or cancel> ")


def test_a_paragraph_runs_on_where_lines_are_narrow(narrow: Narrow) -> None:
    Page(narrow).tell_paragraph("Short lines\nstay.")
    Page(narrow).tell_paragraph("A line of more than the forty columns\nhere, and another one.")
    Page(narrow).tell_paragraph("文" * 20 + "，\n" + "字" * 3)
    assert narrow.getvalue() == (
        "Short lines\nstay.\n"
        "A line of more than the forty columns\nhere, and another one.\n"
        + "文" * 19
        + "\n文，字字字\n"
    )
    page, out = written()
    page.tell_paragraph("x" * 90 + "\nmore")
    assert out.getvalue() == "x" * 90 + "\nmore\n"


def test_a_line_of_another_program_keeps_its_indentation(narrow: Narrow) -> None:
    page, out = written()
    page.relay("stderr: ", "    at \x1b[1mfile\tline 3  ")
    assert out.getvalue() == "stderr:     at <U+001B>[1mfile    line 3\n"
    Page(narrow).relay("stderr: ", "word " * 9, before="<", after=">")
    assert narrow.getvalue() == ("<stderr: word word word word word word>\n<  word word word>\n")

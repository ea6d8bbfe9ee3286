"""Running text: quoted, wrapped, made visible, however it is cut into pieces."""

import fcntl
import io
import os
import pty
import struct
import termios
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acp_elicitation.cli.stream import QuotedStream


def streamed(*pieces: str) -> str:
    out = io.StringIO()
    stream = QuotedStream(out)
    for piece in pieces:
        stream.feed(piece)
    stream.end()
    return out.getvalue()


@pytest.fixture
def narrow() -> Iterator[tuple[int, io.TextIOWrapper]]:
    """A terminal of 21 columns: where its output can be read, and its stream."""
    keys, device = pty.openpty()
    attributes = termios.tcgetattr(device)
    attributes[1] &= ~termios.OPOST  # a line feed stays one
    termios.tcsetattr(device, termios.TCSANOW, attributes)
    fcntl.ioctl(device, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 21, 0, 0))
    with open(device, "w", encoding="utf-8") as out:
        yield keys, out
    os.close(keys)


def test_every_line_carries_the_mark_of_the_agent() -> None:
    assert streamed("one\n\ntwo ", "three\n") == "| one\n|\n| two three\n"


def test_a_text_without_a_last_line_end_gets_one() -> None:
    assert streamed("one") == "| one\n"
    assert streamed() == ""


def test_a_word_is_written_when_its_end_is_known() -> None:
    out = io.StringIO()
    stream = QuotedStream(out)
    stream.feed("Hel")
    assert out.getvalue() == ""
    stream.feed("lo wor")
    assert out.getvalue() == "| Hello "
    stream.end()
    assert out.getvalue() == "| Hello wor\n"


def test_an_endless_word_is_written_before_it_ends() -> None:
    out = io.StringIO()
    QuotedStream(out).feed("x" * 1_001)
    assert out.getvalue() == "| " + "x" * 1_001


def test_text_goes_on_in_the_same_line_after_a_pause_and_anew_after_an_end() -> None:
    out = io.StringIO()
    stream = QuotedStream(out)
    stream.feed("one ")
    stream.feed("two ")
    stream.end()
    stream.feed("three ")
    stream.end()
    assert out.getvalue() == "| one two \n| three \n"


def test_nothing_that_acts_gets_through_however_it_is_cut() -> None:
    assert "\x1b" not in streamed("\x1b", "[31m", "red\x1b", "[0m")
    assert streamed("\x1b", "[2J") == "| <U+001B>[2J\n"


@given(st.lists(st.text(alphabet="ab \n", max_size=8), max_size=8))
def test_the_cut_makes_no_difference(pieces: list[str]) -> None:
    assert streamed(*pieces) == streamed("".join(pieces))


def test_a_terminal_line_is_wrapped_behind_the_mark(
    narrow: tuple[int, io.TextIOWrapper],
) -> None:
    keys, out = narrow
    stream = QuotedStream(out)
    stream.feed("one two three four five six ")
    stream.feed("x" * 40 + " end")
    stream.end()
    written = ""
    while "end\n" not in written:
        written += os.read(keys, 4096).decode()
    assert written.splitlines() == [
        "| one two three four",
        "| five six ",
        "| " + "x" * 18,
        "| " + "x" * 18,
        "| xxxx end",
    ]

"""Lines that go to the user: the presenter's own words, and the agent's, never to be confused.

Owns: where untrusted text becomes visible text, how long lines are wrapped, and the mark that the
agent's text carries. Knows nothing of: questions. It moves no cursor, uses no colour, and writes
line after line, so that any terminal, pipe and screen reader can follow.
Above it: `plain`, `script`, the command line. Below it: `text.terminal`.

What the agent says at length stands behind `| `, also where a line is wrapped: however it is
written, it cannot pass for a line of the presenter (UI-1). Its short texts stand behind words of
the presenter, on the same line. No text is ever made clickable here (FORM-8).
"""

import os
import re
import unicodedata
from collections.abc import Iterator
from typing import Protocol

from acp_elicitation.text.terminal import one_line, visible

__all__ = ["QUOTE", "Out", "Page", "columns_of", "width", "wrapped"]

QUOTE = "| "
_NARROWEST = 20
_LEAD = re.compile(r" *(?:! )?")
_WIDE = frozenset("WF")
_CLOSING = frozenset("\u3001\u3002\u3009\u300b\u300d\u300f\u3011\u3015")
"""Wide punctuation that stands at the end of a line rather than at its beginning."""
_ZERO_WIDTH = frozenset(("Mn", "Me", "Cf"))


class Out(Protocol):
    """Where text goes; every text stream is one."""

    def write(self, text: str, /) -> object: ...

    def flush(self) -> object: ...

    def isatty(self) -> bool: ...

    def fileno(self) -> int: ...


def columns_of(out: Out) -> int | None:
    """Return how many columns a line may have; None where nobody wraps lines, as in a pipe."""
    try:
        if out.isatty():
            return max(os.get_terminal_size(out.fileno()).columns - 1, _NARROWEST)
    except (OSError, ValueError):
        pass
    return None


class Page:
    """Writes to one text stream. Only own words go out as they are."""

    def __init__(self, out: Out) -> None:
        self._out = out

    @property
    def is_terminal(self) -> bool:
        """Whether a person looks at it."""
        return self._out.isatty()

    def tell(
        self, own: str = "", untrusted: str = "", *, own_end: str = "", hang: int | None = None
    ) -> None:
        """Write own words, untrusted ones and own ones again, as one line.

        `hang` is by how many columns its further lines are indented where it is wrapped; without it
        they stand below the first word.
        """
        rest = _lead_of(own) if hang is None else hang
        self._write_wrapped(own + one_line(untrusted) + own_end, rest=" " * rest)

    def tell_paragraph(self, own: str) -> None:
        """Write own words of several lines; where lines are narrow, they run on."""
        columns = columns_of(self._out)
        if columns is None or all(width(line) <= columns for line in own.split("\n")):
            self._out.write(own + "\n")
        else:
            self._write_wrapped(_joined(own.split("\n")), rest="")

    def tell_about(
        self, own: str, untrusted: str, *, lead: str = "", hang: int | None = None
    ) -> None:
        """Write own words with untrusted ones in the place of their `{}`, as one line."""
        before, _, after = own.partition("{}")
        self.tell(lead + before, untrusted, own_end=after, hang=hang)

    def relay(self, own: str, untrusted: str, *, before: str = "", after: str = "") -> None:
        """Write one line of another program behind own words; its indentation stays.

        `before` and `after` are own, and put around each line where it is wrapped.
        """
        text = own + visible(untrusted, newlines=False)
        for line in wrapped(text, columns_of(self._out), rest="  "):
            self._out.write(before + line.rstrip(" ") + after + "\n")

    def quote(self, untrusted: str) -> None:
        """Write what the agent says at length, behind the mark."""
        for line in visible(untrusted).split("\n"):
            self._write_wrapped(QUOTE + line, rest=QUOTE)

    def show_exactly(self, untrusted: str) -> None:
        """Write one line that is to be read and copied as it is: never wrapped here."""
        self._out.write(visible(untrusted, newlines=False) + "\n")

    def ask(
        self, own: str, untrusted: str = "", own_end: str = "", *, at_most: int | None = None
    ) -> None:
        """Write what stands before the cursor, and make sure that it is seen.

        Of the untrusted text, `at_most` characters are shown.
        """
        text = own + one_line(untrusted, at_most) + own_end
        shown = text.rstrip(" ")
        *above, last = wrapped(shown, columns_of(self._out), rest="")
        self._out.write("".join(line.rstrip(" ") + "\n" for line in above) + last)
        self._out.write(text[len(shown) :])
        self._out.flush()

    def flush(self) -> None:
        """Make sure that all is seen."""
        self._out.flush()

    def _write_wrapped(self, text: str, *, rest: str) -> None:
        for line in wrapped(text, columns_of(self._out), rest=rest):
            self._out.write(line.rstrip(" ") + "\n")


def _lead_of(own: str) -> int:
    found = _LEAD.match(own)
    return found.end() if found else 0


def _joined(lines: list[str]) -> str:
    """Return the lines as one; between characters that are as wide as they are high, no space."""
    text = ""
    for line in lines:
        is_wide = text and unicodedata.east_asian_width(text[-1]) in _WIDE
        text += line if is_wide or not text else f" {line}"
    return text


def width(text: str) -> int:
    """Return how many columns a terminal needs for `text`, which is visible text."""
    return sum(map(_columns_of_one, text))


def _columns_of_one(character: str) -> int:
    if unicodedata.category(character) in _ZERO_WIDTH:
        return 0
    return 2 if unicodedata.east_asian_width(character) in _WIDE else 1


def wrapped(text: str, columns: int | None, *, rest: str) -> Iterator[str]:
    """Yield `text` in lines of at most `columns`, broken between words where there are any.

    `rest` stands before every line but the first. The text is never copied: it may be megabytes of
    a hostile agent.
    """
    start, lead, least = 0, "", len(rest)
    while columns is not None:
        end = _cut(text, start, columns - len(lead), least=least)
        if end is None or end >= len(text):
            break
        yield lead + text[start:end]
        start = end + text.startswith(" ", end)
        lead, least = rest, 0
    yield lead + text[start:]


def _may_begin_line(character: str) -> bool:
    """Whether a line may be broken here: at a space, and before what is written without spaces."""
    if character == " ":
        return True
    return unicodedata.east_asian_width(character) == "W" and character not in _CLOSING


def _cut(text: str, start: int, columns: int, *, least: int) -> int | None:
    """Return where to break the line that begins at `start`, or None where the rest fits.

    It is after more than `least` characters, so that every line brings the text on.
    """
    used = 0
    space = None
    for index in range(start, len(text)):
        used += _columns_of_one(text[index])
        if index - start > least and _may_begin_line(text[index]):
            space = index
        if used > columns:
            return space or max(index, start + least + 1)
    return None

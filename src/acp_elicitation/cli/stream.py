"""Text that arrives piece by piece, shown as it comes: quoted, wrapped, and made visible.

Owns: where a running line stands, and the word that may still go on.
Knows nothing of: what the text is. Above it: `view`. Below it: `presenters.page`, `text.terminal`.

What was written cannot be taken back, so a word is written when its end is known. Every line
carries the mark of the agent's text, see `presenters.page`.
"""

import re

from acp_elicitation.presenters.page import QUOTE, Out, columns_of, width, wrapped
from acp_elicitation.text.terminal import visible

__all__ = ["QuotedStream"]

_LONGEST_WORD = 1_000
_PIECES = re.compile(r"\n| +|[^ \n]+")


class QuotedStream:
    """Writes running text to `out`."""

    def __init__(self, out: Out) -> None:
        self._out = out
        self._pending = ""
        self._column = 0

    def feed(self, text: str) -> None:
        """Write the words that `text` completes."""
        text = self._pending + text
        end = max(text.rfind(" "), text.rfind("\n")) + 1
        if len(text) - end > _LONGEST_WORD:
            end = len(text)
        self._pending = text[end:]
        self._write(text[:end])
        self._out.flush()

    def end(self) -> None:
        """Write what is left, and end the line."""
        pending, self._pending = self._pending, ""
        self._write(pending)
        if self._column:
            self._out.write("\n")
            self._column = 0
        self._out.flush()

    def _write(self, text: str) -> None:
        columns = columns_of(self._out)
        for piece in _PIECES.findall(visible(text)):
            if piece == "\n":
                self._out.write("\n" if self._column else QUOTE.rstrip() + "\n")
                self._column = 0
            else:
                self._write_piece(piece, columns)

    def _write_piece(self, piece: str, columns: int | None) -> None:
        if self._column == 0:
            self._begin_line()
        if columns is not None and self._column + width(piece) > columns:
            if self._column > len(QUOTE):
                self._out.write("\n")
                self._begin_line()
            if piece.isspace():
                return
            *full, piece = wrapped(QUOTE + piece, columns, rest=QUOTE)
            for line in full:
                self._out.write(line[len(QUOTE) :] + "\n" + QUOTE)
            piece = piece[len(QUOTE) :]
        self._out.write(piece)
        self._column += width(piece)

    def _begin_line(self) -> None:
        self._out.write(QUOTE)
        self._column = len(QUOTE)

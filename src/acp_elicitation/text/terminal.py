"""Text from the other side, made safe to print on a terminal: the only escaper for terminals.

Owns: which characters may reach a terminal as they are, and the mark that stands for any other.
Nothing is deleted and no escape sequence is parsed: what cannot be shown is named, as in
`<U+001B>`, so that a person sees that it is there, and a terminal sees plain ASCII.
Knows nothing of: colours, columns and wrapping, markup, and whose text it is.
Above it: the presenters and the command line. Below it: nothing.

Named are controls, bidirectional controls, all that is invisible or only tells how to format,
private use, surrogates and noncharacters. Letters of every script, right-to-left ones too, and
emoji stay. A joiner or a variation selector stays only inside an emoji; at most three combining
marks stay after one character, and none where there is nothing for them to stand on.
"""

import re
import unicodedata
from collections.abc import Iterator
from itertools import accumulate, takewhile

__all__ = ["one_line", "visible"]

_TAB = "    "
_MARKS_AT_MOST = 3

# Everyday text of the larger scripts: whatever consists of these alone needs no closer look.
_HARMLESS = re.compile(
    "[\n -~\xa0-\xac\xae-\u02ff\u0370-\u0482\u048a-\u052f\u05d0-\u05ea\u0620-\u064a\u0660-\u066f"
    "\u0671-\u06d3\u2010-\u2027\u2030-\u205e\u20a0-\u20cf\u2100-\u2bff\u3000-\u3029\u3030-\u3098"
    "\u309b-\u3163\u3165-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff01-\uff9f\uffa1-\uffef"
    "\U0001f000-\U0001faff\U00020000-\U0002fffd\U00030000-\U0003fffd]*"
)

# Invisible though some are marks or letters: Unicode's default ignorable code points, the
# annotation controls, and the noncharacters of the first plane (the others end in FFFE and FFFF).
_HIDDEN = re.compile(
    "[\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\u3164\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_UNSEEN_CATEGORIES = frozenset({"Cc", "Cf", "Co", "Cs", "Zl", "Zp"})
# These are of category Cf and yet have a shape: signs that go around or over a number.
_SEEN_FORMATS = frozenset(
    "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"
)
_STACKING_CATEGORIES = frozenset({"Mn", "Me"})

# The blocks of symbols, whose characters may be joined into one picture.
_PICTOGRAPH = (
    "[\xa9\xae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u24c2\u25a0-\u27bf\u2900-\u297f"
    "\u2b00-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001f1e5\U0001f200-\U0001f3fa"
    "\U0001f400-\U0001faff\U0001fc00-\U0001fffd][\ufe0e\ufe0f]?[\U0001f3fb-\U0001f3ff]?"
)
_UNIT = re.compile(f"\r\n|[#*0-9]\ufe0f\u20e3|{_PICTOGRAPH}(?:\u200d{_PICTOGRAPH})*|.", re.DOTALL)


def visible(text: str, *, newlines: bool = True) -> str:
    """Give `text` as it may be printed: every other character is named, as in `<U+202E>`.

    A line feed, alone or after a carriage return, stays a line feed, or is named too where
    `newlines` is false. A tab becomes four spaces. Printable ASCII stays as it is, and so does
    what this function returned.
    """
    if text.isascii() and text.isprintable():
        return text
    if _HARMLESS.fullmatch(text) and (newlines or "\n" not in text):
        return text
    return "".join(_pieces(text, newlines=newlines))


def one_line(text: str, limit: int | None = None) -> str:
    """Give `text` as `visible` does, on one line, in at most `limit` code points.

    Lines are joined by one space, and what is cut off is shown by a final `…`. A name of a
    character, and an emoji, is kept or cut as a whole.
    """
    lines = (line.strip(" \t") for line in text.replace("\r\n", "\n").split("\n"))
    joined = " ".join(filter(None, lines))
    shown = visible(joined, newlines=False)
    if limit is None or len(shown) <= limit:
        return shown
    ends = accumulate(map(len, _pieces(joined, newlines=False)))
    return shown[: max(takewhile(lambda end: end < limit, ends), default=0)] + "…"


def _pieces(text: str, *, newlines: bool) -> Iterator[str]:
    """Yield `text` bit by bit, each as it may be printed."""
    marks_left = 0  # how many combining marks may yet stand on what was printed last
    for unit in _UNIT.findall(text):
        if unit in ("\n", "\r\n"):
            marks_left = 0
            yield "\n" if newlines else _name("\n")
        elif unit == "\t":
            marks_left = 0
            yield _TAB
        elif len(unit) == 1 and _is_unseen(unit):
            marks_left = 0
            yield _name(unit)
        elif unicodedata.category(unit[0]) not in _STACKING_CATEGORIES:
            marks_left = _MARKS_AT_MOST
            yield unit
        elif marks_left:
            marks_left -= 1
            yield unit
        else:
            yield _name(unit)


def _is_unseen(character: str) -> bool:
    if _HIDDEN.match(character):
        return True
    if unicodedata.category(character) in _UNSEEN_CATEGORIES:
        return character not in _SEEN_FORMATS
    return ord(character) & 0xFFFE == 0xFFFE


def _name(character: str) -> str:
    return f"<U+{ord(character):04X}>"

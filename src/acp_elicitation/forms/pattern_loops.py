"""Rewrites a pattern so that the engine looks at its clock in every loop (FORM-9).

Owns: `guard`, which turns a valid ECMA-262 pattern into one with the same matches. The engine
counts towards its time limit only where it backtracks and where it jumps at the end of an
alternative; `X+` and `X{2,9}` do neither, so `(?:a(?=(?:a(?=a+))+))+` runs for hours without one
look at the clock. An alternative that never matches, `(?:X|[])+`, adds the jump and changes no
match, no capture and no group number.
Knows nothing of: the engine's API, the limits, subjects. Above it: `patterns`. Below it: nothing.

What may go unguarded: `X*` and `X?` (the engine jumps in the one and does not loop in the other),
and, in a pattern without lookaround, a repeated single character: there every round leaves a
backtracking point, which is counted when it is taken back.
"""

import re
import struct
from collections.abc import Iterator
from typing import NamedTuple

__all__ = ["Guarded", "guard"]

_NEVER = "|[]"
_OPENING = r"(?P<open>\((?:\?(?:<?[=!]|<[^>]*>|[ims]*(?:-[ims]*)?:))?)"
_REPEAT = r"(?P<repeat>(?:[*+?]|\{[0-9]+(?:,[0-9]*)?\})\??)"
_CLASS = r"\[(?:\\.|[^\]\\])*\]"
_HEX4 = "[0-9a-fA-F]{4}"

# Both read the alternatives in order, so that `.` is whatever no other one takes. Only valid
# patterns come here: what the engine refuses need not be told apart.
_UNICODE = re.compile(
    rf"{_OPENING}|(?P<close>\))|{_REPEAT}|(?P<between>[|^$]|\\[bB])"
    r"|(?P<reference>\\[1-9][0-9]*|\\k<[^>]*>)"
    rf"|(?P<single>\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\u\{{[^}}]*\}}|\\u{_HEX4}|\\x..|\\c."
    rf"|\\[pP]\{{[^}}]*\}}|\\.|{_CLASS}|.)",
    re.DOTALL,
)
_LEGACY = re.compile(
    rf"{_OPENING}|(?P<close>\))|{_REPEAT}|(?P<between>[|^$]|\\[bB])"
    r"|(?P<reference>\\[1-9][0-9]*|\\k<[^>]*>)"
    rf"|(?P<single>\\u{_HEX4}|\\x[0-9a-fA-F]{{2}}|\\c[A-Za-z]|\\(?=c)|\\0[0-7]{{0,2}}|\\."
    rf"|{_CLASS}|.)",
    re.DOTALL,
)
# Lookaround, a back-reference, or a group in a loop other than `*`.
_MAY_HIDE_WORK = re.compile(r"\(\?<?[=!]|\\[1-9k]|\)[+{]")
_FOLDING = re.compile(r"\(\?[a-z-]*i")
_OCTAL = re.compile(r"\\(?:[0-3][0-7]{0,2}|[4-7][0-7]?|[89])")


class Guarded(NamedTuple):
    """A pattern that may run, and what no rewriting helps against.

    A back-reference is one step, however long the text that it compares. `reference_cost` is 0
    without any, and else what comparing one character costs, about: 1, or 40 where case is folded.
    """

    source: str
    reference_cost: int


def guard(source: str, *, unicode: bool) -> Guarded:
    """Give `source` as a pattern whose every unbounded piece of work is counted (FORM-9).

    `source` must be one that the engine accepts with the `u` flag, or with none when `unicode` is
    false. In the second case the result may contain lone surrogates: its characters are UTF-16
    code units, as without the flag the parts of a pair are characters of their own.
    """
    if _MAY_HIDE_WORK.search(source) is None:
        return Guarded(source, 0)
    looks_around = any(opening in source for opening in ("(?=", "(?!", "(?<=", "(?<!"))
    pieces: list[str] = []
    openings: list[int] = []
    atom: int | None = None  # where the thing that a quantifier would repeat starts in `pieces`
    composite = False
    cost = 0
    for kind, text in _tokens(_code_points(source) if unicode else _code_units(source), unicode):
        match kind:
            case "open":
                openings.append(len(pieces))
                atom = None
            case "close":
                atom = openings.pop()
                composite = True
                if pieces[atom] in ("(?=", "(?<="):
                    pieces.append(_NEVER)  # its success forgets the points that would be counted
            case "reference":
                atom, composite = len(pieces), True
                cost = 40 if _FOLDING.search(source) else 1
            case "single":
                atom, composite = len(pieces), False
            case "repeat" if atom is not None and text[0] in "+{" and (composite or looks_around):
                if pieces[-1] != ")":
                    pieces.insert(atom, "(?:")
                    pieces.append(")")
                pieces.insert(-1, _NEVER)
                atom = None
            case _:
                atom = None
        pieces.append(text)
    return Guarded("".join(pieces), cost)


def _tokens(source: str, unicode: bool) -> Iterator[tuple[str, str]]:
    """Cut a valid pattern into (kind, text)."""
    lexer = _UNICODE if unicode else _LEGACY
    # Without the flag `\k` is a plain k unless some group has a name, and `\12` is a character
    # unless there are 12 groups.
    openings = [found["open"] for found in lexer.finditer(source) if found["open"]]
    named = any(opening.startswith("(?<") and opening[-1] == ">" for opening in openings)
    groups = sum(opening == "(" or opening[-1] == ">" for opening in openings)
    position = 0
    while found := lexer.match(source, position):
        kind, text = str(found.lastgroup), found[0]
        if kind == "reference" and not unicode:
            kind, text = _legacy_reference(source, position, text, groups=groups, named=named)
        position += len(text)
        # A backslash that escapes nothing stands for itself, and must not escape what we insert.
        yield kind, "\\\\" if text == "\\" else text


def _legacy_reference(
    source: str, position: int, text: str, *, groups: int, named: bool
) -> tuple[str, str]:
    """Tell a back-reference from the character that it is without the `u` flag (Annex B)."""
    if text[1] == "k":
        return ("reference", text) if named else ("single", text[:2])
    if int(text[1:]) <= groups:
        return "reference", text
    octal = _OCTAL.match(source, position)
    assert octal is not None  # the first digit is 1 to 9
    return "single", octal[0]


def _code_points(source: str) -> str:
    """Join the surrogate pairs that stand as two characters."""
    if source.isascii():
        return source
    return source.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def _code_units(source: str) -> str:
    """Part every character beyond U+FFFF into its two surrogates."""
    if source.isascii():
        return source
    units = struct.iter_unpack("<H", source.encode("utf-16-le", "surrogatepass"))
    return "".join(chr(unit) for (unit,) in units)

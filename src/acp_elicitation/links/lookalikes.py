"""What a label of a host name looks like, where that is not what it is.

Owns: reading letters of other scripts as the Latin ones that they resemble, by the confusables of
UTS 39, and the looser comparison with well-known names, in which `rn` and `m`, `0` and `o`, marks
and no marks are the same.
Knows nothing of: domains. Above it: `spoofing`. Below it: `scripts`, `known_names`,
`unicode_tables`.
"""

import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache

from acp_elicitation.links.known_names import KNOWN_NAMES, LURES
from acp_elicitation.links.scripts import scripts_of
from acp_elicitation.links.unicode_tables import LOOKALIKES

__all__ = ["imitated_by_dress", "imitated_name", "latin_reading"]

# Letters of everyday languages for which UTS 39 has a Latin reading: no evidence of a deceit.
_EVERYDAY = frozenset("\u00e6\u00fe\u0131\u0153")

# Letters that UTS 39 keeps apart from the Latin ones, near enough in a known name.
_NEAR = {
    "b": "\u0432\u044c\u03b2\u0299",
    "h": "\u043d\u029c",
    "k": "\u043a\u03ba\u0138",
    "m": "\u043c\u1d0d",
    "n": "\u043f\u03b7\u0274\u0438",
    "r": "\u0433",
    "t": "\u0442\u03c4\u1d1b",
    "u": "\u03bc\u03c5\u0446",
    "w": "\u03c9\u0448",
    "y": "\u0443\u04af",
}
_DIGITS = str.maketrans("01345789", "oleastbg")
_PAIRS = (("rn", "m"), ("vv", "w"), ("cl", "d"), ("i", "l"))
_SHORTEST = 4


def latin_reading(label: str, *, top: str = "") -> str | None:
    """Return the Latin word that `label` looks like, or None where it looks like none.

    Every letter has to look Latin, and one at least has to be of another alphabet. A label wholly
    in one script, under a top-level domain in the same (`top`), is taken for what it is, unless
    that is Latin.
    """
    if label.isascii():
        return None
    letters = unicodedata.normalize("NFD", label)
    reading = "".join(map(_latin, letters)).lower()
    if not reading.isascii() or not any(map(_is_evidence, letters)):
        return None
    scripts = scripts_of(label)
    is_native = len(scripts) == 1 and not top.isascii() and scripts == scripts_of(top)
    return None if is_native else reading


def imitated_name(label: str) -> str | None:
    """Return the well-known name that a part of `label` is a lookalike of, or None.

    Parts are what hyphens separate, and the whole. The name itself is no lookalike of it.
    """
    for part in dict.fromkeys((label, *label.split("-"))):
        if len(part) >= _SHORTEST and part not in KNOWN_NAMES:
            name = next((_known()[key] for key in _keys(part) if key in _known()), None)
            if name is not None:
                return name
    return None


def imitated_by_dress(label: str) -> str | None:
    """Return the well-known name that `label` has beside a luring word or torn by hyphens."""
    parts = label.split("-")
    if not LURES.isdisjoint(parts):
        for part in parts:
            if part in KNOWN_NAMES:
                return part
    whole = "".join(parts)
    return whole if len(parts) > 1 and whole in KNOWN_NAMES else None


def _is_evidence(character: str) -> bool:
    return not character.isascii() and character not in _EVERYDAY


def _latin(character: str) -> str:
    return _readings().get(character, character)


def _keys(text: str) -> Iterator[str]:
    """Give what `text` reads as, roughly: by UTS 39, and with letters that are only near."""
    letters = unicodedata.normalize("NFD", text)
    yield _key("".join(map(_latin, letters)))
    if not text.isascii():
        yield _key("".join(_near().get(letter, _latin(letter)) for letter in letters))


def _key(reading: str) -> str:
    """Reduce a reading, decomposed, to what all of its lookalikes have in common."""
    bare = "".join(it for it in reading.lower() if not unicodedata.combining(it))
    bare = bare.translate(_DIGITS)
    for pair, single in _PAIRS:
        bare = bare.replace(pair, single)
    return bare


@cache
def _known() -> dict[str, str]:
    return {_key(name): name for name in sorted(KNOWN_NAMES)}


@cache
def _readings() -> dict[str, str]:
    return _inverted(LOOKALIKES.items())


@cache
def _near() -> dict[str, str]:
    return _inverted(_NEAR.items())


def _inverted(readings: Iterable[tuple[str, str]]) -> dict[str, str]:
    return {character: reading for reading, found in readings for character in found}

"""Characters of a URL that a person does not see for what they are.

Owns: which these are. Controls and spaces are one kind (`control`); the other (`invisible`) is
whatever has no shape of its own: format characters, the bidirectional ones among them, blanks
beyond ASCII, fillers, variation selectors, private use.
Knows nothing of: URLs and their parts. `text.terminal` has its own, narrower, question: what a
terminal may be sent. Above it: `inspect`. Below it: `report`.
"""

import re
import unicodedata
from collections.abc import Iterator

from acp_elicitation.links.report import LinkWarning

__all__ = ["find_unseen"]

_CONTROL = re.compile("[\x00-\x20\x7f-\x9f]")
_SHAPELESS_CATEGORIES = frozenset({"Cf", "Co", "Zl", "Zp", "Zs"})
# Default ignorable code points of other categories, and two signs that are drawn as nothing.
_SHAPELESS = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2065\u2800\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufff8"
    "\U0001d159\U000e0000-\U000e0fff]"
)
_NAMED_AT_MOST = 8


def find_unseen(text: str) -> Iterator[LinkWarning]:
    """Give `control` and `invisible` where `text` has such characters, named by code point."""
    controls = _CONTROL.findall(text)
    if controls:
        yield LinkWarning(code="control", params={"characters": _names(controls)})
    if not text.isascii():
        shapeless = [character for character in text if _is_shapeless(character)]
        if shapeless:
            yield LinkWarning(code="invisible", params={"characters": _names(shapeless)})


def _is_shapeless(character: str) -> bool:
    if character.isascii():
        return False
    return (
        unicodedata.category(character) in _SHAPELESS_CATEGORIES
        or _SHAPELESS.match(character) is not None
    )


def _names(characters: list[str]) -> tuple[str, ...]:
    distinct = list(dict.fromkeys(characters))[:_NAMED_AT_MOST]
    return tuple(f"U+{ord(character):04X}" for character in distinct)

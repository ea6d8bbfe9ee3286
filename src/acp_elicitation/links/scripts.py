"""Which scripts a label is written in, and whether any language writes them together.

Owns: the rule, that of the *Highly Restrictive* level of UTS 39: one script, counting those that
Chinese, Japanese and Korean each use together as one, and Latin beside any of these three.
Knows nothing of: what characters look like. Above it: `lookalikes`, `spoofing`. Below it:
`unicode_tables`.
"""

from bisect import bisect_right
from functools import cache

from acp_elicitation.links.unicode_tables import SCRIPTS

__all__ = ["is_mixed", "scripts_of"]

_LATIN = "Latn"
# What Han, the kana, Bopomofo and Hangul can be part of, by UTS 39, section 5.1.
_WRITINGS = {
    "Hani": {"Hanb", "Jpan", "Kore"},
    "Hira": {"Jpan"},
    "Kana": {"Jpan"},
    "Bopo": {"Hanb"},
    "Hang": {"Kore"},
}
_BESIDE_LATIN = {"Hanb", "Jpan", "Kore"}


def is_mixed(label: str) -> bool:
    """Return whether `label`, in Unicode, mixes scripts that no language writes together."""
    sets = [found for found in map(_sets, label) if found]
    if label.isascii() or not sets or frozenset.intersection(*sets):
        return False
    others = [found for found in sets if _LATIN not in found]
    return not (others and frozenset.intersection(*others) & _BESIDE_LATIN)


def scripts_of(label: str) -> tuple[str, ...]:
    """Return the scripts of `label` by their four-letter codes, each once, in order.

    Given are those of characters that have one script: a digit or a hyphen has none.
    """
    single = (found for found in map(_scripts, label) if len(found) == 1)
    return tuple(dict.fromkeys(script for found in single for script in found))


def _sets(character: str) -> frozenset[str]:
    """Return the scripts and the ways of writing that it can be part of; none where any."""
    found = _scripts(character)
    return found.union(*(_WRITINGS.get(script, ()) for script in found))


def _scripts(character: str) -> frozenset[str]:
    starts, sets = _table()
    return sets[bisect_right(starts, ord(character)) - 1]


@cache
def _table() -> tuple[list[int], list[frozenset[str]]]:
    runs = [run.split(":") for run in SCRIPTS.split()]
    return (
        [int(start, 16) for start, _ in runs],
        [frozenset(names.split("+")) if names else frozenset() for _, names in runs],
    )

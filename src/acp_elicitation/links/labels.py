"""The labels of a host name: as they travel, as they read, and whether they can exist.

Owns: decoding Punycode, with every encoded label round-tripped through IDNA 2008, and the limits
of the domain name system.
Knows nothing of: scripts and lookalikes, and of addresses. Above it: `host`, `rewriting`. Below
it: `idna`.
"""

import re
from functools import lru_cache

__all__ = ["PREFIX", "decode_label", "is_possible_label"]

PREFIX = "xn--"
"""How a label begins that stands for one beyond ASCII."""

_LONGEST = 63
# Letters, digits, hyphens; underscores occur in the names of machines.
_PLAIN = re.compile(r"[a-z0-9_-]+")


@lru_cache(maxsize=256)
def decode_label(label: str) -> str | None:
    """Return how a label, given as the browser uses it, reads in Unicode.

    None where it is Punycode that does not decode, or not to a label of IDNA 2008 that encodes to
    the same again. A parser of URLs lets such labels through.
    """
    if not label.startswith(PREFIX):
        return label
    import idna  # only names beyond ASCII pay for the import

    try:
        decoded = idna.ulabel(label)
        return decoded if idna.alabel(decoded) == label.encode() else None
    except UnicodeError:
        return None


def is_possible_label(label: str) -> bool:
    """Return whether a label, given as the browser uses it, can exist in the domain name system."""
    return (
        len(label) <= _LONGEST
        and _PLAIN.fullmatch(label) is not None
        and decode_label(label) is not None
    )

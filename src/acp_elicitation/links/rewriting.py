"""Is a URL written as the browser uses it? Where not, a person who reads it is misled.

Owns: the comparison, part by part. Upper case in scheme and host, the scheme's own port, a missing
`/` after the host and characters that get percent-encoded in path and query are no difference.
Knows nothing of: what the host is. Above it: `inspect`. Below it: `labels`, `target`.

`urllib` is asked too, as a specimen of the parsers that are not a browser's: where it sees another
host, a person or a program that judged by it was misled (`https://example.com\\@evil.test/`).
"""

import re
import unicodedata
from collections.abc import Callable, Mapping
from types import MappingProxyType
from urllib.parse import urlsplit

from acp_elicitation.links.labels import decode_label
from acp_elicitation.links.target import Target

__all__ = ["find_rewriting"]

_OPENING = re.compile(r"https?://[^/\\]", re.IGNORECASE)
_PORT = re.compile(r":([0-9]*)$")
_DOTS = re.compile(r"/(?:\.|%2e){1,2}(?=/|$)", re.IGNORECASE)


def find_rewriting(target: Target) -> tuple[str, ...]:
    """Return the parts that the browser changes: a selection of `slashes`, `backslash`, ..."""
    return tuple(name for name, differs in _DIFFERENCES.items() if differs(target))


def _host_and_port(target: Target) -> tuple[str, str | None]:
    """Split the authority as written; a user name before them is another matter."""
    written = target.authority.rpartition("@")[2]
    port = _PORT.search(written)
    return (written[: port.start()], port[1]) if port else (written, None)


def _differs_in_slashes(target: Target) -> bool:
    return _OPENING.match(target.written) is None


def _has_backslash(target: Target) -> bool:
    return "\\" in target.written


def _differs_in_host(target: Target) -> bool:
    written = _host_and_port(target)[0].split(".")
    used = target.host.split(".")
    return len(written) != len(used) or not all(map(_is_same_label, written, used))


def _is_same_label(written: str, used: str) -> bool:
    if written.isascii():
        return written.lower() == used
    readable = decode_label(used)
    if readable is None:  # such a host is refused for that
        return True
    # Letter by letter: as a whole, a final sigma is another letter. Composed: a Kelvin sign,
    # among others, becomes an ordinary letter in lower case.
    lower = "".join(character.lower() for character in written)
    return unicodedata.is_normalized("NFC", written) and lower == readable


def _differs_in_port(target: Target) -> bool:
    port = _host_and_port(target)[1]
    return port is not None and port != str(target.port)


def _has_dot_segments(target: Target) -> bool:
    return _DOTS.search(re.split("[?#]", target.rest, maxsplit=1)[0]) is not None


def _is_read_differently(target: Target) -> bool:
    try:
        other = urlsplit(target.written)
        seen = (other.scheme, other.hostname, other.port or target.port)
    except ValueError:
        return True
    written = _host_and_port(target)[0].strip("[]").lower()
    return seen != (target.scheme, written, target.port)


_DIFFERENCES: Mapping[str, Callable[[Target], bool]] = MappingProxyType(
    {
        "slashes": _differs_in_slashes,
        "backslash": _has_backslash,
        "host": _differs_in_host,
        "port": _differs_in_port,
        "dots": _has_dot_segments,
        "parsers": _is_read_differently,
    }
)

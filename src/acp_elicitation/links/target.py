"""Where a browser goes with a URL: scheme, host and port by the WHATWG URL Standard.

Owns: the call of that parser, and what a browser leaves out of a URL before it parses it. Keeps
the written form of the parts beside what the browser makes of them, for others to compare.
Knows nothing of: whether it is wise to go there. Above it: `inspect`, `rewriting`. Below it:
`report`, and `ada_url`, the parser of Node.js.
"""

import re

import msgspec

from acp_elicitation.links.report import LinkWarning

__all__ = ["Target", "read_target"]

# What the standard removes: C0 controls and spaces at both ends, tabs and line ends everywhere.
_ENDS = "".join(map(chr, range(0x21)))
_REMOVED = re.compile("[\t\n\r]")

_PARTS = re.compile(r"(https?):[/\\]*([^/\\?#]*)(.*)", re.IGNORECASE | re.DOTALL)
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_PORTS = {"http": 80, "https": 443}


class Target(msgspec.Struct, frozen=True, kw_only=True):
    """Where the browser goes, and how that was written.

    `scheme`, `host` and `port` are the browser's. `written` is the URL without what a browser
    leaves out of it; `authority` and `rest` (path, query, fragment) are parts of that.
    """

    scheme: str
    host: str
    port: int
    written: str
    authority: str
    rest: str

    @property
    def has_usual_port(self) -> bool:
        """Whether the port is the scheme's own."""
        return self.port == _PORTS[self.scheme]


def read_target(url: str) -> Target | LinkWarning:
    """Return where `url` leads, or why it leads nowhere: `invalid`, `not-absolute`, `scheme`."""
    written = _REMOVED.sub("", url.strip(_ENDS))
    parts = _PARTS.match(written)
    if parts is None:
        return _why_not(written)
    from ada_url import URL  # only links pay for the import

    try:
        parsed = URL(written)
    except ValueError:  # a lone surrogate, which cannot be encoded, is one of its reasons
        return LinkWarning(code="invalid", params={"reason": "unreadable"})
    scheme = parts[1].lower()
    return Target(
        scheme=scheme,
        host=parsed.hostname,
        port=int(parsed.port or _PORTS[scheme]),
        written=written,
        authority=parts[2],
        rest=parts[3],
    )


def _why_not(written: str) -> LinkWarning:
    if not written:
        return LinkWarning(code="invalid", params={"reason": "empty"})
    scheme = _SCHEME.match(written)
    if scheme is None:
        return LinkWarning(code="not-absolute")
    return LinkWarning(code="scheme", params={"scheme": scheme[1].lower()})

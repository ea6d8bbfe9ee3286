"""What there is to say about a link: the report, its warnings, and what each warning amounts to.

Owns: the codes, once, with the verdict and the meaning of each. A code means the same in every
presenter; `docs/links.md` is written from this table.
Knows nothing of: how a URL is judged, and of the sentences that a person reads.
Above it: everything in `links`, `text.links`, the presenters. Below it: nothing.
"""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

import msgspec

__all__ = ["RULES", "Code", "LinkReport", "LinkWarning", "Rule", "Verdict", "verdict_of"]

Verdict: TypeAlias = Literal["fine", "warn", "refuse"]

Code: TypeAlias = Literal[
    "confusable",
    "control",
    "invalid",
    "invisible",
    "ip-host",
    "lookalike-subdomain",
    "loopback",
    "mixed-script",
    "not-absolute",
    "not-https",
    "personal-data",
    "private-network",
    "punycode",
    "rewritten",
    "scheme",
    "secret-in-url",
    "unusual-port",
    "userinfo",
]


class Rule(msgspec.Struct, frozen=True, kw_only=True):
    """What one code amounts to, and what it says about the link."""

    verdict: Verdict
    meaning: str


class LinkWarning(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that a person should know about a link before opening it (URL-12).

    `params` hold what a sentence about it needs; they never hold the value of a query parameter.
    Names and hosts in them are the other side's text.
    """

    code: Code
    params: Mapping[str, Any] = MappingProxyType({})


class LinkReport(msgspec.Struct, frozen=True, kw_only=True):
    """What a browser would do with exactly this URL, and what is odd about it (URL-12).

    `host` is as the browser uses it, in ASCII (an IPv6 address in brackets); `host_unicode` is the
    same in Unicode, as far as it can be. `registrable_domain` is the part of the host that
    somebody registered, and so owns; an address and a single name have none. `port` is the one
    that is used, the scheme's own where none is written. All are None where no browser would go
    there with http or https.
    """

    url: str
    verdict: Verdict
    scheme: str | None = None
    host: str | None = None
    host_unicode: str | None = None
    port: int | None = None
    registrable_domain: str | None = None
    registrable_domain_unicode: str | None = None
    warnings: tuple[LinkWarning, ...] = ()

    @property
    def codes(self) -> tuple[Code, ...]:
        """The codes of the warnings, in alphabetical order; each stands at most once."""
        return tuple(warning.code for warning in self.warnings)


def verdict_of(codes: Iterable[Code]) -> Verdict:
    """Return the gravest verdict of any of the codes."""
    verdicts = {RULES[code].verdict for code in codes}
    if "refuse" in verdicts:
        return "refuse"
    return "warn" if "warn" in verdicts else "fine"


def _rule(verdict: Verdict, meaning: str) -> Rule:
    return Rule(verdict=verdict, meaning=meaning)


RULES: Mapping[Code, Rule] = MappingProxyType(
    {
        "loopback": _rule("fine", "the page is served by this machine itself"),
        "confusable": _rule(
            "warn",
            "part of the host looks like another name: letters of another script that read as "
            "Latin ones, or a well-known name spelled with lookalikes or dressed up",
        ),
        "ip-host": _rule("warn", "the host is an address, which tells nothing of its owner"),
        "lookalike-subdomain": _rule(
            "warn",
            "the host begins like the address of one site and belongs to another: "
            "`github.com.evil.example` is a host of `evil.example`",
        ),
        "mixed-script": _rule(
            "warn",
            "one label of the host mixes scripts that no language writes together (more than the "
            "*Highly Restrictive* level of UTS 39 allows)",
        ),
        "not-https": _rule(
            "warn", "plain http to another machine: anyone on the way can read and change the page"
        ),
        "personal-data": _rule(
            "warn", "the URL carries an e-mail address or what is named like personal data"
        ),
        "private-network": _rule(
            "warn", "the host is within the local network, or a name that only such a one knows"
        ),
        "punycode": _rule("warn", "the host has letters beyond ASCII, which may look like others"),
        "secret-in-url": _rule(
            "warn",
            "the URL carries what is named or shaped like a credential; it will stay in the "
            "browser's history and in logs",
        ),
        "unusual-port": _rule("warn", "another port than the scheme's own, on another machine"),
        "control": _rule("refuse", "a control character or a space stands in the URL"),
        "invalid": _rule(
            "refuse",
            "it is no URL that a browser opens, its host cannot exist (Punycode that does not "
            "decode, an empty or overlong label, stray characters), or it is too long",
        ),
        "invisible": _rule(
            "refuse",
            "an invisible, blank or private-use character, or one that changes the direction of "
            "writing, stands in the URL or in its host when decoded",
        ),
        "not-absolute": _rule("refuse", "it is a relative reference, without scheme"),
        "rewritten": _rule(
            "refuse",
            "the URL is not what a browser makes of it: a host that is mapped to another "
            "spelling, an address in decimal, octal, hexadecimal or short form, `%` in the host, "
            "backslashes, missing or additional slashes, `.` or `..` in the path, a port with "
            "leading zeros or none after its colon, or anything that other parsers read "
            "differently",
        ),
        "scheme": _rule("refuse", "another scheme than http and https"),
        "userinfo": _rule(
            "refuse", "a user name or a password, or what looks like a host, before an `@`"
        ),
    }
)
"""Every code. The gravest verdict of a report's warnings is the report's."""

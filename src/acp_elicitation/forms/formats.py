"""The four string formats that ACP names, each as a function from text to yes or no.

Owns: what counts as an `email`, a `uri`, a `date` and a `date-time`.
Knows nothing of: properties and problems. A format that is not in `FORMATS` is an annotation, which
rejects nothing (FWD-4).
Above it: `check`. Below it: nothing of this package.

Each follows the standard that JSON Schema 2020-12 names for it; where that leaves a choice:

- `email` (RFC 5321 mailbox) is ASCII: `idn-email` is another format. `root@localhost` is one.
- `uri` (RFC 3986) is absolute and ASCII; `https://example.org/ä` is an IRI, so it is none. It also
  has to be one that a browser can parse: `https://` and `http://999.1.1.1/` are none.
- `date` (RFC 3339) is a day of the Gregorian calendar from year 0000 to 9999.
- `date-time` (RFC 3339) needs `T` and an offset, in either case; a second of 60 is a leap second,
  which can only stand at 23:59:60 UTC. Whether there was one on that day is not looked up.
"""

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType

__all__ = ["FORMATS", "is_date", "is_date_time", "is_email", "is_no_day", "is_uri"]

_ATEXT = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_LOCAL = re.compile(rf'{_ATEXT}(?:\.{_ATEXT})*|"(?:[ !#-\[\]-~]|\\[ -~])*"')
_DOMAIN = re.compile(rf"{_LABEL}(?:\.{_LABEL})*")


def is_email(text: str) -> bool:
    """Return whether `text` is one mailbox, such as `ada@example.org`."""
    local, at, domain = text.rpartition("@")
    if not at or len(local) > 64 or len(domain) > 253 or not _LOCAL.fullmatch(local):
        return False
    if domain.startswith("[") and domain.endswith("]"):
        return _is_address(domain[1:-1])
    return _DOMAIN.fullmatch(domain) is not None


def _is_address(literal: str) -> bool:
    import ipaddress

    if "%" in literal:
        return False  # a zone (`%eth0`) has a meaning on one host only
    try:
        if literal[:5].lower() == "ipv6:":
            ipaddress.IPv6Address(literal[5:])
        else:
            ipaddress.IPv4Address(literal)
    except ValueError:
        return False
    return True


_PCHAR = r"(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})"
_URI = re.compile(
    rf"""[A-Za-z][A-Za-z0-9+.-]*:
    (?:
        //(?:(?:[A-Za-z0-9._~!$&'()*+,;=:-]|%[0-9A-Fa-f]{{2}})*@)?
        (?:\[[0-9A-Fa-f:.]+\]|(?:[A-Za-z0-9._~!$&'()*+,;=-]|%[0-9A-Fa-f]{{2}})*)
        (?::[0-9]*)?
        (?:/{_PCHAR}*)*
    |
        (?!//)(?:{_PCHAR}|/)*
    )
    (?:\?(?:{_PCHAR}|[/?])*)?
    (?:\#(?:{_PCHAR}|[/?])*)?""",
    re.VERBOSE,
)


def is_uri(text: str) -> bool:
    """Return whether `text` is an absolute URI, such as `https://example.org/page`."""
    if not _URI.fullmatch(text):
        return False
    import ada_url

    return bool(ada_url.check_url(text))


_DATE = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
_TIME = re.compile(
    r"([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.[0-9]+)?"
    r"(?:[Zz]|([+-])([01][0-9]|2[0-3]):([0-5][0-9]))"
)
_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def is_date(text: str) -> bool:
    """Return whether `text` is a day that exists, such as `2026-12-31`."""
    found = _DATE.fullmatch(text)
    if not found:
        return False
    year, month, day = map(int, found.groups())
    if not 1 <= month <= 12:
        return False
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 1 <= day <= _DAYS[month - 1] + (month == 2 and leap)


def is_date_time(text: str) -> bool:
    """Return whether `text` is a moment with its offset, such as `2026-12-31T18:00:00+01:00`."""
    found = _TIME.fullmatch(text, 11)
    if not found or text[10] not in "Tt" or not is_date(text[:10]):
        return False
    hour, minute, second = int(found[1]), int(found[2]), int(found[3])
    if hour > 23 or minute > 59 or second > 60:
        return False
    if second < 60:
        return True
    offset = int(found[5]) * 60 + int(found[6]) if found[4] else 0
    utc = hour * 60 + minute - (-offset if found[4] == "-" else offset)
    return utc % (24 * 60) == 24 * 60 - 1


def is_no_day(name: str, text: str) -> bool:
    """Return whether `text` would be of the format `name` on a day that exists: 2026-02-30 is not.

    It is then no digit and no sign that is wrong, which a person would look for in vain.
    """
    if name == "date":
        return bool(_DATE.fullmatch(text)) and not is_date(text)
    if name != "date-time" or not _DATE.fullmatch(text[:10]) or is_date(text[:10]):
        return False
    return is_date_time(_SOME_DAY + text[10:])


_SOME_DAY = "2026-12-31"

FORMATS: Mapping[str, Callable[[str], bool]] = MappingProxyType(
    {"email": is_email, "uri": is_uri, "date": is_date, "date-time": is_date_time}
)
"""The formats that are checked, by their names in a schema."""

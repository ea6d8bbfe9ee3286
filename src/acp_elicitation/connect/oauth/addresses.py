"""Which URLs of a provider may be asked, and which addresses are reached for them.

Owns: those two judgements, against a provider that sends its clients into the network around them
(SSRF). Knows nothing of: requests, metadata. Above it: `fetching`, `metadata`.
Below it: `connect.loopback`.
"""

import ipaddress
import re
from ipaddress import IPv4Address, IPv6Address
from urllib.parse import urlsplit

from acp_elicitation.connect.loopback import is_loopback

__all__ = ["endpoint_fault", "host_of", "is_public"]

# Every parser, those of browsers too, reads a URL of these letters in the same way.
_PLAIN = re.compile(r"https?://[A-Za-z0-9.:\[\]-]+(?:[/?][A-Za-z0-9/?:@!$&'()*+,;=._~%-]*)?")
_LONGEST = 2_000
_ASSIGNED = ipaddress.IPv6Network("2000::/3")
"""What the whole network assigns of IPv6; the standard library calls more than that global."""
_MAPPED = ipaddress.IPv6Network("::ffff:0:0/96")
_TRANSLATED = ipaddress.IPv6Network("64:ff9b::/96")


def endpoint_fault(url: object, *, local: bool) -> str:
    """Return what is wrong about a URL that a provider is to be asked at; "" where nothing is.

    `local` says that the provider runs on this machine, where it needs no https.
    """
    if not isinstance(url, str) or len(url) > _LONGEST or not _PLAIN.fullmatch(url):
        return "is no plain absolute URL"
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        return "is no URL"
    if not host:
        return "is no absolute URL"
    if parts.scheme == "http" and not (local and is_loopback(host)):
        return "is not https"
    return ""


def host_of(url: str | None) -> str:
    """Return the host of a URL, in lower case; "" where there is none."""
    try:
        return urlsplit(url or "").hostname or ""
    except ValueError:
        return ""


def is_public(address: str) -> bool:
    """Whether an address is one of the public network, whatever form it is written in.

    An IPv6 address that stands for one of IPv4 is as public as that one.
    """
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return False
    if isinstance(found, IPv4Address):
        return _is_global(found)
    is_known = any(found in network for network in (_ASSIGNED, _MAPPED, _TRANSLATED))
    return is_known and _is_global(found) and all(map(_is_global, _inside(found)))


def _is_global(address: IPv4Address | IPv6Address) -> bool:
    return address.is_global and not address.is_multicast


def _inside(address: IPv6Address) -> list[IPv4Address]:
    inside = [address.sixtofour, *(address.teredo or ())]
    if address in _TRANSLATED:
        inside.append(IPv4Address(int(address) & 0xFFFFFFFF))
    return [one for one in inside if one is not None]

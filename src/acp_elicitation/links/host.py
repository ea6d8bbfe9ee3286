"""What kind of host it is, and who owns it: address or name, this machine, the local network.

Owns: the networks and the suffixes by which that is told, and the registrable domain, from the
public suffix list that comes with `publicsuffixlist`; nothing is ever fetched.
Knows nothing of: how the host was written in a URL, and of what it resembles.
Above it: `inspect`, `spoofing`. Below it: `labels`, `publicsuffixlist`.
"""

from functools import cache
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from acp_elicitation.links.labels import decode_label, is_possible_label

if TYPE_CHECKING:
    from publicsuffixlist import PublicSuffixList

__all__ = ["Host", "is_public_suffix", "read_host"]

_Address: TypeAlias = IPv4Address | IPv6Address

_LONGEST = 253
_LOOPBACK_NAME = "localhost"
_LOCAL_NAMES = frozenset(
    {"corp", "home", "internal", "intranet", "lan", "local", "localdomain", "private"}
)
# Not those of documentation, which `ipaddress` takes for private: nobody's, but not within reach.
_LOCAL_NETWORKS = tuple(
    ip_network(network)
    for network in (
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.168.0.0/16",
        "::/128",
        "fc00::/7",
        "fe80::/10",
        "fec0::/10",
    )
)
_EMBEDDING = ip_network("64:ff9b::/96")


class Host(msgspec.Struct, frozen=True, kw_only=True):
    """A host as the browser uses it.

    `labels` are those of a name from left to right, without the root's empty one; an address has
    none. `readable` are the same in Unicode, where they decode. The last `suffix` of them are a
    public suffix, under which others register names.
    """

    text: str
    address: _Address | None = None
    labels: tuple[str, ...] = ()
    readable: tuple[str, ...] = ()
    suffix: int = 0

    @property
    def unicode(self) -> str:
        """The whole in Unicode; labels that do not decode stay as they are."""
        return ".".join(self.readable) + "." * self.text.endswith(".") or self.text

    @property
    def domain(self) -> str | None:
        """The registrable domain in ASCII."""
        return self._registrable(self.labels)

    @property
    def domain_unicode(self) -> str | None:
        """The registrable domain in Unicode."""
        return self._registrable(self.readable)

    def _registrable(self, labels: tuple[str, ...]) -> str | None:
        if not 0 < self.suffix < len(labels):
            return None
        return ".".join(labels[-self.suffix - 1 :])

    @property
    def is_possible(self) -> bool:
        """Whether such a host can exist."""
        if self.address is not None:
            return True
        return len(".".join(self.labels)) <= _LONGEST and all(map(is_possible_label, self.labels))

    @property
    def is_loopback(self) -> bool:
        """Whether it is the machine itself."""
        if self.address is not None:
            return self.address.is_loopback
        return self.labels[-1] == _LOOPBACK_NAME

    @property
    def is_local(self) -> bool:
        """Whether it is within the local network, or named as only such a one names hosts."""
        if self.address is not None:
            return any(self.address in network for network in _LOCAL_NETWORKS)
        if self.is_loopback:
            return False
        return (
            len(self.labels) == 1
            or self.labels[-1] in _LOCAL_NAMES
            or self.labels[-2:] == ("home", "arpa")
        )


def read_host(text: str) -> Host:
    """Return what kind of host `text`, given as the browser uses it, is."""
    if text.startswith("["):
        return Host(text=text, address=_innermost(IPv6Address(text[1:-1])))
    try:
        return Host(text=text, address=ip_address(text))
    except ValueError:
        pass
    labels = tuple(text.removesuffix(".").split("."))
    readable = tuple(decode_label(label) or label for label in labels)
    return Host(text=text, labels=labels, readable=readable, suffix=_suffix_length(readable))


def _innermost(address: IPv6Address) -> _Address:
    """Unpack an IPv4 address in the clothes of an IPv6 one."""
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    return IPv4Address(address.packed[-4:]) if address in _EMBEDDING else address


def is_public_suffix(name: str) -> bool:
    """Return whether the public suffix list knows `name`, in Unicode, as a suffix of names."""
    return bool(_suffix_list().is_public(name, accept_unknown=False))


def _suffix_length(readable: tuple[str, ...]) -> int:
    suffix = _suffix_list().publicsuffix(".".join(readable))
    return suffix.count(".") + 1 if suffix else 0


@cache
def _suffix_list() -> "PublicSuffixList":
    # Only links pay for reading the list, and a quarter of it without the list in Punycode, too:
    # names are looked up as they read.
    from publicsuffixlist import PublicSuffixList

    return PublicSuffixList(accept_encoded_idn=False)

"""Does a host name pass itself off as another? Punycode, mixed scripts, confusables, disguises.

Owns: which labels are judged by which rule, and the warning for each.
Knows nothing of: how a host was written, and of addresses. Above it: `inspect`. Below it: `host`,
`lookalikes`, `scripts`, `known_names`.
"""

from collections.abc import Iterator

from acp_elicitation.links.host import Host, is_public_suffix
from acp_elicitation.links.known_names import KNOWN_NAMES
from acp_elicitation.links.labels import PREFIX
from acp_elicitation.links.lookalikes import imitated_by_dress, imitated_name, latin_reading
from acp_elicitation.links.report import LinkWarning
from acp_elicitation.links.scripts import is_mixed, scripts_of

__all__ = ["find_spoofing"]

# Top-level domains that nobody has as the name of a region, a product or an environment.
_UNMISTAKABLE = frozenset({"biz", "com", "edu", "gov", "info", "mil", "net", "org"})
_REGIONS = frozenset({"eu", "uk", "us"})
_SHORT = 2


def find_spoofing(host: Host) -> Iterator[LinkWarning]:
    """Give what is misleading about a name (URL-12); an address has no names in it."""
    if any(label.startswith(PREFIX) for label in host.labels):
        yield LinkWarning(code="punycode", params={"host": host.text, "unicode": host.unicode})
    if not host.is_possible:
        return
    suffix = host.readable[-host.suffix :]
    # A suffix that is on the list is as it has to be.
    judged = host.readable[: -host.suffix] if is_public_suffix(".".join(suffix)) else host.readable
    mixed = {label: scripts_of(label) for label in judged if is_mixed(label)}
    if mixed:
        yield LinkWarning(code="mixed-script", params={"labels": mixed})
    confusable = dict(_confusables(judged, host))
    if confusable:
        yield LinkWarning(code="confusable", params={"labels": confusable})
    disguise = _disguise(judged, host)
    if disguise is not None:
        yield LinkWarning(
            code="lookalike-subdomain", params={"looks_like": disguise, "domain": host.domain}
        )


def _confusables(judged: tuple[str, ...], host: Host) -> Iterator[tuple[str, str]]:
    top = "" if host.readable == judged else host.readable[-1]
    for place, label in enumerate(judged):
        looks = imitated_name(label) or latin_reading(label, top=top)
        if looks is None and place == len(host.readable) - host.suffix - 1:
            looks = imitated_by_dress(label)
        if looks is not None:
            yield label, looks


def _disguise(judged: tuple[str, ...], host: Host) -> str | None:
    """Return the domain, of another site, that stands within the labels before the suffix.

    A top-level domain that is also a region or a product counts only after a well-known name, and
    not as the registered label: `acme.eu.example.com` and `gitlab.cern.ch` are what they seem.
    """
    registered = len(host.readable) - host.suffix - 1
    for place, label in enumerate(judged[:-1]):
        following = judged[place + 1]
        two = ".".join(judged[place + 1 : place + 3])
        if "." in two and is_public_suffix(two):
            return f"{label}.{two}"
        is_known = label in KNOWN_NAMES and place + 1 < registered
        if following in _UNMISTAKABLE or (is_known and _is_short_top(following)):
            return f"{label}.{following}"
    return None


def _is_short_top(label: str) -> bool:
    """Tell whether it is a top-level domain of two letters, but none that names regions."""
    return len(label) == _SHORT and label not in _REGIONS and is_public_suffix(label)

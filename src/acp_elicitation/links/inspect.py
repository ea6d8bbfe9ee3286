"""What a browser would do with exactly this URL, and what a person should know first (URL-12).

Owns: the order in which a URL is judged, and the report. Everything is decided from the text:
nothing is looked up, and no request is ever made (URL-10).
Knows nothing of: who sent the URL, and of showing it. What decides on a URL has to open that very
string, and none that was derived from it.
Above it: the client side and the presenters; `own`, for the agent's. Below it: the other modules
of `links`.
"""

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from acp_elicitation.links.contents import Carries, find_contents
from acp_elicitation.links.host import Host, read_host
from acp_elicitation.links.report import Code, LinkReport, LinkWarning, verdict_of
from acp_elicitation.links.rewriting import find_rewriting
from acp_elicitation.links.spoofing import find_spoofing
from acp_elicitation.links.target import Target, read_target
from acp_elicitation.links.unseen import find_unseen

__all__ = ["LONGEST", "inspect_link"]

LONGEST = 8_192
"""Code points of a URL; a longer one is `invalid`. No connect page needs it, and some way of
starting a browser cuts it off."""

_NAMED_AT_MOST = 8


def inspect_link(url: str) -> LinkReport:
    """Return what a browser would do with `url`, and all that is odd about it (URL-12).

    Any text has a report; nothing is raised. A URL whose report says `refuse` must not be opened:
    what a person reads in it is not what a browser would do.
    """
    if len(url) > LONGEST:
        reason = {"reason": "too-long", "length": len(url), "limit": LONGEST}
        return _report(url, [LinkWarning(code="invalid", params=reason)])
    target = read_target(url)
    if isinstance(target, LinkWarning):
        return _report(url, [*find_unseen(url), target], scheme=target.params.get("scheme"))
    host = read_host(target.host)
    return _report(
        url, _judge(url, target, host), scheme=target.scheme, port=target.port, host=host
    )


def _report(
    url: str,
    found: Iterable[LinkWarning],
    *,
    scheme: str | None = None,
    port: int | None = None,
    host: Host | None = None,
) -> LinkReport:
    warnings = tuple(sorted(found, key=lambda warning: warning.code))
    return LinkReport(
        url=url,
        verdict=verdict_of(warning.code for warning in warnings),
        scheme=scheme,
        host=host.text if host else None,
        host_unicode=host.unicode if host else None,
        port=port,
        registrable_domain=host.domain if host else None,
        registrable_domain_unicode=host.domain_unicode if host else None,
        warnings=warnings,
    )


def _judge(url: str, target: Target, host: Host) -> Iterator[LinkWarning]:
    # Written in Punycode, an invisible character of the host is just as invisible.
    yield from find_unseen(url if host.unicode.isascii() else f"{url}{host.unicode}")
    yield from _judge_writing(target, host)
    yield from _judge_host(target, host)
    yield from find_spoofing(host)
    yield from _judge_contents(target)


def _judge_writing(target: Target, host: Host) -> Iterator[LinkWarning]:
    if "@" in target.authority:
        yield LinkWarning(code="userinfo", params={"host": host.text})
    parts = find_rewriting(target)
    if parts:
        yield LinkWarning(code="rewritten", params={"parts": parts, "host": host.text})
    if not host.is_possible:
        yield LinkWarning(code="invalid", params={"reason": "host", "host": host.text})


def _judge_host(target: Target, host: Host) -> Iterator[LinkWarning]:
    if host.is_loopback:
        yield LinkWarning(code="loopback", params={"host": host.text})
        return
    if target.scheme != "https":
        yield LinkWarning(code="not-https", params={"host": host.text})
    if not target.has_usual_port:
        yield LinkWarning(code="unusual-port", params={"port": target.port})
    if host.address is not None:
        yield LinkWarning(code="ip-host", params={"host": host.text})
    if host.is_possible and host.is_local:
        yield LinkWarning(code="private-network", params={"host": host.text})


def _judge_contents(target: Target) -> Iterator[LinkWarning]:
    found = list(find_contents(target.rest))
    for kind, code in _CODES.items():
        carried = [each.name for each in found if each.kind == kind]
        if carried:
            named = tuple(name for name in carried if name is not None)
            yield LinkWarning(code=code, params={"names": named[:_NAMED_AT_MOST]})


# A session in a URL is a fault of the agent's (`own`); to the user it is an id like any other.
_CODES: Mapping[Carries, Code] = MappingProxyType(
    {"secret": "secret-in-url", "personal": "personal-data"}
)

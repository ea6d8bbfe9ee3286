"""An address on the screen: exactly, in full, with the part that tells whose it is standing out.

Owns: how an address and a host are drawn. Nothing is put into them, so that what is selected and
copied is the address itself; and none of it can be clicked (FORM-8).
Knows nothing of: consent, and of what is odd about a link.
Above it: `link_body`, `completion`. Below it: `text.terminal`, `links.report`, Textual.
"""

from textual.content import Content

from acp_elicitation.links.report import LinkReport
from acp_elicitation.text.terminal import visible

__all__ = ["draw_address", "draw_host"]

_OWNED = "bold underline"
"""Two marks, neither of which is a colour."""


def draw_address(report: LinkReport) -> Content:
    """Return the whole address; the registrable domain, else the host, stands out in it (UI-5)."""
    url = report.url
    begin, end = _place_of_host(report)
    owned = report.registrable_domain_unicode or ""
    for name in (report.registrable_domain or "", owned):
        if name and url[begin:end].casefold().endswith(name.casefold()):
            begin = end - len(name)
            break
    return _assembled(url[:begin], url[begin:end], url[end:])


def draw_host(host: str, owned: str | None) -> Content:
    """Return a host; the part of it that somebody registered stands out."""
    begin = len(host) - len(owned) if owned and host.endswith(owned) else 0
    return _assembled(host[:begin], host[begin:], "")


def _place_of_host(report: LinkReport) -> tuple[int, int]:
    """Return where in the address the host stands, as the browser reads it."""
    after_scheme = report.url.find("://") + len("://")
    for host in (report.host, report.host_unicode):
        if host and report.url.casefold().startswith(host.casefold(), after_scheme):
            return after_scheme, after_scheme + len(host)
    return 0, 0


def _assembled(before: str, owned: str, after: str) -> Content:
    return Content.assemble(
        visible(before, newlines=False),
        (visible(owned, newlines=False), _OWNED),
        visible(after, newlines=False),
    )

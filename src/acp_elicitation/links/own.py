"""May an agent ask its user to open this URL of its own? (URL-9, URL-14)

Owns: the rules of an agent for its own links: one that any client would open, https outside the
machine itself, a page of the agent's and not of a provider, and nothing in it that lets anyone in
or tells who the user is. What the page has to know it looks up by an opaque id.
Knows nothing of: elicitations, and of the client's warnings for what is merely unusual.
Above it: the agent side. Below it: `inspect`, `contents`, `protocol.errors`.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType

from acp_elicitation.links.contents import Carries, find_contents, parameters
from acp_elicitation.links.inspect import inspect_link
from acp_elicitation.links.report import Code
from acp_elicitation.protocol.errors import UnsafeLink

__all__ = ["check_own_link"]

_PLAIN = "write it as a browser would show it, with anything else percent-encoded"
_ABSOLUTE = "give the full address of the agent's connect page, from https:// on"
_OPAQUE = "let the connect page find that out from an opaque id, such as the elicitation's"

# Each code that a client refuses, and http to another machine: where, what is wrong, what to do.
_FAULTS: Mapping[Code, tuple[str, str, str]] = MappingProxyType(
    {
        "not-absolute": ("the link", "it is not an absolute URL", _ABSOLUTE),
        "scheme": ("the link", "it is neither https nor http", _ABSOLUTE),
        "invalid": ("the link", "no browser can open it", _ABSOLUTE),
        "userinfo": (
            "the host",
            "a user name or a password stands before it",
            "let the user log in on the page",
        ),
        "control": ("the link", "a space or a control character is in it", _PLAIN),
        "invisible": ("the link", "an invisible or blank character is in it", _PLAIN),
        "rewritten": ("the link", "a browser would change it, so clients refuse it", _PLAIN),
        "not-https": (
            "the scheme",
            "it is http, which others can read and change on the way",
            "serve the page with https; only this machine itself (localhost) needs none",
        ),
    }
)

_CARRIED: Mapping[Carries, str] = MappingProxyType(
    {
        "secret": "a credential does not belong into a URL",
        "access": "the link would let in whoever has it",
        "personal": "personal data does not belong into a URL",
    }
)

_AUTHORIZING = re.compile(r"/(?:oauth|oidc|authorize|auth)", re.IGNORECASE)


def check_own_link(url: str) -> None:
    """Return when an agent may send `url` to its user (URL-9, URL-14).

    Raises:
        UnsafeLink: it may not, with the part, the reason and what to do. Neither the URL nor a
            value out of it is in the message.
    """
    codes = inspect_link(url).codes
    for code, (where, reason, instead) in _FAULTS.items():
        if code in codes:
            raise UnsafeLink(where=where, reason=reason, instead=instead)
    rest = url.partition("//")[2]  # what no client refuses is written so; the host is no matter
    _check_whose_page(rest)
    _check_contents(rest)


def _check_whose_page(rest: str) -> None:
    # URL-14: a provider's page would never tell the agent who it was that logged in there.
    named = {name for name, _ in parameters(rest)}
    if (
        "response_type" in named
        or "SAMLRequest" in named
        or {"client_id", "redirect_uri"} <= named
        or ("client_id" in named and _AUTHORIZING.search(rest))
    ):
        raise UnsafeLink(
            where="the page",
            reason="it is the authorization page of a provider, not the agent's own",
            instead="link to the agent's connect page, and redirect from there",
        )


def _check_contents(rest: str) -> None:
    for carried in find_contents(rest):  # URL-9
        where = "the path or query" if carried.name is None else f"parameter {carried.name}"
        raise UnsafeLink(where=where, reason=_CARRIED[carried.kind], instead=_OPAQUE)

"""Warnings about a link in words: every English sentence about a URL stands in this file.

Owns: what a person reads about a warning: what is odd about the link, and what to do about it.
Names and hosts in a warning are the agent's text, and are made visible here.
Knows nothing of: presenters, and of what makes a link odd. Above it: the presenters, the client
side. Below it: `links.report`, `text.terminal`.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, TypeAlias

from acp_elicitation.links.report import Code, LinkWarning
from acp_elicitation.text.terminal import one_line

__all__ = ["word_warning"]

_Params: TypeAlias = Mapping[str, Any]

_LONGEST = 100
_LISTED = 3


def word_warning(warning: LinkWarning) -> str:
    """Return what is odd about the link, and what to do: one or two sentences, safe to show."""
    wording = _SENTENCES[warning.code]
    return wording if isinstance(wording, str) else wording(warning.params)


def _shown(text: object) -> str:
    return one_line(str(text), _LONGEST)


def _word_confusable(params: _Params) -> str:
    pairs = list(params["labels"].items())[:_LISTED]
    looks = "; ".join(f"“{_shown(label)}” resembles “{_shown(name)}”" for label, name in pairs)
    return f"This may not be the site that it looks like: {looks}. Compare it letter by letter."


def _word_disguise(params: _Params) -> str:
    owner = _shown(params["domain"])
    return (
        f"It begins like {_shown(params['looks_like'])}, but is a host of {owner}. "
        f"Open it only if you expect {owner}."
    )


def _word_invalid(params: _Params) -> str:
    match params.get("reason"):
        case "empty":
            return "The link is empty. It cannot be opened: ask the agent for a complete one."
        case "too-long":
            return (
                f"The link is longer than {params['limit']} characters. It cannot be opened: "
                "ask the agent for a shorter one."
            )
        case "host":
            return (
                f"There can be no site named {_shown(params['host'])}. It cannot be opened: "
                "ask the agent for another link."
            )
        case _:
            return "A browser cannot read this link. It cannot be opened: ask for another one."


def _word_punycode(params: _Params) -> str:
    host, readable = _shown(params["host"]), _shown(params["unicode"])
    if host == readable:
        return f"The name {host} is written in a code (Punycode) that does not decode."
    return (
        f"The name has letters beyond plain ASCII: {host} reads “{readable}”. Make sure that it "
        "is the site that you expect."
    )


def _word_names(params: _Params) -> str:
    names = ", ".join(_shown(name) for name in params["names"])
    return f" ({names})" if names else ""


def _word_characters(params: _Params) -> str:
    return ", ".join(params["characters"])


_SENTENCES: Mapping[Code, str | Callable[[_Params], str]] = MappingProxyType(
    {
        "confusable": _word_confusable,
        "control": lambda params: (
            f"Spaces or control characters ({_word_characters(params)}) are hidden in the link. "
            "It cannot be opened: ask the agent for a clean one."
        ),
        "invalid": _word_invalid,
        "invisible": lambda params: (
            f"Characters that cannot be seen ({_word_characters(params)}) are hidden in the link, "
            "so it may not be what it looks like. It cannot be opened: ask the agent for a clean "
            "one."
        ),
        "ip-host": lambda params: (
            f"It leads to the address {_shown(params['host'])}, which does not tell whose page "
            "it is. Open it only if you know that machine."
        ),
        "lookalike-subdomain": _word_disguise,
        "loopback": "The page is served by this computer itself.",
        "mixed-script": lambda params: (
            "Letters of different alphabets are mixed in "
            + ", ".join(f"“{_shown(label)}”" for label in list(params["labels"])[:_LISTED])
            + ", so it may not be the site that it looks like. Compare it letter by letter."
        ),
        "not-absolute": (
            "It is only a part of a link. It cannot be opened: ask the agent for the whole, "
            "from https:// on."
        ),
        "not-https": (
            "The connection is not encrypted: others can read and change what you see and enter "
            "there. Do not enter anything secret."
        ),
        "personal-data": lambda params: (
            f"The link itself carries personal data{_word_names(params)}, which stays in your "
            "browser's history and in the site's logs. Open it only if that is all right with you."
        ),
        "private-network": lambda params: (
            f"{_shown(params['host'])} is a machine within a local network. Open it only if you "
            "know that machine."
        ),
        "punycode": _word_punycode,
        "rewritten": lambda params: (
            f"The link is not written as a browser reads it: a browser would go to "
            f"{_shown(params['host'])}. It cannot be opened: ask the agent for a plain link."
        ),
        "scheme": lambda params: (
            f"It is no web page: the link starts with {_shown(params['scheme'])}: and would be "
            "opened by another program. It cannot be opened: ask for an https link."
        ),
        "secret-in-url": lambda params: (
            f"The link itself carries what looks like a password or an access key"
            f"{_word_names(params)}, which stays in your browser's history and in the site's "
            "logs. Open it only if you trust the agent, and do not pass the link on."
        ),
        "unusual-port": lambda params: (
            f"It uses the unusual port {params['port']}. Open it only if you expect that of "
            "this site."
        ),
        "userinfo": lambda params: (
            f"What stands before the @ is not the site: the site is {_shown(params['host'])}. "
            "It cannot be opened: ask the agent for a link without @."
        ),
    }
)

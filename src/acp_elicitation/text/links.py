"""Warnings about a link in words: every sentence about a URL stands in this file.

Owns: what a person reads about a warning: what is odd about the link, and what to do about it.
Names and hosts in a warning are the agent's text, and are made visible here.
Knows nothing of: presenters, and of what makes a link odd. Above it: the presenters, the client
side. Below it: `language`, `terminal`, `links.report`.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, TypeAlias

from acp_elicitation.links.report import Code, LinkWarning
from acp_elicitation.text.language import tr, tr_later
from acp_elicitation.text.terminal import one_line

__all__ = ["word_warning"]

_Params: TypeAlias = Mapping[str, Any]

_LONGEST = 100
_LISTED = 3


def word_warning(warning: LinkWarning) -> str:
    """Return what is odd about the link, and what to do: one or two sentences, safe to show."""
    wording = _SENTENCES[warning.code]
    return tr(wording) if isinstance(wording, str) else wording(warning.params)


def _shown(text: object) -> str:
    return one_line(str(text), _LONGEST)


def _word_confusable(params: _Params) -> str:
    pairs = list(params["labels"].items())[:_LISTED]
    looks = (
        tr("“{label}” resembles “{name}”", label=_shown(label), name=_shown(name))
        for label, name in pairs
    )
    return tr(
        "This may not be the site that it looks like: {looks}. Compare it letter by letter.",
        looks="; ".join(looks),
    )


def _word_disguise(params: _Params) -> str:
    return tr(
        "It begins like {looks_like}, but is a host of {owner}. Open it only if you expect "
        "{owner}.",
        looks_like=_shown(params["looks_like"]),
        owner=_shown(params["domain"]),
    )


def _word_invalid(params: _Params) -> str:
    match params.get("reason"):
        case "empty":
            return tr("The link is empty. It cannot be opened: ask the agent for a complete one.")
        case "too-long":
            return tr(
                "The link is longer than {limit} characters. It cannot be opened: ask the agent "
                "for a shorter one.",
                limit=params["limit"],
            )
        case "host":
            return tr(
                "There can be no site named {host}. It cannot be opened: ask the agent for "
                "another link.",
                host=_shown(params["host"]),
            )
        case _:
            return tr("A browser cannot read this link. It cannot be opened: ask for another one.")


def _word_punycode(params: _Params) -> str:
    host, readable = _shown(params["host"]), _shown(params["unicode"])
    if host == readable:
        return tr(
            "The name {host} is written in a code (Punycode) that does not decode.", host=host
        )
    return tr(
        "The name has letters beyond plain ASCII: {host} reads “{readable}”. Make sure that it is "
        "the site that you expect.",
        host=host,
        readable=readable,
    )


def _word_mixed(params: _Params) -> str:
    labels = ", ".join(f"“{_shown(label)}”" for label in list(params["labels"])[:_LISTED])
    return tr(
        "Letters of different alphabets are mixed in {labels}, so it may not be the site that it "
        "looks like. Compare it letter by letter.",
        labels=labels,
    )


def _word_personal(params: _Params) -> str:
    return tr(
        "The link itself carries personal data{names}, which stays in your browser's history and "
        "in the site's logs. Open it only if that is all right with you.",
        names=_names(params),
    )


def _word_secret(params: _Params) -> str:
    return tr(
        "The link itself carries what looks like a password or an access key{names}, which stays "
        "in your browser's history and in the site's logs. Open it only if you trust the agent, "
        "and do not pass the link on.",
        names=_names(params),
    )


def _names(params: _Params) -> str:
    names = ", ".join(_shown(name) for name in params["names"])
    return f" ({names})" if names else ""


def _with_host(message: str) -> Callable[[_Params], str]:
    return lambda params: tr(message, host=_shown(params["host"]))


def _with_characters(message: str) -> Callable[[_Params], str]:
    return lambda params: tr(message, characters=", ".join(params["characters"]))


_SENTENCES: Mapping[Code, str | Callable[[_Params], str]] = MappingProxyType(
    {
        "confusable": _word_confusable,
        "control": _with_characters(
            tr_later(
                "Spaces or control characters ({characters}) are hidden in the link. "
                "It cannot be opened: ask the agent for a clean one."
            )
        ),
        "invalid": _word_invalid,
        "invisible": _with_characters(
            tr_later(
                "Characters that cannot be seen ({characters}) are hidden in the link, so it may "
                "not be what it looks like. It cannot be opened: ask the agent for a clean one."
            )
        ),
        "ip-host": _with_host(
            tr_later(
                "It leads to the address {host}, which does not tell whose page it is. Open it "
                "only if you know that machine."
            )
        ),
        "lookalike-subdomain": _word_disguise,
        "loopback": tr_later("The page is served by this computer itself."),
        "mixed-script": _word_mixed,
        "not-absolute": tr_later(
            "It is only a part of a link. It cannot be opened: ask the agent for the whole, "
            "from https:// on."
        ),
        "not-https": tr_later(
            "The connection is not encrypted: others can read and change what you see and enter "
            "there. Do not enter anything secret."
        ),
        "personal-data": _word_personal,
        "private-network": _with_host(
            tr_later(
                "{host} is a machine within a local network. Open it only if you know that machine."
            )
        ),
        "punycode": _word_punycode,
        "rewritten": _with_host(
            tr_later(
                "The link is not written as a browser reads it: a browser would go to {host}. "
                "It cannot be opened: ask the agent for a plain link."
            )
        ),
        "scheme": lambda params: tr(
            "It is no web page: the link starts with {scheme}: and would be opened by another "
            "program. It cannot be opened: ask for an https link.",
            scheme=_shown(params["scheme"]),
        ),
        "secret-in-url": _word_secret,
        "unusual-port": lambda params: tr(
            "It uses the unusual port {port}. Open it only if you expect that of this site.",
            port=params["port"],
        ),
        "userinfo": _with_host(
            tr_later(
                "What stands before the @ is not the site: the site is {host}. It cannot be "
                "opened: ask the agent for a link without @."
            )
        ),
    }
)

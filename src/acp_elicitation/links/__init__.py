"""Judging a URL before a person opens it, and before an agent sends it.

Owns: the public names of this layer, each loaded when it is first used: the parser, the suffix
list and the Unicode tables cost nothing until there is a link.
Knows nothing of: requests and presenters. Above it: the agent and the client side, `text.links`.
Below it: `forms`, `protocol`.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from acp_elicitation.links.inspect import inspect_link
    from acp_elicitation.links.own import check_own_link
    from acp_elicitation.links.report import LinkReport, LinkWarning

__all__ = ["LinkReport", "LinkWarning", "check_own_link", "inspect_link"]

_HOMES = {
    "LinkReport": "report",
    "LinkWarning": "report",
    "check_own_link": "own",
    "inspect_link": "inspect",
}


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value: object = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value

"""A form of ACP as the `requestedSchema` of MCP.

Owns: the members that ACP's form has beyond MCP's, and what becomes of them.
Knows nothing of: the way back (see `schemas`). Above it: `carrying`. Below it: `protocol`.
"""

from typing import Any

from acp_elicitation.protocol.reading import JsonObject

__all__ = ["write_mcp_form"]


def write_mcp_form(form: JsonObject) -> JsonObject:
    """Return `form`, as ACP sends it in version 1, for MCP.

    An option's description is joined to its title, as MCP's options have a title only; `_meta` is
    ACP's and is left out.
    """
    said = _without_meta(form)
    said["properties"] = {name: _property(one) for name, one in form["properties"].items()}
    return said


def _property(member: JsonObject) -> JsonObject:
    said = _without_meta(member)
    if "oneOf" in said:
        said["oneOf"] = [_option(option) for option in said["oneOf"]]
    items = said.get("items")
    if isinstance(items, dict) and "anyOf" in items:
        said["items"] = {**items, "anyOf": [_option(option) for option in items["anyOf"]]}
    return said


def _option(option: JsonObject) -> JsonObject:
    title: Any = option["title"]
    if option.get("description"):
        title = f"{title} — {option['description']}"
    return {"const": option["const"], "title": title}


def _without_meta(value: JsonObject) -> JsonObject:
    return {name: member for name, member in value.items() if name != "_meta"}

"""The elicitation capability of MCP, beside that of ACP: the two read `{}` differently.

Owns: what an agent advertises to its MCP servers, and what an MCP client advertised to a server.
Knows nothing of: where in a message it stands (see `narrowing`). Above it: `narrowing`, `asking`.
Below it: `protocol.capabilities`.
"""

from collections.abc import Iterable

from acp_elicitation.protocol.capabilities import (
    Capabilities,
    Mode,
    capabilities_for,
    read_capabilities,
    write_capabilities,
)
from acp_elicitation.protocol.reading import JsonObject

__all__ = ["mcp_capability", "narrowed_capability", "read_mcp_capability"]


def mcp_capability(modes: Iterable[Mode]) -> JsonObject | None:
    """Return the `elicitation` of MCP that advertises exactly `modes`; None where there are none.

    A mode always stands there by its name. `{}` would say form mode to an MCP server, where it
    says nothing at all to an ACP agent (CAP-3), so it is never written.

    Raises:
        ValueError: something else than modes.
    """
    return write_capabilities(capabilities_for(modes))


def read_mcp_capability(value: object) -> Capabilities:
    """Return what the `elicitation` of an MCP client advertises. Never raises.

    An object in which no mode stands means form mode, as it did before there were two. Anything
    but an object is not advertised.
    """
    if not isinstance(value, dict):
        return Capabilities()
    if value.get("form") is None and value.get("url") is None:
        return Capabilities(form=True)
    return read_capabilities(value)


def narrowed_capability(value: object, modes: Iterable[Mode]) -> JsonObject | None:
    """Return `value` without the modes that are not in `modes`; None where none is left.

    What is not advertised in `value` is not advertised afterwards either: an agent forwards no
    more than its ACP client can show (CAP-4).
    """
    return mcp_capability(read_mcp_capability(value).modes & frozenset(modes))

"""Which elicitation modes a client advertises at `initialize`.

Owns: reading and writing the value of the `elicitation` capability (CAP-1, CAP-2, CAP-3, CAP-7).
Knows nothing of: where in `initialize` it stands (see `handshake`).
Above it: `handshake`, the agent's gate, the client's responder. Below it: `reading`.
"""

from collections.abc import Iterable
from typing import Literal, TypeAlias

import msgspec

from acp_elicitation.protocol.reading import JsonObject

__all__ = ["Capabilities", "Mode", "capabilities_for", "read_capabilities", "write_capabilities"]

Mode: TypeAlias = Literal["form", "url"]


class Capabilities(msgspec.Struct, frozen=True, kw_only=True):
    """The modes that a client advertised. `Capabilities()` is a client without elicitation."""

    form: bool = False
    url: bool = False

    @property
    def modes(self) -> frozenset[Mode]:
        """The advertised modes."""
        found: list[Mode] = []
        if self.form:
            found.append("form")
        if self.url:
            found.append("url")
        return frozenset(found)


def read_capabilities(value: object) -> Capabilities:
    """Return what the value of a client's `elicitation` capability advertises. Never raises.

    Omitted, null and malformed are all "not advertised" (CAP-1, CAP-2, CAP-3, CAP-7).
    """
    if not isinstance(value, dict):
        return Capabilities()
    return Capabilities(
        form=isinstance(value.get("form"), dict), url=isinstance(value.get("url"), dict)
    )


def capabilities_for(modes: Iterable[Mode]) -> Capabilities:
    """Return the capabilities that advertise exactly `modes`.

    Raises:
        ValueError: something else than modes, such as "link" for "url", or one text for a list.
    """
    if isinstance(modes, str):
        raise ValueError(f"expected a collection of modes such as {{{modes!r}}}, not one text")
    wanted = frozenset(modes)
    unknown = sorted(map(repr, wanted - {"form", "url"}))
    if unknown:
        raise ValueError(f"no such mode: {', '.join(unknown)}; the modes are 'form' and 'url'")
    return Capabilities(form="form" in wanted, url="url" in wanted)


def write_capabilities(capabilities: Capabilities) -> JsonObject | None:
    """Return the value to advertise, or None where there is nothing to (CAP-1)."""
    value: JsonObject = {}
    if capabilities.form:
        value["form"] = {}
    if capabilities.url:
        value["url"] = {}
    return value or None

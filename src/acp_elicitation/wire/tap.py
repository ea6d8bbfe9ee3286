"""A tap on a connection: every line that travels, with its direction.

Owns: cutting what is received into lines for the tap.
Knows nothing of: messages, or where the lines are written.
Above it: `connection`, which does not use it at all when nobody listens. Below it: `framing`,
`jsonrpc`.
"""

from collections.abc import Callable
from typing import Literal, TypeAlias

from acp_elicitation.wire.callouts import guarded
from acp_elicitation.wire.events import Event, Limits
from acp_elicitation.wire.framing import LineFramer, Oversized
from acp_elicitation.wire.jsonrpc import Peer

__all__ = ["OnRaw", "Tap"]

OnRaw: TypeAlias = Callable[[Literal["in", "out"], bytes], None]
"""Takes a direction as seen from this side, and a line without its newline. Of a line over the
size limit it gets the beginning."""


class Tap:
    """Stands between a peer and its driver, and hands each line to `on_raw` as well."""

    def __init__(self, peer: Peer, on_raw: OnRaw, limits: Limits) -> None:
        self._peer = peer
        self._on_raw = on_raw
        self._lines = LineFramer(limits.message_bytes)

    def receive(self, data: bytes) -> list[Event]:
        """As `Peer.receive`; the lines go to the tap before anything is done about them."""
        for line in self._lines.feed(data):
            self._show(line)
        return self._peer.receive(data)

    def end_of_input(self) -> list[Event]:
        """As `Peer.end_of_input`."""
        line = self._lines.finish()
        if line is not None:
            self._show(line)
        return self._peer.end_of_input()

    def write(self, data: bytes, write: Callable[[bytes], None]) -> None:
        """Hand one line on to `write`, and to the tap."""
        guarded(self._on_raw, "out", data.removesuffix(b"\n"))
        write(data)

    def _show(self, line: bytes | Oversized) -> None:
        guarded(self._on_raw, "in", line.head if isinstance(line, Oversized) else line)

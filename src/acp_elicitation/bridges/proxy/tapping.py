"""Each line that the agent sends or gets, told to whoever keeps a record.

Owns: what is told: whole lines, in their order; pieces of a line that is too long are left out.
Knows nothing of: files and formats. Above it: `running`. Below it: `lines`.
"""

from collections.abc import Callable
from typing import Literal, TypeAlias

from acp_elicitation.bridges.proxy.line import Line, Opaque, Passing, encode
from acp_elicitation.bridges.proxy.lines import LineTransport

__all__ = ["OnLine", "tapped"]

OnLine: TypeAlias = Callable[[Literal["in", "out"], bytes], None]
"""Takes a line without its newline: "in" from the agent, "out" to it."""


def tapped(transport: LineTransport, on_line: OnLine) -> LineTransport:
    """Return `transport`, with its lines told to `on_line`."""
    return _Tapped(transport, on_line)


class _Tapped(LineTransport):
    def __init__(self, transport: LineTransport, on_line: OnLine) -> None:
        self._inner = transport
        self._on_line = on_line

    async def send(self, message: Passing) -> None:
        self._tell("out", message)
        await self._inner.send(message)

    async def receive(self) -> Line | Opaque | None:
        line = await self._inner.receive()
        if line is not None:
            self._tell("in", line)
        return line

    async def close(self) -> None:
        await self._inner.close()

    def _tell(self, direction: Literal["in", "out"], passing: Passing) -> None:
        match passing:
            case Opaque():
                if passing.endswith(b"\n"):
                    self._on_line(direction, passing.rstrip(b"\r\n"))
            case Line():
                self._on_line(direction, passing.raw.rstrip(b"\r\n"))
            case _:
                self._on_line(direction, encode(passing))

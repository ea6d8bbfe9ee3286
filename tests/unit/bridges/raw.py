"""Two joined transports in memory, and the raw messages at one end.

Owns: a transport that hands on the very objects it was given, and speaking at its other end.
Knows nothing of: the bridges. Above it: their tests. Below it: asyncio.
"""

import asyncio
from typing import Any

Message = dict[str, Any]
LIMIT = 20


class MemoryTransport:
    """One end of a pair. `receive` returns what the other end has sent, as it is."""

    def __init__(self, inbox: asyncio.Queue[Any], outbox: asyncio.Queue[Any]) -> None:
        self._inbox = inbox
        self.outbox = outbox
        self.closed = False

    async def send(self, message: Any) -> None:
        if self.closed:
            raise ConnectionError("closed")
        self.outbox.put_nowait(message)

    async def receive(self) -> Any:
        message = await self._inbox.get()
        if isinstance(message, Exception):
            raise message
        return message

    async def close(self) -> None:
        self.closed = True
        self.outbox.put_nowait(None)


class RawEnd(MemoryTransport):
    """The end at which a test speaks and hears."""

    async def tell(self, **members: Any) -> Message:
        message = {"jsonrpc": "2.0", **members}
        await self.send(message)
        return message

    async def hear(self) -> Message:
        async with asyncio.timeout(LIMIT):
            message = await self.receive()
        assert isinstance(message, dict)
        return message

    @property
    def heard_all(self) -> bool:
        return self._inbox.empty()


def pair() -> tuple[MemoryTransport, RawEnd]:
    """Return two ends: one for the side that is tested, one for the test."""
    there: asyncio.Queue[Any] = asyncio.Queue()
    back: asyncio.Queue[Any] = asyncio.Queue()
    return MemoryTransport(there, back), RawEnd(back, there)


async def settle(rounds: int = 20) -> None:
    """Let every task run until all of them wait."""
    for _ in range(rounds):
        await asyncio.sleep(0)

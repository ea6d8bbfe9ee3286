"""How much of one connection may be unhandled or unsent.

Owns: when new calls wait, when reading stops, and when a side that does not read is given up.
Knows nothing of: messages, or what is done when it is given up.
Above it: `connection`. Below it: any asyncio transport.
"""

import asyncio

from acp_elicitation.wire.events import Limits

__all__ = ["Flow"]

# While this many messages wait for their turn, no more are read.
_LONG_BACKLOG = 1000

_UNREAD_SECONDS = 5.0
"""How long a connection that is closed waits for the other side to read any of what is unsent."""


class Flow:
    """The flow control of one connection. `blocked`: the other side does not read what we send."""

    def __init__(self, transport: asyncio.Transport, limits: Limits) -> None:
        self.blocked = False
        self._unblocked = asyncio.Event()
        self._transport = transport
        self._limits = limits
        self._reading = True

    def block(self) -> None:
        """Let new calls wait."""
        self.blocked = True
        self._unblocked.clear()

    def unblock(self) -> None:
        """Let them go on."""
        self.blocked = False
        self._unblocked.set()

    async def unblocked(self) -> None:
        """Return when the other side has read what we sent."""
        await self._unblocked.wait()

    @property
    def overflowing(self) -> bool:
        """More is unsent than may be held."""
        return self._unsent() > self._limits.unsent_bytes

    def adjust_reading(self, backlog: int) -> None:
        """Read only while not too much waits to be handled, or to be read by the other side.

        The second bound is high, because two sides that stop reading for each other stay so.
        """
        reading = backlog <= _LONG_BACKLOG and 2 * self._unsent() <= self._limits.unsent_bytes
        if reading == self._reading:
            return
        self._reading = reading
        if reading:
            self._transport.resume_reading()
        else:
            self._transport.pause_reading()

    def close(self) -> None:
        """Close the transport after all that was sent, or once the other side reads none of it."""
        self._transport.close()
        self._watch_end(self._transport.get_write_buffer_size())

    def _watch_end(self, held: int) -> None:
        if held:
            loop = asyncio.get_running_loop()
            loop.call_later(_UNREAD_SECONDS, self._give_up_unless_read, held)

    def _give_up_unless_read(self, held: int) -> None:
        left = self._transport.get_write_buffer_size()
        if left < held:
            self._watch_end(left)
        else:
            self._transport.abort()

    def _unsent(self) -> int:
        return self._transport.get_write_buffer_size() if self.blocked else 0

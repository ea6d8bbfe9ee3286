"""Moving JSON-RPC messages as objects, the way the official Python SDK does.

Owns: the port (the SDK's `Transport`), and the order of what two senders put on one of them.
Knows nothing of: what a message says, or where it goes. Above it: `tapped`, `streams`.
Below it: asyncio.
"""

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any, Protocol, TypeAlias, runtime_checkable

__all__ = ["Message", "Outbox", "Transport"]

Message: TypeAlias = dict[str, Any]

_SENDING_AT_MOST = 1_000
"""Messages on their way at once, beyond which nothing more is read that would be answered."""

_log = logging.getLogger(__name__)


@runtime_checkable
class Transport(Protocol):
    """What the SDK sends and receives through.

    Obligations:
    - `send` keeps the order in which its calls began, also when they overlap; it raises when the
      message cannot be delivered.
    - `receive` returns the next message as decoded JSON, and None at the end.
    """

    def send(self, message: Message, /) -> Coroutine[Any, Any, None]: ...

    def receive(self) -> Coroutine[Any, Any, Any]: ...

    def close(self) -> Coroutine[Any, Any, None]: ...


class Outbox:
    """Sends messages in the order in which they were handed over, by whomever.

    Each is a task of its own, begun in that order: one that waits, as a POST may, holds up no
    other.
    """

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._sending: set[asyncio.Task[None]] = set()
        self._closed = False
        self._room = asyncio.Event()
        self._room.set()

    async def has_room(self) -> None:
        """Wait while too many messages are on their way, as to a peer that asks but never reads."""
        await self._room.wait()

    def put(self, message: Message) -> asyncio.Task[None] | None:
        """Hand over a message; returns the task that sends it, or None after the end."""
        if self._closed:
            return None
        task = asyncio.get_running_loop().create_task(self._transport.send(message))
        self._sending.add(task)
        if len(self._sending) >= _SENDING_AT_MOST:
            self._room.clear()
        task.add_done_callback(self._sent)
        return task

    async def send(self, message: Message) -> None:
        """Hand over a message and return when it was sent; raises what the transport raises.

        Cancelling this does not take the message back: others may refer to it already.
        """
        task = self.put(message)
        if task is None:
            raise ConnectionError("the transport is closed")
        await asyncio.shield(task)

    async def close(self) -> None:
        """Close the transport after what was handed over; what it does not take then is dropped."""
        self._closed = True
        await asyncio.sleep(0)  # every message has begun to be sent
        try:
            await self._transport.close()
        finally:
            for task in self._sending:
                task.cancel()

    def _sent(self, task: asyncio.Task[None]) -> None:
        self._sending.discard(task)
        if len(self._sending) < _SENDING_AT_MOST:
            self._room.set()
        error = None if task.cancelled() else task.exception()
        if error is not None:
            # Whoever waits for it gets the exception too; its text may quote the message.
            _log.debug("a message could not be sent: %s", type(error).__name__)

"""What the wrappers of both sides share.

Owns: looking at every message on its way, answering in order with the SDK's own messages, and
refusing what is no message.
Knows nothing of: sides and methods. Above it: `asking`, `answering`. Below it: `transport`.
"""

import abc
import asyncio
from typing import Any

from acp_elicitation.bridges.transport import Message, Outbox, Transport

__all__ = ["INTERNAL_ERROR", "INVALID_REQUEST", "TappedTransport"]

INVALID_REQUEST = -32600
INTERNAL_ERROR = -32603


class TappedTransport(abc.ABC):
    """A transport whose messages are looked at on their way, in both directions.

    What is not ours passes as the same object.
    """

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._outbox = Outbox(transport)
        self._ended = False

    async def send(self, message: Message) -> None:
        """Send a message of the SDK. Raises what the transport raises."""
        await self._outbox.send(self._look_at_outgoing(message))

    async def receive(self) -> Any:
        """Return the next message that is the SDK's, or None when there is no more."""
        while True:
            await self._outbox.has_room()
            try:
                message = await self._transport.receive()
            except Exception:
                self._end()  # the SDK gives up here as well
                raise
            if message is None:
                self._end()
                return None
            took = self._take(message) if isinstance(message, dict) else self._take_noise()
            if not took:
                return message
            # What was started or woken just now runs first, so that a message right behind it,
            # which names it, finds it (URL-7).
            await asyncio.sleep(0)

    async def close(self) -> None:
        """End what waits, and close the transport."""
        self._end()
        await self._outbox.close()

    def _end(self) -> None:
        self._ended = True
        self._lose()

    def _reply(
        self,
        request_id: object,
        *,
        result: object = None,
        error: tuple[int, str, object] | None = None,
    ) -> None:
        message: Message = {"jsonrpc": "2.0", "id": request_id}
        if error is None:
            message["result"] = result
        else:
            code, text, data = error
            message["error"] = {"code": code, "message": text}
            if data is not None:
                message["error"]["data"] = data
        self._outbox.put(message)

    def _take_noise(self) -> bool:
        """Take what is no message; False to leave it to the host, as it is."""
        # In the SDK's own hands this would end the connection.
        self._reply(None, error=(INVALID_REQUEST, "expected one JSON object", None))
        return True

    @abc.abstractmethod
    def _look_at_outgoing(self, message: Message) -> Message:
        """Look at a message of the SDK; returns what to send in its place."""

    @abc.abstractmethod
    def _take(self, message: Message) -> bool:
        """Take an incoming message that is ours; False for one that is the SDK's."""

    @abc.abstractmethod
    def _lose(self) -> None:
        """End what waits: the other side is gone, or the host has closed the transport.

        It may come more than once.
        """

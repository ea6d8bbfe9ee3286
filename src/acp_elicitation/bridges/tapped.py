"""What the wrappers of both sides share.

Owns: sending in order, answering, and refusing what is no message.
Knows nothing of: sides and methods. Above it: `asking`, `answering`. Below it: `transport`.
"""

import abc

from acp_elicitation.bridges.transport import Message, Outbox, Transport

__all__ = ["INTERNAL_ERROR", "INVALID_REQUEST", "TappedTransport"]

INVALID_REQUEST = -32600
INTERNAL_ERROR = -32603


class TappedTransport(abc.ABC):
    """A transport whose messages are looked at on their way, in both directions."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._outbox = Outbox(transport)

    async def receive(self) -> Message | None:
        """Return the next message that is the SDK's, or None when there is no more."""
        while True:
            message = await self._transport.receive()
            if message is None:
                self._lose()
                return None
            if not isinstance(message, dict):
                # The SDK's receive loop would end with an exception here.
                self._reply(None, error=(INVALID_REQUEST, "Invalid Request", None))
            elif not self._take(message):
                return message

    async def close(self) -> None:
        """Close the transport, and end what waits."""
        self._lose()
        await self._outbox.close()
        await self._transport.close()

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

    @abc.abstractmethod
    def _take(self, message: Message) -> bool:
        """Take a message that is ours; False for one that is the SDK's."""

    @abc.abstractmethod
    def _lose(self) -> None:
        """End what waits: the other side is gone."""

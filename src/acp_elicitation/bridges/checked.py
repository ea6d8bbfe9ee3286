"""A transport that lets a message out only where a check agrees, such as the leak guard (URL-2).

Owns: asking that check, and that a request whose answer is stopped gets an answer all the same.
Knows nothing of: what is looked for. Above it: `acp_sdk`. Below it: `tapped`, `transport`.

It is the innermost of the wrappers, so that it sees what the SDK sends and what the elicitor sends.
"""

import logging
from typing import Any

import msgspec

from acp_elicitation.bridges.tapped import INTERNAL_ERROR
from acp_elicitation.bridges.transport import Message, Transport
from acp_elicitation.wire.messages import CheckOutgoing

__all__ = ["CheckedTransport"]

_log = logging.getLogger(__name__)


class CheckedTransport:
    """`transport`, with `check` asked about each message that is sent."""

    def __init__(self, transport: Transport, check: CheckOutgoing) -> None:
        self._transport = transport
        self._check = check

    async def send(self, message: Message) -> None:
        """Send a message, or raise what the check raises; then nothing of it was sent."""
        try:
            self._check(msgspec.json.encode(message, enc_hook=str))
        except Exception as error:
            if "method" in message:
                raise
            _log.error("an answer was stopped by %s", type(error).__name__)
            why = {"code": INTERNAL_ERROR, "message": "the answer was stopped"}
            message = {"jsonrpc": "2.0", "id": message.get("id"), "error": why}
        await self._transport.send(message)

    async def receive(self) -> Any:
        """Return the next message."""
        return await self._transport.receive()

    async def close(self) -> None:
        """Close the transport."""
        await self._transport.close()

"""Running the handler of each incoming request, and answering with what comes of it.

Owns: one task per unanswered request, its cancellation, and the one boundary where an exception
becomes a JSON-RPC error.
Knows nothing of: transports, own calls, notifications.
Above it: `connection`. Below it: `jsonrpc`.
"""

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Coroutine
from typing import cast

from acp_elicitation.protocol.errors import ErrorReply
from acp_elicitation.wire.callouts import log_failure
from acp_elicitation.wire.events import (
    INTERNAL_ERROR,
    REQUEST_CANCELLED,
    RequestId,
    RequestReceived,
)
from acp_elicitation.wire.jsonrpc import Peer

__all__ = ["Serving"]

_CANCELLED = "the request was cancelled"


class Serving:
    """The requests of the other side that are being answered."""

    def __init__(
        self,
        peer: Peer,
        on_request: Callable[[RequestReceived], Awaitable[object]],
        send: Callable[[bytes], None],
    ) -> None:
        self._peer = peer
        self._on_request = on_request
        self._send = send
        self._loop = asyncio.get_running_loop()
        self._tasks: dict[RequestId, asyncio.Task[None]] = {}

    def start(self, request: RequestReceived) -> None:
        """Run the handler in a task of its own."""
        task = self._loop.create_task(self._serve(request), name="acp request")
        if not task.done():  # an eager task can be
            self._tasks[request.id] = task

    def cancel(self, id: RequestId) -> None:
        """Cancel the handler of an unanswered request. It is answered all the same (REQ-6)."""
        task = self._tasks.get(id)
        if task is None:
            return  # it was answered, or cancelled, between reading this message and acting on it
        coroutine = cast("Coroutine[object, object, None]", task.get_coro())
        if inspect.getcoroutinestate(coroutine) == inspect.CORO_CREATED:
            # It never gets to run, so it cannot answer for itself.
            del self._tasks[id]
            self._send(self._peer.error(id, REQUEST_CANCELLED, _CANCELLED))  # REQ-6
        task.cancel()

    def end(self) -> None:
        """Cancel all handlers; nobody takes their answers any more (RES-5)."""
        current = asyncio.current_task()
        for task in self._tasks.values():
            if task is not current:  # a handler may close its own connection
                task.cancel()

    async def _serve(self, request: RequestReceived) -> None:
        id = request.id
        try:
            result = await self._on_request(request)
            reply = self._peer.result(id, result)
        except ErrorReply as error:
            reply = self._peer.error(id, error.code, error.message, error.data)
        except asyncio.CancelledError:
            self._send(self._peer.error(id, REQUEST_CANCELLED, _CANCELLED))  # REQ-6
            raise
        except Exception as error:
            log_failure(f"the handler of {request.method[:100]!r}", error)
            reply = self._peer.error(id, INTERNAL_ERROR, "internal error")
        finally:
            self._tasks.pop(id, None)
        self._send(reply)

"""The proxy's own calls of the client, such as a permission request, among all that passes.

Owns: their ids, and which response is one of theirs.
Knows nothing of: methods but the one that cancels a call, and what passes otherwise.
Above it: `running`, the command line. Below it: `lines`, `wire.messages`.
"""

import asyncio
import secrets

from acp_elicitation.bridges.proxy.line import Line, Passing
from acp_elicitation.bridges.proxy.lines import LineWriter
from acp_elicitation.bridges.transport import Message
from acp_elicitation.protocol.errors import ConnectionLost, RemoteError
from acp_elicitation.wire.events import CANCEL_METHOD, INTERNAL_ERROR
from acp_elicitation.wire.messages import read_error

__all__ = ["ClientCalls"]


class ClientCalls:
    """Calls of the client that are the proxy's own.

    Their ids begin with a text that nobody can guess, so that they are neither the agent's nor
    taken for it.
    """

    def __init__(self, client: LineWriter) -> None:
        self._client = client
        self._prefix = f"acp-elicit-proxy-{secrets.token_hex(8)}-"
        self._count = 0
        self._waiting: dict[str, asyncio.Future[object]] = {}
        self._lost = False

    async def call(self, method: str, params: Message) -> object:
        """Return the client's result. Cancelling it cancels the request.

        Raises:
            RemoteError: the client answered with an error.
            ConnectionLost: it is gone.
        """
        await self._caught_up()
        id = f"{self._prefix}{self._count}"
        self._count += 1
        answer = self._waiting[id] = asyncio.get_running_loop().create_future()
        self._client.put({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
        try:
            return await answer
        except asyncio.CancelledError:
            if self._waiting.pop(id, None) is not None:
                self._put(CANCEL_METHOD, {"requestId": id})
            raise

    async def tell(self, method: str, params: Message) -> None:
        """Send a notification. Raises ConnectionLost when the client is gone."""
        await self._caught_up()
        self._put(method, params)

    async def _caught_up(self) -> None:
        """Wait for a client that does not read: it is asked and told no more than it takes."""
        try:
            await self._client.drain()
        except ConnectionError:
            self._lost = True
        if self._lost:
            raise ConnectionLost("the client closed the connection")

    def _put(self, method: str, params: Message) -> None:
        self._client.put({"jsonrpc": "2.0", "method": method, "params": params})

    def take(self, message: Passing) -> bool:
        """Take the response to a call of ours; False for what is to pass on."""
        id = message.get("id") if isinstance(message, Line) else None
        if not isinstance(id, str) or not id.startswith(self._prefix) or "method" in message:
            return False
        answer = self._waiting.pop(id, None)
        if answer is not None and not answer.done():  # else given up: late, and nobody's
            assert isinstance(message, Line)
            if "result" in message:
                answer.set_result(message["result"])
            else:
                code, text, data = read_error(message.get("error")) or (
                    INTERNAL_ERROR,
                    "the response has neither a result nor a usable error",
                    None,
                )
                answer.set_exception(RemoteError(code=code, message=text, data=data))
        return True

    def lose(self) -> None:
        """End what waits: the client is gone."""
        self._lost = True
        waiting, self._waiting = self._waiting, {}
        for answer in waiting.values():
            if not answer.done():
                answer.set_exception(ConnectionLost("the client closed the connection"))

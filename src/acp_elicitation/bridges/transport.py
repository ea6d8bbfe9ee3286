"""Moving JSON-RPC messages as objects, the way the official Python SDK does.

Owns: the port (the SDK's `Transport`), one over a pair of streams, and the order of what is sent.
Knows nothing of: what a message says. Above it: `acp_sdk`. Below it: asyncio, msgspec.
"""

import asyncio
import contextlib
import logging
from typing import Any, Protocol, TypeAlias

import msgspec

__all__ = ["Message", "Outbox", "StreamTransport", "Transport", "stdio_transport"]

Message: TypeAlias = dict[str, Any]

_MOST_BYTES = 16 * 1024 * 1024
_PARSE_ERROR = -32700
_log = logging.getLogger(__name__)


class Transport(Protocol):
    """What the SDK sends and receives through; `receive` returns None at the end."""

    async def send(self, message: Message) -> None: ...

    async def receive(self) -> Any: ...

    async def close(self) -> None: ...


class StreamTransport:
    """A transport over asyncio streams, one message a line.

    A line that is no JSON is answered with -32700 and skipped, so that it ends nothing.
    """

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._decode = msgspec.json.Decoder().decode
        self._encode = msgspec.json.Encoder().encode

    async def send(self, message: Message) -> None:
        """Send one message. Raises ConnectionError when the other side is gone."""
        self._writer.write(self._encode(message) + b"\n")
        await self._writer.drain()

    async def receive(self) -> Any:
        """Return the next message, or None when there is no more."""
        while True:
            try:
                line = await self._reader.readline()
            except ValueError:  # longer than the stream's limit; the stream has dropped it
                await self._refuse("too long")
                continue
            except ConnectionError:
                return None
            if not line:
                return None
            if line.isspace():
                continue
            try:
                return self._decode(line)
            except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
                await self._refuse("no JSON")

    async def _refuse(self, why: str) -> None:
        _log.warning("skipped a line that is %s", why)
        error = {"code": _PARSE_ERROR, "message": "Parse error"}
        with contextlib.suppress(ConnectionError):
            await self.send({"jsonrpc": "2.0", "id": None, "error": error})

    async def close(self) -> None:
        """Close the writing end."""
        self._writer.close()
        with contextlib.suppress(ConnectionError):
            await self._writer.wait_closed()


async def stdio_transport() -> StreamTransport:
    """Return the transport of this process's stdin and stdout, for an agent."""
    loop = asyncio.get_running_loop()
    import sys  # nothing else here is about a process

    reader = asyncio.StreamReader(limit=_MOST_BYTES)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    pipe, protocol = await loop.connect_write_pipe(asyncio.streams.FlowControlMixin, sys.stdout)
    return StreamTransport(reader, asyncio.StreamWriter(pipe, protocol, None, loop))


class Outbox:
    """Sends messages in the order in which they were handed over, by whomever."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._queue: asyncio.Queue[tuple[Message, asyncio.Future[None] | None]] = asyncio.Queue()
        self._sender: asyncio.Task[None] | None = None
        self._closed = False

    def put(self, message: Message, sent: asyncio.Future[None] | None = None) -> None:
        """Hand over a message; `sent` is resolved when it was sent, or could not be.

        After the end a message is dropped, and `sent` fails with ConnectionError.
        """
        if self._closed:
            if sent is not None:
                sent.set_exception(ConnectionError("the transport is closed"))
            return
        self._queue.put_nowait((message, sent))
        if self._sender is None:
            self._sender = asyncio.create_task(self._send())

    async def send(self, message: Message) -> None:
        """Hand over a message and return when it was sent; raises what the transport raises."""
        sent: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.put(message, sent)
        await sent

    async def close(self) -> None:
        """Send what was handed over, then stop."""
        self._closed = True
        if self._sender is not None:
            await self._queue.join()
            self._sender.cancel()
            await asyncio.wait([self._sender])

    async def _send(self) -> None:
        while True:
            message, sent = await self._queue.get()
            try:
                await self._transport.send(message)
            except Exception as error:
                if sent is None or sent.done():
                    _log.warning("a message could not be sent: %s", type(error).__name__)
                else:
                    sent.set_exception(error)
            else:
                if sent is not None and not sent.done():
                    sent.set_result(None)
            finally:
                self._queue.task_done()

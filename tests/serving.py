"""A small server of a test: at the end of its block every connection is closed and nothing runs."""

import asyncio
import contextlib
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable

__all__ = ["Handle", "answer", "serving"]

Handle = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@contextlib.asynccontextmanager
async def serving(
    handle: Handle, host: str = "127.0.0.1", *, tls: ssl.SSLContext | None = None
) -> AsyncIterator[int]:
    """Serve each connection with `handle` on a free port, which is yielded."""
    tasks: set[asyncio.Task[None]] = set()

    async def run(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        tasks.add(task)
        # A client may leave at any time, and the end of the block cancels what still waits.
        with contextlib.suppress(ConnectionError, EOFError, asyncio.CancelledError):
            await handle(reader, writer)
        writer.close()
        with contextlib.suppress(ConnectionError, asyncio.CancelledError):
            await writer.wait_closed()
        tasks.discard(task)

    server = await asyncio.start_server(run, host, 0, ssl=tls)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(set(tasks))
        await server.wait_closed()


async def answer(writer: asyncio.StreamWriter, body: bytes, *headers: str) -> None:
    """Write the response to a request for a page, and no other after it."""
    head = ("HTTP/1.1 200 OK", "Content-Type: text/html; charset=utf-8", *headers)
    ending = ("Connection: close", f"Content-Length: {len(body)}", "", "")
    writer.write("\r\n".join((*head, *ending)).encode() + body)
    await writer.drain()

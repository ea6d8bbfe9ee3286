"""A load balancer of the tests: one public address, and the requests to each worker in turn.

Owns: which worker gets a request, and the name of the signed-in user that goes with it, as a proxy
that authenticates adds it. Knows nothing of: what the workers serve.
Above it: the tests of connecting. Below it: `tests.serving`.
"""

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator

from tests.serving import serving

__all__ = ["GONE", "SIGNED_IN", "USER_HEADER", "Balancer", "balancing"]

GONE = "bad gateway"
"""What is answered where a worker has gone without an answer."""

SIGNED_IN = "signed-in"
"""The cookie of a browser that has signed in at the balancer: it is the name of its user."""

USER_HEADER = "X-Signed-In-User"

_LENGTH = re.compile(rb"\r\ncontent-length: *([0-9]+)", re.IGNORECASE)
_COOKIE = re.compile(rf"\r\ncookie:[^\r]*\b{SIGNED_IN}=([a-z0-9-]+)".encode(), re.IGNORECASE)
_DROPPED = re.compile(rf"\r\n(connection|{USER_HEADER}):[^\r]*(?=\r\n)".encode(), re.IGNORECASE)
_DOWN = (
    "HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/plain\r\n"
    f"Content-Length: {len(GONE)}\r\nConnection: close\r\n\r\n{GONE}"
).encode()


class Balancer:
    """Sends each request to the next worker, and to another one where that one is gone."""

    def __init__(self) -> None:
        self.workers: list[int] = []
        """Their ports on this machine."""
        self.served: dict[int, int] = {}
        """How many requests each has answered."""
        self.busy: dict[int, int] = {}
        """How many requests each has now."""
        self.address = ""
        self._next = 0
        self._used: tuple[int, ...] | None = None

    def use(self, *which: int) -> None:
        """Send requests only to these of the workers."""
        self._used = which

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Take one request, and hand back what a worker answers."""
        head = await reader.readuntil(b"\r\n\r\n")
        length = _LENGTH.search(head)
        body = await reader.readexactly(int(length[1]) if length else 0)
        for port in self._in_turn():
            with contextlib.suppress(ConnectionRefusedError):
                there = await asyncio.open_connection("127.0.0.1", port)
                if await self._carry(port, _signed(head) + body, there, writer):
                    return
                break  # it has the request: to send it again would be to do it twice
        writer.write(_DOWN)
        await writer.drain()

    async def _carry(
        self,
        port: int,
        request: bytes,
        there: tuple[asyncio.StreamReader, asyncio.StreamWriter],
        writer: asyncio.StreamWriter,
    ) -> bool:
        """Return whether anything was answered."""
        source, target = there
        answered = False
        self.busy[port] = self.busy.get(port, 0) + 1
        try:
            target.write(request)
            while data := await source.read(1 << 16):
                answered = True
                writer.write(data)
                await writer.drain()
        except ConnectionResetError:
            pass
        finally:
            self.busy[port] -= 1
            target.close()
        self.served[port] = self.served.get(port, 0) + answered
        return answered

    def _in_turn(self) -> list[int]:
        workers = [
            port
            for place, port in enumerate(self.workers)
            if self._used is None or place in self._used
        ]
        self._next += 1
        first = self._next % len(workers)
        return [*workers[first:], *workers[:first]]


def _signed(head: bytes) -> bytes:
    """The request with the name of the user who signed in, whatever the browser says of it."""
    user = _COOKIE.search(head)
    lines = [_DROPPED.sub(b"", head)[:-2], b"Connection: close\r\n"]
    if user is not None:
        lines.append(b"%s: %s\r\n" % (USER_HEADER.encode(), user[1]))
    return b"".join([*lines, b"\r\n"])


@contextlib.asynccontextmanager
async def balancing() -> AsyncIterator[Balancer]:
    """Serve on a free port for the length of the block; it has no workers yet."""
    balancer = Balancer()
    async with serving(balancer.serve) as port:
        balancer.address = f"http://127.0.0.1:{port}"
        yield balancer

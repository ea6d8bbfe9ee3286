"""Serving the page on this machine alone, in the event loop that is running already.

Owns: the socket, and the life of the server: from when it takes requests to when the last
connection is closed. Knows nothing of: what is served. Above it: the command line, any program
with a presenter. Below it: `app`, uvicorn.
"""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Iterator

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from acp_elicitation.presenters.web.app import web_app
from acp_elicitation.presenters.web.presenter import WebPresenter

__all__ = ["serving"]

_LOOPBACK = "127.0.0.1"
_MOST_CONNECTIONS = 64
_FIRST_REQUEST = 10.0
"""Seconds in which a connection has to bring its first request."""

_LAST_WORDS = 1
"""Seconds in which an answer that is on its way may arrive after the end."""


class _Protocol(H11Protocol):
    """One connection. It has to be used: a stranger may open as many as the server takes."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.loop.call_later(_FIRST_REQUEST, self._expect_request)

    def _expect_request(self) -> None:
        cycle: object = self.cycle  # None, whatever its type says, until the head of one has come
        if cycle is None:
            self.transport.close()


class _Server(uvicorn.Server):
    """A server that leaves signals to the program, and does nothing while nothing comes."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.takes_requests = asyncio.Event()
        self.ends = asyncio.Event()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=sockets)
        self.takes_requests.set()

    async def main_loop(self) -> None:
        await self.on_tick(0)
        await self.ends.wait()


@contextlib.asynccontextmanager
async def serving(presenter: WebPresenter, *, port: int = 0) -> AsyncIterator[str]:
    """Serve the page of `presenter` on 127.0.0.1 while the context lasts; gives its address.

    0 takes any free port. The address holds a secret: show it to the user alone. The browser that
    opens it first is the only one that it works in.

    Raises:
        OSError: the port is taken.
    """
    # Without its protocol asyncio does not know it for TCP, and each answer waits for 40 ms.
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((_LOOPBACK, port))
        port = listening.getsockname()[1]
        origins = [f"http://{_LOOPBACK}:{port}", f"http://localhost:{port}"]
        server = _Server(_configure(presenter, origins))
        running = asyncio.create_task(server.serve(sockets=[listening]))
        started = asyncio.create_task(server.takes_requests.wait())
        presenter.desk.events.open()
        try:
            await asyncio.wait([running, started], return_when=asyncio.FIRST_COMPLETED)
            yield f"{origins[0]}{presenter.desk.base}/"
        finally:
            started.cancel()
            presenter.desk.events.close()  # otherwise the server would wait for every open page
            server.ends.set()
            await asyncio.wait([running])


def _configure(presenter: WebPresenter, origins: list[str]) -> uvicorn.Config:
    return uvicorn.Config(
        web_app(presenter, origins=origins),
        http=_Protocol,
        ws="none",
        lifespan="off",
        access_log=False,  # an address is a secret
        log_config=None,
        log_level="critical",  # it logs what strangers send to the port
        proxy_headers=False,  # nothing stands between, so nobody may speak for another
        server_header=False,
        date_header=False,
        limit_concurrency=_MOST_CONNECTIONS,
        timeout_graceful_shutdown=_LAST_WORDS,
    )

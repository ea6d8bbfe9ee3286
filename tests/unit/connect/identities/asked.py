"""A way to know users, asked by a real server over a real socket, or without one."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator
from urllib.parse import urlsplit

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from acp_elicitation.connect.identity import Identify, Known
from acp_elicitation.protocol.requests import ElicitationId
from acp_elicitation.stores.records import Attempt, ConnectionId, Identity, StoredLink

__all__ = ["BEGUN", "LINK", "asked", "send", "served"]

LINK = StoredLink(
    id=ElicitationId("link-0123456789"),
    connection=ConnectionId("connection"),
    identity=Identity("ada"),
    created_at=0,
    expires_at=60_000,
)
BEGUN = StoredLink(
    id=LINK.id,
    connection=LINK.connection,
    identity=LINK.identity,
    created_at=0,
    expires_at=60_000,
    attempt=Attempt(key="key"),
)


def asked(identity: Identify, link: StoredLink = LINK) -> Starlette:
    """An application that answers with who it is, and remembers who posts."""

    async def answer(request: Request) -> Response:
        found = await identity.identify(request, link)
        name = found.identity if isinstance(found, Known) else type(found).__name__
        response = PlainTextResponse(name)
        if request.method == "POST" and isinstance(found, Known):
            identity.remember(request, link, response)
        return response

    return Starlette(routes=[Route("/", answer, methods=["GET", "POST"])])


@contextlib.asynccontextmanager
async def served(app: ASGIApp, host: str = "127.0.0.1") -> AsyncIterator[str]:
    """Serve on a free port as uvicorn does when it is told nothing; gives the address."""
    config = uvicorn.Config(app, ws="none", lifespan="off", log_config=None, log_level="critical")
    config.load()
    state = ServerState()
    loop = asyncio.get_running_loop()
    listening = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    if host.startswith("::ffff:"):  # an IPv4 address, at a socket for both families
        listening.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
    listening.bind((host, 0))
    server = await loop.create_server(
        lambda: H11Protocol(config=config, server_state=state, app_state={}), sock=listening
    )
    port = listening.getsockname()[1]
    try:
        yield f"http://{f'[{host}]' if ':' in host else host}:{port}"
    finally:
        server.close()
        for connection in set(state.connections):
            connection.shutdown()
        await server.wait_closed()


async def send(
    url: str, *, by: socket.socket | None = None, host: str | None = None, **headers: str
) -> str:
    """Send a GET by a socket of the caller's, or a fresh one; return the body of the answer."""
    parts = urlsplit(url)
    family = socket.AF_INET6 if parts.netloc.startswith("[") else socket.AF_INET
    by = by or socket.socket(family, socket.SOCK_STREAM)
    by.setblocking(False)
    await asyncio.get_running_loop().sock_connect(by, (parts.hostname, parts.port))
    headers = {
        "host": host or parts.netloc,
        "connection": "close",
        **{name.replace("_", "-"): value for name, value in headers.items()},
    }
    head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    reader, writer = await asyncio.open_connection(sock=by)
    writer.write(f"GET / HTTP/1.1\r\n{head}\r\n".encode())
    async with asyncio.timeout(10):
        answer = await reader.read()
    writer.close()
    await writer.wait_closed()
    return answer.partition(b"\r\n\r\n")[2].decode()

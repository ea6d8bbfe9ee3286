"""The official Python SDK's server for HTTP and WebSocket, on loopback.

Owns: running an ASGI application for as long as a test needs it.
Knows nothing of: the bridges. Above it: their tests over a network. Below it: uvicorn.
"""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator
from typing import Any

import uvicorn
from acp.http.asgi import create_asgi_app


@contextlib.asynccontextmanager
async def serving(agents: Any) -> AsyncIterator[str]:
    """Serve what `agents`, the SDK's factory or router, makes; yields `host:port/path`."""
    config = uvicorn.Config(
        create_asgi_app(agents), ws="websockets-sansio", log_config=None, lifespan="on"
    )
    server = uvicorn.Server(config)
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()  # who connects before the server runs waits for it
        running = asyncio.create_task(server.serve([listening]))
        try:
            yield f"127.0.0.1:{listening.getsockname()[1]}/acp"
        finally:
            server.should_exit = True
            await running

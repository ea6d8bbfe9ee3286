"""Connections over sockets that are open already.

Owns: joining a socket and a connection.
Knows nothing of: listening, addresses, or who is on the other end.
Above it: tests, benchmarks, and embedders that run agent and client in one process.
Below it: `connection`.
"""

import asyncio
import socket
from functools import partial

from acp_elicitation.wire.connection import Connection, Handler, OnNoise
from acp_elicitation.wire.events import Limits
from acp_elicitation.wire.tap import OnRaw

__all__ = ["open_pair", "open_socket"]


async def open_socket(
    sock: socket.socket,
    handler: Handler,
    *,
    answer_noise: bool = True,
    id_prefix: str | None = None,
    limits: Limits | None = None,
    on_noise: OnNoise | None = None,
    on_raw: OnRaw | None = None,
) -> Connection:
    """A connection over a connected stream socket, which it owns from now on."""
    connect = partial(
        Connection,
        handler,
        answer_noise=answer_noise,
        id_prefix=id_prefix,
        limits=limits,
        on_noise=on_noise,
        on_raw=on_raw,
    )
    sock.setblocking(False)
    _, connection = await asyncio.get_running_loop().create_connection(connect, sock=sock)
    return connection


async def open_pair(first: Handler, second: Handler) -> tuple[Connection, Connection]:
    """Two connections, each the other side of the other."""
    one, other = socket.socketpair()
    return await open_socket(one, first), await open_socket(other, second)

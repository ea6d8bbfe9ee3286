"""Starting an agent and agreeing on a version with it.

Owns: the child process of a client, and the fall-back from version 2 to version 1.
Knows nothing of: sessions and questions. Above it: the command line.
Below it: `session`, `wire.stdio`.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Literal, TypeAlias

from acp_elicitation.client.responder import Responder
from acp_elicitation.client.session import ClientConnection, OnUpdate
from acp_elicitation.protocol.errors import ConnectionLost, NotStarted, PeerError
from acp_elicitation.protocol.handshake import Implementation
from acp_elicitation.protocol.version import V1, V2, Version
from acp_elicitation.wire.stdio import Child, OnLine, spawn
from acp_elicitation.wire.tap import OnRaw

__all__ = ["Protocol", "RunningAgent", "launch"]

_ENDS_WITHIN = 0.5
"""Seconds that an agent has to end after it closed the connection, for its exit status."""

Protocol: TypeAlias = Literal["auto", "1", "2"]


class RunningAgent:
    """An agent that was started and has answered `initialize`."""

    def __init__(self, client: ClientConnection, child: Child, version: Version) -> None:
        self.client = client
        self.child = child
        self.version = version


@contextlib.asynccontextmanager
async def launch(
    command: Sequence[str],
    responder: Responder,
    *,
    on_update: OnUpdate,
    info: Implementation,
    protocol: Protocol = "auto",
    cwd: str | None = None,
    on_stderr: OnLine | None = None,
    on_noise: OnLine | None = None,
    on_raw: OnRaw | None = None,
    on_restart: Callable[[], None] | None = None,
) -> AsyncIterator[RunningAgent]:
    """Run an agent for the length of the block, initialised and ready for sessions.

    `auto` offers version 2. An agent that answers 1, an error, or nothing at all before it leaves
    is started anew and spoken to in version 1: it may not have understood where version 2 puts
    the client's capabilities.

    Args:
        command: the agent's program and arguments.
        responder: answers its questions; it learns the version and who asks.
        on_update: takes the updates of all sessions.
        info: who this client is.
        protocol: which version to speak.
        cwd: the folder to start the agent in.
        on_stderr: takes each line of the agent's stderr; None passes them through.
        on_noise: takes each line on the agent's stdout that is no message.
        on_raw: takes every message as sent, with its direction.
        on_restart: is called before the agent is started a second time, to speak version 1.

    Raises:
        NotStarted: the command could not be started.
        ConnectionLost: it left; with its exit status where it has ended. So does what is raised
            within the block.
        RemoteError, MalformedMessage, VersionNotSupported: it does not speak with us.
    """

    async def start(version: Version) -> RunningAgent:
        client = ClientConnection(responder, on_update=on_update, info=info)
        child = await spawn(
            command,
            client,
            cwd=cwd,
            on_stderr=on_stderr,
            on_noise=on_noise,
            on_raw=on_raw,
        )
        client.attach(child.connection)
        try:
            async with _noting_exit(child):
                hello = await client.initialize(version, command=tuple(command))
        except BaseException:
            await child.stop()
            raise
        return RunningAgent(client, child, hello.version)

    running = await _negotiate(start, protocol, on_restart or _nothing)
    try:
        async with _noting_exit(running.child):
            yield running
    finally:
        responder.close()
        await running.child.stop()


@contextlib.asynccontextmanager
async def _noting_exit(child: Child) -> AsyncIterator[None]:
    """Have a `ConnectionLost` say how the agent ended, if it has."""
    try:
        yield
    except ConnectionLost as error:
        # The end of its output comes before the news of its end.
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_ENDS_WITHIN):
                error.exit_status = await child.wait()
        raise


def _nothing() -> None:
    pass


async def _negotiate(
    start: Callable[[Version], Awaitable[RunningAgent]],
    protocol: Protocol,
    on_restart: Callable[[], None],
) -> RunningAgent:
    if protocol == "1":
        return await start(V1)
    try:
        running = await start(V2)
    except PeerError as error:
        if protocol == "2" or isinstance(error, NotStarted):
            raise
        on_restart()
        return await start(V1)
    if running.version is V2 or protocol == "2":
        return running
    await running.child.stop()
    on_restart()
    return await start(V1)

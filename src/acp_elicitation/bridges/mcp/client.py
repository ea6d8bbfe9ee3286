"""An MCP client whose server asks the user of an ACP agent.

Owns: how `mcp.Client` is put together for that, and the name that its server gives itself.
Knows nothing of: questions. Above it: agents. Below it: `forwarding`, `narrowing`, the SDK.
"""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING, Any

from acp_elicitation.bridges.mcp.forwarding import Forward

if TYPE_CHECKING:
    from mcp import Client, Implementation, StdioServerParameters

__all__ = ["mcp_client"]


@asynccontextmanager
async def mcp_client(
    server: "StdioServerParameters | AbstractAsyncContextManager[tuple[Any, Any]] | str",
    forward: Forward,
    **options: Any,
) -> "AsyncIterator[Client]":
    """Connect with an MCP server for the length of the block; `forward` takes its questions.

    The server is told of the modes that the ACP client has, and of no other (CAP-4).

    Args:
        server: the command of a server, a transport of the SDK, or a URL (Streamable HTTP).
        forward: from `forward(elicitor, ...)`, of this server alone.
        options: of `mcp.Client`; a `message_handler` hears of all messages as without this.

    Raises:
        MCPError, OSError and others of the SDK: there is no connection. The SDK's own client puts
            them, and what is raised in the block, into exception groups; from here they come as
            they are, unless there are several.
    """
    from mcp import Client

    from acp_elicitation.bridges.mcp.narrowing import narrowed

    handler = options.pop("message_handler", None)

    async def on_message(message: Any) -> None:
        await forward.on_message(message)
        if handler is not None:
            await handler(message)

    failure: BaseException | None = None
    client = Client(
        narrowed(_transport(server), forward.modes),
        elicitation_callback=forward if forward.modes else None,
        message_handler=on_message,
        **options,
    )
    try:
        async with client:
            forward.asker.learn_name(_own_name(client.server_info))
            try:
                yield client
            except BaseException as error:
                failure = error
                raise
    except BaseExceptionGroup as group:
        alone = _alone(group, failure)
        if alone is None:
            raise
        raise alone from alone.__cause__
    finally:
        forward.close()


def _alone(
    group: BaseExceptionGroup[BaseException], failure: BaseException | None
) -> BaseException | None:
    """Return `failure`, or the only exception, where a group and its groups hold no other."""
    inner: BaseException = group
    while isinstance(inner, BaseExceptionGroup) and inner is not failure:
        if len(inner.exceptions) > 1:
            return None
        inner = inner.exceptions[0]
    return inner


def _transport(server: Any) -> AbstractAsyncContextManager[tuple[Any, Any]]:
    from mcp import StdioServerParameters, stdio_client
    from mcp.client.streamable_http import streamable_http_client

    if isinstance(server, StdioServerParameters):
        return stdio_client(server)
    return streamable_http_client(server) if isinstance(server, str) else server


def _own_name(info: "Implementation | None") -> str | None:
    return None if info is None else info.title or info.name

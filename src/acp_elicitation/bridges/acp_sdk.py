"""The official Python SDK as host: an existing agent gets an `Elicitor`, a client a `Responder`.

Owns: the two lines that a host writes. The plug is the SDK's message-level transport: what
elicitation is made of is taken there as raw objects, before the SDK's models see (and change, or
lose) it, and all else passes untouched.
Knows nothing of: the SDK's classes; nothing of it is imported, so that every version with such a
transport will do. Above it: agents and clients. Below it: `asking`, `answering`, `checked`,
`streams`.

    transport = elicit_over(await stdio_transport())
    await acp.run_agent(MyAgent(transport), transport)      # MyAgent uses transport.elicitor

    transport = respond_over(stream_transport(reader, writer), Responder(presenter))
    connection = acp.connect_to_agent(my_client, transport)

Where the SDK makes the transport itself (its HTTP and WebSocket server, `spawn_agent_process`),
`elicit_on(connection)` and `respond_on(connection, responder)` do the same to its connection.
"""

import asyncio
from collections.abc import Sequence
from typing import Any

from acp_elicitation.bridges.answering import RespondingTransport
from acp_elicitation.bridges.asking import ElicitingTransport
from acp_elicitation.bridges.checked import CheckedTransport
from acp_elicitation.bridges.streams import StreamTransport, open_stdio
from acp_elicitation.bridges.transport import Transport
from acp_elicitation.client.responder import Responder
from acp_elicitation.protocol.errors import MisuseError
from acp_elicitation.wire.messages import CheckOutgoing

__all__ = [
    "elicit_on",
    "elicit_over",
    "respond_on",
    "respond_over",
    "stdio_transport",
    "stream_transport",
]


def elicit_over(
    transport: Transport, *, check_outgoing: CheckOutgoing | None = None
) -> ElicitingTransport:
    """Return `transport` with an `elicitor` for the agent that is run over it.

    Its `elicitor` asks the one client of this transport (REQ-3), in the modes that this client
    advertised (CAP-4), once `initialize` has been answered.

    Args:
        transport: the agent's, of whatever kind.
        check_outgoing: sees each message before it is sent, the SDK's too, and raises to stop it,
            as `AccountConnecting.check_outgoing` does for one with a credential (URL-2).
    """
    if check_outgoing is not None:
        transport = CheckedTransport(transport, check_outgoing)
    return ElicitingTransport(transport)


def respond_over(
    transport: Transport, responder: Responder, *, command: Sequence[str] = ()
) -> RespondingTransport:
    """Return `transport` with `responder` answering the questions that come over it.

    What it answers is advertised in the host's `initialize` (CAP-2, CAP-6), in place of what the
    host says of elicitation.

    Args:
        transport: the client's, of whatever kind.
        responder: answers this agent; it learns the version and who asks.
        command: what started the agent, for the user to see (UI-1).
    """
    return RespondingTransport(transport, responder, command=command)


def elicit_on(
    connection: object, *, check_outgoing: CheckOutgoing | None = None
) -> ElicitingTransport:
    """Do what `elicit_over` does to an SDK connection that has its transport already.

    For an agent whose transport the SDK makes, as its HTTP and WebSocket server does. Call it in
    the agent's `on_connect`, before anything is received. A connection over such a transport gives
    that transport back, with the check that it was made with.

    Raises:
        MisuseError: the object keeps no transport where the known versions of the SDK do.
    """
    holder = _holder_of_transport(connection)
    if not isinstance(holder._transport, ElicitingTransport):
        holder._transport = elicit_over(holder._transport, check_outgoing=check_outgoing)
    transport: ElicitingTransport = holder._transport
    return transport


def respond_on(
    connection: object, responder: Responder, *, command: Sequence[str] = ()
) -> RespondingTransport:
    """Do what `respond_over` does to an SDK connection that has its transport already.

    For a client whose transport the SDK makes, as `spawn_agent_process` does. Call it in the
    client's `on_connect`, or right after the connection is there, before anything is received.

    Raises:
        MisuseError: the object keeps no transport where the known versions of the SDK do.
    """
    holder = _holder_of_transport(connection)
    transport = respond_over(holder._transport, responder, command=command)
    holder._transport = transport
    return transport


async def stdio_transport() -> StreamTransport:
    """Return the transport of this process's stdin and stdout, for an agent.

    From here on only messages travel there: what else the process prints goes to stderr, and its
    stdin is empty for everything else.
    """
    return await open_stdio()


def stream_transport(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> StreamTransport:
    """Return the transport over two streams, for a client: those of the agent that it started.

    The SDK's `spawn_stdio_transport` gives them, and so does `asyncio.create_subprocess_exec`.
    """
    return StreamTransport(reader, writer)


def _holder_of_transport(connection: object) -> Any:
    # The SDK has no public name for it. Its two connections of the sides keep a `Connection`.
    for holder in (getattr(connection, "_conn", None), connection):
        if isinstance(getattr(holder, "_transport", None), Transport):
            return holder
    raise MisuseError(
        f"{type(connection).__name__} keeps no transport where it is looked for; make the "
        f"transport yourself and wrap it with elicit_over or respond_over"
    )

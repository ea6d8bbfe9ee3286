"""The official Python SDK as host: an existing agent gets an `Elicitor`, a client a `Responder`.

Owns: the two lines that a host writes. The plug is the SDK's message-level transport: what
elicitation is made of is taken there as raw objects, before the SDK's models see (and change, or
lose) it, and all else passes untouched.
Knows nothing of: the SDK's classes; nothing of it is imported, so that every version with such a
transport will do. Above it: agents and clients. Below it: `asking`, `answering`, `transport`.

    transport = elicit_over(await stdio_transport())
    await acp.run_agent(MyAgent(transport), transport)      # MyAgent uses transport.elicitor

    transport = respond_over(StreamTransport(process.stdout, process.stdin), Responder(presenter))
    connection = acp.connect_to_agent(my_client, transport)
"""

from acp_elicitation.bridges.answering import RespondingTransport
from acp_elicitation.bridges.asking import ElicitingTransport
from acp_elicitation.bridges.transport import Transport
from acp_elicitation.client.responder import Responder

__all__ = ["elicit_over", "respond_over"]


def elicit_over(transport: Transport) -> ElicitingTransport:
    """Return `transport` with an `elicitor` for the agent that is run over it."""
    return ElicitingTransport(transport)


def respond_over(transport: Transport, responder: Responder) -> RespondingTransport:
    """Return `transport` with `responder` answering the questions that come over it."""
    return RespondingTransport(transport, responder)

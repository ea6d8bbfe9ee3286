"""The floor: the same bytes there and back on a bare asyncio.Protocol with msgspec, unchecked.

Owns: the least that any peer in Python on asyncio must do for one question and its answer.
Deliberately does not know: JSON-RPC beyond an id, elicitation, validation, cancellation, errors.
Above it: benchmarks/run.py. Below it: asyncio, msgspec.
"""

import asyncio
import socket
import sys
from typing import Any, cast

import msgspec

from benchmarks.peers.pacing import QUESTION, obey, seconds_each

PARAMS = {
    "sessionId": "session-1",
    "mode": "form",
    "message": QUESTION["message"],
    "requestedSchema": QUESTION["requestedSchema"],
}
RESULT = {"action": "accept", "content": QUESTION["content"]}

encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder().decode


class Lines(asyncio.Protocol):
    """Bytes in, one decoded message at a time out."""

    def __init__(self) -> None:
        self.rest = b""
        self.out: asyncio.WriteTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        if isinstance(transport, asyncio.WriteTransport):
            self.out = transport

    def data_received(self, data: bytes) -> None:
        *lines, self.rest = (self.rest + data).split(b"\n")
        for line in lines:
            self.received(decode(line))

    def send(self, message: dict[str, Any]) -> None:
        assert self.out is not None
        self.out.write(encode(message) + b"\n")

    def received(self, message: dict[str, Any]) -> None:
        raise NotImplementedError


class Client(Lines):
    """Answers every question alike; the answer to its own command is a future."""

    def __init__(self) -> None:
        super().__init__()
        self.measured: asyncio.Future[float] | None = None

    def received(self, message: dict[str, Any]) -> None:
        if "method" in message:
            self.send({"jsonrpc": "2.0", "id": message["id"], "result": RESULT})
        elif self.measured:
            self.measured.set_result(message["result"])


class Agent(Lines):
    """Asks, and measures on command."""

    def __init__(self) -> None:
        super().__init__()
        self.last_id = 0
        self.waiting: dict[int, asyncio.Future[Any]] = {}
        self.closed = asyncio.get_running_loop().create_future()
        self.measuring: asyncio.Task[None] | None = None

    async def ask(self) -> object:
        self.last_id += 1
        answer = self.waiting[self.last_id] = asyncio.get_running_loop().create_future()
        method = "elicitation/create"
        self.send({"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": PARAMS})
        return (await answer)["content"]

    def received(self, message: dict[str, Any]) -> None:
        if "method" in message:
            self.measuring = asyncio.create_task(self.measure(message["id"], **message["params"]))
        else:
            self.waiting.pop(message["id"]).set_result(message["result"])

    async def measure(self, request_id: str, questions: int, at_once: int) -> None:
        seconds = await seconds_each(self.ask, questions, at_once)
        self.send({"jsonrpc": "2.0", "id": request_id, "result": seconds})

    def connection_lost(self, exc: Exception | None) -> None:
        self.closed.set_result(None)


class Child(asyncio.SubprocessProtocol):
    """The pipes of the agent's process, as the client's lines."""

    def __init__(self, client: Client) -> None:
        self.client = client

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        self.client.data_received(data)


async def over_socketpair() -> None:
    """Both sides in this process."""
    loop = asyncio.get_running_loop()
    near, far = socket.socketpair()
    await loop.create_connection(Client, sock=near)
    _, agent = await loop.create_connection(Agent, sock=far)
    await obey(lambda questions, at_once: seconds_each(agent.ask, questions, at_once))


async def over_stdio() -> None:
    """The client here, the agent a child that asks and measures."""
    loop = asyncio.get_running_loop()
    client = Client()
    command = (sys.executable, "-m", __spec__.name, "agent")
    transport, _ = await loop.subprocess_exec(lambda: Child(client), *command, stderr=None)
    client.out = cast(asyncio.WriteTransport, transport.get_pipe_transport(0))

    async def measure(questions: int, at_once: int) -> float:
        client.measured = loop.create_future()
        params = {"questions": questions, "at_once": at_once}
        client.send({"jsonrpc": "2.0", "id": "measure", "method": "_measure", "params": params})
        return await client.measured

    await obey(measure)
    transport.close()


async def be_the_agent() -> None:
    """That child."""
    loop = asyncio.get_running_loop()
    agent = Agent()
    agent.out, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, sys.stdout)
    await loop.connect_read_pipe(lambda: agent, sys.stdin)
    await agent.closed


if __name__ == "__main__":
    part = {"socketpair": over_socketpair, "stdio": over_stdio, "agent": be_the_agent}
    asyncio.run(part[sys.argv[1]]())

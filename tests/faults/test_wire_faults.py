"""The wire when the other side misbehaves: real children and sockets, at the default limits."""

import asyncio
import json
import os
import signal
import socket
import sys
import textwrap
import tracemalloc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from acp_elicitation.protocol.errors import ConnectionLost, RemoteError
from acp_elicitation.wire.connection import Connection, IncomingRequest
from acp_elicitation.wire.events import Limits
from acp_elicitation.wire.sockets import open_pair, open_socket
from acp_elicitation.wire.stdio import Child, spawn

# What the children below begin with. They speak by hand, as nothing of ours would misbehave.
PREAMBLE = """
import json, sys, time
out = sys.stdout.buffer
def send(data):
    out.write(data); out.flush()
def answer(id, result):
    send(json.dumps({"jsonrpc": "2.0", "id": id, "result": result}).encode() + b"\\n")
def receive():
    return json.loads(sys.stdin.buffer.readline() or "null")
"""


class Echo:
    """Answers with what it is asked."""

    def __init__(self) -> None:
        self.told: list[object] = []
        self.closed: list[str] = []
        self.news = asyncio.Event()

    async def on_request(self, request: IncomingRequest) -> object:
        return request.params

    def on_notification(self, method: str, params: object) -> None:
        self.told.append(params)
        self.news.set()

    def on_closed(self, error: ConnectionLost) -> None:
        self.closed.append(error.reason)

    async def until(self, count: int) -> None:
        while len(self.told) < count:
            self.news.clear()
            await self.news.wait()


@asynccontextmanager
async def agent(program: str, handler: Echo | None = None, **options: Any) -> AsyncIterator[Child]:
    code = PREAMBLE + textwrap.dedent(program)
    # Without site-packages: coverage of a child that is killed leaves broken files behind.
    child = await spawn([sys.executable, "-S", "-c", code], handler or Echo(), **options)
    try:
        yield child
    finally:
        await child.stop(grace_seconds=0.5)


@pytest.mark.requirement("RES-5")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV, signal.SIGTERM])
async def test_a_child_that_is_killed_ends_every_waiting_call(number: int) -> None:
    handler = Echo()
    async with agent("send(b'up\\n'); time.sleep(1000)", handler, on_noise=_ignore) as child:
        calls = [asyncio.create_task(child.connection.request("m")) for _ in range(100)]
        await asyncio.sleep(0)
        os.kill(child.pid, number)
        errors = await asyncio.gather(*calls, return_exceptions=True)
        assert {type(error) for error in errors} == {ConnectionLost}
        assert await child.wait() == -number
    assert len(handler.closed) == 1
    assert sys.executable in handler.closed[0]


@pytest.mark.requirement("RES-5")
async def test_a_child_that_leaves_in_the_middle_of_a_message_ends_the_waiting_call() -> None:
    program = """
        id = receive()["id"]
        send(json.dumps({"jsonrpc": "2.0", "id": id, "result": {"a": "b"}}).encode()[:-5])
    """
    async with agent(program) as child:
        with pytest.raises(ConnectionLost):
            await child.connection.request("m")
        assert await child.wait() == 0


async def test_the_last_answer_of_a_child_that_leaves_is_not_lost() -> None:
    async with agent("answer(receive()['id'], 'x' * 60_000)") as child:
        assert await child.connection.request("m") == "x" * 60_000


async def test_what_a_child_prints_by_mistake_is_reported_and_skipped() -> None:
    program = """
        print("Loading model... 100%", flush=True)
        print({"progress": 1}, flush=True)
        print(flush=True)
        id = receive()["id"]
        send(b"\\xff\\xfe binary \\x00\\x1b[2J\\n")
        send(b"Traceback" * 100_000 + b"\\n")
        answer(id, "fine")
        receive()
    """
    noise: list[bytes] = []
    async with agent(program, on_noise=noise.append) as child:
        assert await child.connection.request("m") == "fine"
    assert noise == [
        b"Loading model... 100%",
        b"{'progress': 1}",
        b"\xff\xfe binary \x00\x1b[2J",
        (b"Traceback" * 100)[:500],
    ]


async def test_a_message_over_the_limit_is_refused_with_bounded_memory_and_the_rest_goes_on() -> (
    None
):
    program = """
        ask = receive()["id"]
        send(b'{"jsonrpc":"2.0","id":"big","method":"m","params":["')
        for _ in range(80):
            send(b"x" * 1_000_000)
        send(b'"]}\\n')
        refused = receive()
        answer(ask, refused)
        ask = receive()["id"]
        send(b'{"jsonrpc":"2.0","result":"' + b"y" * 17_000_000 + b'","id":%d}\\n' % ask)
        answer(receive()["id"], "still there")
    """
    async with agent(program) as child:
        tracemalloc.start()
        refused = await child.connection.request("m")
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert isinstance(refused, dict)
        assert refused["id"] == "big"
        assert refused["error"]["code"] == -32600
        assert peak < 64 * 2**20  # the message has 80 MB
        with pytest.raises(RemoteError, match="at most 16777216 bytes"):
            await child.connection.request("m")
        assert await child.connection.request("m") == "still there"


async def test_a_message_nested_too_deep_is_refused_and_the_rest_goes_on() -> None:
    program = """
        ask = receive()["id"]
        deep = b"[" * 10**6 + b"]" * 10**6
        send(b'{"jsonrpc":"2.0","method":"m","params":' + deep + b',"id":5}\\n')
        answer(ask, receive())
        ask, deep = receive()["id"], b'{"id":' * 200 + b"0" + b"}" * 200
        send(b'{"jsonrpc":"2.0","id":%d,"result":' % ask + deep + b"}\\n")
        answer(receive()["id"], "still there")
    """
    async with agent(program) as child:
        refused = await child.connection.request("m")
        assert isinstance(refused, dict)
        assert (refused["id"], refused["error"]["code"]) == (5, -32600)
        with pytest.raises(RemoteError, match="at most 128 deep"):
            await child.connection.request("m")
        assert await child.connection.request("m") == "still there"


async def test_a_slow_reader_gets_everything_in_the_end() -> None:
    program = """
        count = 0
        while (message := receive()) and "id" not in message:
            count += len(message["params"][0])
            time.sleep(0.001)
        answer(message["id"], count)
    """
    async with agent(program) as child:
        for _ in range(100):
            child.connection.notify("n", ["x" * 50_000])
        assert await child.connection.request("total") == 5_000_000


async def test_a_child_that_closes_its_input_only_is_gone() -> None:
    program = """
        import os
        os.close(0)
        send(b'{"jsonrpc":"2.0","method":"last words","params":["bye"]}\\n')
        time.sleep(1000)
    """
    handler = Echo()
    async with agent(program, handler) as child:
        await handler.until(1)
        await child.connection.wait_closed()
    assert handler.told == [["bye"]]


async def test_both_sides_may_flood_each_other() -> None:
    async def ask(connection: Connection) -> int:
        answers = await asyncio.gather(
            *(connection.request("m", ["x" * 20_000, n]) for n in range(300))
        )
        return sum(answer == ["x" * 20_000, n] for n, answer in enumerate(answers))

    one, other = await open_pair(Echo(), Echo())
    assert list(await asyncio.gather(ask(one), ask(other))) == [300, 300]
    one.close()
    await one.wait_closed()
    await other.wait_closed()


async def test_more_requests_at_once_than_the_limit_are_refused_and_all_are_answered() -> None:
    class Waiting(Echo):
        def __init__(self) -> None:
            super().__init__()
            self.release = asyncio.Event()

        async def on_request(self, request: IncomingRequest) -> object:
            await self.release.wait()
            return None

    ours, theirs = socket.socketpair()
    handler = Waiting()
    connection = await open_socket(ours, handler, limits=Limits(incoming=1000))
    reader, writer = await asyncio.open_connection(sock=theirs)
    for id in range(1500):
        writer.write(b'{"jsonrpc":"2.0","id":%d,"method":"m"}\n' % id)
    refused = [json.loads(await reader.readline()) for _ in range(500)]
    assert [message["id"] for message in refused] == list(range(1000, 1500))
    assert {message["error"]["code"] for message in refused} == {-32029}
    handler.release.set()
    answered = [json.loads(await reader.readline())["id"] for _ in range(1000)]
    assert sorted(answered) == list(range(1000))
    writer.close()
    await writer.wait_closed()
    await connection.wait_closed()


def _ignore(_: bytes) -> None:
    pass

"""Messages over a pair of streams, and over stdin and stdout."""

import asyncio
import contextlib
import json
import socket
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from acp_elicitation.bridges import streams
from acp_elicitation.bridges.streams import StreamTransport

LIMIT = 20


@contextlib.asynccontextmanager
async def joined(
    *, answer_noise: bool = False, limit: int = 64
) -> AsyncIterator[tuple[StreamTransport, asyncio.StreamReader, asyncio.StreamWriter]]:
    """A transport, and the raw streams of the other end. Its own have a tiny buffer."""
    here, there = socket.socketpair()
    reader, writer = await asyncio.open_connection(sock=there)
    transport = StreamTransport(
        *await asyncio.open_connection(sock=here, limit=limit), answer_noise=answer_noise
    )
    try:
        async with asyncio.timeout(LIMIT):
            yield transport, reader, writer
    finally:
        writer.close()
        await transport.close()


async def test_a_message_is_a_line_in_both_directions() -> None:
    message = {"jsonrpc": "2.0", "id": 2**70, "params": {"a": [1, None, "é\n"], "b": 1.5}}
    async with joined() as (transport, reader, writer):
        await transport.send(message)
        line = await reader.readline()
        assert json.loads(line) == message
        writer.write(line)
        assert await transport.receive() == message


async def test_a_message_longer_than_the_streams_buffer_arrives_whole() -> None:
    message = {"text": "x" * 300_000}
    async with joined() as (transport, _, writer):
        writer.write(json.dumps(message).encode() + b"\n" + b'{"n":1}\n')
        assert await transport.receive() == message
        assert await transport.receive() == {"n": 1}


async def test_lines_in_one_piece_and_a_line_in_many_are_the_same() -> None:
    async with joined() as (transport, _, writer):
        writer.write(b'{"n":0}\r\n\n  \n{"n":1}\n{"n"')
        assert [await transport.receive() for _ in range(2)] == [{"n": 0}, {"n": 1}]
        writer.write(b":2}")
        writer.write_eof()
        assert await transport.receive() == {"n": 2}
        assert await transport.receive() is None
        assert await transport.receive() is None


async def test_what_the_sdk_reads_and_writes_is_read_and_written() -> None:
    lone = {"text": "\ud800"}
    async with joined() as (transport, reader, writer):
        writer.write(b'{"text":"\\ud800"}\n{"n":NaN}\n[1]\n')
        assert await transport.receive() == lone
        assert repr(await transport.receive()) == "{'n': nan}"
        assert await transport.receive() == [1]
        await transport.send(lone)
        assert await reader.readline() == b'{"text":"\\ud800"}\n'


NOISE = [b"Loading model...", b'{"id":1', b"\xff\xfe", b"[" * 200_000, b'{"secret": hunter2}']


@pytest.mark.parametrize("noise", NOISE, ids=range(len(NOISE)))
async def test_what_a_client_sends_that_is_no_json_is_answered_and_ends_nothing(
    noise: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    async with joined(answer_noise=True) as (transport, reader, writer):
        writer.write(noise + b'\n{"n":1}\n')
        assert await transport.receive() == {"n": 1}
        error = {"code": -32700, "message": "not valid JSON"}
        assert json.loads(await reader.readline()) == {"jsonrpc": "2.0", "id": None, "error": error}
    assert "not valid JSON" in caplog.text
    assert "hunter2" not in caplog.text


async def test_what_an_agent_prints_by_accident_is_not_answered() -> None:
    async with joined() as (transport, reader, writer):
        writer.write(b'Loading model...\n{"n":1}\n')
        assert await transport.receive() == {"n": 1}
        await transport.send({"n": 2})
        assert await reader.readline() == b'{"n":2}\n'


async def test_a_line_over_the_limit_is_refused_and_skipped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(streams, "_MESSAGE_BYTES", 1000)
    async with joined(answer_noise=True) as (transport, reader, writer):
        writer.write(b'{"text":"' + b"x" * 5000 + b'"}\n{"n":1}\n')
        assert await transport.receive() == {"n": 1}
        assert json.loads(await reader.readline())["error"]["code"] == -32600


async def test_a_side_that_broke_off_is_the_end() -> None:
    here, there = socket.socketpair()
    transport = StreamTransport(*await asyncio.open_connection(sock=here), answer_noise=True)
    there.close()
    async with asyncio.timeout(LIMIT):
        assert await transport.receive() is None
        with pytest.raises(ConnectionError):
            await asyncio.gather(*(transport.send({"n": n}) for n in range(3)))
        await transport.close()


PROGRAM = """
import asyncio, subprocess
from acp_elicitation.bridges.streams import open_stdio

async def main():
    transport = await open_stdio()
    print("printed")
    subprocess.run(["echo", "child"], check=True)
    subprocess.run(["cat"], check=True)  # would eat the messages, or wait for them
    while (message := await transport.receive()) is not None:
        await transport.send({"heard": message})
    await transport.close()

asyncio.run(main())
"""


@pytest.mark.parametrize("stdin", ["pipe", "file"])
async def test_on_stdin_and_stdout_only_messages_travel(stdin: str, tmp_path: Path) -> None:
    spoken = b'{"n":1}\n{"n":2}\n'
    file = tmp_path / "spoken"
    file.write_bytes(spoken)
    source: Any = file.open("rb") if stdin == "file" else asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", PROGRAM),
        stdin=source,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(LIMIT):
        out, err = await process.communicate(None if stdin == "file" else spoken)
    if stdin == "file":
        source.close()
    assert out.splitlines() == [b'{"heard":{"n":1}}', b'{"heard":{"n":2}}'], err.decode()
    assert sorted(err.split()) == [b"child", b"printed"]
    assert process.returncode == 0


@pytest.mark.parametrize("closed", ["<&-", ">&-"])
async def test_without_stdin_or_stdout_there_is_no_transport(closed: str) -> None:
    process = await asyncio.create_subprocess_exec(
        *("sh", "-c", f'exec "$0" -c "$1" {closed}', sys.executable, PROGRAM),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(LIMIT):
        _, err = await process.communicate()
    assert b"ConnectionLost: stdin or stdout is closed" in err

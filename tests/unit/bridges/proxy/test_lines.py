"""Lines that pass: the same bytes, whole or in pieces, and nothing of our own within one."""

import asyncio

import pytest

from acp_elicitation.bridges.proxy.line import Line, Opaque
from acp_elicitation.bridges.proxy.lines import LineTransport
from tests.unit.bridges.proxy.wires import wire


@pytest.mark.requirement("FWD-8")
@pytest.mark.parametrize(
    "line",
    [
        b'{ "b":1.0, "a" : 12345678901234567890123 , "a":2,"\\u00e9":"\\u0000"}\r\n',
        b'{"x":1e999}\n',
        b"[1, 2]\n",
        b"not json\n",
        b"\xff\xfe\n",
        b"\n",
        b'{"unfinished":\n',
    ],
)
async def test_a_line_is_written_as_it_was_read(line: bytes) -> None:
    async with wire() as (reader, _, one), wire() as (_, writer, other):
        one.say(line)
        read = await reader.read()
        assert read is not None
        await writer.write(read)
        assert await other.hear() == line


async def test_only_an_object_is_looked_into() -> None:
    async with wire() as (reader, _, end):
        end.say(b'{"id": 1}\n[]\n7\nx\n')
        first = await reader.read()
        assert isinstance(first, Line)
        assert first["id"] == 1
        for _ in range(3):
            assert isinstance(await reader.read(), Opaque)


async def test_a_last_line_without_an_end_passes_too() -> None:
    async with wire() as (reader, _, end):
        end.say(b'{"id": 1}')
        end.leave()
        line = await reader.read()
        assert isinstance(line, Line)
        assert line.raw == b'{"id": 1}'
        assert await reader.read() is None


async def test_a_peer_that_breaks_off_is_the_end() -> None:
    async with wire() as (reader, _, end):
        end._writer.transport.abort()
        assert await reader.read() is None


async def test_a_line_that_is_too_long_comes_in_pieces_and_the_next_one_whole() -> None:
    async with wire(limit=1000) as (reader, _, end):
        long = b'{"a":"' + b"x" * 300_000 + b'"}\n'
        end.say(long + b'{"id":1}\n')
        got = b""
        while not got.endswith(b"\n"):
            piece = await reader.read()
            assert isinstance(piece, Opaque)
            got += piece
        assert got == long
        whole = await reader.read()
        assert isinstance(whole, Line)
        assert whole["id"] == 1


async def test_nothing_of_our_own_gets_into_a_line_that_comes_in_pieces() -> None:
    async with wire() as (_, writer, end):
        await writer.write(Opaque(b'{"a":"xx'))
        writer.put({"id": "own"})
        await writer.write({"id": "own too"})
        await writer.write(Opaque(b'xx"}\n'))
        assert await end.hear() == b'{"a":"xxxx"}\n'
        assert await end.hear() == b'{"id":"own"}\n'
        assert await end.hear() == b'{"id":"own too"}\n'


async def test_half_a_surrogate_pair_can_be_passed_on_within_a_changed_message() -> None:
    async with wire() as (_, writer, end):
        writer.put({"a": "\ud800"})
        assert await end.hear() == b'{"a":"\\ud800"}\n'


async def test_a_transport_is_both_and_closes_its_writing_end() -> None:
    async with wire() as (reader, writer, end):
        transport = LineTransport(reader, writer)
        await transport.send({"id": 1})
        assert await end.hear() == b'{"id":1}\n'
        end.say(b"{}\n")
        assert await transport.receive() == {}
        await transport.close()
        assert await end.hear() == b""


async def test_memory_stays_small_while_a_line_without_end_passes() -> None:
    async with wire(limit=1000) as (reader, _, end):
        writing = asyncio.create_task(_pour(end, b"x" * 65_536, 200))
        passed = 0
        while passed < 200 * 65_536:
            piece = await reader.read()
            assert piece is not None
            passed += len(piece)
            assert len(reader._buffer) < 1_000_000
        await writing


async def _pour(end, data: bytes, times: int) -> None:  # type: ignore[no-untyped-def]
    for _ in range(times):
        end.say(data)
        await end._writer.drain()

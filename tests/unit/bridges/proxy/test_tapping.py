"""What is told of the lines on their way."""

from typing import Any

from acp_elicitation.bridges.proxy.line import Line, Opaque, look_into
from acp_elicitation.bridges.proxy.lines import LineTransport
from acp_elicitation.bridges.proxy.tapping import tapped
from tests.unit.bridges.proxy.wires import wire


async def test_each_whole_line_is_told_in_order_and_passes_as_it_was() -> None:
    told: list[Any] = []
    async with wire() as (reader, writer, end):
        transport = tapped(LineTransport(reader, writer), lambda *line: told.append(line))
        end.say(b'{"id": 1}\r\nno JSON\n')
        line = await transport.receive()
        assert isinstance(line, Line)
        await transport.send(line)
        assert await end.hear() == b'{"id": 1}\r\n'
        assert await transport.receive() == b"no JSON\n"
        await transport.send({"id": 2})
        assert await end.hear() == b'{"id":2}\n'
        await transport.send(look_into(Opaque(b'{"id":  3}\n')))
        end.leave()
        assert await transport.receive() is None
        await transport.close()
    assert told == [
        ("in", b'{"id": 1}'),
        ("out", b'{"id": 1}'),
        ("in", b"no JSON"),
        ("out", b'{"id":2}'),
        ("out", b'{"id":  3}'),
    ]


async def test_pieces_of_a_line_that_is_too_long_are_left_out() -> None:
    told: list[Any] = []
    async with wire() as (reader, writer, _):
        transport = tapped(LineTransport(reader, writer), lambda *line: told.append(line))
        await transport.send(Opaque(b'{"a":"xx'))
        assert told == []
        await transport.send({"id": 1})
        await transport.close()
    assert told == [("out", b'{"id":1}')]

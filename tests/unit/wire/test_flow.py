"""The end of a connection whose other side does not read."""

import asyncio
import os

import pytest

from acp_elicitation.protocol.errors import ConnectionLost
from acp_elicitation.wire import flow
from acp_elicitation.wire.connection import Connection, IncomingRequest
from acp_elicitation.wire.events import Limits
from acp_elicitation.wire.pipes import open_pipes

MORE_THAN_A_PIPE_HOLDS = "x" * 1_000_000


class Talker:
    """Tells the other side much as soon as it is asked."""

    def __init__(self) -> None:
        self.connection: Connection
        self.lost: str | None = None

    async def on_request(self, request: IncomingRequest) -> object:
        return MORE_THAN_A_PIPE_HOLDS

    def on_notification(self, method: str, params: object) -> None:
        self.connection.notify("much", [MORE_THAN_A_PIPE_HOLDS])

    def on_closed(self, error: ConnectionLost) -> None:
        self.lost = error.reason


async def talk() -> tuple[Talker, int, int]:
    """Return a talker, the descriptor that it hears from, and the one that it speaks to."""
    heard, ours_out = os.pipe()
    ours_in, spoken = os.pipe()
    talker = Talker()
    talker.connection = Connection(talker)
    await open_pipes(talker.connection, heard, spoken)
    return talker, ours_out, ours_in


async def test_a_side_that_ends_its_output_and_never_reads_is_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(flow, "_UNREAD_SECONDS", 0.01)
    talker, ours_out, ours_in = await talk()
    os.write(ours_out, b'{"jsonrpc":"2.0","method":"speak"}\n')
    os.close(ours_out)
    async with asyncio.timeout(10):
        await talker.connection.wait_closed()
    assert talker.lost == "the other side closed the connection"
    os.close(ours_in)


class Unread(asyncio.Transport):
    """A transport whose other side has read a part, each time that one looks, and then no more."""

    def __init__(self, *left: int) -> None:
        super().__init__()
        self.left = list(left)
        self.given_up = asyncio.Event()

    def get_write_buffer_size(self) -> int:
        return self.left.pop(0)

    def close(self) -> None:
        """Nothing is there to be closed."""

    def abort(self) -> None:
        self.given_up.set()


@pytest.mark.parametrize("left", [(5, 4, 1, 1), (5, 5)])
async def test_a_side_is_waited_for_as_long_as_it_reads(
    left: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(flow, "_UNREAD_SECONDS", 0.001)
    transport = Unread(*left)
    flow.Flow(transport, Limits()).close()
    async with asyncio.timeout(10):
        await transport.given_up.wait()
    assert transport.left == []


async def test_a_side_that_reads_gets_all_of_it() -> None:
    talker, ours_out, ours_in = await talk()
    talker.connection.notify("much", [MORE_THAN_A_PIPE_HOLDS])
    talker.connection.close()
    got, chunk = b"", b"-"
    async with asyncio.timeout(30):
        while chunk:
            chunk = await asyncio.to_thread(os.read, ours_in, 65_536)
            got += chunk
        await talker.connection.wait_closed()
    assert len(got) > len(MORE_THAN_A_PIPE_HOLDS)
    assert got.endswith(b"}\n")
    os.close(ours_out)
    os.close(ours_in)

"""Two descriptors as one transport: pipes, and what an event loop cannot watch."""

import asyncio
import os
import socket
from pathlib import Path

import pytest

from acp_elicitation.wire.files import FileWriter, ThreadReader
from acp_elicitation.wire.pipes import PipePair, open_pipes


class Listener(asyncio.Protocol):
    """Keeps what a transport tells it."""

    def __init__(self) -> None:
        self.data = b""
        self.events: list[str] = []
        self.error: Exception | None = None
        self.news = asyncio.Event()
        self.lost = asyncio.Event()

    def _tell(self, event: str) -> None:
        self.events.append(event)
        self.news.set()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._tell("made")

    def data_received(self, data: bytes) -> None:
        self.data += data
        self.news.set()

    def eof_received(self) -> None:
        self._tell("eof")

    def connection_lost(self, exc: Exception | None) -> None:
        self.error = exc
        self._tell("lost")
        self.lost.set()

    def pause_writing(self) -> None:
        self._tell("pause")

    def resume_writing(self) -> None:
        self._tell("resume")

    async def until(self, event: str) -> None:
        while event not in self.events:
            self.news.clear()
            await self.news.wait()

    async def until_data(self, data: bytes) -> None:
        while not self.data.endswith(data):
            self.news.clear()
            await self.news.wait()


class Ends:
    """A listener on a pair of pipes, and the other ends of these."""

    def __init__(self, listener: Listener, pair: PipePair, to_it: int, from_it: int) -> None:
        self.listener = listener
        self.pair = pair
        self.to_it = to_it
        self.from_it = from_it


async def ends() -> Ends:
    listener = Listener()
    their_in, to_it = os.pipe()
    from_it, their_out = os.pipe()
    pair = await open_pipes(listener, their_in, their_out)
    return Ends(listener, pair, to_it, from_it)


async def test_a_pair_of_pipes_carries_both_directions_and_ends_with_both() -> None:
    e = await ends()
    os.write(e.to_it, b"in")
    e.pair.write(b"out")
    await e.listener.until_data(b"in")
    assert os.read(e.from_it, 10) == b"out"
    os.close(e.to_it)
    await e.listener.until("eof")
    assert not e.pair.is_closing()
    e.pair.write(b"still")
    e.pair.close()
    await e.listener.lost.wait()
    assert e.pair.is_closing()
    assert os.read(e.from_it, 10) == b"still"
    assert os.read(e.from_it, 10) == b""
    assert e.listener.events == ["made", "eof", "lost"]
    assert e.listener.error is None
    for late in (e.pair.close, e.pair.abort, e.pair.pause_reading, e.pair.resume_reading):
        late()
    e.pair.write(b"late")
    os.close(e.from_it)


async def test_nothing_is_read_before_the_caller_runs_on() -> None:
    listener = Listener()
    their_in, to_it = os.pipe()
    from_it, their_out = os.pipe()
    os.write(to_it, b"early")
    os.close(to_it)
    pair = await open_pipes(listener, their_in, their_out)
    assert listener.data == b""
    await listener.until("eof")
    assert listener.data == b"early"
    pair.close()
    await listener.lost.wait()
    os.close(from_it)


async def test_reading_can_be_paused() -> None:
    e = await ends()
    os.write(e.to_it, b"1")
    await e.listener.until_data(b"1")
    e.pair.pause_reading()
    os.write(e.to_it, b"2")
    for _ in range(5):
        await asyncio.sleep(0)
    assert e.listener.data == b"1"
    e.pair.resume_reading()
    await e.listener.until_data(b"2")
    e.pair.abort()
    await e.listener.lost.wait()
    os.close(e.to_it)
    os.close(e.from_it)


async def test_the_output_can_be_ended_while_the_input_goes_on() -> None:
    e = await ends()
    assert e.pair.can_write_eof()
    big = b"x" * 1_000_000
    e.pair.write(big)
    assert e.listener.events == ["made", "pause"]
    assert e.pair.get_write_buffer_size() > 0
    e.pair.write_eof()
    loop = asyncio.get_running_loop()
    with open(e.from_it, "rb") as reader:
        assert await loop.run_in_executor(None, reader.read) == big
    os.write(e.to_it, b"more")
    await e.listener.until_data(b"more")
    os.close(e.to_it)
    await e.listener.lost.wait()
    assert e.pair.get_write_buffer_size() == 0


async def test_a_side_that_closes_its_input_is_read_to_its_end_and_then_gone() -> None:
    e = await ends()
    os.close(e.from_it)
    os.write(e.to_it, b"last words")
    await e.listener.until_data(b"last words")
    await e.listener.lost.wait()
    assert e.listener.data == b"last words"
    os.close(e.to_it)


@pytest.mark.parametrize("closed_first", [True, False])
async def test_what_is_held_is_dropped_when_the_pair_is_aborted(closed_first: bool) -> None:
    e = await ends()
    e.pair.write(b"x" * 1_000_000)
    if closed_first:
        e.pair.close()
    e.pair.abort()
    e.pair.abort()
    await e.listener.lost.wait()
    assert e.listener.events[-1] == "lost"
    os.close(e.to_it)
    os.close(e.from_it)


async def test_a_pair_may_be_closed_and_aborted_at_once(caplog: pytest.LogCaptureFixture) -> None:
    e = await ends()
    e.pair.close()
    e.pair.abort()
    await e.listener.lost.wait()
    await asyncio.sleep(0)
    assert e.listener.events == ["made", "lost"]
    assert caplog.text == ""
    os.close(e.to_it)
    os.close(e.from_it)


async def test_an_error_of_reading_ends_both() -> None:
    ours, theirs = socket.socketpair()
    theirs.send(b"never read")
    ours.close()  # with unread data: what reads from the other end is told of a reset
    from_it, their_out = os.pipe()
    listener = Listener()
    pair = await open_pipes(listener, theirs.detach(), their_out)
    pair.write(b"x" * 1_000_000)
    await listener.lost.wait()
    assert isinstance(listener.error, ConnectionResetError)
    os.close(from_it)


async def test_a_descriptor_that_cannot_be_taken_leaves_none_open() -> None:
    read, write = os.pipe()
    os.close(write)
    with pytest.raises(OSError, match="Bad file descriptor"):
        await open_pipes(Listener(), read, write)
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(read)

    other_read, other_write = os.pipe()
    bad, unused = os.pipe()
    os.close(bad)
    os.close(unused)
    listener = Listener()
    with pytest.raises(OSError, match="Bad file descriptor"):
        await open_pipes(listener, bad, other_write)
    reader = os.fdopen(other_read, "rb")
    assert await asyncio.get_running_loop().run_in_executor(None, reader.read) == b""
    reader.close()


# --- what an event loop cannot watch ---


async def test_files_are_read_to_their_end_and_written(tmp_path: Path) -> None:
    data = os.urandom(200_000)
    (tmp_path / "in").write_bytes(data)
    listener = Listener()
    read = os.open(tmp_path / "in", os.O_RDONLY)
    write = os.open(tmp_path / "out", os.O_WRONLY | os.O_CREAT)
    pair = await open_pipes(listener, read, write)
    pair.write(b"one")
    pair.write(bytearray(b"two"))
    await listener.until("eof")
    assert listener.data == data
    assert pair.get_write_buffer_size() == 0
    pair.close()
    await listener.lost.wait()
    assert (tmp_path / "out").read_bytes() == b"onetwo"
    assert listener.events == ["made", "eof", "lost"]


async def test_a_file_is_read_no_faster_than_it_is_handled(tmp_path: Path) -> None:
    (tmp_path / "in").write_bytes(b"x" * 1_000_000)
    listener = Listener()
    reader = ThreadReader(os.open(tmp_path / "in", os.O_RDONLY), listener)
    assert not reader.is_reading()
    reader.resume_reading()
    assert reader.is_reading()
    await listener.until_data(b"x")
    reader.pause_reading()
    for _ in range(5):
        await asyncio.sleep(0)
    assert not reader._go_on.is_set()
    assert len(listener.data) <= 2 * 65536  # no more than what was on its way
    reader.resume_reading()
    await listener.lost.wait()
    assert len(listener.data) == 1_000_000
    assert reader.is_closing()
    reader.close()
    reader.resume_reading()


async def test_a_reader_closed_before_it_began_or_while_it_waits_reads_nothing() -> None:
    read, write = os.pipe()
    listener = Listener()
    unused = os.dup(read)
    reader = ThreadReader(unused, listener)
    reader.close()
    reader.close()
    reader.resume_reading()
    await listener.lost.wait()
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(unused)

    listener = Listener()
    reader = ThreadReader(read, listener)
    reader.resume_reading()
    reader.close()
    await listener.lost.wait()
    os.write(write, b"too late")
    os.close(write)
    assert reader._thread is not None
    await asyncio.get_running_loop().run_in_executor(None, reader._thread.join)
    await asyncio.sleep(0)
    assert (listener.data, listener.events) == (b"", ["lost"])
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(read)


async def test_an_error_of_reading_a_file_is_its_end(tmp_path: Path) -> None:
    listener = Listener()
    ThreadReader(os.open(tmp_path, os.O_RDONLY), listener).resume_reading()  # a folder
    await listener.lost.wait()
    assert listener.events == ["eof", "lost"]


def test_a_reader_outlives_its_loop_without_harm() -> None:
    read, write = os.pipe()

    async def begin() -> ThreadReader:
        reader = ThreadReader(read, Listener())
        reader.resume_reading()
        return reader

    reader = asyncio.run(begin())
    os.write(write, b"nobody waits for this")
    os.close(write)
    assert reader._thread is not None
    reader._thread.join()
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(read)


async def test_an_error_of_writing_closes_the_writer() -> None:
    read, write = os.pipe()
    os.close(read)
    listener = Listener()
    writer = FileWriter(write, listener)
    writer.write(b"x")
    writer.write(b"y")
    assert writer.is_closing()
    writer.abort()
    writer.close()
    await listener.lost.wait()
    assert isinstance(listener.error, BrokenPipeError)
    assert listener.events == ["lost"]


async def test_writing_after_the_other_side_left_is_nothing_to_warn_of(
    caplog: pytest.LogCaptureFixture,
) -> None:
    there = await ends()
    os.close(there.from_it)
    for _ in range(20):
        there.pair.write(b"late")
    async with asyncio.timeout(10):
        await there.listener.lost.wait()
    assert caplog.records == []

"""Lines from real descriptors: pipes, files, and terminals with a line discipline."""

import asyncio
import os
import pty
import termios
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from acp_elicitation.presenters.lines import DescriptorLines, Stop


class Pipe:
    """A pipe and the lines that are read from it."""

    def __init__(self) -> None:
        self.reading, self.writing = os.pipe()
        self.lines = DescriptorLines(self.reading)

    def write(self, data: bytes) -> None:
        os.write(self.writing, data)

    def end(self) -> None:
        os.close(self.writing)
        self.writing = -1


@pytest.fixture
def pipe() -> Iterator[Pipe]:
    pipe = Pipe()
    yield pipe
    os.close(pipe.reading)
    if pipe.writing >= 0:
        pipe.end()


class Terminal:
    """A pseudo-terminal: `keys` is where its user types."""

    def __init__(self) -> None:
        self.keys, self.device = pty.openpty()
        self.lines = DescriptorLines(self.device)

    def type(self, keys: bytes) -> None:
        os.write(self.keys, keys)

    async def settled(self, count: int) -> None:
        """Wait until the terminal has echoed `count` bytes: then they are where lines wait."""
        seen = b""
        while len(seen) < count:
            seen += await asyncio.to_thread(os.read, self.keys, 4096)


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    terminal = Terminal()
    yield terminal
    os.close(terminal.keys)
    os.close(terminal.device)


async def test_lines_of_a_pipe_come_in_order_and_then_the_end(pipe: Pipe) -> None:
    pipe.write("first\nzwölf\r\n\nrest".encode())
    pipe.end()
    read = [await pipe.lines.read_line() for _ in range(6)]
    assert read == ["first", "zwölf", "", "rest", Stop.END, Stop.END]


async def test_a_line_may_arrive_in_pieces(pipe: Pipe) -> None:
    reading = asyncio.create_task(pipe.lines.read_line())
    for piece in (b"on", b"e\xc3", b"\xa9\ntwo"):
        await asyncio.sleep(0)
        pipe.write(piece)
    assert await reading == "oneé"
    pipe.end()
    assert await pipe.lines.read_line() == "two"


async def test_bytes_that_do_not_decode_become_replacement_characters(pipe: Pipe) -> None:
    pipe.write(b"a\xffb\n")
    assert await pipe.lines.read_line() == "a\ufffdb"


async def test_a_cancelled_reader_leaves_the_next_line_to_the_next_one(pipe: Pipe) -> None:
    first = asyncio.create_task(pipe.lines.read_line())
    await asyncio.sleep(0)
    first.cancel()
    await asyncio.wait([first])
    pipe.write(b"for the second\n")
    assert await pipe.lines.read_line() == "for the second"


async def test_a_line_that_arrives_in_the_moment_of_a_cancellation_is_not_lost(pipe: Pipe) -> None:
    first = asyncio.create_task(pipe.lines.read_line())
    await asyncio.sleep(0)
    pipe.write(b"kept\n")
    pipe.lines._on_readable()  # the loop sees the descriptor, and then the cancellation
    first.cancel()
    await asyncio.wait([first])
    assert first.cancelled()
    assert await pipe.lines.read_line() == "kept"


async def test_two_readers_at_once_are_a_mistake(pipe: Pipe) -> None:
    first = asyncio.create_task(pipe.lines.read_line())
    await asyncio.sleep(0)
    with pytest.raises(RuntimeError):
        await pipe.lines.read_line()
    first.cancel()
    await asyncio.wait([first])


@pytest.mark.requirement("RES-1")
async def test_an_interrupt_ends_the_wait_of_whoever_reads(pipe: Pipe) -> None:
    reading = asyncio.create_task(pipe.lines.read_line())
    await asyncio.sleep(0)
    assert pipe.lines.interrupt()
    assert not pipe.lines.interrupt()  # one keystroke, one interrupt
    assert await reading is Stop.INTERRUPT


async def test_an_interrupt_while_nobody_reads_is_left_to_the_caller(pipe: Pipe) -> None:
    assert not pipe.lines.interrupt()


async def test_what_a_pipe_holds_is_kept_when_typing_ahead_is_dropped(pipe: Pipe) -> None:
    pipe.write(b"one\ntwo\n")
    assert await pipe.lines.read_line() == "one"
    pipe.lines.drop_typeahead()
    assert await pipe.lines.read_line() == "two"


async def test_nothing_pending_survives_a_drop(pipe: Pipe) -> None:
    pipe.write(b"one\ntwo\n")
    assert await pipe.lines.read_line() == "one"
    pipe.write(b"three\n")
    pipe.lines.drop_pending()
    pipe.write(b"four\n")
    assert await pipe.lines.read_line() == "four"


async def test_a_drop_at_the_end_of_a_pipe_leaves_the_end(pipe: Pipe) -> None:
    pipe.write(b"one\n")
    pipe.end()
    pipe.lines.drop_pending()
    assert await pipe.lines.read_line() is Stop.END


async def test_a_regular_file_is_read_though_no_selector_takes_it(tmp_path: Path) -> None:
    path = tmp_path / "lines"
    path.write_bytes(b"one\ntwo\n")
    descriptor = os.open(path, os.O_RDONLY)
    try:
        lines = DescriptorLines(descriptor)
        assert not lines.is_terminal
        assert [await lines.read_line() for _ in range(3)] == ["one", "two", Stop.END]
        lines.drop_pending()
        assert await lines.read_line() is Stop.END
    finally:
        os.close(descriptor)


async def test_a_reader_cancelled_while_a_thread_reads_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "lines"
    path.write_bytes(b"one\ntwo\n")
    descriptor = os.open(path, os.O_RDONLY)
    try:
        lines = DescriptorLines(descriptor)
        first = asyncio.create_task(lines.read_line())
        await asyncio.sleep(0)
        first.cancel()
        await asyncio.wait([first])
        assert [await lines.read_line() for _ in range(3)] == ["one", "two", Stop.END]
    finally:
        os.close(descriptor)


def without_watching(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the running loop watch no descriptors, as on Windows."""

    def refuse(*_: object) -> None:
        raise NotImplementedError

    monkeypatch.setattr(asyncio.get_running_loop(), "add_reader", refuse)


async def test_where_nothing_can_be_watched_a_thread_reads(
    pipe: Pipe, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_watching(monkeypatch)
    first = asyncio.create_task(pipe.lines.read_line())
    await asyncio.sleep(0)
    first.cancel()
    await asyncio.wait([first])
    second = asyncio.create_task(pipe.lines.read_line())  # while the thread still reads
    await asyncio.sleep(0)
    pipe.write(b"one\ntwo\n")
    assert await second == "one"
    assert await pipe.lines.read_line() == "two"


def test_a_thread_that_reads_survives_the_end_of_the_loop(
    pipe: Pipe, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def read_and_leave() -> None:
        without_watching(monkeypatch)
        reading = asyncio.create_task(pipe.lines.read_line())
        await asyncio.sleep(0)
        reading.cancel()

    asyncio.run(read_and_leave())
    (thread,) = (t for t in threading.enumerate() if t.name.startswith("lines"))
    pipe.write(b"too late\n")
    thread.join(timeout=10)
    assert not thread.is_alive()


async def test_the_null_device_is_at_its_end() -> None:
    with open(os.devnull, "rb") as file:
        assert await DescriptorLines(file.fileno()).read_line() is Stop.END


async def test_a_descriptor_that_is_closed_is_at_its_end() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    os.close(writing)
    lines = DescriptorLines(reading)
    lines.drop_pending()
    assert await lines.read_line() is Stop.END


async def test_a_terminal_is_one(terminal: Terminal, pipe: Pipe) -> None:
    assert terminal.lines.is_terminal
    assert not pipe.lines.is_terminal


async def test_a_line_typed_at_a_terminal_is_read_once_it_is_complete(terminal: Terminal) -> None:
    reading = asyncio.create_task(terminal.lines.read_line())
    terminal.type(b"hallp\x7fo\n")  # the terminal's own editing: a backspace
    assert await reading == "hallo"


async def test_a_line_that_the_terminal_has_cut_is_marked(terminal: Terminal) -> None:
    reading = asyncio.create_task(terminal.lines.read_line())
    await asyncio.to_thread(terminal.type, b"x" * 5_000 + b"\n")
    line = await reading
    assert isinstance(line, str)
    assert line == "x" * (len(line) - 1) + "\ufffd"


async def test_a_long_line_of_a_pipe_is_whole(pipe: Pipe) -> None:
    pipe.write(b"x" * 5_000 + b"\n")
    assert await pipe.lines.read_line() == "x" * 5_000


async def test_the_end_of_input_at_a_terminal_counts_once(terminal: Terminal) -> None:
    terminal.type(b"\x04")
    assert await terminal.lines.read_line() is Stop.END
    terminal.type(b"more\n")
    assert await terminal.lines.read_line() == "more"


async def test_the_end_of_input_after_half_a_line_gives_that_half(terminal: Terminal) -> None:
    reading = asyncio.create_task(terminal.lines.read_line())
    terminal.type(b"half\x04\x04")
    assert await reading == "half"


@pytest.mark.parametrize("typed", [b"yes\n", b"ye", b"one\ntwo\nth"])
async def test_what_a_person_typed_ahead_is_dropped(terminal: Terminal, typed: bytes) -> None:
    terminal.type(typed)
    await terminal.settled(len(typed))
    terminal.lines.drop_typeahead()
    terminal.type(b"later\n")
    assert await terminal.lines.read_line() == "later"


async def test_a_terminal_that_went_away_is_at_its_end() -> None:
    keys, device = pty.openpty()
    os.close(keys)
    try:
        lines = DescriptorLines(device)
        assert await lines.read_line() is Stop.END
        lines.drop_pending()
        assert await lines.read_line() is Stop.END
    finally:
        os.close(device)


# --- what is typed and not shown ------------------------------------------------------------------


def echoes(terminal: Terminal) -> bool:
    return bool(termios.tcgetattr(terminal.device)[3] & termios.ECHO)


@pytest.mark.requirement("UI-2")
async def test_a_terminal_does_not_show_what_is_typed_while_it_is_hidden(
    terminal: Terminal,
) -> None:
    with terminal.lines.hidden():
        assert not echoes(terminal)
        terminal.type(b"sesame\n")
        assert await terminal.lines.read_line() == "sesame"
    assert echoes(terminal)
    terminal.type(b"shown\n")
    assert await terminal.lines.read_line() == "shown"
    assert os.read(terminal.keys, 4096) == b"\r\nshown\r\n"  # the end of each line, too


async def test_a_terminal_shows_what_is_typed_again_whatever_ends_the_block(
    terminal: Terminal,
) -> None:
    async def read_hidden() -> None:
        with terminal.lines.hidden():
            await terminal.lines.read_line()

    reading = asyncio.create_task(read_hidden())
    await asyncio.sleep(0)
    assert not echoes(terminal)
    reading.cancel()
    await asyncio.wait([reading])
    assert echoes(terminal)
    with pytest.raises(ZeroDivisionError), terminal.lines.hidden():
        raise ZeroDivisionError
    assert echoes(terminal)


async def test_a_pipe_has_nothing_to_hide(pipe: Pipe) -> None:
    pipe.write(b"sesame\n")
    with pipe.lines.hidden():
        assert await pipe.lines.read_line() == "sesame"

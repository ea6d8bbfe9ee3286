"""Lines out of chunks, with bounded memory."""

import pytest

from acp_elicitation.wire.framing import EDGE_BYTES, LineFramer, Oversized


def split(data: bytes, sizes: int, limit: int) -> list[bytes | Oversized]:
    """What a framer makes of `data` in chunks of `sizes` bytes, with the end."""
    framer = LineFramer(limit)
    lines = [
        line
        for start in range(0, len(data), sizes)
        for line in framer.feed(data[start : start + sizes])
    ]
    last = framer.finish()
    return lines if last is None else [*lines, last]


@pytest.mark.parametrize("sizes", [1, 2, 3, 7, 1000])
def test_lines_are_the_same_in_chunks_of_any_size(sizes: int) -> None:
    assert split(b"one\n\ntwo\r\nthree", sizes, 10) == [b"one", b"", b"two\r", b"three"]


def test_an_unfinished_line_is_held_and_shown_as_partial() -> None:
    framer = LineFramer(10)
    shown = [framer.partial]
    assert framer.feed(b"on") == []
    shown.append(framer.partial)
    assert framer.feed(b"e\n") == [b"one"]
    shown.append(framer.partial)
    assert shown == [False, True, False]
    assert framer.finish() is None


@pytest.mark.parametrize("sizes", [1, 9, 10, 11, 12, 1000, 10_000])
@pytest.mark.parametrize("length", [10, 11, EDGE_BYTES - 1, EDGE_BYTES, 3 * EDGE_BYTES + 7])
@pytest.mark.parametrize("end", [b"\nnext", b""])
def test_of_a_line_over_the_limit_the_two_ends_and_the_length_are_left(
    sizes: int, length: int, end: bytes
) -> None:
    line = bytes(33 + i % 90 for i in range(length))
    expected: bytes | Oversized = line
    if length > 10:
        expected = Oversized(head=line[:EDGE_BYTES], tail=line[-EDGE_BYTES:], size=length)
    rest = [b"next"] if end else []
    assert split(line + end, sizes, 10) == [expected, *rest]


def test_a_limit_above_the_edge_keeps_only_the_ends_too() -> None:
    limit = 5 * EDGE_BYTES
    line = bytes(33 + i % 90 for i in range(limit + 1))
    expected = Oversized(head=line[:EDGE_BYTES], tail=line[-EDGE_BYTES:], size=limit + 1)
    for sizes in (1, 100, limit, limit + 1):
        assert split(line, sizes, limit) == [expected]


def test_a_skipped_line_takes_no_memory() -> None:
    framer = LineFramer(1000)
    for _ in range(1000):
        assert framer.feed(b"x" * 100_000) == []
        assert len(framer._kept) + len(framer._tail) <= 2 * EDGE_BYTES
    (line,) = framer.feed(b"\n")
    assert isinstance(line, Oversized)
    assert line.size == 100_000_000

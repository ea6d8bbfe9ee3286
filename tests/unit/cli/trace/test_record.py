"""The lines of a record: what is read of them, and which are none."""

import io
from pathlib import Path

import pytest

from acp_elicitation.cli.trace import record
from acp_elicitation.cli.trace.record import BrokenLine, Entry, read_entry, read_record
from acp_elicitation.cli.transcript import Transcript

AT = b'"at":"2026-12-02T10:00:00.000+01:00"'


def test_what_the_transcript_writes_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "log"
    transcript = Transcript(path)
    transcript.take("in", b'{"id":7,"method":"m","params":{"a":1}}')
    transcript.take("out", b"no message")
    transcript.note_asking(7, "web")
    transcript.close()
    with path.open("rb") as file:
        asked, noise, note = read_record(file)
    assert isinstance(asked, Entry)
    assert asked.message is not None
    assert (asked.sender, asked.message.id, asked.message.method) == ("agent", 7, "m")
    assert isinstance(noise, Entry)
    assert (noise.sender, noise.message) == ("client", None)
    assert isinstance(note, Entry)
    assert note.note == record.Note(7, "web")


def test_times_are_in_utc_whatever_was_written() -> None:
    entry = read_entry(b'{%s,"from":"agent","message":{}}' % AT)
    assert entry.at.isoformat() == "2026-12-02T09:00:00+00:00"


def test_json_that_is_no_object_travelled_and_says_nothing() -> None:
    entry = read_entry(b'{%s,"from":"agent","message":[1, 2]}' % AT)
    assert entry.message == record.Recorded()


@pytest.mark.parametrize(
    "line",
    [
        b"\n",
        b"{",
        b"[]",
        b"\xff",
        b'{"from":"agent","message":{}}',
        b'{"at":"noon","from":"agent","message":{}}',
        b'{"at":"2026-12-02T10:00:00","from":"agent","message":{}}',
        b'{"at":"0001-01-01T00:00:00+14:00","from":"agent","message":{}}',
        b'{%s,"message":{}}' % AT,
        b'{%s,"from":"somebody","message":{}}' % AT,
        b'{%s,"from":"agent"}' % AT,
        b'{%s,"from":"proxy","asks":{"requestId":7,"by":"telepathy"}}' % AT,
        b'{%s,"from":"agent","message":%s' % (AT, b"[" * 100_000),
    ],
)
def test_a_line_that_is_none_of_a_record_is_broken(line: bytes) -> None:
    with pytest.raises(BrokenLine):
        read_entry(line)


def test_a_line_without_end_is_skipped_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record, "_LONGEST", 100)
    good = b'{%s,"from":"agent","message":{}}' % AT
    file = io.BytesIO(b"x" * 1_000 + b"\n" + good + b"\n" + good)
    first, *others = read_record(file)
    assert isinstance(first, BrokenLine)
    assert [isinstance(other, Entry) for other in others] == [True, True]

"""The transcript's lines."""

import datetime
import json
import stat
from pathlib import Path

import pytest

from acp_elicitation.cli.transcript import Transcript


def written(path: Path, *lines: tuple[str, bytes]) -> list[dict[str, object]]:
    transcript = Transcript(path)
    for direction, line in lines:
        transcript.take(direction, line)
    transcript.close()
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_a_line_has_a_time_a_sender_and_the_message(tmp_path: Path) -> None:
    sent, received = written(tmp_path / "t", ("out", b'{"id":0}'), ("in", b'{"id":0, "result":1}'))
    assert (sent["from"], sent["message"]) == ("client", {"id": 0})
    assert (received["from"], received["message"]) == ("agent", {"id": 0, "result": 1})
    at = datetime.datetime.fromisoformat(str(sent["at"]))
    assert at.tzinfo is datetime.UTC


def test_a_message_is_kept_to_the_last_digit(tmp_path: Path) -> None:
    path = tmp_path / "t"
    written(path, ("in", b'{"n": 1.0000000000000000001, "n2": 1e400}'))
    assert b'"message":{"n": 1.0000000000000000001, "n2": 1e400}}' in path.read_bytes()


@pytest.mark.parametrize("line", [b"oops", b"\xff", b'"\xff"', b""])
def test_what_is_no_json_is_kept_as_text(tmp_path: Path, line: bytes) -> None:
    (entry,) = written(tmp_path / "t", ("in", line))
    assert entry["text"] == line.decode("utf-8", "replace")
    assert "message" not in entry


def test_nobody_else_may_read_a_new_file(tmp_path: Path) -> None:
    path = tmp_path / "t"
    written(path, ("out", b"{}"))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_what_was_there_before_is_gone(tmp_path: Path) -> None:
    path = tmp_path / "t"
    path.write_text("old\n" * 100)
    assert len(written(path, ("out", b"{}"))) == 1


def test_the_means_of_the_proxy_are_noted(tmp_path: Path) -> None:
    transcript = Transcript(tmp_path / "t")
    transcript.note_asking("a1", "permission")
    transcript.close()
    note = json.loads((tmp_path / "t").read_text())
    assert note.pop("at")
    assert note == {"from": "proxy", "asks": {"requestId": "a1", "by": "permission"}}


def test_nested_more_deeply_than_anybody_reads_is_kept_as_text(tmp_path: Path) -> None:
    deep = b"[" * 100_000
    (entry,) = written(tmp_path / "t", ("in", deep))
    assert entry["text"] == deep.decode()


def test_a_disk_that_is_full_ends_the_file_and_nothing_else(
    caplog: pytest.LogCaptureFixture,
) -> None:
    transcript = Transcript(Path("/dev/full"))
    for _ in range(3):
        transcript.take("in", b"{}")
    transcript.close()
    assert caplog.messages == ["/dev/full ends here: No space left on device"]

"""`acp-elicit trace` as a command."""

import io
import subprocess
import sys
from pathlib import Path

import pytest

from acp_elicitation.cli import main
from tests.unit.cli.trace.recorded import Recording

RECORD = Recording().asks().answers(action="accept", content={"colour": "blue"}).lines


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"".join(RECORD))
    return path


def test_a_record_is_shown_and_its_answers_are_hidden(
    record: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["trace", str(record)]) == 0
    out = capsys.readouterr().out
    assert "  Colour: (hidden)\n" in out
    assert "1 question: 1 accepted\n" in out


def test_answers_are_shown_on_demand_and_the_dash_is_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"".join(RECORD))))
    assert main(["trace", "--show-answers", "-"]) == 0
    assert "  Colour: blue\n" in capsys.readouterr().out


def test_a_broken_line_is_named_and_skipped(
    record: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record.write_bytes(RECORD[0] + b"\x1b[2J\n" + RECORD[1] + b'{"at":"20')
    assert main(["trace", str(record)]) == 1
    out = capsys.readouterr().out
    assert "Line 2 was skipped" in out
    assert "Line 4 was skipped" in out
    assert "\x1b" not in out
    assert "1 question: 1 accepted\n" in out


@pytest.mark.parametrize("name", ["", "missing.jsonl"])
def test_a_file_that_cannot_be_read_exits_with_2(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / name
    assert main(["trace", str(path)]) == 2
    assert f"acp-elicit trace: error: {path}: " in capsys.readouterr().err


def test_wrong_usage_exits_with_2(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as raised:
        main(["trace"])
    assert raised.value.code == 2
    assert "acp-elicit trace" in capsys.readouterr().err


def test_it_speaks_the_users_language(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trace", "--lang", "zh-CN", str(record)]) == 0
    assert "1 个提问" in capsys.readouterr().out


def test_an_interrupt_exits_with_130(
    record: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*args: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("acp_elicitation.cli.trace.command.read_record", interrupted)
    assert main(["trace", str(record)]) == 130
    assert capsys.readouterr().out == ""


def test_nobody_reads_any_more(tmp_path: Path) -> None:
    path = tmp_path / "long.jsonl"
    path.write_bytes(b"".join(RECORD) * 20_000)
    program = "import sys; from acp_elicitation.cli import main; sys.exit(main())"
    with subprocess.Popen(
        [sys.executable, "-c", program, "trace", str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == b"2026-12-02, in UTC\n"
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(20) == 141

"""An output that is held back and let go again."""

import io
import os

from acp_elicitation.cli.gate import Gate


def fail() -> None:
    raise AssertionError("somebody reads")


def test_what_is_held_back_comes_later_and_in_order() -> None:
    out = io.StringIO()
    gate = Gate(out, on_gone=fail)
    gate.write("one ")
    gate.hold()
    gate.write("two ")
    gate.write("three ")
    gate.flush()
    assert out.getvalue() == "one "
    gate.release()
    gate.write("four")
    assert out.getvalue() == "one two three four"


def test_a_gate_that_is_open_can_be_released() -> None:
    out = io.StringIO()
    gate = Gate(out, on_gone=fail)
    gate.release()
    gate.hold()
    gate.hold()
    gate.write("x")
    gate.release()
    assert out.getvalue() == "x"


def test_no_more_than_a_megabyte_is_kept_and_the_rest_is_counted() -> None:
    out = io.StringIO()
    gate = Gate(out, on_gone=fail)
    gate.hold()
    for _ in range(3):
        gate.write("x" * 500_000)
    gate.release()
    note = "\n(500000 characters more were left out meanwhile)\n"
    assert out.getvalue() == "x" * 1_000_000 + note
    gate.hold()
    gate.write("y")
    gate.release()
    assert out.getvalue().endswith("\ny")


def test_it_is_a_terminal_where_its_end_is_one() -> None:
    with open(os.devnull, "w") as out:
        assert not Gate(out, on_gone=fail).isatty()
        assert Gate(out, on_gone=fail).fileno() == out.fileno()


def test_when_nobody_reads_any_more_it_says_so_and_goes_on() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    told: list[str] = []
    with open(writing, "w", buffering=1) as out:
        gate = Gate(out, on_gone=lambda: told.append("gone"))
        gate.write("a line\n")
        gate.hold()
        gate.write("another\n")
        gate.release()
        assert len(told) >= 2
        os.dup2(os.open(os.devnull, os.O_WRONLY), writing)  # what is buffered goes there

"""An output that is held back and let go again."""

import io
import os

from acp_elicitation.cli.gate import Gate


def test_what_is_held_back_comes_later_and_in_order() -> None:
    out = io.StringIO()
    gate = Gate(out)
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
    gate = Gate(out)
    gate.release()
    gate.hold()
    gate.hold()
    gate.write("x")
    gate.release()
    assert out.getvalue() == "x"


def test_no_more_than_a_megabyte_is_kept_and_the_rest_is_counted() -> None:
    out = io.StringIO()
    gate = Gate(out)
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
        assert not Gate(out).isatty()
        assert Gate(out).fileno() == out.fileno()

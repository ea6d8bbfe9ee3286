"""How a duration reads."""

import pytest

from acp_elicitation.text.elapsed import word_elapsed


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (-1, "0 s"),
        (0.9, "0 s"),
        (45, "45 s"),
        (60, "1 min"),
        (125.7, "2 min 5 s"),
        (3_600, "1 h 0 min"),
        (11_459, "3 h 10 min"),
    ],
)
def test_a_duration_reads_as_its_reader_would_say_it(seconds: float, text: str) -> None:
    assert word_elapsed(seconds) == text

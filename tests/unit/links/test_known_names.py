"""The well-known names, as the comparison needs them."""

import pytest

from acp_elicitation.links.known_names import KNOWN_NAMES, LURES
from acp_elicitation.links.lookalikes import imitated_name


def test_names_are_labels_in_lower_case_and_no_lures() -> None:
    for name in KNOWN_NAMES | LURES:
        assert name.isascii()
        assert name.isalnum()
        assert name == name.lower()
    assert KNOWN_NAMES.isdisjoint(LURES)
    assert min(map(len, KNOWN_NAMES)) >= 4


@pytest.mark.parametrize("name", sorted(KNOWN_NAMES))
def test_no_known_name_is_a_lookalike_of_another(name: str) -> None:
    assert imitated_name(name) is None


@pytest.mark.parametrize("word", sorted(LURES))
def test_no_lure_is_a_lookalike(word: str) -> None:
    assert imitated_name(word) is None

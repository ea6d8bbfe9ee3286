"""Scripts and lookalikes, held against ICU: an independent implementation of UTS 39.

Letters are those that have not changed between the versions of Unicode that both may have.
"""

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from acp_elicitation.links.lookalikes import latin_reading
from acp_elicitation.links.scripts import is_mixed
from tests.icu import Icu

ICU = Icu.find()

LATIN = "abcdefghijklmnopqrstuvwxyz\xe4\xe9\xf8\u0142"
CYRILLIC = (
    "\u0430\u0431\u0432\u0433\u0434\u0435\u043e\u0440\u0441\u0443\u0445\u0455\u0456\u0458\u0501"
)
GREEK = "\u03b1\u03b2\u03b3\u03b4\u03b9\u03bd\u03bf\u03c1\u03c5"
EASTERN = "\u65e5\u672c\u306e\u3072\u30ab\u30ca\u3105\u3106\ud55c\uad6d\u30fc"
OTHERS = "\u0565\u0578\u05d0\u05e1\u0627\u0647\u0915\u0e01\u10d0"
COMMON = "0123456789-"

LETTERS = st.sampled_from([LATIN, CYRILLIC, GREEK, EASTERN, OTHERS, COMMON])
LABELS = st.lists(LETTERS.flatmap(st.sampled_from), min_size=1, max_size=8).map("".join)


@pytest.mark.requirement("URL-12")
@given(LABELS)
@example("\u65e5\u672c\u306eabc")
@example("\ud55c\u65e5abc")
@example("\u3105\u306e")
def test_scripts_are_mixed_where_icu_finds_a_label_less_than_highly_restricted(label: str) -> None:
    assert ICU is not None, "libicui18n is missing; `make test` installs it"
    assert is_mixed(label) is ICU.is_mixed(label)


@pytest.mark.requirement("URL-12")
@given(LABELS)
@example("\u0440\u0430\u0443\u0440\u0430l")
def test_a_label_reads_as_latin_where_icu_finds_that_it_looks_so(label: str) -> None:
    """ICU has one form for all lookalikes, in which `m` is `rn`, `0` is `O` and `1` is `l`."""
    assert ICU is not None, "libicui18n is missing; `make test` installs it"
    skeleton = ICU.skeleton(label)
    bare = unicodedata.normalize("NFD", skeleton)
    reading = latin_reading(label)
    assert (reading is not None) is (bare.isascii() and not label.isascii())
    if reading is not None:
        assert ICU.skeleton(reading).lower() == skeleton.lower()

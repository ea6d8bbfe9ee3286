"""Which scripts a label is written in, and whether they go together."""

import pytest

from acp_elicitation.links.scripts import is_mixed, scripts_of


@pytest.mark.requirement("URL-12")
@pytest.mark.parametrize(
    "label",
    [
        "example",
        "",
        "m\xfcnchen-2",
        "\u043f\u0440\u0438\u043c\u0435\u0440-1",
        "\u65e5\u672c\u8a9e",
        "\u65e5\u672c\u306e\u30ab\u30ca\u30fc",  # Han, Hiragana, Katakana
        "\u7247\u4eee\u540dabc\u306e",  # with Latin
        "\u4e2d\u6587\u3105\u3106",  # Han, Bopomofo
        "\u4e2d\u6587\u3105\u3106abc",
        "\ud55c\uad6d\u6f22\u5b57",  # Hangul, Han
        "\ud55c\uad6dabc",
        "\u0e44\u0e17\u0e22",
        "\u0639\u0631\u0628\u064a",
        "1\u30fb2",  # only what goes with several scripts
        "1\xb72",
        "\u0301-",
        "-\u0312",  # only what goes with any
    ],
    ids=ascii,
)
def test_what_a_language_writes_together_is_not_mixed(label: str) -> None:
    assert not is_mixed(label)


@pytest.mark.requirement("URL-12")
@pytest.mark.parametrize(
    "label",
    [
        "ex\u0430mple",  # Cyrillic
        "\u03b1bc",  # Greek
        "\u0430\u03b2\u03b3",  # Cyrillic, Greek
        "\u0565abc",  # Armenian
        "abc\u0e44",  # Thai
        "abc\u0967",  # a Devanagari digit
        "\u30ab\u30ca\ud55c",  # Katakana, Hangul
        "\u3105\ud55c",  # Bopomofo, Hangul
        "\u306e\u3105abc",  # Hiragana, Bopomofo
        "\u65e5\u672c\u0430",  # Han, Cyrillic
        "\U000e0fffabc",  # none of any known script
    ],
    ids=ascii,
)
def test_what_none_writes_together_is_mixed(label: str) -> None:
    assert is_mixed(label)


def test_scripts_are_named_once_in_their_order() -> None:
    assert scripts_of("12-\u0430b\u0430c") == ("Cyrl", "Latn")
    assert scripts_of("12-") == ()

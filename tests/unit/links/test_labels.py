"""Labels of a host name: how they read, and whether they can exist."""

import pytest

from acp_elicitation.links.labels import decode_label, is_possible_label


@pytest.mark.parametrize(
    ("label", "readable"),
    [
        ("example", "example"),
        ("my_host", "my_host"),
        ("", ""),
        ("xn--mnchen-3ya", "m\xfcnchen"),
        ("xn--wgv71a119e", "\u65e5\u672c\u8a9e"),
        ("xn--fa-hia", "fa\xdf"),
    ],
)
def test_a_label_reads_as_it_was_meant(label: str, readable: str) -> None:
    assert decode_label(label) == readable


@pytest.mark.requirement("URL-12")
@pytest.mark.parametrize(
    "label",
    [
        "xn--",
        "xn--a",
        "xn--abc-",
        "xn--zz--zzzz",
        "xn--i-7iq",  # a heart: no letter
        "xn--examp-7v0b",
        "xn--" + "a" * 60,
    ],
)
def test_punycode_that_does_not_survive_the_way_there_and_back_reads_as_nothing(
    label: str,
) -> None:
    assert decode_label(label) is None
    assert not is_possible_label(label)


def test_what_decodes_but_encodes_otherwise_reads_as_nothing() -> None:
    assert decode_label("xn--mnchen-3YA") is None  # a browser writes it in lower case


@pytest.mark.parametrize("label", ["a", "a" * 63, "my_host", "-", "xn--fa-hia"])
def test_letters_digits_hyphens_and_underscores_are_possible(label: str) -> None:
    assert is_possible_label(label)


@pytest.mark.parametrize("label", ["", "a" * 64, "a!b", "a,b", "A", "\xe4"])
def test_other_labels_are_not(label: str) -> None:
    assert not is_possible_label(label)

"""Characters that a person does not see for what they are."""

import sys
import unicodedata
from typing import Any

import pytest

from acp_elicitation.links.unseen import find_unseen


def found(text: str) -> dict[str, Any]:
    return {warning.code: warning.params["characters"] for warning in find_unseen(text)}


@pytest.mark.parametrize(
    "text",
    ["", "https://example.com/?a=b#c", "https://m\xfcnchen.de/\u65e5\u672c\u8a9e/\U0001f600"],
)
def test_what_has_a_shape_is_left_alone(text: str) -> None:
    assert found(text) == {}


@pytest.mark.requirement("URL-12")
@pytest.mark.parametrize("character", [*map(chr, range(0x21)), *map(chr, range(0x7F, 0xA0))])
def test_controls_and_spaces_are_one_kind(character: str) -> None:
    assert found(f"a{character}b") == {"control": (f"U+{ord(character):04X}",)}


@pytest.mark.requirement("URL-12")
@pytest.mark.parametrize(
    "character",
    [
        "\xa0",
        "\xad",
        "\u034f",
        "\u061c",
        "\u115f",
        "\u17b4",
        "\u180e",
        "\u200b",
        "\u200d",
        "\u200e",
        "\u2028",
        "\u202e",
        "\u2060",
        "\u2066",
        "\u2800",
        "\u3000",
        "\u3164",
        "\ue000",
        "\ufe0f",
        "\ufeff",
        "\uffa0",
        "\U0001d159",
        "\U000e0041",
        "\U000e0100",
    ],
    ids=ascii,
)
def test_what_has_no_shape_is_the_other(character: str) -> None:
    assert found(f"a{character}b") == {"invisible": (f"U+{ord(character):04X}",)}


def test_every_format_character_and_blank_beyond_ascii_is_found() -> None:
    blank = {"Cf", "Zl", "Zp", "Zs"}
    missed = [
        character
        for character in map(chr, range(0x80, sys.maxunicode + 1))
        if unicodedata.category(character) in blank and not found(character)
    ]
    assert missed == []


def test_each_character_is_named_once_and_eight_at_most() -> None:
    assert found("\t \t\u200b\u200b") == {"control": ("U+0009", "U+0020"), "invisible": ("U+200B",)}
    assert len(found("".join(map(chr, range(20))))["control"]) == 8

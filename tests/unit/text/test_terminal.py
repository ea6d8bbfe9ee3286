"""Untrusted text on its way to a terminal."""

import json
import re
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from acp_elicitation.text import terminal
from acp_elicitation.text.terminal import one_line, visible

_CASES = Path(__file__).parents[2] / "cases" / "terminal.jsonl"
_ROWS = [json.loads(line) for line in _CASES.read_text().splitlines()]

# Said once more, and otherwise than in the module: what no terminal may get.
_BIDI = {0x61C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)}
_INVISIBLE = {
    *(0xAD, 0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFEFF, 0xFFA0),
    *range(0x180B, 0x1810),
    *(0x200B, 0x200C),
    *range(0x2060, 0x2070),
    *range(0xFE00, 0xFE0E),
    *range(0xFFF0, 0xFFFC),
    *range(0xE0000, 0xE1000),
}
_ONLY_IN_EMOJI = "\u200d\ufe0e\ufe0f"
_SIGNS = {0x600, 0x601, 0x602, 0x603, 0x604, 0x605, 0x6DD, 0x70F, 0x890, 0x891, 0x8E2}
_SIGNS |= {0x110BD, 0x110CD}  # of category Cf, and seen

_HOSTILE = st.sampled_from(
    [
        *"ab 1#\n\r\t\x1b\x9b\x00\x7f[]\\;",
        *"\u202e\u2066\u2069\u200f\u061c\u200b\u200c\u200d\ufe0e\ufe0f\u20e3\u0301\u0338\u0488",
        *"\ufeff\xad\u3164\u2028\ue000\ud83d\ude00\uffff\U000e0041\U000e0100",
        *"😀👩🏽🏳❤é漢אعक्ि",
    ]
)
_TEXTS = st.one_of(st.text(_HOSTILE), st.text(), st.text(st.characters(codec=None)))


def _faults(shown: str) -> list[str]:
    """Name every character of `shown` that should not be there."""
    found = []
    marks = 9
    for at, character in enumerate(shown):
        code, category = ord(character), unicodedata.category(character)
        before, after = shown[at - 1 : at], shown[at + 1 : at + 2]
        if character == "\n":
            marks = 9
            continue
        if character in _ONLY_IN_EMOJI:
            joined = before and unicodedata.category(before) in ("So", "Sk", "Sm", "Po", "Mn")
            if character == "\u200d":
                joined = (
                    joined and after and unicodedata.category(after) in ("So", "Sm", "Po", "Cn")
                )
            elif before in "#*0123456789":
                joined = after == "\u20e3"
            if not joined:
                found.append(f"{code:04X}: not in an emoji")
            continue
        marks = marks + 1 if category in ("Mn", "Me") else 0
        if marks > 3:
            found.append(f"{code:04X}: too many marks")
        if code in _BIDI or code in _INVISIBLE or code & 0xFFFE == 0xFFFE:
            found.append(f"{code:04X}: unseen")
        if category in ("Cc", "Cs", "Co", "Zl", "Zp") or (category == "Cf" and code not in _SIGNS):
            found.append(f"{code:04X}: {category}")
    return found


@pytest.mark.parametrize("row", [pytest.param(row, id=row["case"]) for row in _ROWS])
def test_hostile_text_is_shown_and_not_obeyed(row: dict[str, Any]) -> None:
    assert visible(row["text"]) == row["shown"]
    assert _faults(row["shown"]) == []


@given(_TEXTS, st.booleans())
@example("\u0301" * 5, True)
@example("1\ufe0f\u20e3\u20e3\u20e3", True)
@example("😀\u200d\n\u200d😀", True)
def test_nothing_dangerous_is_ever_left(text: str, newlines: bool) -> None:
    shown = visible(text, newlines=newlines)
    assert _faults(shown) == []
    assert newlines or "\n" not in shown


@given(_TEXTS, st.booleans())
def test_what_was_made_visible_stays_as_it_is(text: str, newlines: bool) -> None:
    shown = visible(text, newlines=newlines)
    assert visible(shown, newlines=newlines) == shown


@given(_TEXTS)
def test_nothing_is_deleted(text: str) -> None:
    def restore(name: re.Match[str]) -> str:
        return chr(int(name[1], 16))

    shown = visible(text.replace("<", "("))
    plain = text.replace("<", "(").replace("\r\n", "\n").replace("\t", "    ")
    assert re.sub(r"<U\+([0-9A-F]{4,6})>", restore, shown) == plain


@given(st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E)))
def test_printable_ascii_stays_as_it_is(text: str) -> None:
    assert visible(text) == text
    assert visible(text, newlines=False) == text


def test_what_needs_no_closer_look_would_pass_one() -> None:
    every = [chr(code) for code in range(0x110000)]
    quick = "\n".join(filter(terminal._HARMLESS.fullmatch, every))
    assert len(quick) > 50_000
    assert "".join(terminal._pieces(quick, newlines=True)) == quick


def test_every_letter_number_and_punctuation_mark_stays() -> None:
    fillers = "\u115f\u1160\u3164\uffa0"
    for code in range(0x110000):
        character = chr(code)
        if unicodedata.category(character)[0] in "LNP" and character not in fillers:
            assert visible(character) == character


def test_surrogates_that_look_like_a_pair_are_named() -> None:
    assert visible("\ud83d\ude00") == "<U+D83D><U+DE00>"


def test_newlines_are_named_where_they_may_not_stand() -> None:
    assert visible("a\nb", newlines=False) == "a<U+000A>b"
    assert visible("a\r\nb", newlines=False) == "a<U+000A>b"
    assert visible("ä\nb", newlines=False) == "ä<U+000A>b"
    assert visible("ä", newlines=False) == "ä"


def test_one_line_joins_lines_by_one_space() -> None:
    assert one_line("one\n  two\t\r\n\n three ") == "one two three"
    assert one_line("\n") == ""
    assert one_line("a  b") == "a  b"


def test_one_line_deletes_no_control() -> None:
    assert one_line("a\r\rb\x0bc\u2028d") == "a<U+000D><U+000D>b<U+000B>c<U+2028>d"


@pytest.mark.parametrize(
    ("text", "limit", "line"),
    [
        ("abcdef", 6, "abcdef"),
        ("abcdef", 5, "abcd…"),
        ("abcdef", 1, "…"),
        ("ab\x1bcd", 6, "ab…"),
        ("ab\x1bcd", 10, "ab…"),
        ("ab\x1bcd", 11, "ab<U+001B>…"),
        ("ab\x1bcd", 12, "ab<U+001B>cd"),
        ("👨\u200d👩\u200d👧 family", 5, "…"),
        ("👨\u200d👩\u200d👧 family", 6, "👨\u200d👩\u200d👧…"),
        ("漢字 漢字", 4, "漢字 …"),
    ],
)
def test_one_line_cuts_at_the_limit_and_never_within_a_name_or_an_emoji(
    text: str, limit: int, line: str
) -> None:
    assert one_line(text, limit) == line


@given(_TEXTS, st.integers(1, 20))
def test_one_line_is_as_safe_and_never_longer_than_its_limit(text: str, limit: int) -> None:
    line = one_line(text, limit)
    assert len(line) <= limit
    assert "\n" not in line
    assert _faults(line) == []

"""Untrusted text on its way into a web page."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser, LexborNode

from acp_elicitation.text.html import Html, element, escape, escape_line, exactly, join, place
from acp_elicitation.text.terminal import one_line, visible

_CASES = Path(__file__).parents[2] / "cases"
_ROWS: list[dict[str, Any]] = [
    json.loads(line)
    for name in ("markup.jsonl", "terminal.jsonl")
    for line in (_CASES / name).read_text().splitlines()
]
_HOSTILE = st.sampled_from([*"<>&\"'`=/ ab;#!-[]{}\n\r\t\0\f\x80\u202e\ud800\ufffe😀é", "script"])
_TEXTS = st.one_of(
    st.sampled_from([row["text"] for row in _ROWS]),
    st.text(st.characters(codec=None)),
    st.lists(_HOSTILE).map("".join),
)


def parsed(markup: str) -> LexborNode:
    """The `body` of a page that holds `markup`, read as a browser reads it."""
    page = f"<!doctype html><html><head></head><body>{markup}</body></html>"
    body = LexborHTMLParser(page.encode()).body
    assert body is not None
    return body


def elements(node: LexborNode) -> list[str]:
    return [str(child.tag) for child in node.traverse()][1:]


@pytest.mark.parametrize("row", _ROWS, ids=lambda row: row["case"])
def test_hostile_text_in_an_element_is_nothing_but_visible_text(row: dict[str, Any]) -> None:
    body = parsed(element("p", {}, row["text"]))
    assert elements(body) == ["p"]
    assert body.text() == visible(row["text"])


@pytest.mark.parametrize("row", _ROWS, ids=lambda row: row["case"])
def test_hostile_text_in_an_attribute_is_its_value_and_nothing_else(row: dict[str, Any]) -> None:
    body = parsed(element("input", {"type": "text", "value": row["text"]}))
    assert elements(body) == ["input"]
    field = body.child
    assert field is not None
    assert field.attributes == {"type": "text", "value": kept(row["text"])}


def kept(text: str) -> str:
    return "".join(
        "\ufffd" if character == "\0" or "\ud800" <= character <= "\udfff" else character
        for character in text
    )


@given(_TEXTS)
def test_any_text_comes_back_from_the_page_as_visible_text_or_exactly(text: str) -> None:
    body = parsed(element("p", {"data-text": text}, element("bdi", {}, text), escape(text)))
    assert elements(body) == ["p", "bdi"]
    paragraph = body.child
    assert paragraph is not None
    assert paragraph.attributes == {"data-text": kept(text)}
    assert body.text() == visible(text) * 2


@given(_TEXTS)
def test_any_text_in_a_textarea_comes_back_exactly_behind_one_line_feed(text: str) -> None:
    body = parsed(element("textarea", {}, Html("\n"), exactly(text)))
    assert elements(body) == ["textarea"]
    assert body.text() == kept(text)


@given(_TEXTS, st.integers(1, 20))
def test_a_line_is_cut_before_it_is_escaped(text: str, limit: int) -> None:
    body = parsed(element("p", {}, escape_line(text, limit)))
    assert body.text() == one_line(text, limit)
    assert len(body.text()) <= limit


def test_line_feeds_stay_unless_they_are_to_be_named() -> None:
    assert escape("a\nb") == "a\nb"
    assert escape("a\nb", newlines=False) == "a&lt;U+000A&gt;b"


def test_what_is_markup_already_is_not_escaped_again_and_text_always_is() -> None:
    inner = element("b", {}, "<i>")
    assert element("p", {}, inner, "<b>") == "<p><b>&lt;i&gt;</b>&lt;b&gt;</p>"


def test_markup_joined_to_text_by_a_plus_counts_as_text() -> None:
    assert element("p", {}, escape("a") + "<b>") == "<p>a&lt;b&gt;</p>"


def test_template_engines_are_told_that_it_is_markup_already() -> None:
    told = element("b", {}, "<").__html__()
    assert (told, type(told)) == ("<b>&lt;</b>", str)


def test_attributes_may_have_no_value_and_may_be_left_out() -> None:
    attributes = {"checked": True, "disabled": False, "title": None, "rows": 3, "value": ""}
    assert element("input", attributes) == '<input checked rows="3" value="">'


def test_parts_are_joined_by_what_stands_between_them() -> None:
    assert join("<", escape(">"), by=", ") == "&lt;, &gt;"
    assert join("a", "b", by=element("br")) == "a<br>b"
    assert join() == ""


def test_parts_are_placed_where_a_sentence_has_a_place_for_them() -> None:
    name = element("bdi", {}, "{} & Co")
    assert place("Question from {}", name) == "Question from <bdi>{} &amp; Co</bdi>"
    assert place("{} <{}>", "a", "b") == "a &lt;b&gt;"


@pytest.mark.parametrize(("own", "parts"), [("{}", ()), ("no place", ("a",)), ("{} {}", ("a",))])
def test_a_sentence_with_another_number_of_places_is_an_error(
    own: str, parts: tuple[str, ...]
) -> None:
    with pytest.raises(ValueError, match="places for"):
        place(own, *parts)


@pytest.mark.parametrize("name", ["", "a b", "a>", 'a"', "onclick=", "A", "é", "1"])
def test_text_can_never_be_the_name_of_an_element_or_an_attribute(name: str) -> None:
    with pytest.raises(ValueError, match="cannot be the name"):
        element(name)
    with pytest.raises(ValueError, match="cannot be the name"):
        element("p", {name: "x"})

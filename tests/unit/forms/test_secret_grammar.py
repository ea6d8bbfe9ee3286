"""The words around a secret: lists without mistakes."""

import re

import pytest

from acp_elicitation.forms import secret_grammar as around

LISTS = {
    name: getattr(around, name).split()
    for name in (
        "BLOCKING",
        "DENYING",
        "DETERMINERS",
        "FOLLOWING",
        "HARMLESS_AFTER",
        "TELLING",
        "TRANSPARENT",
    )
} | {f"HARMLESS_BEFORE {term}": words.split() for term, words in around.HARMLESS_BEFORE.items()}


@pytest.mark.parametrize("name", LISTS)
def test_a_list_names_no_word_twice_and_none_in_capitals(name: str) -> None:
    words = LISTS[name]
    assert len(set(words)) == len(words)
    assert [word for word in words if word != word.lower()] == []


@pytest.mark.parametrize("name", LISTS)
def test_each_entry_is_a_regular_expression_that_matches_something(name: str) -> None:
    for word in LISTS[name]:
        plain = re.sub(r"(\w)\?", r"\1", word.replace("(?:y|ies)", "y"))
        assert re.fullmatch(word, plain)


def test_a_verb_that_asks_does_not_block() -> None:
    assert set(around.ASKING.split("|")) & set(LISTS["BLOCKING"]) == set()


def test_a_verb_that_places_is_one_that_asks() -> None:
    assert set(around.PLACING.split("|")) <= set(around.ASKING.split("|"))

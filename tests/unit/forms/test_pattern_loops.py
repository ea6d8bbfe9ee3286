"""The rewriting that makes every loop of a pattern count."""

import importlib
import json
from collections.abc import Callable

import pytest
from hypothesis import assume, example, given, settings

from acp_elicitation.forms.pattern_loops import guard
from tests.property.ecma_patterns import cases

pytestmark = pytest.mark.requirement("FORM-9")

UNTOUCHED = [
    "^[a-z]+$",
    "a{1,9}+",
    "^([a-z]+)*$",
    "(a+|b{2})?",
    "(?<name>a+)-*",
    r"\(\)+\[",
    "[(?=]",
    "^(?!a*)$",
]

REWRITTEN = {
    # a group in a loop
    "(a)+": "(a|[])+",
    "(?:a|b){2,3}?": "(?:a|b|[]){2,3}?",
    "((a)+b)+": "((a|[])+b|[])+",
    r"(a)\1+": r"(a)(?:\1|[])+",
    "(?i:a)+": "(?i:a|[])+",
    # any loop beside lookaround
    "(?=a+)": "(?=(?:a|[])+|[])",
    "(?!a+)b+": "(?!(?:a|[])+)(?:b|[])+",
    "(?<=a{3})[)+]+": "(?<=(?:a|[]){3}|[])(?:[)+]|[])+",
    r"(?<!\p{L}+)\u{61}+": r"(?<!(?:\p{L}|[])+)(?:\u{61}|[])+",
    r"(?!)\ud83d\ude00+": r"(?!)(?:\ud83d\ude00|[])+",
    "(?!)😀+": "(?!)(?:😀|[])+",
    "(?!)\ud83d\ude00+": "(?!)(?:😀|[])+",
    r"(?!)(?<n>a)\k<n>+": r"(?!)(?<n>a)(?:\k<n>|[])+",
    r"(?!)^*$\b\B\x41+\cA+": r"(?!)^*$\b\B(?:\x41|[])+(?:\cA|[])+",
}

WITHOUT_THE_FLAG = {
    r"(?!)\-+": r"(?!)(?:\-|[])+",
    "(?=a)+": "(?=a|[]|[])+",
    r"(?!)\c+": r"(?!)\\(?:c|[])+",
    r"(?!)\cA+": r"(?!)(?:\cA|[])+",
    r"(?!)\u{3}": r"(?!)(?:\u|[]){3}",
    r"(?!)\u00e+": r"(?!)\u00(?:e|[])+",
    r"(?!)\x4+": r"(?!)\x(?:4|[])+",
    r"(?!)\0012+": r"(?!)\001(?:2|[])+",
    r"(?!)\400+": r"(?!)\40(?:0|[])+",
    r"(?!)\9+": r"(?!)(?:\9|[])+",
    r"(a)\12+": r"(a)\12+",
    r"(a)\1+": r"(a)(?:\1|[])+",
    r"(?!)\k<n>+": r"(?!)\k<n(?:>|[])+",
    r"(?!)(?<n>)\k<n>+": r"(?!)(?<n>)(?:\k<n>|[])+",
    "(?!)a{,2}+": "(?!)a{,2(?:}|[])+",
    "(?!)😀+": "(?!)\ud83d(?:\ude00|[])+",
    "(?!)é+": "(?!)(?:é|[])+",
}


@pytest.mark.parametrize("source", UNTOUCHED)
def test_a_pattern_whose_loops_count_already_stays_as_it_is(source: str) -> None:
    assert guard(source, unicode=True).source == source


@pytest.mark.parametrize(("source", "guarded"), REWRITTEN.items())
def test_every_other_loop_gets_an_alternative_that_counts(source: str, guarded: str) -> None:
    assert guard(source, unicode=True).source == guarded


@pytest.mark.parametrize(("source", "guarded"), WITHOUT_THE_FLAG.items())
def test_escapes_are_read_as_annex_b_does_without_the_flag(source: str, guarded: str) -> None:
    assert guard(source, unicode=False).source == guarded


@pytest.mark.parametrize(
    ("source", "cost"),
    [
        ("(a)b", 0),
        (r"(a)\1", 1),
        (r"(?<n>a)\k<n>", 1),
        (r"(a)(?i:\1)", 40),
        (r"(a)(?s-i:\1)", 40),
        (r"(a)\\1", 0),
    ],
)
def test_the_cost_of_back_references_is_told(source: str, cost: int) -> None:
    assert guard(source, unicode=True).reference_cost == cost


class _Engine:
    """The bare engine, that tells all it found."""

    def __init__(self) -> None:
        module = importlib.import_module("_quickjs")
        self._failure: type[Exception] = module.JSException
        context = module.Context()
        context.set_time_limit(0.05)
        self._search: Callable[[str, str, str], str] = context.eval(
            """(source, flags, text) => {
                const found = new RegExp(JSON.parse(source), flags).exec(JSON.parse(text));
                return JSON.stringify(found && [found.index, found]);
            }"""
        )

    def search(self, source: str, flags: str, text: str) -> str | None:
        """Give the place and the groups of the match, or None for a bad or costly pattern."""
        try:
            return self._search(json.dumps(source), flags, json.dumps(text))
        except self._failure:
            return None


@settings(max_examples=300)
@given(cases())
@example(("(?:(a)|(b))+", "ab"))
@example(("(?=(a+))a*b\\1", "baaabac"))
@example(("(?<=(\\d+)(\\d+))$", "1053"))
@example(("(z)((a+)?(b+)?(c))*", "zaacbbbcac"))
@example(("(?:(?=(\\w+?))a{1,3}?)+(😀{2,})*", "aab😀😀😀"))
@example(("(?=😀+)\\-*", "\ud83d\ude00\ude00"))
def test_matches_and_groups_are_the_same_as_before(case: tuple[str, str]) -> None:
    pattern, text = case
    engine = _Engine()
    flags = "u"
    before = engine.search(pattern, flags, text)
    if before is None:
        flags = ""
        before = engine.search(pattern, flags, text)
    assume(before is not None)
    after = engine.search(guard(pattern, unicode=bool(flags)).source, flags, text)
    assert after in (before, None)

"""The names of secrets: every term can be found, every rule has its words."""

import re

import pytest

from acp_elicitation.forms import secret_words as words
from acp_elicitation.forms.secrets import SecretFinding
from acp_elicitation.text.warnings import word_finding

TABLES = {
    "RUN_TOGETHER": words.RUN_TOGETHER,
    "STRONG": words.STRONG,
    "WEAK": words.WEAK,
    "NAMES_ONLY": words.NAMES_ONLY,
}
TERMS = [
    pytest.param(rule, term, id=f"{table}-{rule}-{term[:20]}")
    for table, rules in TABLES.items()
    for rule, terms in rules.items()
    for term in terms
]
STEMS = words.STEMS.split()


@pytest.mark.parametrize(("rule", "term"), TERMS)
def test_a_term_has_a_stem_by_which_it_is_looked_for(rule: str, term: str) -> None:
    joined = term.replace(" ", "")
    assert any(stem in joined for stem in STEMS)
    assert re.compile(term).groups == 0  # the groups are the rules
    assert term == term.lower() or "\\" in term


def test_no_stem_is_left_over_and_none_is_there_twice() -> None:
    joined = " ".join(str(param.values[1]) for param in TERMS).replace(" ", "")
    assert [stem for stem in STEMS if stem not in joined] == []
    assert len(set(STEMS)) == len(STEMS)


@pytest.mark.parametrize("rule", sorted({rule for table in TABLES.values() for rule in table}))
def test_each_rule_has_words_for_the_person_who_is_warned(rule: str) -> None:
    finding = SecretFinding(property="a", rule=rule, where="name", term="")
    assert "ask for a secret." not in word_finding(finding)

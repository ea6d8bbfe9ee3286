"""Another ECMA-262 engine, that of Node.js, judges the same patterns and texts."""

import json
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import assume, example, given, settings

from acp_elicitation.forms.patterns import BadPattern, Match, compile_pattern
from tests.property.ecma_patterns import cases

_HERE = Path(__file__).parent
_CASES = _HERE.parent / "cases" / "pattern_semantics.jsonl"

Judge = Callable[[str, str], str]


@pytest.fixture(scope="module")
def judge() -> Iterator[Judge]:
    """Give a function of (pattern, text) that says yes, no, invalid, or unknown."""
    with subprocess.Popen(
        ["node", str(_HERE / "regexp_oracle.js")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="ascii",
    ) as node:
        questions, answers = node.stdin, node.stdout
        assert questions is not None
        assert answers is not None

        def ask(pattern: str, text: str) -> str:
            questions.write(json.dumps({"pattern": pattern, "text": text}) + "\n")
            questions.flush()
            return str(json.loads(answers.readline()))

        yield ask
        questions.close()


def _our_verdict(pattern: str, text: str) -> str:
    try:
        return compile_pattern(pattern).test(text).value
    except BadPattern as problem:
        return problem.reason


def test_the_other_engine_agrees_with_the_cases_of_semantics(judge: Judge) -> None:
    rows = [json.loads(line) for line in _CASES.read_text().splitlines()]
    judged = {row["case"]: judge(row["pattern"], row["text"]) for row in rows}
    assert judged == {row["case"]: "yes" if row["matches"] else "no" for row in rows}


@settings(max_examples=400)
@given(cases())
@example(("(?=x?)\\c+$", "\\ccc"))
@example(("(?:(a)|(b))+\\1", "ab"))
@example(("(?=(a+))a*b\\1", "baaabac"))
@example(("^(?=😀+$)\\-?", "\ud83d\ude00\ude00"))
def test_any_pattern_gets_the_verdict_of_another_engine(
    judge: Judge, case: tuple[str, str]
) -> None:
    pattern, text = case
    theirs, ours = judge(pattern, text), _our_verdict(pattern, text)
    assume(theirs != "unknown")
    assert ours in (theirs, Match.TOO_COSTLY.value)


def test_the_other_engine_knows_what_is_no_pattern(judge: Judge) -> None:
    for pattern in ("(", "[b-a]", "a**", "(?>a)", "\\"):
        assert judge(pattern, "a") == "invalid"
        assert _our_verdict(pattern, "a") == "invalid"

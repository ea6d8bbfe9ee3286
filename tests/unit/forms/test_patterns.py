"""Agent-supplied patterns: what they mean, and that they cost no more than allowed."""

import contextlib
import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from acp_elicitation.forms import patterns
from acp_elicitation.forms.patterns import (
    MAX_TEXT,
    MEMORY_LIMIT,
    BadPattern,
    Match,
    Pattern,
    compile_pattern,
)
from acp_elicitation.protocol.errors import PeerError

pytestmark = pytest.mark.requirement("FORM-9")

_CASES = Path(__file__).parents[2] / "cases"
_GENEROUS = 1.0  # seconds; the limit itself is 20 ms of CPU time, and machines are busy


def _read(name: str) -> list[Any]:
    rows = [json.loads(line) for line in (_CASES / name).read_text().splitlines()]
    return [pytest.param(row, id=row["case"]) for row in rows]


def _spell(text: str | list[tuple[str, int]]) -> str:
    return text if isinstance(text, str) else "".join(piece * count for piece, count in text)


def _in_a_thread(run: Callable[[], object]) -> Any:
    """Run in a new thread, which has a new engine, and give the result."""
    results: list[object] = []
    thread = threading.Thread(target=lambda: results.append(run()))
    thread.start()
    thread.join(30)
    return results[0]


@pytest.mark.parametrize("row", _read("pattern_semantics.jsonl"))
def test_a_pattern_means_what_ecma_262_says(row: dict[str, Any]) -> None:
    pattern = compile_pattern(row["pattern"])
    assert pattern.test(row["text"]) is (Match.YES if row["matches"] else Match.NO)


@pytest.mark.parametrize("row", _read("patterns.jsonl"))
def test_a_hostile_pattern_ends_in_time_with_an_outcome(row: dict[str, Any]) -> None:
    source, text = _spell(row["pattern"]), _spell(row["text"])
    start = time.monotonic()
    try:
        outcome = compile_pattern(source).test(text).value
    except BadPattern as problem:
        outcome = f"refused: {problem.reason}"
    assert outcome in row["outcomes"]
    assert time.monotonic() - start < _GENEROUS


@pytest.mark.parametrize("row", _read("patterns.jsonl"))
def test_after_a_hostile_pattern_the_next_one_is_judged_rightly(row: dict[str, Any]) -> None:
    with contextlib.suppress(BadPattern):
        compile_pattern(_spell(row["pattern"])).test(_spell(row["text"]))
    assert compile_pattern("^(a+)b$").test("aab") is Match.YES
    assert compile_pattern("^(a+)b$").test("aac") is Match.NO


@pytest.mark.parametrize(
    ("source", "reason"),
    [("a" * 1_001, "too-long"), ("secret(", "invalid"), ("(?:" * 300 + "a", "too-costly")],
)
def test_a_bad_pattern_is_the_peers_fault_and_says_why(source: str, reason: str) -> None:
    with pytest.raises(BadPattern) as caught:
        compile_pattern(source)
    assert caught.value.reason == reason
    assert isinstance(caught.value, PeerError)
    assert source not in str(caught.value)
    assert str(caught.value).startswith("the pattern ")


def test_a_pattern_that_its_guard_makes_too_much_for_the_engine_is_too_costly() -> None:
    # The engine counts alternatives beside named groups, up to 255, and the guard adds one a loop.
    source = "(?<n>a)" + "|" * 200 + "(?:b)+" * 60
    with pytest.raises(BadPattern, match="simplify") as caught:
        compile_pattern(source)
    assert caught.value.reason == "too-costly"


def test_a_pattern_shows_its_source() -> None:
    assert repr(compile_pattern("^(a)+$")) == "Pattern('^(a)+$')"
    assert compile_pattern("^(a)+$").source == "^(a)+$"


@pytest.mark.parametrize(
    ("source", "longest"), [("a", MAX_TEXT), (r"(a)\1", 4_000), (r"(a)(?i:\1)", 100)]
)
def test_texts_up_to_the_limit_of_the_pattern_are_tested(source: str, longest: int) -> None:
    pattern = compile_pattern(source)
    assert pattern.test("a" * longest) is Match.YES
    assert pattern.test("a" * (longest + 1)) is Match.TOO_COSTLY


def test_the_engine_has_all_three_limits() -> None:
    def limits() -> tuple[int, Match, Match]:
        compile_pattern("a").test("a")
        engine = patterns._thread.engine
        assert engine is not None
        allowed = engine._context.memory()["malloc_limit"]
        slow = compile_pattern("^(a+)+$").test("a" * 40 + "!")
        large = compile_pattern("^(?:" + "()" * 50 + "a)*$").test("a" * 60_000)
        return allowed, slow, large

    assert _in_a_thread(limits) == (MEMORY_LIMIT, Match.TOO_COSTLY, Match.TOO_COSTLY)


def test_a_text_that_finds_no_memory_is_too_costly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterns, "MEMORY_LIMIT", 200_000)
    pattern = compile_pattern("a")
    assert _in_a_thread(lambda: pattern.test("é漢" * 30_000)) is Match.TOO_COSTLY
    assert _in_a_thread(lambda: pattern.test("aéh")) is Match.YES


def test_many_patterns_are_judged_rightly_though_few_stay_compiled() -> None:
    numbered = [(f"^{n}$", compile_pattern(f"^{n}$")) for n in range(300)]
    for _ in range(2):
        for n, (_, pattern) in enumerate(numbered):
            assert pattern.test(str(n)) is Match.YES
            assert pattern.test(f"{n}0") is Match.NO
    engine = patterns._thread.engine
    assert engine is not None
    assert len(engine._tests) == 64


def test_large_patterns_do_not_fill_the_engine() -> None:
    for n in range(30):
        pattern = compile_pattern(r"\p{L}" * 190 + str(n))
        assert pattern.test("漢" * 190 + str(n)) is Match.YES
    engine = patterns._thread.engine
    assert engine is not None
    assert engine._context.memory()["malloc_size"] < MEMORY_LIMIT / 2


def test_the_pattern_used_last_stays_compiled() -> None:
    kept = compile_pattern("^kept$")
    assert kept.test("kept") is Match.YES
    engine = patterns._thread.engine
    assert engine is not None
    compiled = engine._tests["^kept$", "u"]
    for n in range(200):
        compile_pattern(f"^other {n}$")
        assert kept.test("kept") is Match.YES
    assert engine._tests["^kept$", "u"] is compiled


@pytest.mark.parametrize("source", ["^(a+)+$", "(?:" * 300])
def test_an_engine_that_hit_a_limit_is_not_used_again(source: str) -> None:
    compile_pattern("a").test("a")
    engine = patterns._thread.engine
    with contextlib.suppress(BadPattern):
        compile_pattern(source).test("a" * 40 + "!")
    assert engine is not None
    assert patterns._thread.engine is None


def test_any_thread_may_use_a_pattern_at_the_same_time() -> None:
    sources = [r"^(a+)+$", r"^\d+$", r"^(?=.*\d).+$", r"^(?:a(?=a+))+$", "^a*$"]
    compiled = [compile_pattern(source) for source in sources]
    text = "a" * 30  # short: other threads' time counts as well, from the first look at the clock
    expected = [pattern.test(text) for pattern in compiled]
    outcomes: list[list[Match]] = []

    def judge() -> None:
        for _ in range(50):
            outcomes.append([pattern.test(text) for pattern in compiled])

    threads = [threading.Thread(target=judge) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert outcomes == [expected] * 200


def test_deep_patterns_do_not_overflow_a_small_stack() -> None:
    def outcomes() -> list[str]:
        found = []
        for opening, closing in [("(", ")"), ("(?:", ")"), ("(?=", ")"), ("(?<=", ")")]:
            for depth in (100, 249):
                source = (opening * depth + "a" + closing * depth)[:1_000]
                try:
                    found.append(compile_pattern(source).test("a").value)
                except BadPattern as problem:
                    found.append(problem.reason)
        return found

    before = threading.stack_size(128 * 1024)
    try:
        found = _in_a_thread(outcomes)
    finally:
        threading.stack_size(before)
    assert found == ["yes", "too-costly"] * 4


def test_a_pattern_is_data_that_reaches_no_code() -> None:
    pattern = compile_pattern("\"'`/;${}globalThis.x=1;//(?:)\\u0022")
    assert pattern.test("nothing") is Match.NO
    engine = patterns._thread.engine
    assert engine is not None
    assert engine._context.eval("typeof globalThis.x") == "undefined"


def test_a_test_leaves_nothing_behind_for_the_next() -> None:
    first, second = compile_pattern("(a)(b)"), compile_pattern(r"^(?:(x)|y)\1$")
    for _ in range(3):
        assert first.test("zzab") is Match.YES
        assert second.test("y") is Match.YES
        assert first.test("ab") is Match.YES


def test_the_engine_is_loaded_at_first_use_and_starts_no_thread() -> None:
    program = """if True:
        import sys, threading
        from acp_elicitation.forms.patterns import compile_pattern
        assert "_quickjs" not in sys.modules
        compile_pattern("a").test("a")
        assert "_quickjs" in sys.modules
        assert threading.active_count() == 1
    """
    subprocess.run([sys.executable, "-c", program], check=True, timeout=30)


def test_an_equal_source_gives_an_equal_pattern() -> None:
    assert isinstance(compile_pattern("x"), Pattern)
    assert compile_pattern("x") is compile_pattern("x")

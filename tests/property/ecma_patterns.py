"""Strategies for ECMA-262 patterns, and for texts that stand a chance to match them.

Not generated is what the engines are known to judge differently: modifiers `(?i:...)` and one name
for two groups (newer than the other engine), `\\k` in a class beside named groups (one engine is
lenient), a named reference before its group (quickjs-ng does not see a group that opens another).
"""

from hypothesis import strategies as st

__all__ = ["cases", "patterns"]

_LITERALS = [*"aaabbAB01_- .,;é жЖ漢😀/\"'`", "\ud83d", "\ude00", "\0", "\n"]
_ESCAPES = [
    *(rf"\{letter}" for letter in "dDwWsSntrvfaceuxk08.$/_-]})"),
    *(r"\x61", r"\x6", r"\u0061", r"\u00e", r"\u{61}", r"\u{1f600}", r"\ud83d\ude00", r"\ud83d"),
    *(r"\cA", r"\12", r"\101", r"\400", r"\777"),
    *(r"\p{L}", r"\p{Lu}", r"\P{L}", r"\p{Script=Han}", r"\p{Nd}", r"\p{ASCII}", r"\p{Emoji}"),
]
_RANGES = [
    "a-c",
    "0-9",
    "A-Z",
    "а-я",
    "😀-😏",
    r"\x20-\x7e",
    r"a-\d",
    "--/",
    "[",
    "(",
    "(?=",
    "|",
    "^",
]
_REPEATS = ["*", "+", "?", "{2}", "{0,2}", "{1,3}", "{2,}", "{0}", "{,2}", "{"]
_TEXTS = st.text(
    st.sampled_from("aabbAB01_- .,;\n\r\t\u2028éſKßжЖ١漢😀𐐀\u200d\ufeff\xa0\0\"'\ud83d\ude00"),
    max_size=12,
)


@st.composite
def _classes(draw: st.DrawFn) -> str:
    escapes = [escape for escape in _ESCAPES if escape != r"\k"]
    items = draw(st.lists(st.sampled_from([*_LITERALS, *escapes, *_RANGES]), max_size=3))
    return f"[{draw(st.sampled_from(['', '^']))}{''.join(items)}]"


@st.composite
def _terms(draw: st.DrawFn, depth: int, names: list[str]) -> str:
    kind = draw(st.integers(0, 9 if depth else 5))
    atom: str
    if kind == 5:
        atom = draw(st.sampled_from(["^", "$", r"\b", r"\B"]))
        return atom
    if kind < 3:
        atom = draw(st.sampled_from([*_LITERALS, ".", *_ESCAPES]))
    elif kind == 3:
        atom = draw(_classes())
    elif kind == 4:
        atom = draw(st.sampled_from([r"\1", r"\2", r"\3", *(rf"\k<{name}>" for name in names)]))
    elif kind < 9:
        opening = draw(st.sampled_from(["(", "(", "(?:", "(?<"]))
        if opening == "(?<":
            names.append(f"n{len(names)}")
            opening += names[-1] + ">"
        atom = opening + draw(_disjunctions(depth - 1, names)) + ")"
    else:
        opening = draw(st.sampled_from(["(?=", "(?!", "(?<=", "(?<!"]))
        atom = opening + draw(_disjunctions(depth - 1, names)) + ")"
    if draw(st.booleans()):
        atom += draw(st.sampled_from(_REPEATS)) + draw(st.sampled_from(["", "", "?"]))
    return atom


@st.composite
def _disjunctions(draw: st.DrawFn, depth: int, names: list[str]) -> str:
    counts = draw(st.lists(st.integers(0, 3), min_size=1, max_size=2))
    return "|".join("".join(draw(_terms(depth, names)) for _ in range(n)) for n in counts)


@st.composite
def patterns(draw: st.DrawFn) -> str:
    """A pattern: mostly valid, with or without the u flag."""
    pattern: str = draw(_disjunctions(3, []))
    return pattern


@st.composite
def cases(draw: st.DrawFn) -> tuple[str, str]:
    """A pattern and a text."""
    pattern = draw(patterns())
    own = st.text(st.sampled_from([*(pattern or "a"), "a", "b"]), max_size=12)
    return pattern, draw(st.one_of(_TEXTS, own, st.text("ab", max_size=12)))

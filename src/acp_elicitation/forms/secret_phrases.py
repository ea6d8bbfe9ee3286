"""Does a phrase ask for a secret, in languages that put spaces between words?

Owns: the judging. A term counts in a *label* (a title, the name of a property) unless other words
make another thing of it; in *prose* (a description, a message) only where a sentence begins with
it as a label does, or asks for it. So "Enter your password" asks, "the password is read from .env",
"never your password" and "name of the password column" do not.
Knows nothing of: properties and their types. Above it: `secrets`. Below it: `secret_words`,
`secret_grammar`.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Literal, TypeAlias

import msgspec

from acp_elicitation.forms import secret_grammar as around
from acp_elicitation.forms import secret_words as words

__all__ = ["Asked", "Manner", "asked_in_words", "names_another_thing", "spelled_out"]

Manner: TypeAlias = Literal["name", "label", "prose"]
"""How a text is read: the name of a property, a title, or whole sentences."""


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """A secret that a text asks for.

    `weak`: the word has other senses too. `expressly`: a verb asks ("enter", "what is"), the text
    does not just name it.
    """

    rule: str
    term: str
    weak: bool
    expressly: bool


_PIECES = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+|\d+|[^\W\d_]+")
# Code points of a sentence that are looked at, before a term and after it: what an agent sends may
# be long, and must not cost more than in proportion.
_BEFORE = 300
_AFTER = 60


def spelled_out(name: str) -> str:
    """Write the name of a property as words: "dbApiKey2" is "db api key 2"."""
    return " ".join(_PIECES.findall(name)).lower()


def asked_in_words(text: str, manner: Manner) -> Iterator[Asked]:
    """Give each secret that `text` asks for. A name has to be spelled out before (FORM-5)."""
    grammar = _grammar()
    finder = grammar.named if manner == "name" else grammar.said
    for sentence in _sentences(text, manner):
        for found in finder.finditer(sentence):
            table, _, rule = (found.lastgroup or "").partition("__")
            term = found[found.lastgroup or 0]
            before = sentence[max(0, found.start() - _BEFORE) : found.start()].rstrip()
            after = sentence[found.end() : found.end() + _AFTER]
            if _is_followed_away(after, weak=table == "weak") or _is_another_thing(before, term):
                continue
            way = _asking_way(before, after, manner, weak=table == "weak")
            if way is not None:
                yield Asked(
                    rule=rule.replace("_", "-"),
                    term=term,
                    weak=table in {"weak", "short"},
                    expressly=way == "expressly",
                )


def names_another_thing(label: str) -> bool:
    """Tell whether a title has a noun like "file", "name" or "policy"."""
    grammar = _grammar()
    return any(grammar.harmless_after.fullmatch(word) for word in label.lower().split())


def _sentences(text: str, manner: Manner) -> list[str]:
    """Lower case, hyphens as spaces, cut at full stops; in a label also at colons and brackets."""
    plain = _ADDRESS.sub(" ", text.lower().replace("\u2019", "'"))
    plain = _ASIDE.sub(" example ", _JOINING.sub(" ", plain))
    return (_LABEL_ENDS if manner == "label" else _ENDS).split(_QUOTES.sub("", plain))


_ADDRESS = re.compile(r"\b[a-z][a-z0-9+.]{1,20}://\S+")
_JOINING = re.compile(r"[-_/\u2010-\u2015](?=\w)")
_ASIDE = re.compile(
    r"\b(?:e\.g\.|i\.e\.|for example|for instance|z\.b\.|p\. ?ex\.|last (?:four|4|few) )"
)
_QUOTE = "[\"'`\u201c-\u201e\u00ab\u00bb*]"
_QUOTES = re.compile(rf"{_QUOTE}+(?!\w)|(?<!\w){_QUOTE}+")
_ENDS = re.compile(r"[.!?;](?=\s|$)|[\n•|]+")
_LABEL_ENDS = re.compile(r"[.!?:;](?=\s|$)|[\n•|()\[\]{}]+")


def _is_followed_away(after: str, *, weak: bool) -> bool:
    """Tell whether the next word makes another thing of the term."""
    grammar = _grammar()
    following = grammar.next_word.match(after)
    if following is None:
        return weak and after.startswith("'")  # "the token's address"
    word = following[1]
    if weak:
        return not (word.isdigit() or word.endswith("ed") or word in grammar.following)
    return grammar.harmless_after.fullmatch(word) is not None


def _is_another_thing(before: str, term: str) -> bool:
    """Tell whether the word before makes another thing of the term: "stop token"."""
    harmless = _grammar().harmless_before.get(term.split(maxsplit=1)[0].removesuffix("s"))
    return harmless is not None and before.rpartition(" ")[2] in harmless


def _asking_way(
    before: str, after: str, manner: Manner, *, weak: bool
) -> Literal["expressly", "by name", None]:
    """Tell how a sentence asks for the term between `before` and `after`, or that it does not."""
    grammar = _grammar()
    before = grammar.transparent.sub(" ", before)
    asks = [found for found in grammar.asking.finditer(before) if not _is_denied(found, before)]
    zone = before[asks[-1].end() :] if asks else before
    if grammar.denying.search(zone):
        return None
    if asks:
        # Of "the host, the name of the user and the password" only the last part counts.
        last = grammar.joining.split(zone)[-1]
        placed = grammar.placing.match(asks[-1]["verb"] or "") and grammar.elsewhere.match(after)
        return None if placed or grammar.blocking.search(last) else "expressly"
    if manner == "prose" and (grammar.telling.match(after) or (weak and after.strip())):
        return None
    return "by name" if _is_label(before, manner) else None


def _is_denied(asking: re.Match[str], before: str) -> bool:
    """Tell whether a word that asks goes on with what was denied: "never copy or paste"."""
    start = max(asking.start("verb"), asking.start("phrase"))
    return _grammar().denied.search(before[:start]) is not None


def _is_label(before: str, manner: Manner) -> bool:
    """Tell whether nothing but a determiner and modifiers stands before the term."""
    grammar = _grammar()
    parts = [part.split() for part in grammar.joining.split(before)]
    if any(word in grammar.determiners for part in parts for word in part[1:]):
        return False
    if manner == "prose" and (sum(map(len, parts)) > _LONGEST_LABEL or "(" in before):
        return False
    return not grammar.blocking.search(before)


_LONGEST_LABEL = 6  # words before the term


class _Grammar:
    """The vocabulary, compiled on first use: that takes some milliseconds."""

    def __init__(self) -> None:
        self.said = _finder(together=words.RUN_TOGETHER, strong=words.STRONG, weak=words.WEAK)
        self.named = _finder(
            together=words.RUN_TOGETHER,
            strong=words.STRONG,
            short=words.NAMES_ONLY,
            weak=words.WEAK,
        )
        self.next_word = re.compile(r" *([^\W_]+)")
        self.telling = re.compile(rf" *(?:{around.TELLING.replace(' ', '|')})\b")
        self.following = frozenset(around.FOLLOWING.split())
        self.harmless_after = re.compile(around.HARMLESS_AFTER.replace(" ", "|"))
        self.harmless_before = {
            word: frozenset(before.split()) for word, before in around.HARMLESS_BEFORE.items()
        }
        self.determiners = frozenset(around.DETERMINERS.split())
        self.blocking = _any_of(around.BLOCKING)
        self.denying = _any_of(around.DENYING)
        self.denied = re.compile(rf"{self.denying.pattern}[^,]*\b(?:and|or) *$")
        self.transparent = re.compile(
            rf"\b(?:{around.TRANSPARENT.replace(' ', '|')}) (?:of|from|for) "
        )
        self.joining = re.compile(r"[,&+]|\b(?:and|or|und|et|y|e|и)\b")
        self.placing = re.compile(around.PLACING)
        self.elsewhere = re.compile(around.ELSEWHERE)
        self.asking = re.compile(
            rf"(?:^|[,(:]|\b(?:{around.ASKED}))[ ,]*\b(?P<verb>(?:{around.ASKING})\b)"
            rf"|\b(?P<phrase>{around.ASKING_ANYWHERE})\b"
        )


def _any_of(listed: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{listed.replace(' ', '|')})\b")


def _finder(**tables: Mapping[str, tuple[str, ...]]) -> re.Pattern[str]:
    """One expression for the terms of all tables, with a named group for each rule of each."""
    groups = []
    for table, rules in tables.items():
        for rule, terms in rules.items():
            listed = "|".join(terms).replace(" ", " ?")
            start = "" if table == "together" else r"(?<!\w)"
            groups.append(f"{start}(?P<{table}__{rule.replace('-', '_')}>{listed})")
    return re.compile(rf"(?:{'|'.join(groups)})\d{{0,3}}(?!\w)")


@cache
def _grammar() -> _Grammar:
    return _Grammar()

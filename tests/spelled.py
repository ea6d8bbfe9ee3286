"""Questions and answers of elicitation, spelled in every way that JSON has, by a seed.

Owns: what occurs in them: members, modes, types, formats and actions that nobody knows, `_meta` of
any depth, numbers that no machine has, members in every order.
Knows nothing of: what becomes of them. Above it: the tests that compare. Below it: nothing.
"""

import functools
import json
import random
from collections.abc import Callable
from typing import Any, TypeVar

_T = TypeVar("_T")

__all__ = ["Speller", "questions_and_answers", "read_in_order"]

_NUMBERS = (
    "0", "-0", "-0.0", "1.0", "1e0", "1E+2", "0.10", "1.0000000000000000001", "5e-324",
    "9007199254740993", "18446744073709551616", "-123456789012345678901234567890", "1.7e308",
)  # fmt: skip
_TEXTS = (
    "", "a", "zwei Zeilen,\n二行 🙂", "\u0000\u001b[2J", "\u202e\u2028", '"\\/', "e\u0301", "\x7f",
)  # fmt: skip
_UNKNOWN = ("_x", "zz", "aa", "$ref", "é", "", "__proto__", "Id")
_DEPTH = 60


class _Number(str):
    """A number as it is spelled."""

    __slots__ = ()


class Speller:
    """Makes messages; the same for the same seed."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        self._count = 0

    def question(self) -> bytes:
        """Return a line: an `elicitation/create` in a mode that is known, or is not."""
        self._count += 1
        mode = self._one_of("form", "form", "form", "url", "_later")
        return self.line(id=self._id(), method="elicitation/create", params=self.asked(mode))

    def answer(self) -> bytes:
        """Return a line: a response with an action that is known, or is not; or an error."""
        self._count += 1
        if self._maybe(0.1):
            error = {"code": self._one_of(-32800, -32602, 7), "message": self._text()}
            return self.line(id=self._id(), error=self._with_more(error, "data"))
        return self.line(id=self._id(), result=self.answered())

    def line(self, **members: Any) -> bytes:
        """Return a message with these members and others, as a line."""
        message = {"jsonrpc": "2.0", **members}
        if self._maybe(0.3):
            message[self._one_of(*_UNKNOWN)] = self._anything(3)
        return (
            self._spell(self._in_any_order(message)) + self._one_of("\n", "\r\n", " \n")
        ).encode()

    def asked(self, mode: str) -> dict[str, Any]:
        """Return params that can be read as a question in this mode."""
        params: dict[str, Any] = {"mode": mode, "message": self._text() or "?", "sessionId": "s"}
        if self._maybe(0.3):
            params["toolCallId"] = self._text()
        match mode:
            case "form":
                params["requestedSchema"] = self._schema()
            case "url":
                params["url"] = f"https://agent.example/%41?n={self._count}&x=%C3%9C#a"
                params["elicitationId"] = f"link-{self._count}"
            case _:
                params["thought"] = self._anything(4)
        return self._with_more(params)

    def answered(self) -> dict[str, Any]:
        """Return the result of a question."""
        result: dict[str, Any] = {"action": self._one_of("accept", "decline", "cancel", "_later")}
        if self._maybe(0.7):
            values = (self._text(), self._number(), True, ["a", self._text()])
            result["content"] = {name: self._one_of(*values) for name in self._names()}
        return self._with_more(result)

    def _schema(self) -> dict[str, Any]:
        schema: dict[str, Any] = {
            "type": "object",
            "properties": {name: self._property() for name in self._names()},
        }
        if self._maybe(0.5):
            schema["title"] = self._text()
        return self._with_more(schema)

    def _property(self) -> dict[str, Any]:
        member: dict[str, Any] = self._one_of(*_PROPERTIES)(self)
        if self._maybe(0.5):
            member["description"] = self._text()
        return self._with_more(member)

    def _names(self) -> list[str]:
        names = ["db", "2", "10", "1", "été", "__proto__", "constructor", "name"]
        self._chance.shuffle(names)  # JavaScript would sort those that are whole numbers
        return names[: self._chance.randrange(1, 6)]

    def _id(self) -> Any:
        return self._one_of(self._count, f"q-{self._count}", _Number(f"{self._count}.0"))

    def _with_more(self, members: dict[str, Any], *names: str) -> dict[str, Any]:
        """Return `members` with others, in any order."""
        if self._maybe(0.4):
            members["_meta"] = self._deep() if self._maybe(0.1) else {"k": self._anything(3)}
        for name in (*names, *_UNKNOWN):
            if self._maybe(0.1):
                members[name] = self._anything(2)
        return self._in_any_order(members)

    def _in_any_order(self, members: dict[str, Any]) -> dict[str, Any]:
        pairs = list(members.items())
        self._chance.shuffle(pairs)
        return dict(pairs)

    def _deep(self) -> Any:
        value: Any = {"n": self._number()}
        for _ in range(_DEPTH):
            value = {"a": value} if self._maybe(0.5) else [self._number(), value]
        return {"deep": value}

    def _anything(self, depth: int) -> Any:
        kinds: tuple[Callable[[], Any], ...] = (
            self._text,
            self._number,
            lambda: self._one_of(None, True, False),
            lambda: [self._anything(depth - 1) for _ in range(self._chance.randrange(3))],
            lambda: {name: self._anything(depth - 1) for name in self._names()},
        )
        return self._one_of(*kinds[: 5 if depth else 3])()

    def _text(self) -> str:
        return self._one_of(*_TEXTS)

    def _number(self) -> _Number:
        return _Number(self._one_of(*_NUMBERS))

    def _maybe(self, share: float) -> bool:
        return self._chance.random() < share

    def _one_of(self, *values: _T) -> _T:
        return self._chance.choice(values)

    def _spell(self, value: Any) -> str:
        gap = self._one_of("", "", " ", "\t")
        match value:
            case _Number():
                return str(value)
            case dict():
                pairs = (f"{self._spell(name)}{gap}:{self._spell(v)}" for name, v in value.items())
                return "{" + gap + f"{gap},".join(pairs) + gap + "}"
            case list():
                return "[" + f",{gap}".join(map(self._spell, value)) + "]"
            case str():
                return json.dumps(value, ensure_ascii=self._maybe(0.3))
            case _:
                return json.dumps(value)


_PROPERTIES: tuple[Callable[[Speller], dict[str, Any]], ...] = (
    lambda of: {"type": "string", "format": of._one_of("email", "_later", ""), "maxLength": 9},
    lambda of: {"type": "string", "enum": ["a", "b", "a b"], "default": "b"},
    lambda of: {"type": "string", "oneOf": [{"title": "A", "const": "a", "_x": of._number()}]},
    lambda of: {"type": "number", "maximum": _Number("1.50"), "default": _Number("1E0")},
    lambda of: {"type": "integer", "minimum": -5, "default": 2},
    lambda of: {"type": "boolean", "default": True},
    lambda of: {"type": "array", "items": {"type": "string", "enum": ["a"], "_x": of._number()}},
    lambda of: {"type": "array", "items": {"type": "_colour", "n": of._number()}},
    lambda of: {"type": "_map", "zoom": of._number()},
)


@functools.cache
def questions_and_answers(count: int) -> tuple[list[bytes], list[bytes]]:
    """Return so many lines of each, always the same."""
    speller = Speller(6)
    return [speller.question() for _ in range(count)], [speller.answer() for _ in range(count)]


def read_in_order(text: bytes | str) -> Any:
    """Return what JSON says, to be compared: objects as lists of pairs, in the order of members.

    A number is as large and as exact as Python has it.
    """
    return json.loads(text, object_pairs_hook=_Pairs)


class _Pairs(list[Any]):
    """An object; no array is equal to it."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Pairs) and super().__eq__(other)

    __hash__ = None

"""Patterns that an agent supplied, evaluated within limits (FORM-9).

Owns: the limits, the engine of each thread, and the three outcomes of a test. A pattern is
ECMA-262, unanchored, read as JSON Schema says: with the `u` flag, and without it when it is not
valid so (`\\-` and other needless escapes are common in the wild).
Knows nothing of: schemas, problems and their wording; what becomes of a pattern that is too costly.
Above it: `check`. Below it: `pattern_loops`, and the engine, quickjs-ng.

An engine belongs to the thread that made it. It is thrown away when it hit a limit. Patterns and
texts reach it as arguments, never as code. Its clock is the CPU time of the process: while other
threads are busy a pattern gets less time, never more.
"""

import enum
import importlib
import json
from collections import OrderedDict
from collections.abc import Callable
from functools import cache, lru_cache
from threading import local
from typing import Any, Literal, Protocol

from acp_elicitation.forms.pattern_loops import guard
from acp_elicitation.protocol.errors import PeerError

__all__ = [
    "MAX_PATTERN",
    "MAX_TEXT",
    "MEMORY_LIMIT",
    "TIME_LIMIT",
    "BadPattern",
    "Match",
    "Pattern",
    "compile_pattern",
]

MAX_PATTERN = 1_000
"""The longest pattern, in code points."""
MAX_TEXT = 65_536
"""The longest text that is tested, in code points."""
TIME_LIMIT = 0.02
"""CPU time for one call of the engine, in seconds. It looks at the clock every few milliseconds."""
MEMORY_LIMIT = 16 * 1024 * 1024
"""All that one thread's engine may allocate, in bytes."""

_STACK_LIMIT = 64 * 1024  # bytes: 200 groups in each other, on a thread of 96 KiB too
_COMPILED_LIMIT = 4 * 1024 * 1024  # bytes that an engine keeps between calls
_COMPILED_COUNT = 64
_SHORT = 64  # characters, of a pattern
_REFERENCE_BUDGET = 4_000  # characters; the engine looks at its clock every 10,000 steps

# In: a pattern, and whether it comes as JSON (for lone surrogates, which UTF-8 cannot carry). Out:
# the test. An arrow function leaves no reference cycle, so that what is dropped is freed at once.
_COMPILE = """(source, asJson, flags) => {
    const regexp = new RegExp(asJson ? JSON.parse(source) : source, flags);
    return (text, asJson) => regexp.test(asJson ? JSON.parse(text) : text);
}"""


class Match(enum.Enum):
    """What came of a test. `TOO_COSTLY` says nothing about whether the text matches."""

    YES = "yes"
    NO = "no"
    TOO_COSTLY = "too-costly"


_Reason = Literal["too-long", "invalid", "too-costly"]
_ADVICE: dict[_Reason, str] = {
    "too-long": f"is longer than {MAX_PATTERN} characters; shorten it",
    "invalid": "is not a valid ECMA-262 regular expression; correct it",
    "too-costly": "takes too much memory or too deep a stack to compile; simplify it",
}


class BadPattern(PeerError):
    """A pattern that the other side sent and that will not be evaluated (FORM-9)."""

    def __init__(self, reason: _Reason) -> None:
        self.reason: _Reason = reason
        super().__init__(f"the pattern {_ADVICE[reason]}")


class _Context(Protocol):
    """The part of the engine's `Context` that is used here."""

    def set_time_limit(self, limit: float, /) -> None: ...
    def set_memory_limit(self, limit: int, /) -> None: ...
    def set_max_stack_size(self, limit: int, /) -> None: ...
    def eval(self, code: str, /) -> Any: ...
    def memory(self) -> dict[str, int]: ...


_Test = Callable[[str, bool], bool]


@cache
def _engine_module() -> Any:
    # Not `quickjs`, the Python half of the same distribution: importing that starts a thread.
    return importlib.import_module("_quickjs")


class _Engine:
    """One thread's engine, and the patterns that it has compiled."""

    def __init__(self) -> None:
        module = _engine_module()
        self.failure: type[Exception] = module.JSException
        self._context: _Context = module.Context()
        self._context.set_memory_limit(MEMORY_LIMIT)
        self._context.set_max_stack_size(_STACK_LIMIT)
        self._context.set_time_limit(TIME_LIMIT)
        self._compile: Callable[[str, bool, str], _Test] = self._context.eval(_COMPILE)
        self._tests: OrderedDict[tuple[str, str], _Test] = OrderedDict()

    def test_of(self, source: str, flags: str) -> _Test:
        """Give the compiled pattern. Raises `failure`."""
        key = (source, flags)
        test = self._tests.get(key)
        if test is None:
            test = self._compile(*_as_argument(source), flags)
            # 64 short patterns cannot exceed the limit, and asking takes longer than compiling one.
            if len(source) > _SHORT and self._context.memory()["malloc_size"] > _COMPILED_LIMIT:
                self._tests.clear()
            elif len(self._tests) == _COMPILED_COUNT:
                self._tests.popitem(last=False)
            self._tests[key] = test
        else:
            self._tests.move_to_end(key)
        return test


class _Thread(local):
    """What belongs to the current thread."""

    engine: _Engine | None = None


_thread = _Thread()


def _own_engine() -> _Engine:
    engine = _thread.engine
    if engine is None:
        engine = _thread.engine = _Engine()
    return engine


class Pattern:
    """A pattern ready to test texts. Immutable; any thread may use it."""

    __slots__ = ("_flags", "_guarded", "_longest", "source")

    def __init__(self, source: str, *, guarded: str, flags: str, longest: int) -> None:
        self.source = source
        self._guarded = guarded
        self._flags = flags
        self._longest = longest

    def test(self, text: str) -> Match:
        """Say whether the pattern matches anywhere in `text`, or that this is too costly to find.

        Takes at most about `TIME_LIMIT` and `MEMORY_LIMIT`, and raises nothing (FORM-9). Texts over
        `MAX_TEXT` code points are too costly unseen; with a back-reference, texts over 4,000.
        """
        if len(text) > self._longest:
            return Match.TOO_COSTLY
        engine = _own_engine()
        try:
            test = engine.test_of(self._guarded, self._flags)
            return Match.YES if test(*_as_argument(text)) else Match.NO
        except engine.failure:
            _thread.engine = None  # what a limit cut short is not used again
            return Match.TOO_COSTLY

    def __repr__(self) -> str:
        return f"Pattern({self.source!r})"


def compile_pattern(source: str) -> Pattern:
    """Prepare an agent's pattern for testing, or raise `BadPattern` with the reason (FORM-9)."""
    if len(source) > MAX_PATTERN:
        raise BadPattern("too-long")
    return _compiled(source)


@lru_cache(maxsize=256)
def _compiled(source: str) -> Pattern:
    flags = "u" if _is_valid(source, "u") else ""
    if not flags and not _is_valid(source, flags):
        raise BadPattern("invalid")
    guarded = guard(source, unicode=bool(flags))
    _is_valid(guarded.source, flags)  # raises when what was added is too much for the engine
    cost = guarded.reference_cost
    longest = _REFERENCE_BUDGET // cost if cost else MAX_TEXT
    return Pattern(source, guarded=guarded.source, flags=flags, longest=longest)


def _is_valid(source: str, flags: str) -> bool:
    engine = _own_engine()
    try:
        engine.test_of(source, flags)
    except engine.failure as problem:
        if _says_limit(str(problem)):
            _thread.engine = None
            raise BadPattern("too-costly") from None
        return False
    return True


def _says_limit(message: str) -> bool:
    """Tell a limit from a syntax error: the engine raises the one class for both."""
    return not message.startswith("SyntaxError") or any(
        limit in message for limit in ("memory", "stack overflow", "too many")
    )


def _as_argument(text: str) -> tuple[str, bool]:
    """Give `text` as the engine's (text, is it JSON)."""
    if text.isascii():
        return text, False
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(text), True
    return text, False

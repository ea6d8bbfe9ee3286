"""Whether content fits a form: the one place that decides it, for both sides (FORM-2, FORM-3).

Owns: the meaning of every keyword of the restricted schema, as JSON Schema 2020-12 gives it.
Knows nothing of: text that a user types (see `draft`), wording, and who asks.
Above it: `draft`, the agent side, the client side. Below it: `formats`, `patterns`,
`protocol.schema`.

Where JSON Schema and Python differ, JSON Schema wins: 3.0 is an integer, `True` is no number,
lengths count code points. NaN and the infinities are no JSON, so they are no numbers. A list may
repeat a choice: the restricted schema has no `uniqueItems`. Stricter than JSON Schema are two
things only: a key that the form does not declare is a problem, and the four formats of `formats`
are asserted.

A schema is mostly seen once, so compiling does as little as possible, and a pattern is compiled at
its first use.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeAlias, assert_never

from acp_elicitation.forms.formats import FORMATS
from acp_elicitation.forms.problem import Code, Problem
from acp_elicitation.protocol.schema import (
    BooleanProperty,
    FormSchema,
    IntegerProperty,
    MultiSelectProperty,
    NumberProperty,
    Option,
    Property,
    SelectProperty,
    StringProperty,
    UnknownProperty,
)

__all__ = [
    "Check",
    "Problem",
    "check",
    "clean",
    "compile_check",
    "find_bad_pattern",
    "unanswerable",
]

Content: TypeAlias = Mapping[str, Any]
_Finding: TypeAlias = tuple[Code, dict[str, Any]]
_Test: TypeAlias = Callable[[Any], Iterable[_Finding]]

_FINE: tuple[_Finding, ...] = ()


class Check:
    """A form, ready to judge content. Call it with the content; it can be used any number of
    times.
    """

    __slots__ = ("_required", "_schema", "_tests")

    def __init__(self, schema: FormSchema) -> None:
        self._schema = schema
        self._required = frozenset(schema.required)
        self._tests = {name: _compile(member) for name, member in schema.properties.items()}

    def __call__(self, content: Content | None) -> list[Problem]:
        """Return every problem of `content`, in the order of the form; none means that it fits.

        None counts as the empty object (RES-2). Any value at all may stand in `content`.
        """
        if content is None:
            content = {}
        problems: list[Problem] = []
        for name, test in self._tests.items():
            if name in content:
                for code, params in test(content[name]):
                    problems.append(Problem(name, code, params))
            elif name in self._required:
                problems.append(Problem(name, "required"))
        for name in self._schema.required:
            if name not in self._tests and name not in content:
                problems.append(Problem(name, "required"))
        for name in content:
            if name not in self._tests:
                problems.append(Problem(str(name), "undeclared"))
        return problems

    def of(self, name: str, value: object) -> list[Problem]:
        """Return the problems of `value` as the value of the declared property `name`."""
        return [Problem(name, code, params) for code, params in self._tests[name](value)]

    @property
    def has_patterns(self) -> bool:
        """Whether a pattern may be evaluated, which can take a moment: not on an event loop
        (FORM-9).
        """
        return next(_patterns(self._schema), None) is not None


def compile_check(schema: FormSchema) -> Check:
    """Return the check of `schema`. A bad pattern does not raise: it is a problem of the value."""
    return Check(schema)


def check(schema: FormSchema, content: Content | None) -> list[Problem]:
    """Return the problems of `content` under `schema`; none means that it fits (FORM-2, FORM-3)."""
    return Check(schema)(content)


def clean(schema: FormSchema, content: Content | None) -> dict[str, Any]:
    """Return `content` without the keys that `schema` does not declare, in the form's order
    (FWD-8).
    """
    if content is None:
        return {}
    return {name: content[name] for name in schema.properties if name in content}


def find_bad_pattern(schema: FormSchema) -> tuple[str, str] | None:
    """Return the first property whose pattern cannot be used, and why; None when all are fine
    (FORM-9).

    A client answers -32602 to such a form before anyone sees it; an agent does not send it.
    """
    from acp_elicitation.forms.patterns import BadPattern, compile_pattern

    for name, source in _patterns(schema):
        try:
            compile_pattern(source)
        except BadPattern as error:
            return name, error.reason
    return None


def unanswerable(schema: FormSchema) -> list[Problem]:
    """Return what no input can mend: then the form can only be declined or cancelled.

    These are required questions of an unknown kind (FWD-2, FWD-3), required names that the form
    does not declare, and required questions whose own limits leave no answer.
    """
    problems: list[Problem] = []
    for name in schema.required:
        member = schema.properties.get(name)
        if member is None:
            problems.append(Problem(name, "required"))
        elif isinstance(member, UnknownProperty):
            problems.append(
                Problem(name, "unknown-kind", {"type": member.items_type or member.type})
            )
        elif _is_impossible(member):
            problems.append(Problem(name, "impossible"))
    return problems


def _is_impossible(member: Property) -> bool:
    match member:
        case SelectProperty(options=()):
            return True
        case StringProperty(min_length=low, max_length=high):
            return _crossed(low, high)
        case IntegerProperty(minimum=low, maximum=high) | NumberProperty(minimum=low, maximum=high):
            return _crossed(low, high)
        case MultiSelectProperty(options=options, min_items=low, max_items=high):
            return _crossed(low, high) or _crossed(low, len(options))
        case _:
            return False


def _crossed(low: float | None, high: float | None) -> bool:
    return low is not None and high is not None and low > high


def _patterns(schema: FormSchema) -> Iterator[tuple[str, str]]:
    for name, member in schema.properties.items():
        if isinstance(member, StringProperty) and member.pattern is not None:
            yield name, member.pattern


def _compile(member: Property) -> _Test:
    match member:
        case SelectProperty():
            return _text_test(member, member.options)
        case StringProperty():
            return _text_test(member, None)
        case IntegerProperty():
            return _integer_test(member)
        case NumberProperty():
            return _number_test(member)
        case BooleanProperty():
            return _test_boolean
        case MultiSelectProperty():
            return _list_test(member)
        case UnknownProperty():
            return _test_unknown
        case _:
            assert_never(member)


def _text_test(member: StringProperty, options: tuple[Option, ...] | None) -> _Test:
    expected = "text" if options is None else "choice"
    values = None if options is None else frozenset(option.value for option in options)
    low, high = member.min_length, member.max_length
    matches = None if member.pattern is None else _pattern_test(member.pattern)
    fits = None if member.format is None else FORMATS.get(member.format)  # FWD-4

    def test(value: object) -> Iterable[_Finding]:
        if not isinstance(value, str):
            return (("type", {"expected": expected}),)
        if values is not None and value not in values:
            return (("not-a-choice", {}),)
        found: list[_Finding] = []
        if low is not None and len(value) < low:
            found.append(("too-short", {"min_length": low}))
        if high is not None and len(value) > high:
            found.append(("too-long", {"max_length": high}))
        if matches is not None:
            found.extend(matches(value))
        if fits is not None and not fits(value):
            found.append(("format", {"format": member.format}))
        return found

    return test


def _pattern_test(source: str) -> Callable[[str], Iterable[_Finding]]:
    compiled: list[Any] = []

    def test(text: str) -> Iterable[_Finding]:
        from acp_elicitation.forms.patterns import BadPattern, Match, compile_pattern

        try:
            if not compiled:
                compiled.append(compile_pattern(source))
        except BadPattern as error:
            return (("pattern", {"pattern": source, "bad_pattern": error.reason}),)
        match compiled[0].test(text):
            case Match.YES:
                return _FINE
            case Match.NO:
                return (("pattern", {"pattern": source}),)
            case _:  # FORM-9: no verdict within the limits is no match
                return (("pattern", {"pattern": source, "too_costly": True}),)

    return test


def _integer_test(member: IntegerProperty) -> _Test:
    low, high = member.minimum, member.maximum

    def test(value: object) -> Iterable[_Finding]:
        if type(value) is not int and not _is_integer(value):
            return (("type", {"expected": "integer"}),)
        return _within(value, low, high)

    return test


def _number_test(member: NumberProperty) -> _Test:
    low, high = member.minimum, member.maximum

    def test(value: object) -> Iterable[_Finding]:
        if not _is_number(value):
            return (("type", {"expected": "number"}),)
        return _within(value, low, high)

    return test


def _is_integer(value: object) -> bool:
    if isinstance(value, float):
        return value.is_integer()  # not so for NaN and the infinities
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: object) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)
    return isinstance(value, int) and not isinstance(value, bool)


def _within(value: Any, low: float | None, high: float | None) -> Iterable[_Finding]:
    if low is not None and value < low:
        return (("too-small", {"minimum": low}),)
    if high is not None and value > high:
        return (("too-big", {"maximum": high}),)
    return _FINE


def _test_boolean(value: object) -> Iterable[_Finding]:
    return _FINE if isinstance(value, bool) else (("type", {"expected": "boolean"}),)


def _list_test(member: MultiSelectProperty) -> _Test:
    values = frozenset(option.value for option in member.options)
    low, high = member.min_items, member.max_items

    def test(value: object) -> Iterable[_Finding]:
        if not isinstance(value, list | tuple) or not all(isinstance(item, str) for item in value):
            return (("type", {"expected": "choices"}),)
        found: list[_Finding] = []
        if not values.issuperset(value):
            found.append(("not-a-choice", {}))
        if low is not None and len(value) < low:
            found.append(("too-few", {"min_items": low}))
        if high is not None and len(value) > high:
            found.append(("too-many", {"max_items": high}))
        return found

    return test


def _test_unknown(value: object) -> Iterable[_Finding]:
    return _FINE  # FWD-2: whoever asks for a kind that we do not know judges it

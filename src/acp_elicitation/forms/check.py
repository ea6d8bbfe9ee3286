"""Whether content fits a form: the one place that decides it, for both sides (FORM-2, FORM-3).

Owns: the meaning of every keyword of the restricted schema, as JSON Schema 2020-12 gives it.
Knows nothing of: text that a user types (see `draft`), wording, and who asks.
Above it: `draft`, the agent side, the client side. Below it: `formats`, `parse`, `patterns`,
`protocol.schema`.

Where JSON Schema and Python differ, JSON Schema wins: 3.0 is an integer, `True` is no number,
lengths count code points. NaN and the infinities are no JSON, so they are no numbers. A list may
repeat a choice: the restricted schema has no `uniqueItems`. Stricter than JSON Schema are three
things only: a key that the form does not declare is a problem, an integer has to fit into 64 bits,
as it has to in ACP, and the four formats of `formats` are asserted.

A schema is mostly seen once, and then a table of functions, one per type of property, is four times
as fast as closures made for each property: so nothing is compiled here but patterns. Who asks with
the same form again keeps its `Check`, which remembers what it found out about the form.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Any, TypeAlias, TypeGuard, assert_never

from acp_elicitation.forms.formats import FORMATS, is_no_day
from acp_elicitation.forms.parse import INT64_MAX, INT64_MIN
from acp_elicitation.forms.problem import Code, Problem
from acp_elicitation.protocol.schema import (
    BooleanProperty,
    FormSchema,
    IntegerProperty,
    MultiSelectProperty,
    NumberProperty,
    Property,
    SelectProperty,
    StringProperty,
    UnknownProperty,
)

__all__ = [
    "Check",
    "check",
    "clean",
    "compile_check",
    "find_bad_pattern",
    "unanswerable",
]

_Content: TypeAlias = Mapping[str, Any]
_Findings: TypeAlias = tuple[tuple[Code, dict[str, Any]], ...]

_FINE: _Findings = ()


class Check:
    """A form, ready to judge content; call it with the content, any number of times."""

    def __init__(self, schema: FormSchema) -> None:
        self.schema = schema
        self._required = frozenset(schema.required)

    def __call__(self, content: _Content | None) -> list[Problem]:
        """Return every problem of `content`, in the order of the form; none means that it fits.

        None counts as the empty object (RES-2). Any value at all may stand in `content`.
        """
        if content is None:
            content = {}
        members = self.schema.properties
        problems: list[Problem] = []
        for name, member in members.items():
            if name in content:
                for code, params in _TESTS[type(member)](member, content[name]):
                    problems.append(Problem(name, code, params))
            elif name in self._required:
                problems.append(Problem(name, "required"))
        if not members.keys() >= self._required:
            for name in self.schema.required:
                if name not in members and name not in content:
                    problems.append(Problem(name, "required"))
        if not members.keys() >= content.keys():
            for name in content:
                if name not in members:
                    problems.append(Problem(str(name), "undeclared"))
        return problems

    def of(self, name: str, value: object) -> list[Problem]:
        """Return the problems of `value` as the value of the declared property `name`."""
        member = self.schema.properties[name]
        found = _TESTS[type(member)](member, value)
        return [Problem(name, code, params) for code, params in found]

    @cached_property
    def has_patterns(self) -> bool:
        """Whether a pattern may be evaluated (FORM-9): too slow for an event loop, then."""
        return next(_patterns(self.schema), None) is not None

    @cached_property
    def unanswerable(self) -> tuple[Problem, ...]:
        """What no input can mend, see `unanswerable`."""
        return tuple(unanswerable(self.schema))


def compile_check(schema: FormSchema) -> Check:
    """Return the check of `schema`, to use any number of times.

    A bad pattern does not raise: it is a problem of every value, see `find_bad_pattern`.
    """
    return Check(schema)


def check(schema: FormSchema, content: _Content | None) -> list[Problem]:
    """Return the problems of `content` under `schema`; none means that it fits (FORM-2, FORM-3)."""
    return Check(schema)(content)


def clean(schema: FormSchema, content: _Content | None) -> dict[str, Any]:
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


# --- one function per type of property ------------------------------------------------------------


def _test_text(member: StringProperty, value: object) -> _Findings:
    if not isinstance(value, str):
        return (("type", {"expected": "text"}),)
    return _limits_of_text(member, value)


def _test_select(member: SelectProperty, value: object) -> _Findings:
    if not isinstance(value, str):
        return (("type", {"expected": "choice"}),)
    for option in member.options:
        if option.value == value:
            return _limits_of_text(member, value)
    return (("not-a-choice", {}),)


def _limits_of_text(member: StringProperty, value: str) -> _Findings:
    found = _FINE
    if member.min_length is not None and len(value) < member.min_length:
        found += (("too-short", {"min_length": member.min_length}),)
    if member.max_length is not None and len(value) > member.max_length:
        found += (("too-long", {"max_length": member.max_length}),)
    if member.pattern is not None:
        found += _test_pattern(member.pattern, value)
    if member.format is not None and not FORMATS.get(member.format, _annotation)(value):
        found += (("format", _unfit(member.format, value)),)
    return found


def _unfit(name: str, value: str) -> dict[str, Any]:
    return {"format": name, **({"why": "no-such-day"} if is_no_day(name, value) else {})}


def _annotation(_: str) -> bool:
    return True  # FWD-4


def _test_pattern(source: str, text: str) -> _Findings:
    from acp_elicitation.forms.patterns import BadPattern, Match, compile_pattern

    try:
        match = compile_pattern(source).test(text)
    except BadPattern as error:
        return (("pattern", {"pattern": source, "bad_pattern": error.reason}),)
    match match:
        case Match.YES:
            return _FINE
        case Match.NO:
            return (("pattern", {"pattern": source}),)
        case Match.TOO_COSTLY:  # FORM-9: no verdict within the limits is no match
            return (("pattern", {"pattern": source, "too_costly": True}),)
        case _ as never:
            assert_never(never)


def _test_integer(member: IntegerProperty, value: object) -> _Findings:
    if not _is_number(value) or (isinstance(value, float) and not value.is_integer()):
        return (("type", {"expected": "integer"}),)
    return _limits_of_number(member, value) or _limits_of_int64(value)


def _test_number(member: NumberProperty, value: object) -> _Findings:
    if not _is_number(value):
        return (("type", {"expected": "number"}),)
    return _limits_of_number(member, value)


def _is_number(value: object) -> TypeGuard[int | float]:
    if isinstance(value, float):
        return math.isfinite(value)
    return isinstance(value, int) and not isinstance(value, bool)


def _limits_of_number(member: IntegerProperty | NumberProperty, value: float) -> _Findings:
    if member.minimum is not None and value < member.minimum:
        return (("too-small", {"minimum": member.minimum}),)
    if member.maximum is not None and value > member.maximum:
        return (("too-big", {"maximum": member.maximum}),)
    return _FINE


def _limits_of_int64(value: float) -> _Findings:
    if value > INT64_MAX:
        return (("too-big", {"maximum": INT64_MAX}),)
    return (("too-small", {"minimum": INT64_MIN}),) if value < INT64_MIN else _FINE


def _test_boolean(_: BooleanProperty, value: object) -> _Findings:
    return _FINE if isinstance(value, bool) else (("type", {"expected": "boolean"}),)


def _test_multi_select(member: MultiSelectProperty, value: object) -> _Findings:
    if not isinstance(value, (list, tuple)) or not all(isinstance(item, str) for item in value):
        return (("type", {"expected": "choices"}),)
    found = _FINE
    if not {option.value for option in member.options}.issuperset(value):
        found += (("not-a-choice", {}),)
    if member.min_items is not None and len(value) < member.min_items:
        found += (("too-few", {"min_items": member.min_items}),)
    if member.max_items is not None and len(value) > member.max_items:
        found += (("too-many", {"max_items": member.max_items}),)
    return found


def _test_unknown(_: UnknownProperty, value: object) -> _Findings:
    return _FINE  # FWD-2: whoever asks for a kind that is unknown here judges the value


_TESTS: Mapping[type, Callable[[Any, object], _Findings]] = MappingProxyType(
    {
        StringProperty: _test_text,
        SelectProperty: _test_select,
        IntegerProperty: _test_integer,
        NumberProperty: _test_number,
        BooleanProperty: _test_boolean,
        MultiSelectProperty: _test_multi_select,
        UnknownProperty: _test_unknown,
    }
)

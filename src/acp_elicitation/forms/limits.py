"""The limits of a value, gathered from every way that Python has to write them in a type.

Owns: which metadata of `Annotated` and of pydantic's fields is a limit, how several of them
combine, what of it the wire can say, and the check on receipt of the rest (FORM-1, FORM-3).
Knows nothing of: the type that is limited, and properties.
Above it: `kinds`, `hints`. Below it: nothing of this package but the error tree.

The classes of annotated-types, pydantic and msgspec are told by their names, so that none of them
is imported here.
"""

import math
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeAlias, cast

import msgspec

from acp_elicitation.protocol.errors import UnsupportedType

__all__ = ["Limits", "Test", "flat", "gather", "is_from", "receipt_tests", "wire_pattern"]

Test: TypeAlias = tuple[Callable[[Any], bool], str]
"""Whether a value passes, and what it must be: `must be greater than 0`."""

_INT64 = 2**63


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """What a value may be. Lengths count code points or items."""

    ge: Any = None
    gt: Any = None
    le: Any = None
    lt: Any = None
    multiple_of: tuple[Any, ...] = ()
    min_length: int | None = None
    max_length: int | None = None
    pattern: str | None = None
    max_digits: int | None = None
    decimal_places: int | None = None
    predicates: tuple[Test, ...] = ()

    def integer_bounds(self) -> tuple[int | None, int | None]:
        """Return the tightest inclusive bounds for whole numbers, within what the wire carries."""
        low = _highest(_whole(self.ge, math.ceil), _whole(self.gt, lambda v: math.floor(v) + 1))
        high = _lowest(_whole(self.le, math.floor), _whole(self.lt, lambda v: math.ceil(v) - 1))
        return low, high

    def number_bounds(self) -> tuple[float | None, float | None]:
        """Return the inclusive bounds nearest to these; exclusive ones are wider by one value."""
        low = _highest(_finite(self.ge), _finite(self.gt))
        high = _lowest(_finite(self.le), _finite(self.lt))
        return low, high


def _whole(bound: Any, to_whole: Callable[[Any], int]) -> int | None:
    if bound is None or not math.isfinite(bound):
        return None
    return max(-_INT64, min(to_whole(bound), _INT64 - 1))


def _finite(bound: Any) -> float | None:
    if bound is None or not math.isfinite(bound):
        return None
    return bound if isinstance(bound, int | float) else float(bound)


def _highest(one: Any, other: Any) -> Any:
    return other if one is None else one if other is None else max(one, other)


def _lowest(one: Any, other: Any) -> Any:
    return other if one is None else one if other is None else min(one, other)


_MERGE: dict[str, Callable[[Any, Any], Any]] = {
    "ge": _highest,
    "gt": _highest,
    "le": _lowest,
    "lt": _lowest,
    "min_length": _highest,
    "max_length": _lowest,
    "max_digits": _lowest,
    "decimal_places": _lowest,
}

_LIBRARIES = ("annotated_types", "pydantic", "msgspec")


def is_from(item: object, *libraries: str) -> bool:
    """Return whether the class of `item` is defined in one of these packages."""
    return type(item).__module__.partition(".")[0] in libraries


def flat(metadata: Iterable[object]) -> Iterator[Any]:
    """Yield the metadata of these libraries, with what stands inside of it."""
    for item in metadata:
        if getattr(item, "__is_annotated_types_grouped_metadata__", False):
            yield from flat(cast("Iterable[object]", item))
        if is_from(item, *_LIBRARIES):
            yield item
            # A `Field(...)` inside `Annotated` keeps its limits in a list of its own.
            nested = getattr(item, "metadata", None)
            if isinstance(nested, list):
                yield from flat(nested)


def gather(metadata: Iterable[object], *, where: str) -> Limits:
    """Return the limits among `metadata`, the tightest of each kind.

    Raises:
        UnsupportedType: there are two patterns, or one that the wire cannot say.
    """
    found: dict[str, Any] = {}
    for item in flat(metadata):
        for name, merge in _MERGE.items():
            value = getattr(item, name, None)
            if value is not None:
                found[name] = merge(found.get(name), value)
        step = getattr(item, "multiple_of", None)
        if step is not None:
            found["multiple_of"] = (*found.get("multiple_of", ()), step)
        pattern = getattr(item, "pattern", None)
        if pattern is not None and found.setdefault("pattern", pattern) != pattern:
            raise UnsupportedType(
                where=where, reason="it has two patterns", instead="write one pattern for both"
            )
        if type(item).__name__ == "Predicate":
            found["predicates"] = (*found.get("predicates", ()), _predicate(item.func))
    if "pattern" in found:
        found["pattern"] = wire_pattern(found["pattern"], where)
    return Limits(**found)


def _predicate(test: Callable[[Any], Any]) -> Test:
    name = getattr(test, "__name__", "its predicate")
    return lambda value: bool(test(value)), f"must satisfy {name}"


# What Python writes differently from ECMA-262, which is what `pattern` is (FORM-9).
_RESPELLED = {r"\A": "^", r"\Z": "$", r"\z": "$", "(?P<": "(?<"}
_TOKEN = re.compile(r"\\.|\(\?P=(\w+)\)|\(\?P<|(\(\?[a-zA-Z-]+[:)])", re.DOTALL)


def wire_pattern(pattern: Any, where: str) -> str:
    """Return `pattern` as ECMA-262 spells it, or raise `UnsupportedType`."""
    from acp_elicitation.forms.patterns import BadPattern, compile_pattern

    source = pattern.pattern if isinstance(pattern, re.Pattern) else pattern
    flagged = isinstance(pattern, re.Pattern) and pattern.flags & ~re.UNICODE
    if flagged or any(token[2] for token in _TOKEN.finditer(source)):
        raise UnsupportedType(
            where=where,
            reason="its pattern has flags, and on the wire a pattern has none",
            instead="write it without flags, such as [Aa] for a letter in either case",
        )
    respelled = _TOKEN.sub(_respell, source)
    try:
        compile_pattern(respelled)
    except BadPattern as error:
        raise UnsupportedType(
            where=where,
            reason=f"its pattern is no usable ECMA-262 regular expression ({error.reason})",
            instead="write it so that JavaScript would take it, or check the text in a validator",
        ) from None
    return respelled


def _respell(token: re.Match[str]) -> str:
    return rf"\k<{token[1]}>" if token[1] else _RESPELLED.get(token[0], token[0])


def receipt_tests(limits: Limits) -> list[Test]:
    """Return what the wire cannot check: exclusive bounds, bounds of dates, steps, predicates."""
    tests: list[Test] = []
    bounds: tuple[tuple[Any, Callable[[Any, Any], bool], str], ...] = (
        (limits.ge, lambda value, bound: value >= bound, "at least"),
        (limits.gt, lambda value, bound: value > bound, "greater than"),
        (limits.le, lambda value, bound: value <= bound, "at most"),
        (limits.lt, lambda value, bound: value < bound, "less than"),
    )
    for bound, compare, words in bounds:
        if bound is not None:
            tests.append((_comparison(compare, bound), f"must be {words} {bound}"))
    for step in limits.multiple_of:
        tests.append((_is_multiple(step), f"must be a multiple of {step}"))
    for most, count, words in (
        (limits.max_digits, _digits, "digits"),
        (limits.decimal_places, _places, "decimal places"),
    ):
        if most is not None:
            tests.append((_count_test(count, most), f"must have at most {most} {words}"))
    return [*tests, *limits.predicates]


def _comparison(compare: Callable[[Any, Any], bool], bound: Any) -> Callable[[Any], bool]:
    return lambda value: compare(value, bound)


def _count_test(count: Callable[[Any], int], most: int) -> Callable[[Any], bool]:
    return lambda value: count(value) <= most


def _places(value: Any) -> int:
    return max(0, -int(value.as_tuple().exponent))


def _digits(value: Any) -> int:
    _, digits, exponent = value.as_tuple()
    return max(len(digits) + max(0, int(exponent)), _places(value))


def _is_multiple(step: Any) -> Callable[[Any], bool]:
    if isinstance(step, int):
        return lambda value: value % step == 0

    def test(value: Any) -> bool:
        # As the two are written, and exactly: 0.3 is a multiple of 0.1, and so is 1e300.
        from fractions import Fraction

        return bool(_exact(value, Fraction) % _exact(step, Fraction) == 0)

    return test


def _exact(number: Any, to_fraction: Callable[[Any], Any]) -> Any:
    return to_fraction(str(number) if isinstance(number, float) else number)

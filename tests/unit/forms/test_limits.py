"""Limits in a type: how several combine, what the wire says of them, what is left for receipt."""

import math
import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import annotated_types as at
import msgspec
import pytest
from pydantic import Field, StringConstraints

from acp_elicitation.forms.limits import Limits, flat, gather, is_from, receipt_tests
from acp_elicitation.protocol.errors import UnsupportedType


def limits(*metadata: object) -> Limits:
    return gather(metadata, where="Model.field")


def reasons(found: Limits, value: object) -> list[str]:
    return [reason for test, reason in receipt_tests(found) if not test(value)]


@pytest.mark.parametrize(
    "metadata",
    [
        (at.Ge(1), at.Lt(9), at.MultipleOf(2)),
        (at.Interval(ge=1, lt=9), at.MultipleOf(2)),
        (Field(ge=1, lt=9, multiple_of=2),),
        (msgspec.Meta(ge=1, lt=9, multiple_of=2),),
    ],
    ids=["annotated-types", "grouped", "pydantic", "msgspec"],
)
def test_every_library_writes_the_same_limits(metadata: tuple[object, ...]) -> None:
    assert limits(*metadata) == Limits(ge=1, lt=9, multiple_of=(2,))


@pytest.mark.parametrize(
    "metadata",
    [
        (at.MinLen(1), at.MaxLen(5)),
        (at.Len(1, 5),),
        (Field(min_length=1, max_length=5),),
        (StringConstraints(min_length=1, max_length=5),),
        (msgspec.Meta(min_length=1, max_length=5),),
    ],
)
def test_a_length_has_two_ends(metadata: tuple[object, ...]) -> None:
    found = limits(*metadata)
    assert (found.min_length, found.max_length) == (1, 5)


def test_of_several_limits_the_tightest_counts() -> None:
    found = limits(
        at.Ge(1), at.Ge(3), at.Ge(2), at.Le(9), at.Le(8), at.MinLen(2), at.MinLen(1), at.MaxLen(4),
        at.MaxLen(6), at.MultipleOf(2), at.MultipleOf(3),
    )  # fmt: skip
    assert (found.ge, found.le, found.min_length, found.max_length) == (3, 8, 2, 4)
    assert found.multiple_of == (2, 3)


def test_metadata_of_anyone_else_is_no_limit() -> None:
    class Ge:
        ge = 3

    assert limits(Ge(), "a text", re.compile("a pattern")) == Limits()
    assert list(flat([Ge()])) == []


def test_a_class_belongs_to_the_package_that_defines_it() -> None:
    class Mine(msgspec.Struct):
        ge: int = 3

    assert is_from(at.Ge(3), "pydantic", "annotated_types")
    assert not is_from(at.Ge(3), "pydantic", "msgspec")
    assert limits(Mine()) == Limits()


def test_a_group_of_limits_may_be_anyones() -> None:
    class Port(at.GroupedMetadata):
        def __iter__(self) -> Iterator[object]:
            yield at.Ge(1)
            yield at.Le(65535)

    assert limits(Port()) == Limits(ge=1, le=65535)


@pytest.mark.requirement("FORM-1")
@pytest.mark.parametrize(
    ("found", "bounds"),
    [
        (Limits(gt=5, lt=10), (6, 9)),
        (Limits(gt=5.5, lt=9.5), (6, 9)),
        (Limits(ge=5.5, le=9.5), (6, 9)),
        (Limits(ge=5, gt=7, le=9, lt=9), (8, 8)),
        (Limits(gt=Decimal("1.5"), lt=Decimal("2.5")), (2, 2)),
        (Limits(ge=-math.inf, lt=math.inf), (None, None)),
        (Limits(ge=-(10**30), le=10**30), (-(2**63), 2**63 - 1)),
        (Limits(), (None, None)),
    ],
)
def test_whole_numbers_have_the_tightest_inclusive_bounds(
    found: Limits, bounds: tuple[int | None, int | None]
) -> None:
    assert found.integer_bounds() == bounds


@pytest.mark.parametrize(
    ("found", "bounds"),
    [
        (Limits(gt=0, lt=1), (0, 1)),
        (Limits(ge=0.5, gt=0.25, le=2, lt=3), (0.5, 2)),
        (Limits(ge=Decimal("0.1"), le=math.inf), (0.1, None)),
        (Limits(), (None, None)),
    ],
)
def test_numbers_have_inclusive_bounds_that_shut_nothing_out(
    found: Limits, bounds: tuple[float | None, float | None]
) -> None:
    assert repr(found.number_bounds()) == repr(bounds)


@pytest.mark.requirement("FORM-3")
@pytest.mark.parametrize(
    ("metadata", "right", "wrong", "reason"),
    [
        (at.Gt(0), 0.5, 0, "must be greater than 0"),
        (at.Ge(1), 1, 0, "must be at least 1"),
        (at.Lt(1), 0.5, 1, "must be less than 1"),
        (at.Le(1), 1, 2, "must be at most 1"),
        (at.MultipleOf(3), 9, 10, "must be a multiple of 3"),
        (at.MultipleOf(0.1), 0.3, 0.35, "must be a multiple of 0.1"),
        (at.MultipleOf(0.3), 3e300, 1e300, "must be a multiple of 0.3"),
        (at.MultipleOf(1e-300), 1e300, 1.5e-300, "must be a multiple of 1e-300"),
        (at.MultipleOf(0.5), 10**4000, Decimal("0.7"), "must be a multiple of 0.5"),
        (Field(max_digits=3), Decimal("1.23"), Decimal("12.34"), "must have at most 3 digits"),
        (Field(max_digits=3), Decimal("0.01"), Decimal("0.0001"), "must have at most 3 digits"),
        (Field(max_digits=3), Decimal("1E+2"), Decimal("1E+3"), "must have at most 3 digits"),
        (
            Field(decimal_places=1),
            Decimal("10.5"),
            Decimal("1.25"),
            "must have at most 1 decimal places",
        ),
        (
            Field(decimal_places=0),
            Decimal("10"),
            Decimal("1.5"),
            "must have at most 0 decimal places",
        ),
        (at.Predicate(str.islower), "a", "A", "must satisfy islower"),
        (at.Predicate(at.Not(str.islower)), "A", "a", "must satisfy its predicate"),
    ],
)
def test_what_the_wire_cannot_say_is_checked_on_receipt(
    metadata: object, right: object, wrong: object, reason: str
) -> None:
    found = limits(metadata)
    assert reasons(found, right) == []
    assert reasons(found, wrong) == [reason]


@pytest.mark.requirement("FORM-9")
@pytest.mark.parametrize(
    ("written", "sent"),
    [
        (r"\A[a-z]+\Z", "^[a-z]+$"),
        (r"^[a-z]+\z", "^[a-z]+$"),
        ("(?P<q>['\"]).*(?P=q)", "(?<q>['\"]).*\\k<q>"),
        (r"(?:a|b)\\A", r"(?:a|b)\\A"),
        (re.compile("a+"), "a+"),
    ],
)
def test_a_pattern_is_sent_as_ecma_262_spells_it(written: Any, sent: str) -> None:
    assert limits(Field(pattern=written)).pattern == sent


@pytest.mark.parametrize(
    ("metadata", "reason"),
    [
        ([Field(pattern=re.compile("a", re.IGNORECASE))], "its pattern has flags"),
        ([msgspec.Meta(pattern="(?i)a")], "its pattern has flags"),
        ([msgspec.Meta(pattern="(?s-i:a)")], "its pattern has flags"),
        ([msgspec.Meta(pattern="(a)?(?(1)b|c)")], "ECMA-262 regular expression (invalid)"),
        ([msgspec.Meta(pattern="a" * 1001)], "(too-long)"),
        ([msgspec.Meta(pattern="a"), msgspec.Meta(pattern="b")], "it has two patterns"),
    ],
)
def test_a_pattern_that_cannot_be_sent_is_refused_with_its_place(
    metadata: list[object], reason: str
) -> None:
    with pytest.raises(UnsupportedType) as caught:
        limits(*metadata)
    assert caught.value.where == "Model.field"
    assert reason in caught.value.reason


def test_the_same_pattern_twice_is_one_pattern() -> None:
    assert limits(msgspec.Meta(pattern="a"), msgspec.Meta(pattern="a")).pattern == "a"

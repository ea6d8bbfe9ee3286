"""Single values: what is asked, what is read of any JSON value, and what is shown as a default."""

import datetime
import enum
import uuid
from decimal import Decimal
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from acp_elicitation.forms import kinds
from acp_elicitation.forms.kinds import NO_DEFAULT, Refused, Shape
from acp_elicitation.forms.limits import Limits
from acp_elicitation.protocol.schema import (
    BooleanProperty,
    IntegerProperty,
    NumberProperty,
    StringProperty,
)

NONE = Limits()
TEXT = kinds.text(NONE)
INTEGER = kinds.integer(NONE)
NUMBER = kinds.number(NONE)
BOOLEAN = kinds.boolean()
DATE = kinds.date(datetime.date)
MOMENT = kinds.moment(datetime.datetime)
UNIQUE = kinds.unique_id(uuid.UUID)
AMOUNT = kinds.decimal(NONE, Decimal)
LONG_AMOUNT = kinds.decimal(Limits(max_digits=30), Decimal)
PATH = kinds.path(NONE, Path)
UTC = datetime.UTC
ID = "12345678-1234-5678-1234-567812345678"
INFINITY = float("inf")


class Word(enum.StrEnum):
    HELLO = "hello"


class Number(enum.IntEnum):
    TWO = 2


@pytest.mark.parametrize(
    ("shape", "sent", "value"),
    [
        (TEXT, "hello", "hello"),
        (TEXT, Word.HELLO, "hello"),
        (INTEGER, 3, 3),
        (INTEGER, 3.0, 3),
        (INTEGER, 2**60 + 1, 2**60 + 1),
        (NUMBER, 1.5, 1.5),
        (NUMBER, 3, 3.0),
        (BOOLEAN, True, True),
        (BOOLEAN, False, False),
        (DATE, "2026-12-31", datetime.date(2026, 12, 31)),
        (MOMENT, "2026-12-31T18:00:00Z", datetime.datetime(2026, 12, 31, 18, tzinfo=UTC)),
        (UNIQUE, ID, uuid.UUID(ID)),
        (AMOUNT, 0.1, Decimal("0.1")),
        (AMOUNT, 5, Decimal(5)),
        (AMOUNT, 2**60 + 1, Decimal(2**60 + 1)),
        (LONG_AMOUNT, "-0.1234567890123456789", Decimal("-0.1234567890123456789")),
        (PATH, "a/b", Path("a/b")),
        (kinds.path(NONE, PurePosixPath), "a/b", PurePosixPath("a/b")),
    ],
)
def test_what_the_user_sent_is_read_as_the_type(shape: Shape, sent: object, value: object) -> None:
    read = shape.read(sent)
    assert read == value
    assert type(read) is type(value)


def test_an_amount_may_have_more_digits_than_python_writes() -> None:
    assert AMOUNT.read(10**5000) == Decimal(10**5000)


@pytest.mark.requirement("FORM-3")
@pytest.mark.parametrize(
    ("shape", "sent", "code", "params"),
    [
        (TEXT, 1, "type", {"expected": "text"}),
        (TEXT, None, "type", {"expected": "text"}),
        (INTEGER, True, "type", {"expected": "integer"}),
        (INTEGER, "1", "type", {"expected": "integer"}),
        (INTEGER, 1.5, "type", {"expected": "integer"}),
        (INTEGER, INFINITY, "type", {"expected": "integer"}),
        (NUMBER, True, "type", {"expected": "number"}),
        (NUMBER, "1.5", "type", {"expected": "number"}),
        (NUMBER, INFINITY, "type", {"expected": "number"}),
        (NUMBER, 10**400, "type", {"expected": "number"}),
        (BOOLEAN, 1, "type", {"expected": "boolean"}),
        (BOOLEAN, "yes", "type", {"expected": "boolean"}),
        (DATE, 20261231, "type", {"expected": "text"}),
        (DATE, "0000-01-01", "format", {"format": "date"}),
        (DATE, "2026-W01-1", "format", {"format": "date"}),
        (DATE, "\ud800", "format", {"format": "date"}),
        (MOMENT, "2026-12-31T18:00:00", "format", {"format": "date-time"}),
        (MOMENT, "2016-12-31T23:59:60Z", "format", {"format": "date-time"}),
        (UNIQUE, "not one", "format", {"format": "uuid"}),
        (AMOUNT, "0.1", "type", {"expected": "number"}),
        (AMOUNT, True, "type", {"expected": "number"}),
        (LONG_AMOUNT, 0.1, "type", {"expected": "text"}),
        (LONG_AMOUNT, "1.2.3", "pattern", {"pattern": r"^[+-]?[0-9]+(\.[0-9]+)?$"}),
        (LONG_AMOUNT, "1-", "pattern", {"pattern": r"^[+-]?[0-9]+(\.[0-9]+)?$"}),
        (LONG_AMOUNT, "1e5", "pattern", {"pattern": r"^[+-]?[0-9]+(\.[0-9]+)?$"}),
        (LONG_AMOUNT, "١", "pattern", {"pattern": r"^[+-]?[0-9]+(\.[0-9]+)?$"}),
        (PATH, 1, "type", {"expected": "text"}),
    ],
)
def test_what_is_not_of_the_type_is_refused_and_never_converted(
    shape: Shape, sent: object, code: str, params: dict[str, Any]
) -> None:
    with pytest.raises(Refused) as caught:
        shape.read(sent)
    assert (caught.value.code, caught.value.params) == (code, params)


def test_a_refusal_does_not_hang_on_to_an_exception_with_the_value() -> None:
    with pytest.raises(Refused) as caught:
        DATE.read("2026-99-99")
    assert caught.value.__context__ is None


@pytest.mark.requirement("FORM-4")
@pytest.mark.parametrize(
    ("shape", "default", "shown"),
    [
        (TEXT, "hello", "hello"),
        (TEXT, Word.HELLO, "hello"),
        (TEXT, 5, NO_DEFAULT),
        (INTEGER, 5, 5),
        (INTEGER, Number.TWO, 2),
        (INTEGER, True, NO_DEFAULT),
        (INTEGER, 2**63 - 1, 2**63 - 1),
        (INTEGER, 2**63, NO_DEFAULT),
        (INTEGER, -(2**63), -(2**63)),
        (INTEGER, "5", NO_DEFAULT),
        (NUMBER, 1.5, 1.5),
        (NUMBER, 5, 5),
        (NUMBER, False, NO_DEFAULT),
        (NUMBER, INFINITY, NO_DEFAULT),
        (NUMBER, "much", NO_DEFAULT),
        (BOOLEAN, False, False),
        (BOOLEAN, 0, NO_DEFAULT),
        (DATE, datetime.date(2026, 12, 31), "2026-12-31"),
        (DATE, datetime.datetime(2026, 12, 31, 18, tzinfo=UTC), "2026-12-31"),
        (DATE, "2026-12-31", "2026-12-31"),
        (DATE, 5, NO_DEFAULT),
        (MOMENT, datetime.datetime(2026, 12, 31, 18, tzinfo=UTC), "2026-12-31T18:00:00+00:00"),
        (MOMENT, "2026-12-31T18:00:00Z", "2026-12-31T18:00:00Z"),
        (MOMENT, datetime.date(2026, 12, 31), NO_DEFAULT),
        (UNIQUE, uuid.UUID(ID), ID),
        (AMOUNT, Decimal("0.1"), 0.1),
        (LONG_AMOUNT, Decimal("0.12345678901234567890"), "0.12345678901234567890"),
        (PATH, Path("a/b"), "a/b"),
    ],
)
def test_a_default_is_shown_as_the_wire_carries_it(
    shape: Shape, default: object, shown: object
) -> None:
    assert shape.show(default) == shown
    assert type(shape.show(default)) is type(shown)


@pytest.mark.requirement("FORM-1")
@pytest.mark.parametrize(
    ("shape", "asked"),
    [
        (
            kinds.text(Limits(min_length=1, max_length=5, pattern="a"), format="email"),
            StringProperty(min_length=1, max_length=5, pattern="a", format="email"),
        ),
        (kinds.integer(Limits(gt=0, lt=9)), IntegerProperty(minimum=1, maximum=8)),
        (kinds.number(Limits(gt=0, le=1.5)), NumberProperty(minimum=0, maximum=1.5)),
        (BOOLEAN, BooleanProperty()),
        (DATE, StringProperty(format="date")),
        (MOMENT, StringProperty(format="date-time")),
        (
            kinds.decimal(Limits(ge=0, le=9, max_digits=15), Decimal),
            NumberProperty(minimum=0, maximum=9),
        ),
        (kinds.decimal(Limits(max_digits=16), Decimal), LONG_AMOUNT.property),
        (LONG_AMOUNT, StringProperty(pattern=r"^[+-]?[0-9]+(\.[0-9]+)?$")),
        (PATH, StringProperty(min_length=1)),
        (
            kinds.path(Limits(min_length=3, max_length=9, pattern="a"), Path),
            StringProperty(min_length=3, max_length=9, pattern="a"),
        ),
    ],
)
def test_each_kind_asks_within_its_limits(shape: Shape, asked: object) -> None:
    assert shape.property == asked


def test_an_identifier_is_asked_for_by_its_usual_writing() -> None:
    assert UNIQUE.property == StringProperty(
        format="uuid",
        pattern="^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$",
        min_length=36,
        max_length=36,
    )

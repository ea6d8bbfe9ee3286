"""How typed text becomes a value, and a value becomes text: one function per kind of question.

Owns: what a person may type for a number, a yes or no, and a choice; and the reasons for refusing.
Knows nothing of: required and optional, defaults, limits (see `draft`, `check`), and of wording.
Above it: `draft`. Below it: `problem`, `protocol.schema`.

What could mean two numbers is refused with a reason, never guessed: `1,000` is a thousand to one
person and one to another. The reasons, in the parameter `why` of `not-a-number`:

    exponent     1e3          prefix       0x10, 0b1        digits       digits beyond 0-9
    separator    1,000  1_000  1 000       plus             +5
    fraction     1.5 for a whole number    not-finite       nan, inf
    too-long     more than 400 characters  other            anything else
"""

import re
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

import msgspec

from acp_elicitation.forms.problem import Code
from acp_elicitation.protocol.schema import Option

__all__ = [
    "INT64_MAX",
    "INT64_MIN",
    "NO",
    "YES",
    "Refusal",
    "boolean_text",
    "number_text",
    "parse_boolean",
    "parse_choice",
    "parse_choices",
    "parse_integer",
    "parse_number",
]

YES = "yes"
"""What stands for true in text."""
NO = "no"
"""What stands for false in text."""

_BOOLEANS = {
    **dict.fromkeys((YES, "y", "true", "1"), True),
    **dict.fromkeys((NO, "n", "false", "0"), False),
}

_NUMBER = re.compile(r"-?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)")
_LONGEST_NUMBER = 400  # a double needs 309 digits before the point; Python's own limit is 4300

INT64_MIN = -(2**63)
INT64_MAX = 2**63 - 1
"""An integer of accepted content is an int64 in ACP."""

_REASONS = (
    ("prefix", re.compile(r"[+-]?0[xXbBoO][0-9A-Fa-f_]+")),
    ("exponent", re.compile(r"[+-]?[0-9.]+[eE][+-]?[0-9]+")),
    ("not-finite", re.compile(r"[+-]?(?:nan|inf|infinity|∞)", re.IGNORECASE)),
    ("plus", re.compile(r"\+[0-9.]+")),
    (
        "separator",
        re.compile(r"[+-]?[0-9][0-9.]*(?:[,_'\u2019\s][0-9.]+)+|[+-]?[0-9]+(?:\.[0-9]+){2,}"),
    ),
    ("digits", re.compile(r"[+-]?\d[\d.,]*")),
)


class Refusal(msgspec.Struct, frozen=True):
    """Text that is no value of its kind: the code and parameters of the problem to report."""

    code: Code
    params: dict[str, Any] = {}


def parse_integer(text: str) -> int | Refusal:
    """Return the whole number that `text` says, exactly; `1.0` says 1.

    One that does not fit into 64 bits cannot be sent, and is refused as too big or too small.
    """
    text = text.strip()
    if (why := _why_no_number(text)) is not None:
        return Refusal("not-a-number", {"why": why, "integer": True})
    whole, _, fraction = text.partition(".")
    if fraction.strip("0"):
        return Refusal("not-a-number", {"why": "fraction", "integer": True})
    return _within_int64(
        int(whole) if whole.strip("-") else 0
    )  # `.0` has no digits before the point


def _within_int64(number: int) -> int | Refusal:
    if number > INT64_MAX:
        return Refusal("too-big", {"maximum": INT64_MAX})
    if number < INT64_MIN:
        return Refusal("too-small", {"minimum": INT64_MIN})
    return number


def parse_number(text: str) -> int | float | Refusal:
    """Return the number that `text` says: an int where it has no decimal point, else a float.

    A whole number that does not fit into 64 bits becomes the nearest float, as it would at the
    peer.
    """
    text = text.strip()
    if (why := _why_no_number(text)) is not None:
        return Refusal("not-a-number", {"why": why, "integer": False})
    if "." not in text and isinstance(number := _within_int64(int(text)), int):
        return number
    value = float(text)
    if value in (float("inf"), float("-inf")):
        return Refusal("not-a-number", {"why": "too-long", "integer": False})
    return value


def _why_no_number(text: str) -> str | None:
    if len(text) > _LONGEST_NUMBER:
        return "too-long"
    if _NUMBER.fullmatch(text):
        return None
    return next((why for why, shape in _REASONS if shape.fullmatch(text)), "other")


def number_text(number: float) -> str:
    """Return `number` as a person writes it, without an exponent; `parse_number` gives it back."""
    return str(number) if isinstance(number, int) else format(Decimal(repr(number)), "f")


def parse_boolean(text: str) -> bool | Refusal:
    """Return what yes, no, true, false, y, n, 1 or 0 says, in either case."""
    value = _BOOLEANS.get(text.strip().casefold())
    return Refusal("not-yes-or-no") if value is None else value


def boolean_text(value: bool) -> str:
    """Return `YES` or `NO`."""
    return YES if value else NO


def parse_choice(text: str, options: Iterable[Option]) -> str | Refusal:
    """Return the value of the option whose value or title `text` is, spaces around it aside.

    Text that is the value of one option and the title of another, or the title of two, is refused
    as ambiguous: the person may mean either.
    """
    text = text.strip()
    if not text:
        return Refusal("not-a-choice")
    fitting = [o.value for o in options if text in (o.value.strip(), (o.title or o.value).strip())]
    if len(fitting) == 1:
        return fitting[0]
    return Refusal("not-a-choice", {"ambiguous": True} if fitting else {})


def parse_choices(text: str, options: tuple[Option, ...]) -> tuple[str, ...] | Refusal:
    """Return the values of several options, typed one per line or with commas between them.

    They come as they were typed: in that order, and perhaps more than once.
    """
    whole = parse_choice(text, options)  # a title may hold a comma
    if isinstance(whole, str):
        return (whole,)
    values: list[str] = []
    for part in text.splitlines() if "\n" in text.strip() else text.split(","):
        if not part.strip():
            continue
        value = parse_choice(part, options)
        if isinstance(value, Refusal):
            return value
        values.append(value)
    return tuple(values)

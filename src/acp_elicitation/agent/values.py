"""What the answer of a short question is as a value of Python.

Owns: the names of its properties, its options, and the way back from content.
Knows nothing of: asking. Above it: `questions`. Below it: `forms.problem`, `protocol`.
"""

import datetime
import enum
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from acp_elicitation.forms.problem import Problem
from acp_elicitation.protocol.errors import InvalidAnswer, InvalidQuestion
from acp_elicitation.protocol.schema import Option

__all__ = [
    "ANSWER",
    "OTHER",
    "choices_of",
    "chosen_or_written",
    "date_of",
    "day_of",
    "listed",
    "number_of",
    "value_of",
]

ANSWER = "answer"
"""The one property of a short question."""
OTHER = "answer_other"
"""The free text that stands beside a choice."""


def number_of(value: float) -> float:
    """Return the float, or raise `InvalidAnswer`."""
    try:
        return float(value)
    except OverflowError:  # JSON has larger numbers than a float
        raise InvalidAnswer([Problem(ANSWER, "too-big")]) from None


def date_of(text: str) -> datetime.date:
    """Return the day, or raise `InvalidAnswer`."""
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:  # RFC 3339 has a year 0, the calendar of Python has none
        raise InvalidAnswer([Problem(ANSWER, "format", {"format": "date"})]) from None


def day_of(default: Any) -> str:
    """Return the default of a date as it is sent, or raise `InvalidQuestion`."""
    if not isinstance(default, datetime.date) or isinstance(default, datetime.datetime):
        raise InvalidQuestion(
            where="default",
            reason=f"it must be a datetime.date, and not this {type(default).__name__}",
            instead="convert it, or leave it out",
        )
    return default.isoformat()


def choices_of(options: Any) -> tuple[tuple[Option, ...], Callable[[str], Any]]:
    """Return the options, and the way from a chosen value back to what the caller named.

    Raises:
        InvalidQuestion: `options` are no list of anything.
    """
    if isinstance(options, type) and issubclass(options, enum.Enum):
        by_value = {value_of(member): member for member in options}
        choices = tuple(
            Option(value=value, title=None if value == member.value else member.name)
            for value, member in by_value.items()
        )
        return choices, by_value.__getitem__
    if isinstance(options, Mapping):
        return tuple(Option(value=value, title=title) for value, title in options.items()), str
    return tuple(Option(value=value) for value in listed("options", options)), str


def listed(where: str, values: Any) -> tuple[Any, ...]:
    """Return `values` as they were listed for the argument `where`.

    Raises:
        InvalidQuestion: they are no list; a text is none either, though it has characters.
    """
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise InvalidQuestion(
            where=where,
            reason=f"it must be a list of texts, and not this {type(values).__name__}",
            instead="put the text into a list" if isinstance(values, str) else "give a list",
        )
    return tuple(values)


def value_of(choice: Any) -> str:
    """Return what stands on the wire for a choice: itself, or an enum member's text or name."""
    if isinstance(choice, enum.Enum):
        return choice.value if isinstance(choice.value, str) else choice.name
    return str(choice)


def chosen_or_written(content: dict[str, Any], back: Callable[[str], Any]) -> Any:
    """Return what was written besides the choice, else the choice; or raise `InvalidAnswer`."""
    if OTHER in content:
        return content[OTHER]
    if ANSWER in content:
        return back(content[ANSWER])
    raise InvalidAnswer([Problem(ANSWER, "required")])

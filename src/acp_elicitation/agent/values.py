"""What the answer of a short question is as a value of Python.

Owns: the names of its properties, its options, and the way back from content.
Knows nothing of: asking. Above it: `questions`. Below it: `forms.problem`, `protocol`.
"""

import datetime
import enum
from collections.abc import Callable, Mapping
from typing import Any

from acp_elicitation.forms.problem import Problem
from acp_elicitation.protocol.errors import InvalidAnswer
from acp_elicitation.protocol.schema import Option

__all__ = [
    "ANSWER",
    "OTHER",
    "choices_of",
    "chosen_or_written",
    "date_of",
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


def choices_of(options: Any) -> tuple[tuple[Option, ...], Callable[[str], Any]]:
    """Return the options, and the way from a chosen value back to what the caller named."""
    if isinstance(options, type) and issubclass(options, enum.Enum):
        by_value = {value_of(member): member for member in options}
        choices = tuple(
            Option(value=value, title=None if value == member.value else member.name)
            for value, member in by_value.items()
        )
        return choices, by_value.__getitem__
    if isinstance(options, Mapping):
        return tuple(Option(value=value, title=title) for value, title in options.items()), str
    return tuple(Option(value=value) for value in options), str


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

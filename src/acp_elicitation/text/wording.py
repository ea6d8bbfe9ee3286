"""Problems and limits in words: every English sentence about a form's fields stands in this file.

Owns: what a person reads about a problem, and the hint that tells the limits beforehand. Each
sentence says what to do, with the limits; the presenter says which field it is about.
Knows nothing of: presenters, and of escaping. A pattern, a type or a bound in a sentence is the
agent's text: the presenter makes it safe to show, as it does with labels.
Above it: the presenters, the client side. Below it: `forms.problem`, `protocol.schema`.
"""

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, TypeAlias, assert_never

from acp_elicitation.forms.parse import number_text
from acp_elicitation.forms.problem import Code, Problem
from acp_elicitation.protocol.schema import (
    BooleanProperty,
    IntegerProperty,
    MultiSelectProperty,
    NumberProperty,
    Property,
    SelectProperty,
    StringProperty,
    UnknownProperty,
)

__all__ = ["word_constraints", "word_problem"]

_Params: TypeAlias = Mapping[str, Any]


def word_problem(problem: Problem) -> str:
    """Return the sentence that tells what to do about `problem`. It does not name the field."""
    wording = _SENTENCES[problem.code]
    return wording if isinstance(wording, str) else wording(problem.params)


def _characters(count: int) -> str:
    return "1 character" if count == 1 else f"{count} characters"


def _number(bound: float) -> str:
    return number_text(bound).removesuffix(".0")


def _word_type(params: _Params) -> str:
    return _EXPECTED.get(params.get("expected"), "This is not a value of the expected type.")


_EXPECTED: Mapping[Any, str] = MappingProxyType(
    {
        "text": "This has to be text.",
        "number": "This has to be a number.",
        "integer": "This has to be a whole number.",
        "boolean": "This has to be yes or no.",
        "choice": "This has to be one of the choices.",
        "choices": "This has to be a list of choices.",
    }
)


def _word_not_a_choice(params: _Params) -> str:
    if params.get("ambiguous"):
        return "More than one choice reads like that: pick it from the list instead."
    return "Choose from the list: this is none of the choices."


def _word_pattern(params: _Params) -> str:
    pattern = params["pattern"]
    if params.get("too_costly"):
        return (
            f"Enter a shorter or simpler text: comparing this one with the pattern {pattern} "
            "takes too long."
        )
    if "bad_pattern" in params:
        return f"No text can be accepted here: the agent's pattern {pattern} cannot be used."
    return f"Enter a text that matches the pattern {pattern}"


def _word_format(params: _Params) -> str:
    name = params["format"]
    return f"Enter {_FORMATS[name]}." if name in _FORMATS else f"Enter a valid {name}."


_FORMATS: Mapping[str, str] = MappingProxyType(
    {
        "email": "an e-mail address like ada@example.org",
        "uri": "a complete address in plain ASCII, from its https:// (or another scheme) on",
        "date": "a date like 2026-12-31",
        "date-time": "a date and time with offset like 2026-12-31T18:00:00Z",
    }
)


def _word_not_a_number(params: _Params) -> str:
    kind = "a whole number" if params.get("integer") else "a number"
    return _NUMBERS.get(params.get("why"), "Enter {kind} in digits, such as 42.").format(kind=kind)


_NUMBERS: Mapping[Any, str] = MappingProxyType(
    {
        "digits": "Enter {kind} with the digits 0 to 9.",
        "exponent": "Write {kind} out in full, without an exponent.",
        "fraction": "Enter a whole number, without a fraction.",
        "not-finite": "Enter {kind}: not-a-number and infinity cannot be sent.",
        "plus": "Leave the plus sign out.",
        "prefix": "Enter {kind} in decimal digits, not as 0x, 0o or 0b.",
        "separator": "Leave out what separates digits; only a decimal point is read, as in 1234.5.",
        "too-long": "Enter {kind} with fewer digits.",
    }
)

_SENTENCES: Mapping[Code, str | Callable[[_Params], str]] = MappingProxyType(
    {
        "required": "An answer is required here.",
        "undeclared": "The form does not ask for this: leave it out.",
        "type": _word_type,
        "not-a-choice": _word_not_a_choice,
        "too-short": lambda params: f"Enter at least {_characters(params['min_length'])}.",
        "too-long": lambda params: f"Enter at most {_characters(params['max_length'])}.",
        "pattern": _word_pattern,
        "format": _word_format,
        "too-small": lambda params: f"Enter {_number(params['minimum'])} or more.",
        "too-big": lambda params: f"Enter {_number(params['maximum'])} or less.",
        "too-few": lambda params: f"Choose at least {params['min_items']}.",
        "too-many": lambda params: f"Choose at most {params['max_items']}.",
        "rejected": lambda params: f"The agent does not take this: {params['reason']}",
        "unknown-kind": (
            "This question is of a kind that cannot be shown here, and it requires an answer: "
            "decline or cancel the form."
        ),
        "impossible": (
            "No answer can satisfy the limits of this question, and it requires one: "
            "decline or cancel the form."
        ),
        "not-a-number": _word_not_a_number,
        "not-yes-or-no": "Answer yes or no.",
        "not-unicode": "Some characters are damaged and cannot be sent: enter the text again.",
    }
)


def word_constraints(member: Property) -> str:
    """Return the limits of a question in one line without a full stop; empty where it has none."""
    match member:
        case SelectProperty():
            return ""  # the choices say it all
        case StringProperty():
            return "; ".join(_text_hints(member))
        case IntegerProperty(minimum=low, maximum=high):
            return _bounds(low, high) or "a whole number"
        case NumberProperty(minimum=low, maximum=high):
            return _bounds(low, high) or "a number"
        case BooleanProperty():
            return "yes or no"
        case MultiSelectProperty(min_items=low, max_items=high):
            count = _range(low or None, high)
            return count and f"choose {count}"
        case UnknownProperty():
            return ""
        case _ as never:
            assert_never(never)


def _text_hints(member: StringProperty) -> Iterator[str]:
    length = _range(member.min_length or None, member.max_length)
    if length:
        last = member.max_length if member.max_length is not None else member.min_length
        yield f"{length} character" if last == 1 else f"{length} characters"
    if member.format is not None and member.format in _FORMATS:
        yield _FORMATS[member.format]
    if member.pattern is not None:
        yield f"matches the pattern {member.pattern}"


def _bounds(low: float | None, high: float | None) -> str:
    if low is not None and high is not None:
        return f"{_number(low)} to {_number(high)}"
    if low is not None:
        return f"{_number(low)} or more"
    return "" if high is None else f"{_number(high)} or less"


def _range(low: int | None, high: int | None) -> str:
    if low is not None and high is not None:
        return f"exactly {low}" if low == high else f"{low} to {high}"
    if low is not None:
        return f"at least {low}"
    return "" if high is None else f"at most {high}"

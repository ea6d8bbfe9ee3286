"""Problems and limits in words: every sentence about a form's fields stands in this file.

Owns: what a person reads about a problem, and the hint that tells the limits beforehand. Each
sentence says what to do, with the limits; the presenter says which field it is about.
Knows nothing of: presenters, and of escaping. A pattern, a type or a bound in a sentence is the
agent's text: the presenter makes it safe to show, as it does with labels.
Above it: the presenters, the client side. Below it: `language`, `forms.problem`,
`protocol.schema`.
"""

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, TypeAlias, assert_never

from acp_elicitation.forms.draft import FormDraft
from acp_elicitation.forms.draft_field import DraftField
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
from acp_elicitation.text.language import tr, tr_count, tr_later

__all__ = ["word_constraints", "word_label", "word_problem"]

_Params: TypeAlias = Mapping[str, Any]


_NO_LABEL = "answer"
"""The name that the short questions of this package give to their only property."""


def word_label(field: DraftField, draft: FormDraft) -> str:
    """Return what to call a question of `draft`: its label, which is the agent's text.

    The only question of a form often has no title, since the message says it all.
    """
    alone = len(draft.questions) == 1 and not field.property.title
    return tr("Your answer") if alone and field.name == _NO_LABEL else field.label


def word_problem(problem: Problem) -> str:
    """Return the sentence that tells what to do about `problem`. It does not name the field."""
    wording = _SENTENCES[problem.code]
    return tr(wording) if isinstance(wording, str) else wording(problem.params)


def _number(bound: float) -> str:
    return number_text(bound).removesuffix(".0")


def _word_type(params: _Params) -> str:
    return tr(_EXPECTED.get(params.get("expected"), _UNEXPECTED))


_UNEXPECTED = tr_later("This is not a value of the expected type.")
_EXPECTED: Mapping[Any, str] = MappingProxyType(
    {
        "text": tr_later("This has to be text."),
        "number": tr_later("This has to be a number."),
        "integer": tr_later("This has to be a whole number."),
        "boolean": tr_later("This has to be yes or no."),
        "choice": tr_later("This has to be one of the choices."),
        "choices": tr_later("This has to be a list of choices."),
    }
)


def _word_not_a_choice(params: _Params) -> str:
    if params.get("ambiguous"):
        return tr("More than one choice reads like that: pick it from the list instead.")
    return tr("Choose from the list: this is none of the choices.")


def _word_too_short(params: _Params) -> str:
    return tr_count(
        "Enter at least {count} character.",
        "Enter at least {count} characters.",
        params["min_length"],
    )


def _word_too_long(params: _Params) -> str:
    return tr_count(
        "Enter at most {count} character.",
        "Enter at most {count} characters.",
        params["max_length"],
    )


def _word_pattern(params: _Params) -> str:
    pattern = params["pattern"]
    if params.get("too_costly"):
        return tr(
            "Enter a shorter or simpler text: comparing this one with the pattern {pattern} "
            "takes too long.",
            pattern=pattern,
        )
    if "bad_pattern" in params:
        return tr(
            "No text can be accepted here: the agent's pattern {pattern} cannot be used.",
            pattern=pattern,
        )
    return tr("Enter a text that matches the pattern {pattern}", pattern=pattern)


def _word_format(params: _Params) -> str:
    name = params["format"]
    if params.get("why") == "no-such-day":
        return tr("There is no such day. Enter {format}.", format=tr(_FORMATS[name]))
    if name in _FORMATS:
        return tr("Enter {format}.", format=tr(_FORMATS[name]))
    return tr("Enter a valid {format}.", format=name)


_FORMATS: Mapping[str, str] = MappingProxyType(
    {
        "email": tr_later("an e-mail address like ada@example.org"),
        "uri": tr_later(
            "a complete address in plain ASCII, from its https:// (or another scheme) on"
        ),
        "date": tr_later("a date like 2026-12-31"),
        "date-time": tr_later("a date and time with offset like 2026-12-31T18:00:00Z"),
    }
)


def _word_not_a_number(params: _Params) -> str:
    if params.get("integer") and params.get("why") == "separator":
        return tr("Enter a whole number in digits alone, as in 1234.")
    kind = tr("a whole number") if params.get("integer") else tr("a number")
    return tr(_NUMBERS.get(params.get("why"), _NO_NUMBER), kind=kind)


_NO_NUMBER = tr_later("Enter {kind} in digits, such as 42.")
_NUMBERS: Mapping[Any, str] = MappingProxyType(
    {
        "digits": tr_later("Enter {kind} with the digits 0 to 9."),
        "exponent": tr_later("Write {kind} out in full, without an exponent."),
        "fraction": tr_later("Enter a whole number, without a fraction."),
        "not-finite": tr_later("Enter {kind}: not-a-number and infinity cannot be sent."),
        "plus": tr_later("Leave the plus sign out."),
        "prefix": tr_later("Enter {kind} in decimal digits, not as 0x, 0o or 0b."),
        "separator": tr_later(
            "Leave out what separates digits; only a decimal point is read, as in 1234.5."
        ),
        "too-long": tr_later("Enter {kind} with fewer digits."),
    }
)

_SENTENCES: Mapping[Code, str | Callable[[_Params], str]] = MappingProxyType(
    {
        "required": tr_later("An answer is required here."),
        "undeclared": tr_later("The form does not ask for this: leave it out."),
        "type": _word_type,
        "not-a-choice": _word_not_a_choice,
        "too-short": _word_too_short,
        "too-long": _word_too_long,
        "pattern": _word_pattern,
        "format": _word_format,
        "too-small": lambda params: tr("Enter {low} or more.", low=_number(params["minimum"])),
        "too-big": lambda params: tr("Enter {high} or less.", high=_number(params["maximum"])),
        "too-few": lambda params: tr("Choose at least {count}.", count=params["min_items"]),
        "too-many": lambda params: tr("Choose at most {count}.", count=params["max_items"]),
        "rejected": lambda params: tr(
            "The agent does not take this: {reason}", reason=params["reason"]
        ),
        "unknown-kind": tr_later(
            "This question is of a kind that cannot be shown here, and it requires an answer: "
            "decline or cancel the form."
        ),
        "impossible": tr_later(
            "No answer can satisfy the limits of this question, and it requires one: "
            "decline or cancel the form."
        ),
        "not-a-number": _word_not_a_number,
        "not-yes-or-no": tr_later("Answer yes or no."),
        "not-unicode": tr_later(
            "Some characters are damaged and cannot be sent: enter the text again."
        ),
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
            return _bounds(low, high) or tr("a whole number")
        case NumberProperty(minimum=low, maximum=high):
            return _bounds(low, high) or tr("a number")
        case BooleanProperty():
            return tr("yes or no")
        case MultiSelectProperty(min_items=low, max_items=high):
            return _items(low or None, high)
        case UnknownProperty():
            return ""
        case _ as never:
            assert_never(never)


def _text_hints(member: StringProperty) -> Iterator[str]:
    length = _length(member.min_length or None, member.max_length)
    if length:
        yield length
    if member.format is not None and member.format in _FORMATS:
        yield tr(_FORMATS[member.format])
    if member.pattern is not None:
        yield tr("matches the pattern {pattern}", pattern=member.pattern)


def _bounds(low: float | None, high: float | None) -> str:
    if low is not None and high is not None:
        return tr("{low} to {high}", low=_number(low), high=_number(high))
    if low is not None:
        return tr("{low} or more", low=_number(low))
    return "" if high is None else tr("{high} or less", high=_number(high))


def _length(low: int | None, high: int | None) -> str:
    if low is not None and low == high:
        return tr_count("exactly {count} character", "exactly {count} characters", low)
    if low is not None and high is not None:
        return tr_count("{low} to {count} character", "{low} to {count} characters", high, low=low)
    if low is not None:
        return tr_count("at least {count} character", "at least {count} characters", low)
    if high is not None:
        return tr_count("at most {count} character", "at most {count} characters", high)
    return ""


def _items(low: int | None, high: int | None) -> str:
    if low is not None and low == high:
        return tr("choose exactly {count}", count=low)
    if low is not None and high is not None:
        return tr("choose {low} to {high}", low=low, high=high)
    if low is not None:
        return tr("choose at least {count}", count=low)
    return "" if high is None else tr("choose at most {count}", count=high)

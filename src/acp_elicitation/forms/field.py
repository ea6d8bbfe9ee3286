"""What every source of a form comes to: its fields, and a function that makes an instance of it.

Owns: `Field` and `Source`, the neutral form between a type and its description.
Knows nothing of: kinds of types, hints, the wire.
Above it: `sources`, `models`, `describe`. Below it: `problem`, the error tree.
"""

from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from acp_elicitation.forms.kinds import REJECTED
from acp_elicitation.forms.problem import Problem
from acp_elicitation.protocol.errors import InvalidAnswer

__all__ = ["ABSENT", "WHOLE_FORM", "Field", "Source", "plain_make", "reason_of", "without_answers"]

ABSENT = msgspec.UNSET
"""There is no default."""

WHOLE_FORM = "*"
"""`Problem.property` of what is wrong with several answers together."""


class Field(msgspec.Struct, frozen=True, kw_only=True):
    """One field of a type."""

    name: str
    """The attribute or parameter, for error messages."""
    wire: str
    """The property of the form: the alias, where there is one."""
    key: str
    """What `Source.make` knows it by."""
    hint: Any
    metadata: tuple[object, ...] = ()
    default: Any = ABSENT
    factory: Callable[[], Any] | None = None
    optional: bool = False
    """Whether it may be left out for another reason than a default."""
    description: str | None = None
    """Its docstring, used where the metadata says nothing."""
    title: str | None = None


class Source(msgspec.Struct, frozen=True, kw_only=True):
    """A type: its fields in order, and how to make an instance of their values by `Field.key`."""

    name: str
    fields: tuple[Field, ...]
    make: Callable[[dict[str, Any]], Any]
    """Raises `InvalidAnswer` where the type itself refuses the values."""
    validates: bool = False
    """Whether `make` checks the limits in the metadata of the fields itself."""
    title: str | None = None
    description: str | None = None


_SHORTEST_ANSWER = 3
"""Shorter texts are words of the reason as often as answers, unless they stand in quotes."""


def reason_of(error: Exception) -> str:
    """Return what `error` says, without the values that the text of pydantic's own errors has."""
    listed = getattr(error, "errors", None)
    if callable(listed):  # a pydantic ValidationError, which is a ValueError as well
        return "; ".join(one["msg"] for one in listed(include_input=False))
    return str(error) or "it is not valid"


def without_answers(problem: Problem, texts: Iterable[str]) -> Problem:
    """Return `problem` with `texts`, which the user typed, taken out of its reason.

    A reason is its author's, but Python words a part of many, and quotes what it was given:
    `could not convert string to float: 'abc'`.
    """
    reason: str | None = problem.params.get("reason")
    if reason is None:
        return problem
    for text in texts:
        reason = reason.replace(repr(text), "'…'")
        if len(text) >= _SHORTEST_ANSWER:
            reason = reason.replace(text, "…")
    return Problem(problem.property, problem.code, problem.params | {"reason": reason})


def plain_make(make: Callable[..., Any]) -> Callable[[dict[str, Any]], Any]:
    """Return `make` by keywords, with its ValueError and AssertionError as `InvalidAnswer`."""

    def build(values: dict[str, Any]) -> Any:
        try:
            return make(**values)
        except (ValueError, AssertionError) as error:
            problem = Problem(WHOLE_FORM, REJECTED, {"reason": reason_of(error)})
        # Outside of `except`: a traceback must not carry the author's exception with the values.
        raise InvalidAnswer([problem])

    return build

"""What is wrong with one answer of a form: a code and the limits it breaks, never the answer.

Owns: the list of codes. Knows nothing of: how a problem is found (see `check`, `parse`, `draft`),
and how it is worded (see `text.wording`).
Above it: the rest of `forms`, and all who show or report problems. Below it: nothing.
"""

from typing import Any, Literal, TypeAlias

import msgspec

__all__ = ["Code", "Problem"]

Code: TypeAlias = Literal[
    # found by `check`, in any content
    "required",  # no value, though the form requires one
    "undeclared",  # a value that the form does not ask for
    "type",  # expected=text | number | integer | boolean | choice | choices
    "not-a-choice",  # ambiguous=True: what was typed fits several options
    "too-short",  # min_length, in code points
    "too-long",  # max_length, in code points
    "pattern",  # pattern; too_costly=True or bad_pattern=reason where it gave no verdict
    "format",  # format=email | uri | date | date-time; why=no-such-day where only the day is wrong
    "too-small",  # minimum
    "too-big",  # maximum
    "too-few",  # min_items
    "too-many",  # max_items
    "rejected",  # reason: by the agent's own type, beyond what a schema can say
    # what no input can mend
    "unknown-kind",  # type: a required question of a kind that this package does not know
    "impossible",  # a required question whose own limits leave no answer
    # found in what was typed
    "not-a-number",  # why=..., see `parse`; integer=True where a whole number is asked for
    "not-yes-or-no",
    "not-unicode",  # half of a surrogate pair, which cannot be sent
]


class Problem(msgspec.Struct, frozen=True):
    """One thing that is wrong with the value of one property.

    `params` carries the limits that `code` speaks of (`{"minimum": 1024}`), never the value: a
    problem may go into a log, an exception and a JSON-RPC error. Text in it (a pattern, a type)
    is the agent's, and untrusted.
    """

    property: str
    code: Code
    params: dict[str, Any] = {}

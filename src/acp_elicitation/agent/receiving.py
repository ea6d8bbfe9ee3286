"""What the client's response comes to: a checked value, a decline or a cancel.

Owns: the second check of content (FORM-3), and the meaning of each response (RES-1, RES-6).
Knows nothing of: how it was asked. Above it: `elicitor`, `fallback`. Below it: `forms`,
`protocol`.
"""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any, TypeVar, assert_never

from acp_elicitation.forms.check import Check, clean
from acp_elicitation.protocol.answers import Cancelled, Declined
from acp_elicitation.protocol.errors import InvalidAnswer
from acp_elicitation.protocol.responses import Cancel, Decline, UnknownAction

__all__ = ["not_accepted", "receive"]

T = TypeVar("T")


async def receive(
    check: Check, content: Mapping[str, Any] | None, build: Callable[[dict[str, Any]], T]
) -> T:
    """Return what `build` makes of accepted content, whatever the client promised (FORM-3).

    `check` is the form's. Undeclared keys are dropped.

    Raises:
        InvalidAnswer: the content does not fit, property by property; or `build` raises it.
    """
    declared = clean(check.schema, content)
    if check.has_patterns:
        # A pattern may take its whole time limit: not on the event loop (FORM-9).
        problems = await asyncio.to_thread(check, declared)
    else:
        problems = check(declared)
    if problems:
        raise InvalidAnswer(problems)
    return build(declared)


def not_accepted(response: Decline | Cancel | UnknownAction) -> Declined | Cancelled:
    """Return the answer that a response without content is."""
    match response:
        case Decline():
            return Declined()
        case Cancel(reason=reason):
            return Cancelled(reason)
        case UnknownAction(action=action):  # RES-6
            return Cancelled(None, action)
        case _:  # pragma: no cover
            assert_never(response)

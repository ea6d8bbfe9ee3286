"""What a presenter's reply becomes as a response to the agent.

Owns: the check before sending (FORM-2, RES-3), and the meaning of a reply that is no accept.
Knows nothing of: prompts and queues. Above it: `responder`. Below it: `forms`, `protocol`.
"""

import asyncio
from collections.abc import Sequence
from typing import assert_never

from acp_elicitation.client.prompts import Reply
from acp_elicitation.forms.check import Check
from acp_elicitation.forms.problem import Problem
from acp_elicitation.protocol.answers import Accepted, Cancelled, Declined
from acp_elicitation.protocol.reading import JsonObject
from acp_elicitation.protocol.responses import Cancel, Decline, Response

__all__ = ["not_accepted", "problems_of"]


async def problems_of(check: Check, content: JsonObject) -> Sequence[Problem]:
    """Return why `content` may not be sent (FORM-2, RES-3, FWD-2)."""
    if check.has_patterns:
        # A pattern may take its whole time limit: not on the event loop (FORM-9).
        problems = await asyncio.to_thread(check, content)
    else:
        problems = check(content)
    return problems or check.unanswerable


def not_accepted(reply: Reply) -> Response:
    """Return the response to a reply without usable content (RES-1)."""
    match reply:
        case Declined():
            return Decline()
        case Cancelled(reason=reason):
            return Cancel(reason=reason)
        case Accepted():
            # An accept whose value is no content was not made by a user.
            return Cancel(reason="not-shown")
        case _:
            assert_never(reply)

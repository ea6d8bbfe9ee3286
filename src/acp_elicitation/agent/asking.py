"""Where a question belongs and how it is put: what every way of asking takes.

Owns: the options that all questions share, and the scope that they come to (REQ-2).
Knows nothing of: what is asked. Above it: `elicitor`, `questions`, `fallback`.
Below it: `protocol`.
"""

import asyncio
from collections.abc import Awaitable, Collection
from typing import TypedDict, TypeVar

from acp_elicitation.protocol.errors import AnswerTimeout
from acp_elicitation.protocol.reading import JsonObject
from acp_elicitation.protocol.scope import RequestScope, Scope, SessionId, SessionScope, ToolCallId

__all__ = ["Asking", "scope_of", "within"]

T = TypeVar("T")


class Asking(TypedDict, total=False):
    """What every question takes besides its own words.

    session: the session it belongs to.
    tool_call: the tool call of that session that waits for the answer.
    request: instead of a session, the id of the client's pending request.
    timeout: seconds after which the question is withdrawn; None, the default, waits for the user.
    attempts: how often the user is asked while the answer does not fit, each time with the reasons
        and with what did fit; 1 by default.
    blocks: whether the whole turn waits for the answer, which clients of version 2 are told
        (REQ-4); True by default.
    reviewed: the properties that a developer has looked at and found to ask for no secret, whatever
        they are called; "" stands for the message and the form's own words (FORM-5).
    meta: `_meta` of the request.
    """

    session: str | None
    tool_call: str | None
    request: int | str | None
    timeout: float | None
    attempts: int
    blocks: bool
    reviewed: Collection[str]
    meta: JsonObject | None


def scope_of(asking: Asking) -> Scope:
    """Return the scope that `asking` names.

    Raises:
        ValueError: not exactly one of `session` and `request` is there (REQ-2).
    """
    session, request = asking.get("session"), asking.get("request")
    tool_call = asking.get("tool_call")
    if (session is None) is (request is None):
        raise ValueError("give exactly one of session= and request= (REQ-2)")
    if session is not None:
        return SessionScope(
            session_id=SessionId(session),
            tool_call_id=None if tool_call is None else ToolCallId(tool_call),
        )
    if tool_call is not None:
        raise ValueError("tool_call= belongs to a session=, not to a request= (REQ-2)")
    return RequestScope(request_id=request)


async def within(seconds: float, answer: Awaitable[T]) -> T:
    """Await `answer` for so long; then it is cancelled, which withdraws the question.

    Raises:
        AnswerTimeout: the time is over.
    """
    limit = asyncio.timeout(seconds)
    try:
        async with limit:
            return await answer
    except TimeoutError:
        if limit.expired():
            raise AnswerTimeout(seconds) from None
        raise

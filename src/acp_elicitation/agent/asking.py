"""Where a question belongs and how it is put: what every way of asking takes.

Owns: the options that all questions share, the check of them and of the message, and the scope that
they come to (REQ-2).
Knows nothing of: what is asked. Above it: `elicitor`, `questions`, `fallback`.
Below it: `protocol`.
"""

import asyncio
import math
from collections.abc import Awaitable, Callable, Collection, Mapping
from types import MappingProxyType
from typing import Any, TypedDict, TypeVar

from acp_elicitation.protocol.errors import AnswerTimeout, InvalidQuestion
from acp_elicitation.protocol.reading import JsonObject
from acp_elicitation.protocol.scope import RequestScope, Scope, SessionId, SessionScope, ToolCallId

__all__ = ["Asking", "check_message", "scope_of", "within"]

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


def check_message(message: object) -> None:
    """Return when a question can be put in the words of `message`.

    Raises:
        InvalidQuestion: it is no text, or an empty one.
    """
    if not isinstance(message, str):
        raise InvalidQuestion(
            where="message",
            reason=f"it must be a str, and not this {type(message).__name__}",
            instead="say in words what the user is asked",
        )
    if not message.strip():
        raise InvalidQuestion(
            where="message", reason="it is empty", instead="say what the user is asked, and why"
        )


def scope_of(asking: Asking) -> Scope:
    """Return the scope that `asking` names, once all of it is found to be in order.

    Raises:
        InvalidQuestion: not exactly one of `session` and `request` is there (REQ-2), or one of the
            other options cannot be followed.
    """
    _check_options(asking)
    session, request = asking.get("session"), asking.get("request")
    tool_call = asking.get("tool_call")
    if (session is None) is (request is None):
        raise InvalidQuestion(
            where="session= and request=",
            reason="a question belongs to a session or to a pending request (REQ-2)",
            instead="give exactly one of the two",
        )
    if session is not None:
        return SessionScope(
            session_id=SessionId(session),
            tool_call_id=None if tool_call is None else ToolCallId(tool_call),
        )
    if tool_call is not None:
        raise InvalidQuestion(
            where="tool_call",
            reason="a tool call belongs to a session=, not to a request= (REQ-2)",
            instead="leave one of the two out",
        )
    return RequestScope(request_id=request)


def _check_options(asking: Asking) -> None:
    for name, value in asking.items():
        check = _CHECKS.get(name)
        if check is not None and value is not None:
            check(name, value)


def _check_kind(name: str, value: object, *kinds: type) -> None:
    if not isinstance(value, kinds) or isinstance(value, bool):
        words = " or ".join(kind.__name__ for kind in kinds)
        raise InvalidQuestion(
            where=name,
            reason=f"it must be of type {words}, and not this {type(value).__name__}",
            instead="correct it, or leave it out",
        )


def _check_text(name: str, value: object) -> None:
    if not isinstance(value, str):
        _check_kind(name, value, str)


def _check_request(name: str, value: object) -> None:
    _check_kind(name, value, int, str)


def _check_timeout(name: str, value: Any) -> None:
    _check_kind(name, value, int, float)
    if not (value > 0 and math.isfinite(value)):
        raise InvalidQuestion(
            where=name,
            reason=f"nobody can answer within {value:g} s",
            instead="give seconds above 0, or None to wait as long as it takes",
        )


def _check_attempts(name: str, value: Any) -> None:
    _check_kind(name, value, int)
    if value < 1:
        raise InvalidQuestion(
            where=name,
            reason=f"{value} is less than one",
            instead="give 1, or more to ask again after an answer that does not fit",
        )


def _check_reviewed(name: str, value: object) -> None:
    if isinstance(value, str):
        raise InvalidQuestion(
            where=name,
            reason="a text is no list of names",
            instead="put the name into a list",
        )


def _check_meta(name: str, value: object) -> None:
    _check_kind(name, value, dict)


_CHECKS: Mapping[str, Callable[[str, Any], None]] = MappingProxyType(
    {
        "session": _check_text,
        "tool_call": _check_text,
        "request": _check_request,
        "timeout": _check_timeout,
        "attempts": _check_attempts,
        "reviewed": _check_reviewed,
        "meta": _check_meta,
    }
)


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

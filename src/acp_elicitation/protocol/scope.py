"""What an elicitation belongs to: a session, or one pending request of the client.

Owns: the two scopes, flattened into the params of `elicitation/create` (REQ-2).
Knows nothing of: whether the session or the request exists. Above it: `requests`.
Below it: `reading`, `version`.
"""

from typing import Any, NewType, TypeAlias, assert_never

import msgspec

from acp_elicitation.protocol.errors import MalformedMessage
from acp_elicitation.protocol.reading import INTEGER, JsonObject
from acp_elicitation.protocol.version import Version

__all__ = [
    "RequestScope",
    "Scope",
    "SessionId",
    "SessionScope",
    "ToolCallId",
    "read_scope",
    "write_scope",
]

SessionId = NewType("SessionId", str)
ToolCallId = NewType("ToolCallId", str)


class SessionScope(msgspec.Struct, frozen=True, kw_only=True):
    """The elicitation belongs to a session, and perhaps to one tool call within it."""

    session_id: SessionId
    tool_call_id: ToolCallId | None = None


class RequestScope(msgspec.Struct, frozen=True, kw_only=True):
    """The elicitation belongs to a request of the client that is not answered yet.

    The id is the client's own. None occurs only as what a v1 peer may send.
    """

    request_id: int | str | None


Scope: TypeAlias = SessionScope | RequestScope


def read_scope(params: JsonObject, version: Version) -> Scope:
    """Return the scope that stands in `params` (REQ-2).

    Raises:
        MalformedMessage: there is none, or, where the version allows only one, there are two.
    """
    if version.exclusive_scope and ("sessionId" in params) is ("requestId" in params):
        # A member that is there but malformed counts as there.
        raise MalformedMessage(path="", expected="exactly one of sessionId and requestId")
    session_id = params.get("sessionId")
    if isinstance(session_id, str):
        tool_call_id = params.get("toolCallId")
        # FWD-6: a malformed toolCallId reads as absent.
        known = ToolCallId(tool_call_id) if isinstance(tool_call_id, str) else None
        return SessionScope(session_id=SessionId(session_id), tool_call_id=known)
    if "requestId" not in params:
        raise MalformedMessage(path="", expected="a sessionId (a string) or a requestId")
    return RequestScope(request_id=_read_request_id(params["requestId"], version))


def _read_request_id(value: object, version: Version) -> int | str | None:
    if isinstance(value, str) or (value is None and version.null_request_id):
        return value
    number = INTEGER.convert(value)
    if not isinstance(number, int):
        raise MalformedMessage(path="/requestId", expected="a string or an integer")
    return number


def write_scope(scope: Scope) -> dict[str, Any]:
    """Return the members that `scope` adds to the params."""
    match scope:
        case SessionScope(session_id=session_id, tool_call_id=None):
            return {"sessionId": session_id}
        case SessionScope(session_id=session_id, tool_call_id=tool_call_id):
            return {"sessionId": session_id, "toolCallId": tool_call_id}
        case RequestScope(request_id=request_id):
            return {"requestId": request_id}
        case _:  # pragma: no cover
            assert_never(scope)

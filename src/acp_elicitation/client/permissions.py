"""`session/request_permission`, in the shapes of both versions.

Owns: reading the request and writing its outcome.
Knows nothing of: policy and presenters; every request goes to the user.
Above it: `prompts`, `responder`. Below it: `protocol`.
"""

import msgspec

from acp_elicitation.protocol.answers import Accepted, Cancelled, Declined
from acp_elicitation.protocol.errors import MalformedMessage
from acp_elicitation.protocol.reading import (
    TEXT,
    Field,
    JsonObject,
    Table,
    malformed_under,
    read_fields,
    text_at,
)
from acp_elicitation.protocol.scope import SessionId, SessionScope

__all__ = [
    "PERMISSION",
    "PermissionOption",
    "PermissionRequest",
    "read_permission",
    "write_outcome",
]

PERMISSION = "session/request_permission"

_OPTION: Table = {
    "optionId": Field("option_id", TEXT, required=True),
    "name": Field("name", TEXT, required=True),
    "kind": Field("kind", TEXT, required=True),
}


class PermissionOption(msgspec.Struct, frozen=True, kw_only=True):
    """One answer to a permission request; `kind` is allow_once, reject_always and the like."""

    option_id: str
    name: str
    kind: str


class PermissionRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What the agent wants to do, and the answers to choose from."""

    title: str
    options: tuple[PermissionOption, ...]
    scope: SessionScope
    description: str | None = None


def read_permission(params: object) -> PermissionRequest:
    """Return the request that the params of `session/request_permission` hold.

    Raises:
        MalformedMessage: there is no session, or there are no options to choose from.
    """
    if not isinstance(params, dict):
        raise MalformedMessage(path="", expected="an object")
    members = params.get("options")
    if not isinstance(members, list) or not members:
        raise MalformedMessage(path="/options", expected="a list of at least one option")
    options = []
    for index, member in enumerate(members):
        try:
            options.append(_read_option(member))
        except MalformedMessage as error:
            raise malformed_under("options", malformed_under(index, error)) from None
    description = params.get("description")
    return PermissionRequest(
        title=_title(params),
        description=description if isinstance(description, str) else None,
        options=tuple(options),
        scope=SessionScope(session_id=SessionId(text_at(params, "sessionId"))),
    )


def _read_option(member: object) -> PermissionOption:
    if not isinstance(member, dict):
        raise MalformedMessage(path="", expected="an object")
    return PermissionOption(**read_fields(_OPTION, member))


def _title(params: JsonObject) -> str:
    """Return the request's own title (version 2), else its tool call's (version 1)."""
    tool_call = params.get("toolCall")
    holders = (params, tool_call if isinstance(tool_call, dict) else {})
    titles = (holder.get("title") for holder in holders)
    return next((title for title in titles if isinstance(title, str)), "Permission")


def write_outcome(
    request: PermissionRequest, reply: Accepted[str] | Declined | Cancelled
) -> JsonObject:
    """Return the result of `session/request_permission`.

    Only the id of an option of this request is ever selected.
    """
    match reply:
        case Accepted(value=chosen) if any(o.option_id == chosen for o in request.options):
            return {"outcome": {"outcome": "selected", "optionId": chosen}}
        case _:
            return {"outcome": {"outcome": "cancelled"}}

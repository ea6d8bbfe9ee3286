"""The client's answer on the wire: accept, decline, cancel, or an action that nobody knows yet.

Owns: the response types, their wire form, and the reason of a cancel that was not the user's.
Knows nothing of: whether content fits a form (see `forms.check`).
Above it: the agent and client sides. Below it: `reading`, `version`.
"""

from typing import Literal, TypeAlias, assert_never, get_args

import msgspec

from acp_elicitation.protocol.errors import MalformedMessage
from acp_elicitation.protocol.reading import (
    OBJECT,
    Field,
    JsonObject,
    Rule,
    Table,
    malformed_under,
    read_fields,
    text_at,
)
from acp_elicitation.protocol.version import Version

__all__ = [
    "META_KEY",
    "RESPONSE",
    "Accept",
    "Cancel",
    "Decline",
    "Reason",
    "Response",
    "UnknownAction",
    "read_response",
    "write_response",
]

META_KEY = "acp-elicitation"
"""The member of `_meta` in which this package says more than the protocol has words for."""

Reason: TypeAlias = Literal["withdrawn", "expired", "policy", "not-shown"]
"""Why a question was cancelled that its user never answered.

withdrawn: the agent, the end of the session or the turn took it back. expired: it was shown for
longer than the client allows. policy: the client refuses to show it. not-shown: showing failed.
"""

_REASONS: tuple[Reason, ...] = get_args(Reason)

RESPONSE: Table = {"_meta": Field("meta", OBJECT, Rule.DEFAULT)}


class Accept(msgspec.Struct, frozen=True, kw_only=True):
    """Submitted, or consented to (RES-1). `content` None and `{}` are the same (RES-2)."""

    content: JsonObject | None = None
    meta: JsonObject | None = None
    raw: JsonObject | None = None


class Decline(msgspec.Struct, frozen=True, kw_only=True):
    """The explicit no (RES-1)."""

    meta: JsonObject | None = None
    raw: JsonObject | None = None


class Cancel(msgspec.Struct, frozen=True, kw_only=True):
    """Dismissed (RES-1), or never answered by its user for `reason`."""

    reason: Reason | None = None
    meta: JsonObject | None = None
    raw: JsonObject | None = None


class UnknownAction(msgspec.Struct, frozen=True, kw_only=True):
    """An action this package does not know: forwarded raw, handled as cancel (RES-6)."""

    action: str
    meta: JsonObject | None = None
    raw: JsonObject | None = None


Response: TypeAlias = Accept | Decline | Cancel | UnknownAction


def read_response(result: object, version: Version) -> Response:
    """Return the response that the result of `elicitation/create` holds.

    `content` is read on accept only, whatever stands there otherwise (RES-2).

    Raises:
        MalformedMessage: there is no action, or the content of an accept is not an object of the
            values that this version knows.
    """
    if not isinstance(result, dict):
        raise MalformedMessage(path="", expected="an object")
    action = text_at(result, "action")
    meta = read_fields(RESPONSE, result).get("meta")
    match action:
        case "accept":
            return Accept(content=_read_content(result, version), meta=meta, raw=result)
        case "decline":
            return Decline(meta=meta, raw=result)
        case "cancel":
            return Cancel(reason=_read_reason(meta), meta=meta, raw=result)
        case _:  # RES-6
            return UnknownAction(action=action, meta=meta, raw=result)


def _read_content(result: JsonObject, version: Version) -> JsonObject | None:
    content = result.get("content")
    if content is None:
        return None
    if not isinstance(content, dict):
        raise MalformedMessage(path="/content", expected="an object")
    if not version.any_content_value:
        for name, value in content.items():
            if not (isinstance(value, (str, int, float)) or _is_list_of_texts(value)):
                expected = "a string, a number, a boolean or a list of strings"
                error = MalformedMessage(path="", expected=expected)
                raise malformed_under("content", malformed_under(name, error))
    return content


def _is_list_of_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _read_reason(meta: JsonObject | None) -> Reason | None:
    ours = None if meta is None else meta.get(META_KEY)
    said = ours.get("reason") if isinstance(ours, dict) else None
    return next((reason for reason in _REASONS if reason == said), None)


def write_response(response: Response) -> JsonObject:
    """Return the result of `elicitation/create` for `response`."""
    if response.raw is not None:
        return response.raw
    meta = response.meta
    match response:
        case Accept(content=None):
            result: JsonObject = {"action": "accept"}
        case Accept(content=content):
            result = {"action": "accept", "content": content}
        case Decline():
            result = {"action": "decline"}
        case Cancel(reason=None):
            result = {"action": "cancel"}
        case Cancel(reason=reason):
            result = {"action": "cancel"}
            meta = {**(meta or {}), META_KEY: {"reason": reason}}
        case UnknownAction(action=action):
            result = {"action": action}
        case _:  # pragma: no cover
            assert_never(response)
    if meta is not None:
        result["_meta"] = meta
    return result

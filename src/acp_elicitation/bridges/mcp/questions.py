"""Reading `elicitation/create` of MCP: a form, a link, or a question that is not forwarded.

Owns: the members of the request around the form, and how large a question may be.
Knows nothing of: the SDK's classes (the params come as JSON), and of who is asked.
Above it: `forwarding`, `calling`. Below it: `schemas`, `losses`, `client.limits`, `forms`.

Everything here was written by a server that nobody vouches for.
"""

from collections.abc import Iterator

import msgspec

from acp_elicitation.bridges.mcp.losses import Loss, NotForwarded
from acp_elicitation.bridges.mcp.schemas import read_server_form
from acp_elicitation.client.limits import Limits, check_form
from acp_elicitation.forms.describe import Description
from acp_elicitation.protocol.errors import MalformedMessage, ModeNotAdvertised
from acp_elicitation.protocol.reading import JsonObject, text_at

__all__ = ["LIMITS", "ServerForm", "ServerLink", "read_question"]

_KNOWN = {
    "form": frozenset({"mode", "message", "requestedSchema"}),
    "url": frozenset({"mode", "message", "url", "elicitationId"}),
}

LIMITS = Limits(properties=100, options=1_000, text_bytes=16_384, request_bytes=131_072)
"""How large a question of a server may be: less than a client shows of an agent that it trusts."""

_encode = msgspec.json.Encoder().encode


class ServerForm(msgspec.Struct, frozen=True, kw_only=True):
    """A form that an MCP server asks for, as ACP says it."""

    message: str
    form: Description[dict[str, object]]
    losses: tuple[Loss, ...] = ()


class ServerLink(msgspec.Struct, frozen=True, kw_only=True):
    """A page that an MCP server asks its user to open.

    `id` is the server's own name for it, opaque; None from version 2026-07-28 on, where a server
    has no completions to name by it.
    """

    message: str
    url: str
    id: str | None = None
    losses: tuple[Loss, ...] = ()


def read_question(params: object, limits: Limits = LIMITS) -> ServerForm | ServerLink:
    """Return the question that the params of an MCP `elicitation/create` hold.

    With patterns it may take a moment: not on an event loop (FORM-9).

    Raises:
        NotForwarded: it is malformed or too large, or ACP cannot carry it.
        ModeNotAdvertised: its mode is none that there is, so it was not advertised (FWD-1).
    """
    try:
        if not isinstance(params, dict):
            raise MalformedMessage(path="", expected="an object")
        mode = "form" if params.get("mode") is None else text_at(params, "mode")
        if mode not in _KNOWN:
            raise ModeNotAdvertised(mode)
        message = text_at(params, "message")
        _check_size(params, limits)
        _check_text(message, "/message", limits)
        losses = tuple(_unsaid(params, mode))
        if mode == "url":
            return _read_link(params, message, losses, limits)
    except MalformedMessage as error:
        loss = Loss(error.path, "refused", f"{error.expected} belongs there")
        raise NotForwarded("malformed", loss) from None
    form, more = read_server_form(params.get("requestedSchema"))
    try:
        check_form(form.schema, limits)
    except MalformedMessage as error:
        raise _too_large(f"/requestedSchema{error.path}", error.expected) from None
    return ServerForm(message=message, form=form, losses=(*losses, *more))


def _read_link(
    params: JsonObject, message: str, losses: tuple[Loss, ...], limits: Limits
) -> ServerLink:
    url = text_at(params, "url")
    _check_text(url, "/url", limits)
    has_id = params.get("elicitationId") is not None
    link_id = text_at(params, "elicitationId") if has_id else None
    return ServerLink(message=message, url=url, id=link_id, losses=losses)


def _unsaid(params: JsonObject, mode: str) -> Iterator[Loss]:
    for name in params:
        if name not in _KNOWN[mode] and params[name] is not None:
            yield Loss(f"/{name}", "dropped", "a question of ACP has no such member")


def _check_size(params: JsonObject, limits: Limits) -> None:
    try:
        size = len(_encode(params))
    except (UnicodeEncodeError, RecursionError):  # half of a surrogate pair; or far too deep
        raise MalformedMessage(path="", expected="a question that is JSON in UTF-8") from None
    if size > limits.request_bytes:
        raise _too_large("", f"at most {limits.request_bytes} bytes")


def _check_text(text: str, path: str, limits: Limits) -> None:
    if len(text.encode()) > limits.text_bytes:
        raise _too_large(path, f"at most {limits.text_bytes} bytes")


def _too_large(path: str, expected: str) -> NotForwarded:
    return NotForwarded("too-large", Loss(path, "refused", f"{expected} can be asked"))

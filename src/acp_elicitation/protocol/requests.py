"""The questions of an agent: `elicitation/create` in form, url and unknown mode, and completions.

Owns: the request types and their wire form (REQ-1, REQ-2, FWD-1).
Knows nothing of: capabilities (who may ask what) and of answers (see `responses`).
Above it: the agent and client sides. Below it: `schema_wire`, `scope`, `reading`.

Each object keeps what it was read from in `raw`; writing it gives that back unchanged (FWD-8).
"""

from collections.abc import Callable
from typing import NewType, TypeAlias, assert_never

import msgspec

from acp_elicitation.protocol.errors import MalformedMessage
from acp_elicitation.protocol.reading import (
    OBJECT,
    TEXT,
    Field,
    JsonObject,
    Rule,
    Table,
    malformed_under,
    object_at,
    read_fields,
    text_at,
)
from acp_elicitation.protocol.schema import FormSchema
from acp_elicitation.protocol.schema_wire import read_schema, write_schema
from acp_elicitation.protocol.scope import Scope, read_scope, write_scope
from acp_elicitation.protocol.version import V1, Version

__all__ = [
    "COMPLETE",
    "COMPLETION",
    "CREATE",
    "REQUEST",
    "Completion",
    "ElicitationId",
    "FormReader",
    "FormRequest",
    "Request",
    "UnknownRequest",
    "UrlRequest",
    "read_completion",
    "read_request",
    "write_completion",
    "write_request",
]

CREATE = "elicitation/create"
COMPLETE = "elicitation/complete"

ElicitationId = NewType("ElicitationId", str)
"""Opaque to the client (URL-4)."""

REQUEST: Table = {
    "message": Field("message", TEXT, required=True),
    "_meta": Field("meta", OBJECT, Rule.DEFAULT),
}

COMPLETION: Table = {
    "elicitationId": Field("elicitation_id", TEXT, required=True),
    "_meta": Field("meta", OBJECT, Rule.DEFAULT),
}


class _Asked(msgspec.Struct, frozen=True, kw_only=True):
    """What every request has."""

    message: str
    scope: Scope
    meta: JsonObject | None = None
    raw: JsonObject | None = None


class FormRequest(_Asked, frozen=True, kw_only=True):
    """Show this form and send what the user submits."""

    schema: FormSchema


class UrlRequest(_Asked, frozen=True, kw_only=True):
    """Ask for consent to open this URL, exactly as it is written."""

    url: str
    elicitation_id: ElicitationId


class UnknownRequest(_Asked, frozen=True, kw_only=True):
    """A mode that this package does not know: never shown, kept for forwarding (FWD-1)."""

    mode: str


FormReader: TypeAlias = Callable[[object, Version], FormSchema]
"""Reads a form, as `read_schema` does; one that raises more or remembers may take its place."""

Request: TypeAlias = FormRequest | UrlRequest | UnknownRequest


class Completion(msgspec.Struct, frozen=True, kw_only=True):
    """The outside part of a url elicitation is finished (URL-5)."""

    elicitation_id: ElicitationId
    meta: JsonObject | None = None
    raw: JsonObject | None = None


def read_request(
    params: object, version: Version, *, read_form: FormReader = read_schema
) -> Request:
    """Return the request that the params of `elicitation/create` hold; `read_form` reads its form.

    Raises:
        MalformedMessage: the params do not fit the schema of this version (FWD-5).
    """
    if not isinstance(params, dict):
        raise MalformedMessage(path="", expected="an object")
    mode = text_at(params, "mode")
    fields = read_fields(REQUEST, params)
    scope = read_scope(params, version)
    match mode:
        case "form":
            try:
                schema = read_form(object_at(params, "requestedSchema"), version)
            except MalformedMessage as error:
                if error.path == "/requestedSchema":
                    raise
                raise malformed_under("requestedSchema", error) from None
            return FormRequest(schema=schema, scope=scope, raw=params, **fields)
        case "url":
            return UrlRequest(
                elicitation_id=ElicitationId(text_at(params, "elicitationId")),
                url=_absolute_url_at(params, "url"),
                scope=scope,
                raw=params,
                **fields,
            )
        case _:
            return UnknownRequest(mode=mode, scope=scope, raw=params, **fields)


def _absolute_url_at(params: JsonObject, key: str) -> str:
    from ada_url import check_url  # only url requests pay for the import

    url = text_at(params, key)
    if not check_url(url):  # nor is one with a lone surrogate, which cannot be encoded
        raise MalformedMessage(path="/" + key, expected="an absolute URL")
    return url


def write_request(
    request: Request, version: Version = V1, *, form: JsonObject | None = None
) -> JsonObject:
    """Return the params of `elicitation/create` for `request`, valid in `version` (REQ-1).

    What is valid in version 1 is valid in every version.

    `form` is the form of a `FormRequest` as `write_schema` gives it, where that is known already.
    """
    if request.raw is not None:
        return request.raw
    params: JsonObject = write_scope(request.scope)
    match request:
        case FormRequest(message=message, schema=schema):
            params |= {
                "mode": "form",
                "message": message,
                "requestedSchema": write_schema(schema, version) if form is None else form,
            }
        case UrlRequest(message=message, url=url, elicitation_id=elicitation_id):
            params |= {
                "mode": "url",
                "message": message,
                "elicitationId": elicitation_id,
                "url": url,
            }
        case UnknownRequest(message=message, mode=mode):
            params |= {"mode": mode, "message": message}
        case _:  # pragma: no cover
            assert_never(request)
    if request.meta is not None:
        params["_meta"] = request.meta
    return params


def read_completion(params: object) -> Completion:
    """Return what the params of `elicitation/complete` hold.

    Raises:
        MalformedMessage: they name no elicitation.
    """
    if not isinstance(params, dict):
        raise MalformedMessage(path="", expected="an object")
    return Completion(raw=params, **read_fields(COMPLETION, params))


def write_completion(completion: Completion) -> JsonObject:
    """Return the params of `elicitation/complete` for `completion` (URL-5)."""
    if completion.raw is not None:
        return completion.raw
    params: JsonObject = {"elicitationId": completion.elicitation_id}
    if completion.meta is not None:
        params["_meta"] = completion.meta
    return params

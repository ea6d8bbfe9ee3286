"""How much an agent may put before a user: sizes, and forms that nobody could answer.

Owns: the limits and the checks that a request passes before it is shown.
Knows nothing of: modes, queues and presenters. Above it: `responder`. Below it: `forms`,
`protocol`.
"""

import asyncio
from typing import assert_never

import msgspec

from acp_elicitation.forms.check import compile_check, find_bad_pattern
from acp_elicitation.protocol.errors import MalformedMessage
from acp_elicitation.protocol.requests import FormRequest, UnknownRequest, UrlRequest
from acp_elicitation.protocol.schema import (
    FormSchema,
    MultiSelectProperty,
    Property,
    SelectProperty,
    StringProperty,
)

__all__ = ["Limits", "check_limits", "check_patterns"]


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """What a client shows at most. Over it, the agent gets -32602 with the reason."""

    properties: int = 200
    options: int = 2_000
    """Per choice."""
    text_bytes: int = 65_536
    """Per text (message, title, description, default, option, URL), in UTF-8 bytes."""
    waiting: int = 100
    """Questions waiting for their turn; a further one is cancelled by policy."""
    outstanding_links: int = 1_000
    """Links that were opened and not completed; beyond, the oldest is forgotten."""


def check_limits(request: FormRequest | UrlRequest | UnknownRequest, limits: Limits) -> None:
    """Return when `request` can be shown.

    Raises:
        MalformedMessage: it is too large, or it has a choice without options (the schema of
            version 1 lets those through). The place is named, and what the limit is.
    """
    _check_text(request.message, "/message", limits)
    match request:
        case FormRequest(schema=schema):
            base = "/requestedSchema"
            _check_text(schema.title, f"{base}/title", limits)
            _check_text(schema.description, f"{base}/description", limits)
            if len(schema.properties) > limits.properties:
                raise MalformedMessage(
                    path=f"{base}/properties", expected=f"at most {limits.properties} properties"
                )
            for name, member in schema.properties.items():
                _check_text(name, f"{base}/properties", limits)
                _check_property(member, f"{base}/properties/{name}", limits)
        case UrlRequest(url=url):
            _check_text(url, "/url", limits)
        case UnknownRequest():
            pass
        case _:  # pragma: no cover
            assert_never(request)


async def check_patterns(schema: FormSchema) -> None:
    """Return when every pattern of the form can be used (FORM-9).

    Raises:
        MalformedMessage: one cannot; its place is named, and why.
    """
    if not compile_check(schema).has_patterns:
        return
    # Each may take its whole time limit: not on the event loop.
    bad = await asyncio.to_thread(find_bad_pattern, schema)
    if bad is not None:
        name, reason = bad
        raise MalformedMessage(
            path=f"/requestedSchema/properties/{name}/pattern",
            expected=f"a usable pattern (this one is {reason})",
        )


def _check_property(member: Property, path: str, limits: Limits) -> None:
    _check_text(member.title, path, limits)
    _check_text(member.description, path, limits)
    if isinstance(member, StringProperty):
        _check_text(member.default, path, limits)
        _check_text(member.pattern, path, limits)
    if isinstance(member, SelectProperty | MultiSelectProperty):
        count = len(member.options)
        if not 0 < count <= limits.options:
            raise MalformedMessage(path=path, expected=f"1 to {limits.options} options")
        for option in member.options:
            _check_text(option.value, path, limits)
            _check_text(option.title, path, limits)
            _check_text(option.description, path, limits)


def _check_text(text: str | None, path: str, limits: Limits) -> None:
    # No code point takes more than four bytes, so most texts need no encoding to be measured.
    if text is None or len(text) * 4 <= limits.text_bytes:
        return
    if len(text.encode("utf-8", "surrogatepass")) > limits.text_bytes:
        raise MalformedMessage(path=path, expected=f"at most {limits.text_bytes} bytes of text")

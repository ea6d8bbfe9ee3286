"""How much an agent may put before a user: sizes, and forms that nobody could answer.

Owns: the limits and the checks that a request passes before it is shown.
Knows nothing of: modes, queues and presenters. Above it: `responder`. Below it: `forms`,
`protocol`.
"""

import json

import msgspec

from acp_elicitation.client.permissions import PermissionRequest
from acp_elicitation.protocol.errors import MalformedMessage
from acp_elicitation.protocol.reading import malformed_under
from acp_elicitation.protocol.requests import FormRequest, UrlRequest
from acp_elicitation.protocol.schema import (
    FormSchema,
    MultiSelectProperty,
    Property,
    SelectProperty,
    StringProperty,
)

__all__ = [
    "Limits",
    "check_form",
    "check_limits",
    "check_permission",
    "measure",
]


_encode = msgspec.json.Encoder().encode


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """What a client shows at most. Over it, the agent gets -32602 with the reason."""

    properties: int = 200
    options: int = 2_000
    """Per choice."""
    text_bytes: int = 65_536
    """Per text (message, title, description, default, option, URL), in UTF-8 bytes."""
    patterns: int = 50
    """Properties with a pattern."""
    request_bytes: int = 1_048_576
    """Of a whole question, as JSON in UTF-8."""
    waiting: int = 100
    """Questions of a connection without an answer; a further one is cancelled by policy."""
    waiting_bytes: int = 8_388_608
    """Of all questions of a connection without an answer, likewise."""
    outstanding_links: int = 1_000
    """Links that were opened and not completed; beyond, the oldest is forgotten."""


def check_limits(request: FormRequest | UrlRequest, limits: Limits) -> None:
    """Return when the texts of `request` can be shown; its form is checked where it is read.

    Raises:
        MalformedMessage: one is too long. The place is named, and what the limit is.
    """
    _check_text(request.message, "/message", limits)
    if isinstance(request, UrlRequest):
        _check_text(request.url, "/url", limits)


def check_permission(request: PermissionRequest, limits: Limits) -> None:
    """Return when a permission request can be shown. Raises as `check_limits`."""
    _check_text(request.title, "/title", limits)
    _check_text(request.description, "/description", limits)
    if len(request.options) > limits.options:
        raise MalformedMessage(path="/options", expected=f"at most {limits.options} options")
    for option in request.options:
        _check_text(option.name, "/options", limits)


def check_form(form: FormSchema, limits: Limits) -> None:
    """Return when `form` can be shown.

    Raises:
        MalformedMessage: it is too large, or it has a choice without options (the schema of
            version 1 lets those through). The place within the form is named, and what the limit
            is.
    """
    _check_text(form.title, "/title", limits)
    _check_text(form.description, "/description", limits)
    if len(form.properties) > limits.properties:
        raise MalformedMessage(
            path="/properties", expected=f"at most {limits.properties} properties"
        )
    if sum(map(_has_pattern, form.properties.values())) > limits.patterns:
        raise MalformedMessage(path="/properties", expected=f"at most {limits.patterns} patterns")
    for name, member in form.properties.items():
        try:
            _check_text(name, "", limits)
            _check_property(member, limits)
        except MalformedMessage as error:
            raise malformed_under("properties", malformed_under(name, error)) from None


def measure(params: object, limits: Limits) -> int:
    """Return how many bytes `params` are as JSON.

    Raises:
        MalformedMessage: more than a question may be.
    """
    try:
        size = len(_encode(params))
    except UnicodeEncodeError:  # half of a surrogate pair: some hosts decode it
        size = len(json.dumps(params))
    if size > limits.request_bytes:
        raise MalformedMessage(path="", expected=f"at most {limits.request_bytes} bytes")
    return size


def _has_pattern(member: Property) -> bool:
    return isinstance(member, StringProperty) and member.pattern is not None


def _check_property(member: Property, limits: Limits) -> None:
    _check_text(member.title, "/title", limits)
    _check_text(member.description, "/description", limits)
    if isinstance(member, StringProperty):
        _check_text(member.default, "/default", limits)
        _check_text(member.pattern, "/pattern", limits)
    if isinstance(member, SelectProperty | MultiSelectProperty):
        count = len(member.options)
        if not 0 < count <= limits.options:
            raise MalformedMessage(path="", expected=f"1 to {limits.options} options")
        for option in member.options:
            _check_text(option.value, "", limits)
            _check_text(option.title, "", limits)
            _check_text(option.description, "", limits)


def _check_text(text: str | None, path: str, limits: Limits) -> None:
    # No code point takes more than four bytes, so most texts need no encoding to be measured.
    if text is None or len(text) * 4 <= limits.text_bytes:
        return
    if len(text.encode("utf-8", "surrogatepass")) > limits.text_bytes:
        raise MalformedMessage(path=path, expected=f"at most {limits.text_bytes} bytes of text")

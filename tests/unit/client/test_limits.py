"""How much an agent may put before a user."""

from typing import Any, cast

import pytest

from acp_elicitation.client.limits import (
    Limits,
    check_form,
    check_limits,
    measure,
)
from acp_elicitation.protocol.errors import MalformedMessage
from acp_elicitation.protocol.requests import UrlRequest, read_request
from acp_elicitation.protocol.version import V1

SMALL = Limits(properties=2, options=3, text_bytes=40)


def asked(properties: dict[str, Any], message: str = "m", **members: Any) -> Any:
    schema = {"type": "object", "properties": properties, **members}
    params = {"sessionId": "s", "mode": "form", "message": message, "requestedSchema": schema}
    return read_request(params, V1)


FINE = [
    {},
    {"a": {"type": "string"}, "b": {"type": "_new"}},
    {"a": {"type": "string", "enum": ["1", "2", "3"]}},
    {"a": {"type": "array", "items": {"type": "string", "enum": ["1", "2", "3"]}}},
    {"a": {"type": "string", "title": "é" * 20}},
]

OVER = [
    ({c: {"type": "string"} for c in "abc"}, "/properties", "2 properties"),
    ({"a": {"type": "string", "enum": list("1234")}}, "/properties/a", "3 options"),
    ({"a": {"type": "string", "enum": []}}, "/properties/a", "1 to 3 options"),
    (
        {"a": {"type": "array", "items": {"anyOf": []}}},
        "/properties/a",
        "1 to 3 options",
    ),
    ({"a": {"type": "string", "title": "é" * 21}}, "/properties/a/title", "40 bytes"),
    ({"a": {"type": "number", "description": "x" * 41}}, "/properties/a/description", "40"),
    ({"a": {"type": "string", "default": "x" * 41}}, "/properties/a/default", "40 bytes"),
    ({"a": {"type": "string", "enum": ["x" * 41]}}, "/properties/a", "40 bytes"),
    (
        {"a": {"type": "string", "oneOf": [{"const": "x", "title": "x" * 41}]}},
        "/properties/a",
        "40 bytes",
    ),
    ({"x" * 41: {"type": "string"}}, "/properties/" + "x" * 41, "40 bytes"),
]


@pytest.mark.parametrize("properties", FINE)
def test_what_is_within_the_limits_passes(properties: dict[str, Any]) -> None:
    assert check_form(asked(properties).schema, SMALL) is None  # type: ignore[func-returns-value]


@pytest.mark.parametrize(("properties", "path", "reason"), OVER)
def test_what_is_over_a_limit_is_named_with_the_limit(
    properties: dict[str, Any], path: str, reason: str
) -> None:
    with pytest.raises(MalformedMessage) as raised:
        check_form(asked(properties).schema, SMALL)
    assert raised.value.path == path
    assert reason in raised.value.expected


def test_a_message_over_the_limit_is_named() -> None:
    with pytest.raises(MalformedMessage) as raised:
        check_limits(asked({}, "x" * 41), SMALL)
    assert raised.value.path == "/message"


def test_a_form_with_a_long_title_is_named() -> None:
    with pytest.raises(MalformedMessage) as raised:
        check_form(asked({}, title="x" * 41).schema, SMALL)
    assert raised.value.path == "/title"


def test_a_url_over_the_limit_is_named() -> None:
    url = "https://example.com/" + "x" * 30
    params = {"sessionId": "s", "mode": "url", "message": "m", "elicitationId": "e", "url": url}
    with pytest.raises(MalformedMessage) as raised:
        check_limits(cast("UrlRequest", read_request(params, V1)), SMALL)
    assert raised.value.path == "/url"


@pytest.mark.requirement("FORM-9")
def test_a_form_has_a_limited_number_of_patterns() -> None:
    limits = Limits(patterns=2)
    member = {"type": "string", "pattern": "a"}
    plain = {"type": "string"}
    fine = asked({"a": member, "b": member, "c": plain}).schema
    assert check_form(fine, limits) is None  # type: ignore[func-returns-value]
    with pytest.raises(MalformedMessage, match="at most 2 patterns"):
        check_form(asked({"a": member, "b": member, "c": member}).schema, limits)


def test_a_question_is_measured_in_bytes() -> None:
    assert measure({"a": "\u00e9"}, Limits()) == len('{"a":"\u00e9"}'.encode())
    assert measure({"a": "\ud800"}, Limits()) > 8
    with pytest.raises(MalformedMessage, match="at most 5 bytes"):
        measure({"a": 12}, Limits(request_bytes=5))

"""The URLs that a form has in it."""

import time

import pytest

from acp_elicitation.forms.urls import UrlFinding, find_urls
from acp_elicitation.protocol.schema import (
    BooleanProperty,
    FormSchema,
    MultiSelectProperty,
    Option,
    SelectProperty,
    StringProperty,
)

pytestmark = pytest.mark.requirement("FORM-7")

EMPTY = FormSchema(properties={})


@pytest.mark.parametrize(
    ("text", "urls"),
    [
        ("See https://example.org/a?b=c#d.", ["https://example.org/a?b=c#d"]),
        ("HTTP://EXAMPLE.ORG, then (ftp://files.example.org)", None),
        ("[here](https://example.org/x)", ["https://example.org/x"]),
        ("<https://example.org>", ["https://example.org"]),
        ("Go to www.example.org!", ["www.example.org"]),
        ("WwW.example.org", ["WwW.example.org"]),
        ("mailto:ada@example.org", ["mailto:ada@example.org"]),
        ("http://[::1]:8080/", ["http://[::1]:8080/"]),
        ("\u8bf7\u8bbf\u95eehttps://example.org\u3002", ["https://example.org"]),
        ("https://a.example and https://b.example", ["https://a.example", "https://b.example"]),
    ],
)
def test_a_url_in_a_text_is_given_without_what_it_stands_in(
    text: str, urls: list[str] | None
) -> None:
    expected = urls or ["HTTP://EXAMPLE.ORG", "ftp://files.example.org"]
    assert [it.url for it in find_urls(text, EMPTY)] == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Which branch?",
        "example.org",
        "ada@www.example.org",
        "postgres://localhost/app",
        "https://",
        "https://...",
        "www.",
        "http: the protocol",
        "C:\\temp",
        "xhttp://example.org",
    ],
)
def test_what_nobody_can_click_is_none(text: str) -> None:
    assert find_urls(text, EMPTY) == []


def test_each_place_of_a_form_is_read_in_order() -> None:
    schema = FormSchema(
        title="http://title.example",
        description="http://form.example",
        properties={
            "http://name.example": StringProperty(
                title="http://label.example",
                description="http://help.example",
                default="http://default.example",
            ),
            "one": SelectProperty(
                default="http://value.example",
                options=(Option(value="http://value.example", title="http://option.example"),),
            ),
            "many": MultiSelectProperty(
                options=(Option(value="a", description="http://described.example"),)
            ),
            "yes": BooleanProperty(),
        },
    )
    places = [(it.property, it.where, it.url) for it in find_urls("http://message.example", schema)]
    name = "http://name.example"
    assert places == [
        ("", "message", "http://message.example"),
        ("", "title", "http://title.example"),
        ("", "description", "http://form.example"),
        (name, "name", "http://name.example"),
        (name, "title", "http://label.example"),
        (name, "description", "http://help.example"),
        (name, "default", "http://default.example"),
        ("one", "option", "http://value.example"),
        ("one", "option", "http://option.example"),
        ("many", "option", "http://described.example"),
    ]


def test_a_finding_is_plain_data() -> None:
    [finding] = find_urls("www.example.org", EMPTY)
    assert finding == UrlFinding(property="", where="message", url="www.example.org")


@pytest.mark.parametrize("piece", ["http://", "www.", ":", "http://a ", "mailto:"])
def test_a_long_text_takes_time_in_proportion_to_its_length(piece: str) -> None:
    start = time.perf_counter()
    find_urls(piece * (200_000 // len(piece)), EMPTY)
    assert time.perf_counter() - start < 5  # seconds; it takes a hundredth of that

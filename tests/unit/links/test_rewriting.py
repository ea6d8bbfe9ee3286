"""Is a URL written as the browser uses it?"""

import pytest

from acp_elicitation.links.rewriting import find_rewriting
from acp_elicitation.links.target import Target, read_target


def changed(url: str) -> tuple[str, ...]:
    found = read_target(url)
    assert isinstance(found, Target), found
    return find_rewriting(found)


@pytest.mark.requirement("URL-12")
@pytest.mark.parametrize(
    "url",
    [
        "https://example.com",
        "https://example.com?a=b",
        "https://EXAMPLE.com:443/a",
        "HTTPS://example.com/\u65e5\u672c/%2f/a|b?c=d|e#f",
        "https://example.com/...//a/.b/..c/d.",
        "https://example.com/?a=/../b#/../c",
        "https://user:pw@example.com:8444/",
        "https://example.com./",
        "https://[2001:DB8::1]:9443/",
        "https://192.0.2.7/",
        "https://m\xfcnchen.de/",
        "https://M\xdcNCHEN.de/",
        "https://\u0391\u03a3.gr/",
        "https://XN--MNCHEN-3YA.de/",
        "https://xn--a/",
        "https://i\u2764.ws/",
    ],
    ids=ascii,
)
def test_what_a_browser_uses_as_it_is_written_is_left_alone(url: str) -> None:
    assert changed(url) == ()


@pytest.mark.requirement("URL-12")
@pytest.mark.parametrize(
    ("url", "parts"),
    [
        ("https:example.com", ("slashes", "parsers")),
        ("https:/example.com", ("slashes", "parsers")),
        ("https:///example.com", ("slashes", "parsers")),
        ("https:\\\\example.com", ("slashes", "backslash", "parsers")),
        ("https://example.com\\@evil.example/", ("backslash", "parsers")),
        ("https://example.com/a\\b", ("backslash",)),
        ("https://example.com%2eevil.example/", ("host",)),
        ("https://example\u3002com/", ("host",)),
        ("https://\uff45xample.com/", ("host",)),
        ("https://ex\xadample.com/", ("host",)),
        ("https://\u212aaypal.com/", ("host",)),
        ("https://mu\u0308nchen.de/", ("host",)),
        ("http://2130706433/", ("host",)),
        ("http://0x7f.1/", ("host",)),
        ("http://0177.0.0.1/", ("host",)),
        ("http://127.1/", ("host",)),
        ("http://127.0.0.1./", ("host",)),
        ("https://[0:0:0:0:0:0:0:1]/", ("host",)),
        ("https://[::ffff:127.0.0.1]/", ("host",)),
        ("https://example.com:/", ("port",)),
        ("https://example.com:0443/", ("port",)),
        ("https://example.com/a/../b", ("dots",)),
        ("https://example.com/./b", ("dots",)),
        ("https://example.com/a/%2E.", ("dots",)),
    ],
    ids=ascii,
)
def test_what_a_browser_changes_is_told_by_part(url: str, parts: tuple[str, ...]) -> None:
    assert changed(url) == parts


def test_what_another_parser_refuses_is_read_differently() -> None:
    read = read_target("https://example.com/")
    assert isinstance(read, Target)
    fields = {"scheme": "https", "host": "a]b", "port": 443, "rest": "/"}
    odd = Target(written="https://a]b/", authority="a]b", **fields)  # type: ignore[arg-type]
    assert find_rewriting(read) == ()
    assert find_rewriting(odd) == ("parsers",)

"""Where a browser goes."""

from typing import Any

import pytest

from acp_elicitation.links.report import LinkWarning
from acp_elicitation.links.target import Target, read_target


def target(url: str) -> Target:
    found = read_target(url)
    assert isinstance(found, Target), found
    return found


@pytest.mark.requirement("URL-12")
@pytest.mark.parametrize(
    ("url", "scheme", "host", "port"),
    [
        ("https://example.com", "https", "example.com", 443),
        ("HTTP://EXAMPLE.com/", "http", "example.com", 80),
        ("https://example.com:8444/", "https", "example.com", 8444),
        ("https://example.com:0/", "https", "example.com", 0),
        ("https:example.com", "https", "example.com", 443),
        ("https:\\\\example.com", "https", "example.com", 443),
        ("\x01 https://exam\tple.com \n", "https", "example.com", 443),
        ("https://user:pw@example.com/", "https", "example.com", 443),
        ("https://example.com\\@evil.example/", "https", "example.com", 443),
        ("https://m\xfcnchen.de", "https", "xn--mnchen-3ya.de", 443),
        ("http://0x7f.1", "http", "127.0.0.1", 80),
        ("https://[::1]:9443/", "https", "[::1]", 9443),
    ],
)
def test_scheme_host_and_port_are_the_browsers(url: str, scheme: str, host: str, port: int) -> None:
    found = target(url)
    assert (found.scheme, found.host, found.port) == (scheme, host, port)


@pytest.mark.parametrize(
    ("url", "authority", "rest"),
    [
        ("https://example.com", "example.com", ""),
        ("https:///a@EXAMPLE.com:1/x?y#z", "a@EXAMPLE.com:1", "/x?y#z"),
        ("https://example.com?y/z", "example.com", "?y/z"),
        ("https://exam\nple.com\\@x/", "example.com", "\\@x/"),
    ],
)
def test_the_written_form_of_the_parts_is_kept(url: str, authority: str, rest: str) -> None:
    found = target(url)
    assert (found.authority, found.rest) == (authority, rest)


def test_a_port_is_usual_for_its_own_scheme_only() -> None:
    assert target("https://example.com:443").has_usual_port
    assert not target("https://example.com:80").has_usual_port
    assert target("http://example.com").has_usual_port


@pytest.mark.requirement("URL-12")
@pytest.mark.parametrize(
    ("url", "code", "params"),
    [
        ("", "invalid", {"reason": "empty"}),
        (" \t", "invalid", {"reason": "empty"}),
        ("https://", "invalid", {"reason": "unreadable"}),
        ("https://example.com:99999/", "invalid", {"reason": "unreadable"}),
        ("https://\ud800.com/", "invalid", {"reason": "unreadable"}),
        ("example.com", "not-absolute", {}),
        ("//example.com", "not-absolute", {}),
        ("1https://example.com", "not-absolute", {}),
        ("java\tScript:alert(1)", "scheme", {"scheme": "javascript"}),
        ("localhost:8080/", "scheme", {"scheme": "localhost"}),
        ("httpss://example.com", "scheme", {"scheme": "httpss"}),
    ],
    ids=ascii,
)
def test_what_leads_nowhere_is_told_why(url: str, code: str, params: dict[str, Any]) -> None:
    found = read_target(url)
    assert isinstance(found, LinkWarning)
    assert (found.code, found.params) == (code, params)

"""Does a host name pass itself off as another?"""

from typing import Any

import pytest

from acp_elicitation.links.host import read_host
from acp_elicitation.links.spoofing import find_spoofing


def found(host: str) -> dict[str, dict[str, Any]]:
    """The warnings for a host, given in Unicode."""
    encoded = host if host.isascii() else host.encode("idna").decode()
    return {it.code: dict(it.params) for it in find_spoofing(read_host(encoded))}


@pytest.mark.requirement("URL-12")
@pytest.mark.parametrize(
    "host",
    [
        "example.com",
        "agent.example.com",
        "github.com",
        "www.github.com",
        "github.io",
        "github.com-secure.example",
        "paypal.github.io",
        "acme.eu.auth0.com",
        "github.eu.example.com",
        "gitlab.dev.example.com",
        "gitlab.cern.ch",
        "gitlab.ai.example",
        "example.xy.evil.example",
        "example.co.uk",
        "localhost",
        "192.0.2.7",
        "[::1]",
        "google-analytics.com",
    ],
)
def test_ordinary_hosts_give_no_warning(host: str) -> None:
    assert found(host) == {}


@pytest.mark.requirement("URL-12")
def test_punycode_is_told_with_both_forms() -> None:
    assert found("a.m\xfcnchen.de") == {
        "punycode": {"host": "a.xn--mnchen-3ya.de", "unicode": "a.m\xfcnchen.de"}
    }


def test_punycode_that_does_not_decode_is_told_and_judged_no_further() -> None:
    assert found("xn--a.paypa1.com") == {
        "punycode": {"host": "xn--a.paypa1.com", "unicode": "xn--a.paypa1.com"}
    }


@pytest.mark.requirement("URL-12")
def test_all_mixed_and_all_confusable_labels_are_named_in_one_warning_each() -> None:
    warnings = found("p\u0430ypal.g\u03bf\u03bfgle.com")
    assert warnings["mixed-script"] == {
        "labels": {"p\u0430ypal": ("Latn", "Cyrl"), "g\u03bf\u03bfgle": ("Latn", "Grek")}
    }
    assert warnings["confusable"] == {
        "labels": {"p\u0430ypal": "paypal", "g\u03bf\u03bfgle": "google"}
    }


@pytest.mark.requirement("URL-12")
@pytest.mark.parametrize(
    ("host", "labels"),
    [
        ("paypa1.com", {"paypa1": "paypal"}),
        ("www.paypa1.evil.example", {"paypa1": "paypal"}),
        ("github-login.com", {"github-login": "github"}),
        ("\u0441\u043e\u0440.com", {"\u0441\u043e\u0440": "cop"}),
        ("\u0441\u043e\u0440.\u0440\u0444", None),
        (
            "\u0430\u0440\u0440\u04cf\u0435.\u0440\u0444",
            {"\u0430\u0440\u0440\u04cf\u0435": "apple"},
        ),
        ("github-login.agent.example.com", None),
        ("\u043f\u0440\u0438\u043c\u0435\u0440.\u0440\u0443\u0441", None),  # the suffix reads "pyc"
        ("example.\u0441\u043e\u043e", {"\u0441\u043e\u043e": "coo"}),  # there is no such suffix
    ],
)
def test_confusable_labels_are_those_before_the_suffix(
    host: str, labels: dict[str, str] | None
) -> None:
    assert found(host).get("confusable", {"labels": None})["labels"] == labels


@pytest.mark.requirement("URL-12")
@pytest.mark.parametrize(
    ("host", "looks_like", "domain"),
    [
        ("example.com.login.evil.example", "example.com", "evil.example"),
        ("accounts.google.co.uk.evil.com", "google.co.uk", "evil.com"),
        ("github.io.evil.example", "github.io", "evil.example"),
        ("acme.github.io.evil.example", "acme.github.io", "evil.example"),
        ("www.bank.org.evil.example", "bank.org", "evil.example"),
        ("example.com.github.io", "example.com", "com.github.io"),
    ],
)
def test_a_domain_within_the_labels_of_another_is_a_disguise(
    host: str, looks_like: str, domain: str
) -> None:
    assert found(host)["lookalike-subdomain"] == {"looks_like": looks_like, "domain": domain}

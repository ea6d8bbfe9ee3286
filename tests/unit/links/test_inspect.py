"""What a browser would do with a URL: all of tests/cases/urls.jsonl, and beyond it."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from acp_elicitation.links.inspect import LONGEST, inspect_link

_FILE = Path(__file__).parents[2] / "cases" / "urls.jsonl"
_CASES: list[Any] = [msgspec.json.decode(line) for line in _FILE.read_bytes().splitlines()]


def test_the_file_holds_all_of_its_cases() -> None:
    assert len(_CASES) == 44
    assert len({case["url"] for case in _CASES}) == 44


@pytest.mark.requirement("URL-12")
@pytest.mark.parametrize("case", _CASES, ids=lambda case: ascii(case["url"]))
def test_a_url_is_judged_as_the_case_says(case: Any) -> None:
    report = inspect_link(case["url"])
    assert report.url == case["url"]
    assert report.verdict == case["verdict"]
    assert list(report.codes) == case["warnings"]
    assert (report.host, report.registrable_domain) == (case["host"], case["domain"])


@pytest.mark.requirement("URL-12")
@pytest.mark.parametrize(
    ("url", "verdict", "codes"),
    [
        # two kinds at once
        (
            "http://10.0.0.5:8080/",
            "warn",
            ["ip-host", "not-https", "private-network", "unusual-port"],
        ),
        ("http://[::1]:80/", "fine", ["loopback"]),
        ("https://app.localhost:9443/", "fine", ["loopback"]),
        ("http://127.1/", "refuse", ["loopback", "rewritten"]),
        (
            "https://user@paypa1.com.evil.example/",
            "refuse",
            ["confusable", "lookalike-subdomain", "userinfo"],
        ),
        ("https://intranet/", "warn", ["private-network"]),
        ("https://[fe80::1]/", "warn", ["ip-host", "private-network"]),
        ("http://0/", "refuse", ["ip-host", "not-https", "private-network", "rewritten"]),
        # what cannot exist is not judged as a name
        ("https://xn--a/", "refuse", ["invalid", "punycode"]),
        ("https://a..b/", "refuse", ["invalid"]),
        ("https://example.com,evil.example/", "refuse", ["invalid"]),
        # what cannot be read is still searched for what cannot be seen
        ("https://exa mple.com/", "refuse", ["control", "invalid"]),
        ("https://exam\u200dple.com/", "refuse", ["invalid", "invisible"]),
        ("java\nscript:alert(1)", "refuse", ["control", "scheme"]),
        (" //example.com", "refuse", ["control", "not-absolute"]),
        ("\ud800", "refuse", ["not-absolute"]),
        # hidden in Punycode
        ("https://xn--mgba3gch31f060k.com/", "refuse", ["invisible", "punycode"]),
        # in the fragment and within another URL
        ("https://example.com/#access_token=a", "warn", ["secret-in-url"]),
        (
            "https://example.com/?u=%3Ftoken%3Da&x=a%40b.org",
            "warn",
            ["personal-data", "secret-in-url"],
        ),
        ("https://example.com/?session=abc", "fine", []),
    ],
    ids=ascii,
)
def test_what_is_odd_in_several_ways_has_a_warning_for_each(
    url: str, verdict: str, codes: list[str]
) -> None:
    report = inspect_link(url)
    assert list(report.codes) == codes
    assert report.verdict == verdict


@pytest.mark.requirement("URL-12")
def test_a_report_gives_the_host_in_both_forms_and_the_port_in_use() -> None:
    report = inspect_link("https://A.M\xfcnchen.de/x")
    assert (report.scheme, report.port) == ("https", 443)
    assert (report.host, report.host_unicode) == ("a.xn--mnchen-3ya.de", "a.m\xfcnchen.de")
    assert report.registrable_domain == "xn--mnchen-3ya.de"
    assert report.registrable_domain_unicode == "m\xfcnchen.de"


def test_a_report_of_what_leads_nowhere_has_no_host() -> None:
    report = inspect_link("vscode://extension/x")
    assert report.scheme == "vscode"
    assert (report.host, report.host_unicode, report.port) == (None, None, None)
    assert report.registrable_domain is report.registrable_domain_unicode is None
    assert inspect_link("/connect").scheme is None


def test_warnings_hold_what_a_sentence_needs() -> None:
    url = "https://example.com:8444/?token=a&secret=b&xxx=c@d.org"
    params = {warning.code: dict(warning.params) for warning in inspect_link(url).warnings}
    assert params == {
        "unusual-port": {"port": 8444},
        "secret-in-url": {"names": ("token", "secret")},
        "personal-data": {"names": ("xxx",)},
    }


def test_a_url_over_the_limit_is_not_read_at_all() -> None:
    longest = "https://example.com/".ljust(LONGEST, "a")
    assert inspect_link(longest).verdict == "fine"
    report = inspect_link(longest + "a")
    assert (report.codes, report.host) == (("invalid",), None)
    assert report.warnings[0].params["reason"] == "too-long"

"""What holds for every text that is judged as a link."""

import re
from urllib.parse import urlsplit

import pytest
from ada_url import URL
from hypothesis import given
from hypothesis import strategies as st

from acp_elicitation.links import check_own_link, inspect_link
from acp_elicitation.links.report import RULES, verdict_of
from acp_elicitation.links.unseen import find_unseen
from acp_elicitation.protocol.errors import UnsafeLink
from acp_elicitation.text.links import word_warning


def _character(escape: re.Match[str]) -> str:
    return chr(int(escape[1], 16))


WRITTEN = r"""
https http : / // \ @ ? # & = . .. - % %2e %40 [ ] ::1 :443 :80 :0443 example com co.uk evil test
localhost 127.0.0.1 0x7f.1 2130706433 xn--80ak6aa92e xn--a paypa1 github login token email a b 1
ada@example.org javascript \u3002 \uff0f \u0301 M\u00fcnchen \u00df \u03c2 \u212a \u2764
\u0430\u0440\u0440\u04cf\u0435 \u65e5\u672c\u8a9e
"""
UNSEEN = [" ", "\t", "\n", "\x00", "\u200b", "\u202e", "\xad", "\ud800"]
PIECES = st.sampled_from([*UNSEEN, *re.sub(r"\\u(....)", _character, WRITTEN).split()])
TEXTS = st.one_of(
    st.text(st.characters(), max_size=40),
    st.lists(PIECES, max_size=12).map("".join),
    st.lists(PIECES, max_size=8).map(lambda pieces: "https://" + "".join(pieces)),
    st.lists(PIECES, max_size=8).map(lambda pieces: "https://example.com/" + "".join(pieces)),
)
LABELS = st.text("abcdefghijklmnopqrstuvwxyz\xe4\xf6\u03b1\u0430\u65e5", min_size=1, max_size=10)
HOSTS = st.lists(LABELS, min_size=1, max_size=4).map(lambda labels: ".".join([*labels, "com"]))


@pytest.mark.requirement("URL-12")
@given(TEXTS)
def test_any_text_has_a_report_whose_verdict_is_that_of_its_gravest_warning(text: str) -> None:
    report = inspect_link(text)
    assert report.url == text
    assert report.codes == tuple(sorted(set(report.codes)))
    assert report.verdict == verdict_of(report.codes)
    assert all(word_warning(warning).isprintable() for warning in report.warnings)


@pytest.mark.requirement("URL-12")
@given(TEXTS)
def test_of_what_may_be_opened_no_two_parsers_see_two_hosts(text: str) -> None:
    report = inspect_link(text)
    if report.verdict == "refuse":
        return
    browser, other = URL(text), urlsplit(text)
    assert browser.protocol == f"{other.scheme}:" == f"{report.scheme}:"
    assert browser.hostname == report.host
    assert other.hostname is not None
    assert URL(f"https://{other.netloc}").hostname == report.host
    assert (other.port or report.port) == report.port
    assert not browser.username
    assert not browser.password
    assert list(find_unseen(text)) == []


@given(TEXTS)
def test_what_may_be_opened_is_judged_alike_by_its_origin_alone(text: str) -> None:
    report = inspect_link(text)
    if report.verdict != "refuse":
        again = inspect_link(f"{report.scheme}://{report.host}:{report.port}")
        assert (again.host, again.port) == (report.host, report.port)
        assert again.registrable_domain == report.registrable_domain
        elsewhere = {"secret-in-url", "personal-data"}
        assert set(again.codes) == set(report.codes) - elsewhere


@pytest.mark.requirement("URL-12")
@given(
    host=HOSTS,
    hidden=st.sampled_from("\x00\t\n \x7f\xa0\xad\u200b\u202e\u2066\u3164\ufeff"),
    data=st.data(),
)
def test_a_hidden_character_anywhere_refuses_the_link(
    host: str, hidden: str, data: st.DataObject
) -> None:
    url = f"https://{host}/a?b=c#d"
    place = data.draw(st.integers(0, len(url)))
    report = inspect_link(url[:place] + hidden + url[place:])
    assert report.verdict == "refuse"
    assert {"control", "invisible"} & set(report.codes)


@pytest.mark.requirement("URL-12")
@given(host=HOSTS, user=st.text("abc.:%/@-", max_size=10))
def test_what_stands_before_an_at_sign_never_changes_the_host_unseen(host: str, user: str) -> None:
    plain, dressed = inspect_link(f"https://{host}/"), inspect_link(f"https://{user}@{host}/")
    if "/" not in user:
        assert dressed.verdict == "refuse"
        assert {"userinfo", "invalid"} & set(dressed.codes)
        assert dressed.host in {plain.host, None}


@given(host=HOSTS)
def test_upper_case_and_the_own_port_change_nothing(host: str) -> None:
    report = inspect_link(f"https://{host}/")
    upper = inspect_link(f"HTTPS://{host.upper()}:443/")
    assert (upper.host, upper.codes) == (report.host, report.codes)


@pytest.mark.requirement("URL-9", "URL-14")
@given(TEXTS)
def test_an_agent_may_send_only_what_a_client_may_open(text: str) -> None:
    fault = _fault(text)
    if fault is None:
        codes = inspect_link(text).codes
        assert all(RULES[code].verdict != "refuse" for code in codes)
        assert {"not-https", "secret-in-url", "personal-data"}.isdisjoint(codes)
    else:
        assert str(fault).isprintable()


def _fault(url: str) -> UnsafeLink | None:
    try:
        check_own_link(url)
    except UnsafeLink as error:
        return error
    return None


def test_a_very_long_text_is_judged_at_once() -> None:
    for text in ("a" * 1_000_000, "https://" + "a." * 500_000, "\u200b" * 1_000_000):
        assert inspect_link(text).codes == ("invalid",)

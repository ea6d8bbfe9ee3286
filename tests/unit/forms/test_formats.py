"""The four formats, each with what its standard takes and what it refuses."""

import pytest

from acp_elicitation.forms.formats import (
    FORMATS,
    is_date,
    is_date_time,
    is_email,
    is_no_day,
    is_uri,
)


def test_the_four_formats_of_the_protocol_are_checked_and_no_other() -> None:
    assert dict(FORMATS) == {
        "email": is_email,
        "uri": is_uri,
        "date": is_date,
        "date-time": is_date_time,
    }


@pytest.mark.parametrize(
    "text",
    [
        "ada@example.org",
        "te~st@example.com",
        "~test@example.com",
        "te.s.t@example.com",
        "root@localhost",
        '"joe bloggs"@example.com',
        '"joe..bloggs"@example.com',
        '"joe@bloggs"@example.com',
        r'"joe\"bloggs"@example.com',
        "joe@[127.0.0.1]",
        "joe@[IPv6:::1]",
        "joe@[ipv6:2001:db8::7]",
        "a" * 64 + "@example.org",
        "a@" + "b" * 63 + ".org",
        "a@" + ".".join(["b" * 63] * 3 + ["b" * 61]),
        "+!#$%&'*/=?^_`{|}-@xn--bcher-kva.example",
    ],
)
def test_an_email_is_one_mailbox(text: str) -> None:
    assert is_email(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2962",
        "@example.org",
        "ada@",
        "ada at example",
        ".test@example.com",
        "test.@example.com",
        "te..st@example.com",
        "joe bloggs@example.com",
        "a@b@example.com",
        "joe@invalid=domain.com",
        "joe@-example.com",
        "joe@example-.com",
        "joe@example..com",
        "joe@.example.com",
        "joe@example.com.",
        "joe@[127.0.0.300]",
        "joe@[127.0.0.11",
        "joe@1127.0.0.1]",
        "joe@[IPv6:zz]",
        "joe@[fe80::1]",
        "joe@[IPv6:fe80::1%eth0]",
        "joe@[]",
        '"joe@example.com',
        '"jo\ne"@example.com',
        "ada@example.org\n",
        " ada@example.org",
        "Ada <ada@example.org>",
        "adä@example.org",
        "ada@exämple.org",
        "a" * 65 + "@example.org",
        "a@" + "b" * 64 + ".org",
        "a@" + ".".join(["b" * 63] * 3 + ["b" * 62]),
    ],
)
def test_what_is_no_mailbox_is_no_email(text: str) -> None:
    assert not is_email(text)


@pytest.mark.parametrize(
    "text",
    [
        "http://foo.bar/?baz=qux#quux",
        "http://foo.com/blah_(wikipedia)_blah#cite-1",
        "http://foo.bar/?q=Test%20URL-encoded%20stuff",
        "http://xn--nw2a.xn--j6w193g/",
        "http://-.~_!$&'()*+,;=:%40:80%2f::::::@example.com",
        "http://223.255.255.254",
        "https://example.org",
        "https://example.org:8443/a//b/?x=/?#/?",
        "HTTPS://EXAMPLE.ORG",
        "http://[2001:db8::7]/c=GB?objectClass?one",
        "ldap://[2001:db8::7]/c=GB?objectClass?one",
        "mailto:John.Doe@example.com",
        "news:comp.infosystems.www.servers.unix",
        "tel:+1-816-555-1212",
        "urn:oasis:names:specification:docbook:dtd:xml:4.1.2",
        "file:///etc/hosts",
        "git+ssh://git@example.org/a.git",
    ],
)
def test_a_uri_is_absolute(text: str) -> None:
    assert is_uri(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "abc",
        "a/b",
        "/abc",
        "//foo.bar/?baz=qux#quux",
        "example.org",
        "2:foo",
        ":// should fail",
        "bar,baz:foo",
        "\\\\WINDOWS\\fileshare",
        "http:// shouldfail.com",
        "https://example.org/a b",
        "https://example.org/foobar\\.txt",
        "https://example.com\\@evil.test/",
        "https://example.org/foobar<>.txt",
        'https://example.org/"',
        "https://example.org/{}",
        "https://example.org/^",
        "https://example.org/`",
        "https://example.org/|",
        "https://example.org/%zz",
        "https://example.org/#a#b",
        "https://[@example.org/test.txt",
        "https://[::1/",
        "https://[zz]/",
        "http://[1::2::3]/",
        "https://example.org:port/",
        "https://example.org:99999/",
        "https://",
        "https:///",
        "http://999.1.1.1/",
        "https://example.org/ä",
        "https://exämple.org/",
        "https://example.org/\n",
        " https://example.org/",
        "https://example.org/\t",
    ],
)
def test_what_is_relative_or_broken_is_no_uri(text: str) -> None:
    assert not is_uri(text)


@pytest.mark.parametrize(
    "text",
    [
        "2026-12-31",
        "2024-02-29",
        "2000-02-29",
        "2026-01-31",
        "0000-02-29",
        "0001-01-01",
        "9999-12-31",
    ],
)
def test_a_date_is_a_day_that_exists(text: str) -> None:
    assert is_date(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2026-02-29",
        "1900-02-29",
        "2026-04-31",
        "2026-06-31",
        "2026-00-10",
        "2026-13-01",
        "2026-01-00",
        "2026-01-32",
        "2026-1-01",
        "26-01-01",
        "20260101",
        "2026-W01-1",
        "2026/01/01",
        "12026-01-01",
        "-2026-01-01",
        "2026-01-01\n",
        " 2026-01-01",
        "2026-01-01T00:00:00Z",
        "２０２６-01-01",
        "2026-01-0১",
    ],
)
def test_what_is_no_day_is_no_date(text: str) -> None:
    assert not is_date(text)


@pytest.mark.parametrize("month", range(1, 13))
def test_each_month_has_its_last_day_and_none_after_it(month: int) -> None:
    last = {2: 28, 4: 30, 6: 30, 9: 30, 11: 30}.get(month, 31)
    assert is_date(f"2026-{month:02}-{last}")
    assert not is_date(f"2026-{month:02}-{last + 1}")


@pytest.mark.parametrize(
    "text",
    [
        "2026-02-28T10:00:00Z",
        "2026-02-28t10:00:00z",
        "2026-02-28T10:00:00.123456789Z",
        "2026-02-28T10:00:00+00:00",
        "2026-02-28T10:00:00-00:00",
        "2026-02-28T10:00:00+23:59",
        "2026-02-28T00:00:00-08:00",
        "2026-02-28T23:59:59Z",
        "0000-01-01T00:00:00Z",
    ],
)
def test_a_date_time_has_an_offset(text: str) -> None:
    assert is_date_time(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2026-02-28",
        "2026-02-28T10:00:00",
        "2026-02-28T10:00Z",
        "2026-02-28 10:00:00Z",
        "2026-02-28_10:00:00Z",
        "2026-02-29T10:00:00Z",
        "2026-02-28T24:00:00Z",
        "2026-02-28T10:60:00Z",
        "2026-02-28T10:00:61Z",
        "1998-12-31T23:59:61Z",
        "2026-02-28T10:00:00.Z",
        "2026-02-28T10:00:00,5Z",
        "2026-02-28T10:00:00+24:00",
        "2026-02-28T10:00:00+00:60",
        "2026-02-28T10:00:00+0000",
        "2026-02-28T10:00:00+00",
        "2026-02-28T10:00:00 Z",
        "2026-02-28T10:00:00Z\n",
        " 2026-02-28T10:00:00Z",
        "2026-02-28T10:00:00Zulu",
        "2026-02-28T1０:00:00Z",
        "20260228T100000Z",
        "2026-059T10:00:00Z",
    ],
)
def test_what_is_no_moment_is_no_date_time(text: str) -> None:
    assert not is_date_time(text)


@pytest.mark.parametrize(
    "text",
    [
        "1998-12-31T23:59:60Z",
        "1998-12-31T23:59:60.5Z",
        "1998-12-31T15:59:60.123-08:00",
        "1999-01-01T00:59:60+01:00",
        "1999-01-01T05:29:60+05:30",
    ],
)
def test_a_leap_second_stands_at_the_end_of_a_day_in_utc(text: str) -> None:
    assert is_date_time(text)


@pytest.mark.parametrize(
    "text",
    [
        "1998-12-31T23:58:60Z",
        "1998-12-31T22:59:60Z",
        "1998-12-31T23:59:60+01:00",
        "1998-12-31T23:59:60-01:00",
        "1999-01-01T00:59:60-01:00",
        "1998-12-31T15:58:60-08:00",
    ],
)
def test_there_is_no_leap_second_at_any_other_time(text: str) -> None:
    assert not is_date_time(text)


@pytest.mark.parametrize("judge", FORMATS.values(), ids=FORMATS)
def test_a_hostile_text_is_judged_at_once(judge: object) -> None:
    assert callable(judge)
    for part in ("a", "a.", "-", "0", "%41", ":", "[", '"', "\\", "@", "/", "\ud800", "2026-"):
        assert judge(part * 50_000) in (True, False)


@pytest.mark.parametrize(
    ("name", "text", "no_day"),
    [
        ("date", "2026-02-29", True),
        ("date", "2026-13-01", True),
        ("date", "2026-02-28", False),
        ("date", "29.02.2026", False),
        ("date-time", "2026-02-29T10:00:00Z", True),
        ("date-time", "2026-02-28T10:00:00Z", False),
        ("date-time", "2026-02-29T25:00:00Z", False),
        ("date-time", "29.02.2026 10:00", False),
        ("email", "2026-02-29", False),
    ],
)
def test_a_day_that_does_not_exist_is_told_from_a_text_that_is_no_date(
    name: str, text: str, no_day: bool
) -> None:
    assert is_no_day(name, text) is no_day

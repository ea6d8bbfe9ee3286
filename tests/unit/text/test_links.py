"""Every warning about a link, in words."""

from typing import Any, get_args

import pytest

from acp_elicitation.links import inspect_link
from acp_elicitation.links.report import RULES, Code, LinkWarning
from acp_elicitation.text.links import word_warning

WORDED: list[tuple[str, Code, str]] = [
    (
        "https://\u0430\u0440\u0440\u04cf\u0435.com/",
        "confusable",
        "This may not be the site that it looks like: “\u0430\u0440\u0440\u04cf\u0435” resembles "
        "“apple”. Compare it letter by letter.",
    ),
    (
        "https://example.com/ path\t",
        "control",
        "Spaces or control characters (U+0020, U+0009) are hidden in the link. It cannot be "
        "opened: ask the agent for a clean one.",
    ),
    (
        "",
        "invalid",
        "The link is empty. It cannot be opened: ask the agent for a complete one.",
    ),
    (
        "https://example.com/" + "a" * 8_192,
        "invalid",
        "The link is longer than 8192 characters. It cannot be opened: ask the agent for a "
        "shorter one.",
    ),
    (
        "https://a..b/",
        "invalid",
        "There can be no site named a..b. It cannot be opened: ask the agent for another link.",
    ),
    (
        "https://example.com:99999/",
        "invalid",
        "A browser cannot read this link. It cannot be opened: ask for another one.",
    ),
    (
        "https://example.com/\u202egnp.exe",
        "invisible",
        "Characters that cannot be seen (U+202E) are hidden in the link, so it may not be what it "
        "looks like. It cannot be opened: ask the agent for a clean one.",
    ),
    (
        "https://192.0.2.7/",
        "ip-host",
        "It leads to the address 192.0.2.7, which does not tell whose page it is. Open it only if "
        "you know that machine.",
    ),
    (
        "https://github.com.evil.example/",
        "lookalike-subdomain",
        "It begins like github.com, but is a host of evil.example. Open it only if you expect "
        "evil.example.",
    ),
    ("http://localhost/", "loopback", "The page is served by this computer itself."),
    (
        "https://ex\u0430mple.com/",
        "mixed-script",
        "Letters of different alphabets are mixed in “ex\u0430mple”, so it may not be the site "
        "that it looks like. Compare it letter by letter.",
    ),
    (
        "/connect",
        "not-absolute",
        "It is only a part of a link. It cannot be opened: ask the agent for the whole, from "
        "https:// on.",
    ),
    (
        "http://example.com/",
        "not-https",
        "The connection is not encrypted: others can read and change what you see and enter "
        "there. Do not enter anything secret.",
    ),
    (
        "https://example.com/?email=ada",
        "personal-data",
        "The link itself carries personal data (email), which stays in your browser's history and "
        "in the site's logs. Open it only if that is all right with you.",
    ),
    (
        "https://printer.local/",
        "private-network",
        "printer.local is a machine within a local network. Open it only if you know that machine.",
    ),
    (
        "https://xn--fa-hia.de/",
        "punycode",
        "The name has letters beyond plain ASCII: xn--fa-hia.de reads “fa\xdf.de”. Make sure that "
        "it is the site that you expect.",
    ),
    (
        "https://xn--a/",
        "punycode",
        "The name xn--a is written in a code (Punycode) that does not decode.",
    ),
    (
        "https://example.com\\@evil.example/",
        "rewritten",
        "The link is not written as a browser reads it: a browser would go to example.com. It "
        "cannot be opened: ask the agent for a plain link.",
    ),
    (
        "javascript:alert(1)",
        "scheme",
        "It is no web page: the link starts with javascript: and would be opened by another "
        "program. It cannot be opened: ask for an https link.",
    ),
    (
        "https://example.com/?token=a",
        "secret-in-url",
        "The link itself carries what looks like a password or an access key (token), which stays "
        "in your browser's history and in the site's logs. Open it only if you trust the agent, "
        "and do not pass the link on.",
    ),
    (
        "https://example.com/ada@example.org",
        "personal-data",
        "The link itself carries personal data, which stays in your browser's history and in the "
        "site's logs. Open it only if that is all right with you.",
    ),
    (
        "https://example.com:8444/",
        "unusual-port",
        "It uses the unusual port 8444. Open it only if you expect that of this site.",
    ),
    (
        "https://example.com@evil.example/",
        "userinfo",
        "What stands before the @ is not the site: the site is evil.example. It cannot be opened: "
        "ask the agent for a link without @.",
    ),
]


@pytest.mark.requirement("URL-12")
@pytest.mark.parametrize(("url", "code", "sentence"), WORDED, ids=lambda value: str(value)[:40])
def test_a_warning_says_what_is_odd_and_what_to_do(url: str, code: Code, sentence: str) -> None:
    found = {warning.code: warning for warning in inspect_link(url).warnings}
    assert word_warning(found[code]) == sentence


def test_every_code_is_worded() -> None:
    assert {code for _, code, _ in WORDED} == set(get_args(Code))


@pytest.mark.parametrize(("url", "code", "sentence"), WORDED, ids=lambda value: str(value)[:40])
def test_what_cannot_be_opened_is_said_so_and_nothing_else(
    url: str, code: Code, sentence: str
) -> None:
    assert ("cannot be opened" in sentence) is (RULES[code].verdict == "refuse"), url


def worded(code: Code, **params: Any) -> str:
    return word_warning(LinkWarning(code=code, params=params))


def test_what_the_agent_wrote_is_made_visible_and_cut() -> None:
    assert "a<U+202E>b<U+001B>" in worded("private-network", host="a\u202eb\x1b")
    assert len(worded("scheme", scheme="a" * 5_000)) < 300


def test_of_many_labels_the_first_are_named() -> None:
    labels = {f"{number}\u0430pple": "apple" for number in range(9)}
    assert worded("confusable", labels=labels).count("resembles “") == 3
    assert worded("mixed-script", labels=labels).count("“") == 3

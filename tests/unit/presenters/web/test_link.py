"""Links in a page: before the consent they are text, and after it they can be opened."""

import pytest
from selectolax.lexbor import LexborHTMLParser

from acp_elicitation.client.prompts import LinkPrompt
from acp_elicitation.presenters.web.link import draw_address, render_departure, render_waiting
from acp_elicitation.presenters.web.question import render_question
from acp_elicitation.presenters.web.shell import render_page
from tests.posting import posted, read_page
from tests.unit.presenters.web.asked import link_to

_URL = "https://login.example.com/authorize?a=1&b=%22%3E&c='x'"


def consent(url: str = _URL) -> LexborHTMLParser:
    return read_page(render_question(link_to(url), action="/q/1", token="t"))


def waiting(prompt: LinkPrompt, elapsed: float = 75.0) -> LexborHTMLParser:
    return read_page(render_waiting(prompt, action="/w/1", token="t", elapsed=elapsed))


def texts(page: LexborHTMLParser, selector: str) -> list[str]:
    return [" ".join(node.text().split()) for node in page.css(selector)]


@pytest.mark.requirement("URL-10", "URL-12")
@pytest.mark.parametrize(
    ("url", "marked"),
    [
        (_URL, "example.com"),
        ("https://example.com", "example.com"),
        ("https://EXAMPLE.com/example.com", "EXAMPLE.com"),
        ("http://127.0.0.1:8000/127.0.0.1", "127.0.0.1"),
        ("http://[::1]:8000/", "[::1]"),
        ("https://example.co.uk.evil.test/", "evil.test"),
        ("https://xn--bcher-kva.example/", "xn--bcher-kva.example"),
    ],
)
def test_the_whole_address_is_shown_with_its_owner_marked(url: str, marked: str) -> None:
    page = consent(url)
    assert texts(page, ".address") == [url]
    assert texts(page, ".address strong") == [marked]


def test_an_address_is_shown_whole_where_its_host_cannot_be_found_in_it() -> None:
    page = read_page(draw_address("https://a.example/", "b.example", None))
    assert texts(page, ".address") == ["https://a.example/"]
    assert page.css("strong") == []


@pytest.mark.requirement("UI-5")
def test_the_host_is_shown_in_ascii_and_in_its_own_letters() -> None:
    assert texts(consent(), ".host p") == [
        "A page of the host: login.example.com",
        "It belongs to example.com.",
    ]
    assert texts(consent("https://xn--bcher-kva.example/"), ".host p") == [
        "A page of the host: xn--bcher-kva.example",
        "The host in its own letters: bücher.example",
    ]


@pytest.mark.requirement("URL-10")
def test_nothing_leads_to_the_address_before_the_consent() -> None:
    page = read_page(
        render_page(
            "x", render_question(link_to(_URL), action="/q/1", token="t", id="q"), base="/b"
        )
    )
    assert page.css('[href^="http"], [src^="http"], [http-equiv="refresh"]') == []
    root = page.root
    assert root is not None
    attributes = [value for node in root.traverse() for value in node.attributes.values()]
    assert not any("example.com" in (value or "") for value in attributes)


@pytest.mark.requirement("URL-12")
def test_warnings_are_spelled_out_and_agreeing_is_then_no_invitation() -> None:
    page = consent("http://example.com:81/?password=x")
    warnings = " ".join(texts(page, ".warnings li"))
    assert "not encrypted" in warnings
    assert "unusual port 81" in warnings
    assert page.css(".primary, [autofocus]") == []
    fine = consent()
    assert fine.css(".warnings") == []
    assert [node.attributes["value"] for node in fine.css(".primary")] == ["open"]


def test_the_consent_is_posted_in_a_new_tab_that_knows_nothing_of_the_page() -> None:
    page = consent()
    form = page.css_first("#question-yes")
    assert form is not None
    assert form.attributes["target"] == "_blank"
    assert form.attributes["rel"] == "noopener noreferrer"
    assert posted(page, "question-yes", "open") == {"token": ["t"], "do": ["open"]}
    refusal = page.css_first("#question-no")
    assert refusal is not None
    assert "target" not in refusal.attributes


@pytest.mark.requirement("URL-10", "URL-11")
def test_after_the_consent_the_new_tab_goes_to_exactly_the_address() -> None:
    prompt = link_to(_URL)
    page = read_page(
        render_page("x", render_departure(prompt), base="/b", live=False, go_to=prompt)
    )
    refresh = page.css_first("[http-equiv=refresh]")
    assert refresh is not None
    assert refresh.attributes["content"] == f"0;url={_URL}"
    (way,) = page.css('a[href^="http"]')
    assert (way.attributes["href"], way.attributes["target"]) == (_URL, "_blank")
    assert way.attributes["rel"] == "noopener noreferrer"


@pytest.mark.requirement("URL-8")
def test_a_link_that_is_open_can_be_opened_again_and_be_done_with() -> None:
    page = waiting(link_to(_URL))
    assert texts(page, ".elapsed") == ["For 1 min 15 s now."]
    (way,) = page.css("a")
    assert (way.text(), way.attributes["href"]) == ("Open again", _URL)
    assert posted(page, "waiting-yes", "done") == {"token": ["t"], "do": ["done"]}
    assert "Waiting" in texts(page, "h2")[0]


@pytest.mark.requirement("URL-5")
def test_a_completed_link_says_so_and_counts_no_longer() -> None:
    prompt = link_to(_URL)
    prompt.completed.set()
    page = waiting(prompt)
    assert texts(page, "h2") == ["The agent says that the link is complete."]
    assert page.css(".elapsed") == []

"""What stands on the pages of the connect service, and that none of it is the agent's markup."""

from collections.abc import Iterator

import pytest
from selectolax.lexbor import LexborHTMLParser

from acp_elicitation.connect.details import LinkDetails
from acp_elicitation.connect.endings import NO_LINK
from acp_elicitation.connect.pages import Asked, render_asked, render_departure, render_ending
from acp_elicitation.connect.providers import Callback, OAuthProvider, Provider, SecretEntry
from acp_elicitation.connect.secret import Secret
from acp_elicitation.text.html import element
from acp_elicitation.text.language import use_language
from tests.posting import read_page
from tests.web_client import found

HUB = OAuthProvider(name="hub", title="The Hub", client_id="acp", issuer="https://hub.example")
WIKI = SecretEntry(name="wiki", title="The Wiki", label="API key", hint="In your settings")
SHOP = Callback(name="shop", page="https://shop.example", reporter="shop", key=Secret("k" * 32))
MARKUP = "<script>alert(1)</script><a href=https://evil.example>here</a>"


def asked(
    provider: Provider = WIKI, *, problem: str = "", agent: str = "Coder", purpose: str = "",
    scopes: tuple[str, ...] = (),
) -> str:  # fmt: skip
    details = LinkDetails(provider=provider.name, agent=agent, purpose=purpose, scopes=scopes)
    return render_asked(
        Asked(
            base="/connect", here="/connect/link/one", token="form-token", details=details,
            provider=provider, problem=problem,
        )
    )  # fmt: skip


def text(markup: str, selector: str) -> str:
    return " ".join(found(markup, selector).text().split())


def page_of(markup: str) -> LexborHTMLParser:
    return read_page(markup)


# --- the question ---------------------------------------------------------------------------------


@pytest.mark.requirement("URL-14")
def test_the_page_says_who_asks_what_for_and_with_what() -> None:
    page = asked(HUB, purpose="To open pull requests.", scopes=("repo", "gist"))
    assert text(page, "h2") == "Connect The Hub"
    assert text(page, "p.lead") == "Coder asks for this, and says what for:"
    assert text(page, "div.message") == "To open pull requests."
    assert [node.text() for node in page_of(page).css("ul.scopes code")] == ["repo", "gist"]
    assert "If somebody has sent you this link, close the page." in text(page, "p.caution")


def test_what_nobody_has_said_leaves_no_empty_place() -> None:
    page = asked(HUB, agent="", purpose="  \n")
    assert text(page, "p.lead") == "? asks for this."
    assert page_of(page).css_first("div.message") is None
    assert page_of(page).css_first("ul.scopes") is None


@pytest.mark.requirement("FORM-8")
def test_what_the_agent_says_is_text_that_leads_nowhere() -> None:
    scopes = (MARKUP, "a\u202eb\nc")
    page = asked(HUB, agent=MARKUP, purpose=f"{MARKUP} https://evil.example", scopes=scopes)
    assert not page_of(page).css("script, a[href*=evil]")
    assert text(page, "p.lead strong") == MARKUP
    assert MARKUP in text(page, "div.message")
    assert "\u202e" not in page


def test_a_long_name_of_an_agent_is_cut() -> None:
    assert len(text(asked(agent="x" * 5000), "p.lead strong")) <= 200


@pytest.mark.parametrize(
    ("provider", "said"),
    [
        (HUB, "You choose the account, and allow or refuse, on the provider's own page."),
        (WIKI, "What you type is kept encrypted here"),
        (SHOP, "You finish this on another page"),
    ],
    ids=["oauth", "secret", "callback"],
)
def test_the_page_says_what_happens_next(provider: Provider, said: str) -> None:
    assert said in text(asked(provider), "p.about")


# --- the answers ----------------------------------------------------------------------------------


@pytest.mark.parametrize("provider", [HUB, SHOP], ids=["oauth", "callback"])
def test_both_answers_post_their_token_to_a_place_of_their_own(provider: Provider) -> None:
    page = page_of(asked(provider))
    yes, no = page.css("form")
    assert (yes.attributes["action"], no.attributes["action"]) == (
        "/connect/link/one/begin",
        "/connect/link/one/refuse",
    )
    assert {form.attributes["method"] for form in (yes, no)} == {"post"}
    for form in (yes, no):
        (hidden,) = form.css("input")
        assert (hidden.attributes["name"], hidden.attributes["value"]) == ("token", "form-token")
    assert found(asked(provider), 'button[form="refuse"]').text() == "Do not connect"


@pytest.mark.requirement("URL-2")
def test_a_secret_is_typed_unseen_and_goes_with_the_consent_alone() -> None:
    page = asked(WIKI)
    field = found(page, "input#secret")
    said = {name: field.attributes[name] for name in ("type", "name", "autocomplete")}
    assert said == {"type": "password", "name": "secret", "autocomplete": "off"}
    assert "required" in field.attributes
    assert "value" not in field.attributes
    assert text(page, "label[for=secret]") == "API key"
    assert text(page, "p.hint") == "In your settings"
    assert [form.css_first("#secret") is not None for form in page_of(page).css("form")] == [
        True,
        False,
    ]


def test_a_provider_that_says_little_is_asked_for_by_its_name() -> None:
    page = asked(SecretEntry(name="wiki"))
    assert text(page, "label[for=secret]") == "wiki"
    assert page_of(page).css_first("p.hint") is None


def test_what_is_wrong_is_read_out_with_the_field_that_it_is_about() -> None:
    page = asked(WIKI, problem="This does not work.")
    assert text(page, "div[role=alert] #wrong") == "This does not work."
    field = found(page, "input#secret").attributes
    assert (field["aria-invalid"], field["aria-describedby"]) == ("true", "wrong")
    fine = asked(WIKI)
    assert page_of(fine).css_first("[role=alert]") is None
    assert "aria-invalid" not in found(fine, "input#secret").attributes


# --- the way out, and the end ---------------------------------------------------------------------


def test_the_way_out_names_its_host_and_tells_it_nothing() -> None:
    url = 'https://hub.example/authorize?state=a&b="c"'
    page = render_departure("/connect", HUB, url)
    assert text(page, "p.lead") == "Taking you to hub.example."
    link = found(page, "a#onward").attributes
    assert (link["href"], link["referrerpolicy"]) == (url, "no-referrer")
    assert found(page, "meta[http-equiv=refresh]").attributes["content"] == f"0;url={url}"
    assert page_of(page).css_first("form") is None


def test_an_end_is_its_words_and_what_is_put_below_them() -> None:
    more = element("p", {"id": "more"}, "and more")
    page = render_ending("/connect", NO_LINK, more)
    assert text(page, "title") == text(page, "h2") == "There is nothing here"
    assert "Go back, and ask for a new one." in text(page, "p[role=status]")
    assert text(page, "#more") == "and more"
    assert page_of(page).css_first("form, meta[http-equiv=refresh], script") is None


@pytest.fixture
def chinese() -> Iterator[None]:
    use_language("zh-CN")
    yield
    use_language("en")


@pytest.mark.usefixtures("chinese")
@pytest.mark.parametrize("provider", [HUB, WIKI, SHOP], ids=["oauth", "secret", "callback"])
def test_the_pages_are_in_the_language_of_the_service(provider: Provider) -> None:
    for page in (
        asked(provider, agent="", scopes=("repo",)),
        asked(provider, agent="", purpose="为了阅读"),
        render_departure("/connect", provider, "https://hub.example"),
        render_ending("/connect", NO_LINK),
    ):
        assert found(page, "html").attributes["lang"] == "zh-CN"
        words = [node.text() for node in page_of(page).css("p:not(.hint), button, title, a")]
        assert words
        assert all(any("\u4e00" <= letter <= "\u9fff" for letter in line) for line in words)

"""Questions as parts of a page: what is in them, and what no text of an agent gets into them."""

import pytest
from selectolax.lexbor import LexborHTMLParser, LexborNode

from acp_elicitation.client.prompts import Asker, Prompt
from acp_elicitation.presenters.web.question import chosen_option, render_question
from acp_elicitation.presenters.web.shell import render_page
from acp_elicitation.protocol.schema import (
    BooleanProperty,
    SelectProperty,
    StringProperty,
    UnknownProperty,
)
from acp_elicitation.text.language import use_language
from acp_elicitation.text.terminal import visible
from tests.posting import fill, forms_in, posted, read_page
from tests.unit.presenters.web.asked import HOSTILE, ask, full_of, link_to, permit

_URL = "https://example.com/login"


def drawn(prompt: Prompt, *, show_problems: bool = False) -> LexborHTMLParser:
    question = render_question(
        prompt, action="/q/1", token="t0k", show_problems=show_problems, id="question"
    )
    return read_page(render_page("Ada", question, base="/b"))


def buttons(page: LexborHTMLParser) -> list[str]:
    return [str(button.attributes["value"]) for button in page.css("button")]


def text_of(page: LexborHTMLParser, selector: str = "article") -> str:
    node = page.css_first(selector)
    assert node is not None
    return " ".join(node.text().split())


# --- hostile text ---------------------------------------------------------------------------------

_MAY_STAND = {
    *("html", "head", "meta", "title", "link", "script", "body", "header", "main", "article"),
    *("h1", "h2", "p", "div", "span", "bdi", "code", "strong", "br", "ul", "li", "a", "details"),
    *("summary", "form", "fieldset", "legend", "label", "input", "textarea", "button"),
}
_IDS_FOR_TEXT = frozenset({"value"})


def faults(page: LexborHTMLParser) -> list[str]:
    """Name what a page has that only markup of an agent can have put there."""
    root = page.root
    assert root is not None
    found = []
    for node in root.traverse():
        found += [f"{node.tag}: {fault}" for fault in _faults_of(node)]
    if len(page.css("form")) > 2 or len(page.css("script")) != 1 or page.css("script")[0].text():
        found.append("forms or scripts")
    return found


def _faults_of(node: LexborNode) -> list[str]:
    found = [] if node.tag in _MAY_STAND else ["element"]
    for name, value in node.attributes.items():
        if name.startswith("on") or name in ("style", "src" if node.tag != "script" else "style"):
            found.append(name)
        if name == "href" and not (value or "").startswith(("#", "/b/static/")):
            found.append(f"href {value}")
        if name not in _IDS_FOR_TEXT and value and ("canary" in value or "evil" in value):
            found.append(f"{name} {value}")
    return found


@pytest.mark.requirement("FORM-8")
@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_of_an_agent_becomes_markup_or_can_be_clicked(text: str) -> None:
    for prompt in full_of(text):
        for show_problems in (False, True):
            page = drawn(prompt, show_problems=show_problems)
            assert faults(page) == []
            shown = " ".join(visible(text).split())
            assert shown in text_of(page)


@pytest.mark.requirement("UI-6")
def test_a_message_is_shown_with_its_lines_as_they_are() -> None:
    message = "one\n  **two**\n\n<i>three</i> שלום"
    page = drawn(ask(message=message))
    node = page.css_first(".message")
    assert node is not None
    assert node.text() == message
    assert node.attributes == {"class": "message", "dir": "auto"}


@pytest.mark.parametrize("message", ["x" * 2_000, "\n" * 30])
def test_a_long_message_scrolls_by_the_keyboard_too(message: str) -> None:
    node = drawn(ask(message=message)).css_first(".message")
    assert node is not None
    assert (node.attributes["class"], node.attributes["tabindex"]) == ("message long", "0")


# --- who asks, and how it is answered -------------------------------------------------------------


@pytest.mark.requirement("UI-1")
@pytest.mark.parametrize("prompt", [ask(), link_to(_URL), permit("Yes")])
def test_every_question_says_who_asks_and_by_which_command_it_was_started(prompt: Prompt) -> None:
    page = drawn(prompt)
    assert "from Ada 1.0" in text_of(page, "h2")
    assert text_of(page, ".command") == "Started by the command: ada --acp"
    article = page.css_first("article")
    assert article is not None
    assert article.attributes["aria-labelledby"] == "question-asks"


def test_an_agent_without_a_command_shows_none() -> None:
    assert drawn(ask(asker=Asker())).css(".command") == []


@pytest.mark.requirement("UI-3")
@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        (ask(a=StringProperty()), ["submit", "decline", "cancel"]),
        (ask(), ["submit", "decline", "cancel"]),
        (link_to(_URL), ["open", "decline", "cancel"]),
        (link_to("http://example.com:81/"), ["decline", "cancel", "open"]),
        (permit("Yes", "No"), ["option-0", "option-1", "cancel"]),
    ],
)
def test_every_question_can_be_declined_and_cancelled_by_buttons_of_their_own(
    prompt: Prompt, expected: list[str]
) -> None:
    assert buttons(drawn(prompt)) == expected


@pytest.mark.requirement("UI-2")
def test_declining_and_cancelling_post_nothing_that_was_typed() -> None:
    page = drawn(ask(a=StringProperty()))
    fill(page, "question-f0", "private")
    for do in ("decline", "cancel"):
        button = page.css_first(f"button[value={do}]")
        assert button is not None
        assert button.attributes["form"] == "question-no"
    assert posted(page, "question-no", "decline") == {"token": ["t0k"], "do": ["decline"]}
    assert posted(page, "question-yes", "submit")["question-f0"] == ["private"]


def test_enter_in_a_text_submits_and_never_declines() -> None:
    page = drawn(ask(a=StringProperty(max_length=9)))
    own = [button for button in page.css("#question-yes button") if "form" not in button.attributes]
    assert [button.attributes["value"] for button in own] == ["submit"]


def test_every_form_posts_to_the_action_with_the_token() -> None:
    for prompt in (ask(), link_to(_URL), permit("Yes")):
        for form in forms_in(drawn(prompt)).values():
            assert (form.attributes["method"], form.attributes["action"]) == ("post", "/q/1")
            token = form.css_first("[name=token]")
            assert token is not None
            assert token.attributes["value"] == "t0k"


def test_waiting_questions_are_counted_and_can_be_declined_at_once() -> None:
    prompt = ask()
    prompt.count_waiting = lambda: 3
    prompt.count_from_asker = lambda: 2
    assert buttons(drawn(prompt)) == ["submit", "decline", "cancel"]
    prompt.decline_all = lambda: None
    page = drawn(prompt)
    assert buttons(page) == ["submit", "decline", "cancel", "decline-all"]
    assert text_of(page, ".waiting") == "3 more questions wait after this one."
    assert "all 3 questions" in text_of(page, "[value=decline-all]")


def test_a_confirmation_asks_for_a_yes() -> None:
    page = drawn(ask())
    assert text_of(page, "[value=submit]") == "Yes"
    assert page.css(".field") == []


@pytest.mark.requirement("FWD-2")
def test_a_form_that_nobody_can_answer_says_why_and_cannot_be_submitted() -> None:
    page = drawn(ask(required=("a",), a=UnknownProperty(title="Place", type="location")))
    assert buttons(page) == ["decline", "cancel"]
    assert "Place: This question is of a kind that cannot be shown here" in text_of(page)
    assert page.css(".field") == []


@pytest.mark.requirement("FORM-5")
def test_a_form_that_asks_for_a_secret_warns_and_offers_to_decline_first() -> None:
    prompt = ask(a=StringProperty(title="Password", meta={"isSecret": True}), b=StringProperty())
    page = drawn(prompt)
    assert buttons(page) == ["decline", "cancel", "submit"]
    assert "Password: This field seems to ask for" in text_of(page, ".warnings")
    details = page.css_first("details")
    assert details is not None
    assert "open" not in details.attributes
    assert len(details.css(".field")) == 2
    again = drawn(prompt, show_problems=True).css_first("details")
    assert again is not None
    assert "open" in again.attributes


def test_the_option_of_a_permission_goes_by_its_place() -> None:
    prompt = permit("Yes", "No")
    assert chosen_option(prompt, "option-1") == "o1"
    for do in ("option-2", "option-", "option--1", "cancel", "o1", "option-99999"):
        assert chosen_option(prompt, do) is None


def test_a_question_has_the_language_of_its_user() -> None:
    use_language("zh-CN")
    try:
        page = drawn(ask(a=BooleanProperty(), b=SelectProperty(options=())))
    finally:
        use_language("en")
    assert text_of(page, "[value=decline]") == "拒绝"
    assert not any(word in text_of(page) for word in ("Yes", "answered", "optional", "Neither"))

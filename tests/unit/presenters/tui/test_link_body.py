"""Links on a full screen: what is shown before the consent, and what consent does."""

import re
import threading

import pytest
from textual.pilot import Pilot
from textual.widgets import Button

from acp_elicitation.client.prompts import LinkPrompt, Reply
from acp_elicitation.presenters.tui import ElicitationScreen
from acp_elicitation.protocol.answers import Accepted, Cancelled, Declined
from acp_elicitation.text.language import use_language
from tests.contract.presenters import link_prompt
from tests.unit.presenters.tui.shown import asked, shown

SIZES = [(40, 12), (80, 24), (200, 60)]
ODD = link_prompt("http://login.example.com:8080/", host="login.example.com")


class Browser:
    """Notes what it is to open."""

    def __init__(self, *, works: bool = True) -> None:
        self.opened: list[str] = []
        self._works = works

    def __call__(self, url: str) -> bool:
        self.opened.append(url)
        return self._works


async def decide(pilot: Pilot[None], screen: ElicitationScreen, *keys: str) -> Reply:
    await pilot.press(*keys)
    return await screen.reply()


@pytest.mark.requirement("UI-5", "URL-10", "URL-12")
async def test_the_address_the_host_the_owner_and_each_warning_are_shown() -> None:
    async with asked(ODD) as (_, screen):
        seen = shown(screen)
    for words in (
        "Link from House Painter 3.1",
        "painter --acp",
        "Please connect.",
        "http://login.example.com:8080/",
        "A page of the host:",
        "It belongs to example.com.",
        "! The connection is not encrypted",
        "! It uses the unusual port 8080.",
    ):
        assert words in seen


@pytest.mark.requirement("UI-5")
async def test_a_host_beyond_ascii_is_shown_in_both_forms() -> None:
    prompt = link_prompt("https://xn--mnchen-3ya.de/x", host="xn--mnchen-3ya.de")
    async with asked(prompt) as (_, screen):
        lines = [line.strip("│▌ ") for line in shown(screen).splitlines()]
    place = lines.index("A page of the host:")
    assert lines[place + 1 : place + 3] == ["xn--mnchen-3ya.de", "münchen.de"]


@pytest.mark.requirement("UI-5", "URL-10")
async def test_a_long_address_is_wrapped_and_shown_in_full() -> None:
    url = "https://example.com/" + "".join(f"step{number}-" for number in range(60))
    async with asked(link_prompt(url), size=(40, 60)) as (_, screen):
        joined = "".join(line.strip("│▌▊▎ ") for line in shown(screen).splitlines())
        assert url in joined
        selected = screen.query_one("#address").render()
        assert str(selected) == url


@pytest.mark.parametrize("size", SIZES)
async def test_the_consent_stands_ready_where_nothing_is_odd(size: tuple[int, int]) -> None:
    browser = Browser()
    async with asked(link_prompt(), size=size, open_url=browser) as (pilot, screen):
        await pilot.pause()
        assert "Open" in shown(screen)
        assert browser.opened == []
        assert await decide(pilot, screen, "enter") == Accepted(None)
    assert browser.opened == [link_prompt().url]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.requirement("URL-12", "UI-2")
async def test_declining_stands_ready_where_something_is_odd(size: tuple[int, int]) -> None:
    browser = Browser()
    async with asked(ODD, size=size, open_url=browser) as (pilot, screen):
        await pilot.pause()
        assert await decide(pilot, screen, "enter") == Declined()
    assert browser.opened == []


@pytest.mark.requirement("URL-12")
async def test_an_odd_link_can_be_opened_all_the_same() -> None:
    browser = Browser()
    async with asked(ODD, open_url=browser) as (pilot, screen):
        await pilot.click("#do-open")
        assert await screen.reply() == Accepted(None)
    assert browser.opened == [ODD.url]


@pytest.mark.parametrize(("key", "reply"), [("escape", Cancelled()), ("ctrl+d", Declined())])
@pytest.mark.requirement("URL-10", "RES-1")
async def test_nothing_is_opened_without_consent(key: str, reply: Reply) -> None:
    browser = Browser()
    async with asked(link_prompt(), open_url=browser) as (pilot, screen):
        assert await decide(pilot, screen, key) == reply
    assert browser.opened == []


async def test_two_presses_open_once() -> None:
    gate = threading.Event()
    opened: list[str] = []

    def slow(url: str) -> bool:
        opened.append(url)
        return gate.wait(10)

    async with asked(link_prompt(), open_url=slow) as (pilot, screen):
        button = screen.query_one("#do-open", Button)
        button.press()
        button.press()
        gate.set()
        assert await screen.reply() == Accepted(None)
        await pilot.pause()
    assert opened == [link_prompt().url]


async def test_where_no_browser_works_its_user_is_told_to_open_it() -> None:
    async with asked(link_prompt(), open_url=Browser(works=False)) as (pilot, screen):
        assert await decide(pilot, screen, "enter") == Accepted(None)
        await pilot.pause()
        assert [n.message for n in pilot.app._notifications] == [
            "No browser could be opened. Open the address yourself."
        ]


async def test_without_a_browser_its_user_agrees() -> None:
    async with asked(link_prompt()) as (pilot, screen):
        await pilot.pause()
        assert str(screen.query_one("#do-open", Button).label) == "Agree"
        assert await decide(pilot, screen, "enter") == Accepted(None)


async def test_a_link_is_chinese_where_its_user_is() -> None:
    prompt: LinkPrompt = link_prompt("https://example.com/", message="Q")
    use_language("zh-CN")
    try:
        async with asked(prompt) as (_, screen):
            seen = shown(screen)
    finally:
        use_language("en")
    own = ("House Painter 3.1", "painter --acp", "https://example.com/", "example.com", "Q")
    for text in (*own, "ctrl+d", "esc"):
        seen = seen.replace(text, "")
    assert "拒绝" in seen
    assert re.findall("[A-Za-z]+", seen) == []

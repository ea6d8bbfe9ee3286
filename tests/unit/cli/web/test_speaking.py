import asyncio

import pytest

from acp_elicitation.cli.web.speaking import Speaking
from acp_elicitation.presenters.web.desk import Desk
from tests.posting import read_page
from tests.web_client import found


class Page:
    """A page with a prompt, and what was told in it."""

    def __init__(self) -> None:
        self.desk = Desk()
        self.told: list[str] = []
        self.speaking = Speaking(self.desk, self.told.append)

    async def post(self, name: str, **data: str) -> None:
        await self.desk.actions[name]({key: [value] for key, value in data.items()})

    def buttons(self) -> list[str]:
        return [button.text() for button in read_page(self.desk.page()).css("main button")]

    @property
    def typed(self) -> str:
        return found(self.desk.page(), "#text").text().removeprefix("\n")

    @property
    def state(self) -> str:
        return found(self.desk.page(), "#state .doing").text().strip()


@pytest.fixture
async def page() -> Page:
    return Page()


async def test_what_is_said_in_the_page_is_what_is_read(page: Page) -> None:
    page.speaking.invite()
    reading = asyncio.create_task(page.speaking.read())
    await asyncio.sleep(0)
    await page.post("say", text="one\r\ntwo <b> 中")
    assert await reading == "one\ntwo <b> 中"
    assert page.typed == ""
    assert page.told == []


async def test_what_is_said_out_of_turn_still_stands_in_the_prompt(page: Page) -> None:
    page.speaking.invite()
    await page.post("say", text="\n<b> & \x01")
    await page.post("say", text="too early </textarea>")
    assert page.typed == "too early </textarea>"
    assert "it is not your turn yet" in page.told[-1]
    reading = asyncio.create_task(page.speaking.read())
    await asyncio.sleep(0)
    await page.post("say", text="first")
    await page.post("say", text="second, before the first was taken")
    assert await reading == "first"
    assert page.typed == "second, before the first was taken"


@pytest.mark.parametrize("text", ["\x1b[A", "a\x00b", "\ufffd"])
async def test_what_cannot_be_meant_is_not_sent_and_not_lost(page: Page, text: str) -> None:
    page.speaking.invite()
    reading = asyncio.create_task(page.speaking.read())
    await asyncio.sleep(0)
    await page.post("say", text=text)
    assert not reading.done()
    assert page.told[0].startswith("! That was not sent: ")
    assert page.typed == text.replace("\x00", "\ufffd")
    reading.cancel()


@pytest.mark.parametrize("text", ["", "  \r\n "])
async def test_nothing_is_not_said(page: Page, text: str) -> None:
    reading = asyncio.create_task(page.speaking.read())
    await asyncio.sleep(0)
    await page.post("say", text=text)
    await page.post("say")
    assert not reading.done()
    reading.cancel()


async def test_there_is_no_prompt_before_the_first_turn_and_after_the_end(page: Page) -> None:
    assert not read_page(page.desk.page()).css("#text")
    page.speaking.invite()
    assert read_page(page.desk.page()).css("#text")
    page.speaking.close("It is over.")
    tree = read_page(page.desk.page())
    assert not tree.css("#text, main button")
    assert page.state == "It is over."


async def test_the_state_says_what_goes_on_and_for_how_long(page: Page) -> None:
    assert page.state.startswith("connecting")
    page.speaking.say_state("your turn")
    assert page.state == "your turn"
    assert page.buttons() == ["End the conversation"]
    page.speaking.say_state("working", counts=True, can_stop=True)
    assert page.state == "working 0 s"
    assert page.buttons() == ["Cancel the turn", "End the conversation"]


async def test_a_turn_is_cancelled_only_while_that_is_offered(page: Page) -> None:
    pressed: list[str] = []
    page.speaking.on_stop = lambda: pressed.append("stop")
    await page.post("stop")
    page.speaking.say_state("working", can_stop=True)
    await page.post("stop")
    assert pressed == ["stop"]


async def test_the_conversation_can_be_ended_in_the_page(page: Page) -> None:
    pressed: list[str] = []
    page.speaking.on_end = lambda: pressed.append("end")
    assert not page.speaking.was_left
    await page.post("end")
    assert pressed == ["end"]
    assert page.speaking.was_left


async def test_every_form_has_the_token_of_the_page(page: Page) -> None:
    page.speaking.invite()
    page.speaking.say_state("working", can_stop=True)
    forms = read_page(page.desk.page()).css("main form")
    assert len(forms) == 3
    for form in forms:
        [token] = form.css("input[name=token]")
        assert token.attributes["value"] == page.desk.token
        assert form.attributes["method"] == "post"
        assert str(form.attributes["action"]).startswith(page.desk.base)

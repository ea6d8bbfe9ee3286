"""The presenter of the page: the obligations of its port, and what its user is told."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from acp_elicitation.client.prompts import CompletionPresenter, Presenter, Prompt, Reply
from acp_elicitation.presenters.web.presenter import WebPresenter
from acp_elicitation.presenters.web.server import serving
from acp_elicitation.protocol.answers import Accepted, Cancelled, Declined
from acp_elicitation.protocol.schema import StringProperty
from tests.contract.presenters import (
    Decision,
    check_presenter,
    form_prompt,
    link_prompt,
    permission_prompt,
)
from tests.posting import read_page
from tests.web_client import Answer, Client, found


def shown(page: Answer) -> str:
    """What a person reads in the page."""
    return found(page.text, "main").text()


class AtThePage:
    """A page on a server of its own, with a user who decides in a browser; a `Driven`."""

    def __init__(self, decision: Decision, prompt: Prompt) -> None:
        self._decision = decision
        self._inner = WebPresenter()
        self._closing = asyncio.Event()
        self._ready = asyncio.Event()
        self._client = Client("")
        self.sees = ""
        self.opened: list[str] = []
        self.presenter: Presenter = self
        self.running = asyncio.create_task(self._run())

    async def _run(self) -> None:
        async with serving(self._inner) as address:
            self._client = Client(address)
            await self._client.get()
            self._ready.set()
            await self._closing.wait()

    async def form(self, prompt: Any) -> Reply:
        return await self._decide(lambda: self._inner.form(prompt))

    async def link(self, prompt: Any) -> Reply:
        return await self._decide(lambda: self._inner.link(prompt))

    async def permission(self, prompt: Any) -> Reply:
        return await self._decide(lambda: self._inner.permission(prompt))

    async def withdraw(self, prompt: Any, why: Any) -> None:
        await self._inner.withdraw(prompt, why)
        self.sees += shown(await self._client.get())

    async def wait_for_completion(self, prompt: Any) -> None:
        await self._inner.wait_for_completion(prompt)

    async def _decide(self, ask: Callable[[], Awaitable[Reply]]) -> Reply:
        await self._ready.wait()
        asking = asyncio.ensure_future(ask())
        try:
            await asyncio.sleep(0)
            await self._act()
            return await asking
        except asyncio.CancelledError:
            asking.cancel()
            await asyncio.wait([asking])
            raise

    async def _act(self) -> None:
        page = await self._client.get()
        self.sees = shown(page)
        match self._decision:
            case "accept":
                await self._say_yes(page)
            case "decline" if read_page(page.text).css("[value=decline]"):
                await self._client.submit(page, "decline")
            case "decline" | "cancel":
                await self._client.submit(page, "cancel")
            case "dismiss":
                self._inner.dismiss()

    async def _say_yes(self, page: Answer) -> None:
        """Press what says yes; whoever is told of a problem gives up."""
        yes = [
            str(button.attributes["value"])
            for button in read_page(page.text).css("#question-yes button:not([form])")
        ]
        answer = await self._client.submit(page, yes[0]) if yes else None
        if answer is None or answer.status == 422:
            await self._client.submit(page, "cancel")
        elif answer.status == 200:
            [link] = read_page(answer.text).css("main a[target=_blank]")
            self.opened.append(str(link.attributes["href"]))

    async def prompted(self) -> None:
        await self._ready.wait()
        async with self._client.listening() as tab:
            _, change = await tab.change()
            while "data-question" not in change["replace"]["asked"]:
                _, change = await tab.change()

    def close(self) -> None:
        self._closing.set()


@pytest.mark.requirement("RES-1", "UI-1", "UI-5", "UI-6", "URL-8", "URL-10")
async def test_every_obligation_of_the_port_is_met() -> None:
    driven: list[AtThePage] = []

    def make(decision: Decision, prompt: Prompt) -> AtThePage:
        driven.append(AtThePage(decision, prompt))
        return driven[-1]

    await check_presenter(make)
    for one in driven:
        await one.running
    assert len(driven) > 10
    assert isinstance(WebPresenter(), CompletionPresenter)


@pytest.mark.requirement("RES-1")
async def test_neither_leaving_the_page_nor_never_opening_it_is_an_answer(address: str) -> None:
    presenter = WebPresenter()
    asking = asyncio.create_task(presenter.form(form_prompt({})))
    async with serving(presenter) as own:
        client = Client(own)
        await client.get()
        async with client.listening(after=0) as tab:
            await tab.change()
    assert not asking.done()
    async with serving(presenter) as own:  # not even the end of the server is one
        client = Client(own)
        assert "Which colour?" in (await client.get()).text
        async with client.listening() as tab:
            _, change = await tab.change()
            assert "Which colour?" in change["replace"]["asked"]
            presenter.desk.changed("notice")
            assert (await tab.block()).startswith("id: ")  # and goes on
    presenter.dismiss()
    assert await asking == Cancelled()


async def test_a_withdrawn_question_is_gone_from_every_tab_with_the_reason(
    presenter: WebPresenter, browser: Client
) -> None:
    prompt = form_prompt({})
    asking = asyncio.create_task(presenter.form(prompt))
    async with browser.listening() as tab:
        await tab.change()
        asking.cancel()
        await asyncio.wait([asking])
        await presenter.withdraw(prompt, "expired")
        _, change = await tab.change()
        assert "Nothing is asked now." in change["replace"]["asked"]
        assert "The time for this question is over." in change["replace"]["notice"]
    assert asking.cancelled()


async def test_how_a_question_was_withdrawn_is_told_to_a_late_answer(
    presenter: WebPresenter,
) -> None:
    prompt = form_prompt({})
    asking = asyncio.create_task(presenter.form(prompt))
    await asyncio.sleep(0)
    question = presenter.questions.current
    assert question is not None
    asking.cancel()
    await asyncio.wait([asking])
    assert presenter.questions.find(question.id) == "withdrawn"
    await presenter.withdraw(link_prompt(), "expired")  # another one
    assert presenter.questions.find(question.id) == "withdrawn"
    asking = asyncio.create_task(presenter.form(prompt))
    await asyncio.sleep(0)
    question = presenter.questions.current
    assert question is not None
    asking.cancel()
    await asyncio.wait([asking])
    await presenter.withdraw(prompt, "expired")
    assert presenter.questions.find(question.id) == "expired"


async def test_dismissing_cancels_the_question_before_the_user_alone() -> None:
    presenter = WebPresenter()
    assert presenter.dismiss() is False
    asking = asyncio.create_task(presenter.permission(permission_prompt()))
    await asyncio.sleep(0)
    assert presenter.dismiss() is True
    assert await asking == Cancelled()
    assert presenter.dismiss() is False


async def test_the_number_of_questions_that_wait_is_kept_up_to_date(
    presenter: WebPresenter, browser: Client
) -> None:
    waiting = [0]
    prompt = form_prompt({})
    prompt.count_waiting = lambda: waiting[0]
    asking = asyncio.create_task(presenter.form(prompt))
    async with browser.listening(after=0) as tab:
        _, change = await tab.change()
        assert "wait" not in found(change["replace"]["asked"], ".waiting").text()
        waiting[0] = 2
        _, change = await tab.change()
        told = found(change["replace"]["asked"], ".waiting").text()
        assert told == "2 more questions wait after this one."
    presenter.dismiss()
    await asking


async def test_all_questions_of_an_agent_can_be_declined_at_once(
    presenter: WebPresenter, browser: Client
) -> None:
    told: list[str] = []
    prompt = form_prompt({"name": StringProperty()})
    prompt.count_from_asker = lambda: 3
    prompt.decline_all = lambda: told.append("all")
    asking = asyncio.create_task(presenter.form(prompt))
    await asyncio.sleep(0)
    page = await browser.get()
    await browser.submit(page, "decline-all", form="question-no")
    assert await asking == Declined()
    assert told == ["all"]


@pytest.mark.requirement("URL-8")
async def test_a_link_is_waited_for_until_the_agent_says_that_it_is_complete(
    presenter: WebPresenter, browser: Client
) -> None:
    prompt = link_prompt()
    waiting = asyncio.create_task(presenter.wait_for_completion(prompt))
    async with browser.listening() as tab:
        _, change = await tab.change()
        assert "Waiting for the agent" in change["replace"]["asked"]
        prompt.completed.set()
        _, change = await tab.change()
    await waiting
    assert "The agent says that the link is complete." in change["replace"]["notice"]
    assert "Nothing is asked now." in change["replace"]["asked"]


async def test_a_wait_that_is_cancelled_leaves_the_page(presenter: WebPresenter) -> None:
    waiting = asyncio.create_task(presenter.wait_for_completion(link_prompt()))
    await asyncio.sleep(0)
    assert "example.com" in presenter.draw()
    waiting.cancel()
    await asyncio.wait([waiting])
    assert "Nothing is asked now." in presenter.draw()
    assert waiting.cancelled()


async def test_what_is_asked_by_an_agent_is_data_in_the_page(
    presenter: WebPresenter, browser: Client
) -> None:
    hostile = "</section></main><script>alert(1)</script><a href='https://evil.example'>x</a>"
    asking = asyncio.create_task(presenter.form(form_prompt({hostile: StringProperty(title=hostile)}
                                                            , message=hostile)))  # fmt: skip
    async with browser.listening() as tab:
        _, change = await tab.change()
    for markup in ((await browser.get()).text, change["replace"]["asked"]):
        tree = read_page(markup)
        assert "alert(1)" in tree.body.text()  # type: ignore[union-attr]
        assert not [node for node in tree.css("a") if "evil" in str(node.attributes)]
        assert all("src" in script.attributes for script in tree.css("script"))
    asking.cancel()


async def test_the_page_says_when_nothing_is_asked(
    presenter: WebPresenter, browser: Client
) -> None:
    assert "Nothing is asked now." in shown(await browser.get())
    assert WebPresenter(tells_idle=False).draw() == ""
    asking = asyncio.create_task(presenter.form(form_prompt({})))
    await asyncio.sleep(0)
    assert "Nothing is asked now." not in shown(await browser.get())
    presenter.dismiss()
    await asking


async def test_agents_without_a_common_queue_are_shown_one_after_the_other(
    presenter: WebPresenter, browser: Client
) -> None:
    prompts = [form_prompt({}, message=text) for text in ("first", "second", "third")]
    one, two, three = [asyncio.create_task(presenter.form(prompt)) for prompt in prompts]
    await asyncio.sleep(0)
    two.cancel()  # withdrawn before it was shown
    await asyncio.wait([two])
    await browser.submit(await browser.get(), "submit")
    assert await one == Accepted({})
    page = await browser.get()
    assert "third" in shown(page)
    await browser.submit(page, "decline")
    assert await three == Declined()


async def test_an_answer_lets_the_next_question_in(
    presenter: WebPresenter, browser: Client
) -> None:
    for text in ("first", "second"):
        asking = asyncio.create_task(presenter.form(form_prompt({}, message=text)))
        await asyncio.sleep(0)
        page = await browser.get()
        assert text in shown(page)
        await browser.submit(page, "submit")
        assert await asking == Accepted({})

"""The presenter of a full-screen application: the obligations of its port, and its life."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from textual.app import App
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Button, Input

from acp_elicitation.client.prompts import Presenter, Prompt, Reply
from acp_elicitation.client.queue import PromptQueue
from acp_elicitation.presenters.tui import ElicitationScreen, TuiPresenter
from acp_elicitation.presenters.tui.completion import CompletionScreen
from acp_elicitation.protocol.answers import Accepted, Cancelled, Declined
from acp_elicitation.protocol.schema import StringProperty
from tests.contract.presenters import (
    Decision,
    check_presenter,
    form_prompt,
    link_prompt,
    permission_prompt,
)
from tests.unit.presenters.tui.shown import shown

_LIMIT = 10.0


class Watched(App[None]):
    """An application that tells what it notified, and lets a test wait for what it shows."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[str] = []
        self.pilot: Pilot[None] | None = None

    def notify(self, message: str, **rest: Any) -> None:
        self.told.append(message)
        super().notify(message, **rest)

    @asynccontextmanager
    async def running(self) -> AsyncIterator["Watched"]:
        """Run it for the length of the block."""
        async with self.run_test(size=(100, 40)) as self.pilot:
            yield self

    async def until(self, is_so: Callable[[], bool]) -> None:
        """Return when this is so."""
        assert self.pilot is not None
        async with asyncio.timeout(_LIMIT):
            while not is_so():
                await self.pilot.pause()

    async def shows(self, kind: type[Screen[Any]]) -> Screen[Any]:
        """Return the screen of this kind once it is up."""
        await self.until(lambda: isinstance(self.screen, kind) and bool(self.screen.query(Button)))
        screen = self.screen
        if isinstance(screen, ElicitationScreen):
            await self.until(lambda: screen.is_settled)
        return screen


class AtTheScreen:
    """A presenter in an application of its own, with a user who decides; a `Driven`."""

    def __init__(self, decision: Decision, prompt: Prompt) -> None:
        self._decision = decision
        self._app = Watched()
        self._closing = asyncio.Event()
        self._ready = asyncio.Event()
        self.sees = ""
        self.opened: list[str] = []
        self._inner = TuiPresenter(self._app, open_url=self._open)
        self.presenter: Presenter = self
        self.running = asyncio.create_task(self._run())

    def _open(self, url: str) -> bool:
        self.opened.append(url)
        return True

    async def _run(self) -> None:
        async with self._app.running():
            self._ready.set()
            await self._closing.wait()

    async def form(self, prompt: Any) -> Reply:
        return await self._decide(lambda: self._inner.form(prompt))

    async def link(self, prompt: Any) -> Reply:
        return await self._decide(lambda: self._inner.link(prompt))

    async def withdraw(self, prompt: Any, why: Any) -> None:
        await self._inner.withdraw(prompt, why)
        await self._app.until(lambda: bool(self._app.told))
        self.sees += self._app.told[-1]

    async def _decide(self, ask: Callable[[], Awaitable[Reply]]) -> Reply:
        await self._ready.wait()
        asking = asyncio.ensure_future(ask())
        try:
            deciding = asyncio.create_task(self._act())
            reply = await asking
            await deciding
            return reply
        except asyncio.CancelledError:
            asking.cancel()
            raise

    async def _act(self) -> None:
        screen = await self._app.shows(ElicitationScreen)
        assert isinstance(screen, ElicitationScreen)
        self.sees = shown(screen)
        match self._decision:
            case "accept":
                await self._press_on(screen)
            case "decline":
                screen.action_leave("decline")
            case "cancel":
                screen.action_leave("cancel")
            case "dismiss":
                await self._app.pop_screen()

    async def _press_on(self, screen: ElicitationScreen) -> None:
        """Go on as far as it goes, then give up."""
        for _ in range(5):
            for control in screen.body.controls()[:1]:
                await screen.body.press(control.id)
            assert self._app.pilot is not None
            await self._app.pilot.pause()
            if self._app.screen is not screen:
                return
        for _ in range(2):
            screen.action_leave("cancel")

    async def prompted(self) -> None:
        await self._ready.wait()
        await self._app.shows(ElicitationScreen)

    def close(self) -> None:
        self._closing.set()


@pytest.mark.requirement("RES-1", "UI-1", "UI-5", "UI-6", "URL-10")
async def test_every_obligation_of_the_port_is_met() -> None:
    driven: list[AtTheScreen] = []

    def make(decision: Decision, prompt: Prompt) -> AtTheScreen:
        driven.append(AtTheScreen(decision, prompt))
        return driven[-1]

    await check_presenter(make)
    for one in driven:
        await one.running
    assert len(driven) > 10


async def test_a_withdrawn_question_leaves_the_screen_and_its_user_is_told_why() -> None:
    async with Watched().running() as app:
        presenter = TuiPresenter(app, open_url=None)
        prompt = form_prompt({})
        asking = asyncio.create_task(presenter.form(prompt))
        screen = await app.shows(ElicitationScreen)
        asking.cancel()
        await asyncio.wait([asking])
        await presenter.withdraw(prompt, "expired")
        await app.until(lambda: app.screen is not screen and bool(app.told))
        assert app.told == [
            "The time for a question is over. Nothing that you typed for it was sent."
        ]


async def test_a_question_that_lies_below_another_screen_goes_when_that_does() -> None:
    async with Watched().running() as app:
        presenter = TuiPresenter(app, open_url=None)
        first = app.screen
        asking = asyncio.create_task(presenter.form(form_prompt({})))
        await app.shows(ElicitationScreen)
        above: Screen[None] = Screen()
        await app.push_screen(above)
        asking.cancel()
        await asyncio.wait([asking])
        assert app.pilot is not None
        await app.pilot.pause()
        assert app.screen is above
        await app.pop_screen()
        await app.until(lambda: app.screen is first)
        assert asking.cancelled()


async def test_a_question_that_is_withdrawn_before_it_is_up_never_stays() -> None:
    async with Watched().running() as app:
        ups: list[Screen[Any]] = []
        app.screen_change_signal.subscribe(app, ups.append)
        first = app.screen
        asking = asyncio.create_task(TuiPresenter(app, open_url=None).form(form_prompt({})))
        await asyncio.sleep(0)
        asking.cancel()
        await asyncio.wait([asking])
        await app.until(lambda: len(ups) == 2)
        assert (app.screen, ups[1]) == (first, first)


@pytest.mark.requirement("RES-1")
async def test_an_application_that_does_not_run_shows_nothing() -> None:
    presenter = TuiPresenter(App(), open_url=None)
    assert await presenter.form(form_prompt({})) == Cancelled("not-shown")
    await presenter.wait_for_completion(link_prompt())
    assert not presenter.dismiss()


@pytest.mark.requirement("RES-1")
async def test_the_end_of_the_application_cancels_the_question() -> None:
    async with Watched().running() as app:
        asking = asyncio.create_task(TuiPresenter(app, open_url=None).link(link_prompt()))
        await app.shows(ElicitationScreen)
        app.exit()
    assert await asking == Cancelled()


async def test_a_question_can_be_dismissed_from_outside() -> None:
    async with Watched().running() as app:
        presenter = TuiPresenter(app, open_url=None)
        asking = asyncio.create_task(presenter.permission(permission_prompt()))
        await app.shows(ElicitationScreen)
        assert presenter.dismiss()
        assert await asking == Cancelled()
        assert not presenter.dismiss()


async def test_a_question_that_is_dismissed_from_outside_tells_first_what_would_be_lost() -> None:
    async with Watched().running() as app:
        presenter = TuiPresenter(app, open_url=None)
        prompt = form_prompt({"name": StringProperty(max_length=20)})
        asking = asyncio.create_task(presenter.form(prompt))
        screen = await app.shows(ElicitationScreen)
        app.screen.query_one(Input).value = "a"
        await app.until(lambda: prompt.draft.is_set("name"))
        presenter.dismiss()
        await app.until(lambda: bool(screen.query_one("#notice").display))
        assert not asking.done()
        presenter.dismiss()
        assert await asking == Cancelled()


@pytest.mark.requirement("URL-8")
async def test_the_wait_for_a_completion_ends_with_it_and_says_so() -> None:
    async with Watched().running() as app:
        prompt = link_prompt()
        waiting = asyncio.create_task(TuiPresenter(app, open_url=None).wait_for_completion(prompt))
        await app.shows(CompletionScreen)
        prompt.completed.set()
        await waiting
        await app.until(lambda: bool(app.told))
        assert app.told == ["The agent says that the link is complete."]


@pytest.mark.requirement("URL-8")
async def test_the_wait_for_a_completion_makes_room_for_the_next_question() -> None:
    async with Watched().running() as app:
        presenter = TuiPresenter(app, open_url=None)
        queue = PromptQueue()
        queue.put_in_background(presenter.wait_for_completion(link_prompt()))
        await app.shows(CompletionScreen)
        await queue.take_turn()
        asking = asyncio.create_task(presenter.form(form_prompt({})))
        screen = await app.shows(ElicitationScreen)
        assert isinstance(screen, ElicitationScreen)
        assert not any(isinstance(below, CompletionScreen) for below in app.screen_stack)
        screen.action_leave("decline")
        assert await asking == Declined()


async def test_a_presenter_works_from_a_task_that_knows_nothing_of_the_application() -> None:
    loop = asyncio.get_running_loop()
    asked: asyncio.Future[TuiPresenter] = loop.create_future()

    async def elsewhere() -> Reply:
        presenter = await asked
        return await presenter.permission(permission_prompt())

    asking = asyncio.create_task(elsewhere())
    async with Watched().running() as app:
        asked.set_result(TuiPresenter(app, open_url=None))
        screen = await app.shows(ElicitationScreen)
        assert isinstance(screen, ElicitationScreen)
        screen.body.post_message(screen.body.Answered(Accepted("yes")))
        assert await asking == Accepted("yes")

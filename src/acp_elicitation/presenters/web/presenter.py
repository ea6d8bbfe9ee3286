"""Questions in a web page, for one user with any number of tabs.

Owns: `WebPresenter`: what of a question is in which region of the page, and what its user is told
when it is gone. Knows nothing of: HTTP (see `app`), and who runs the server.
Above it: the command line, any web host. Below it: `desk`, `questions`, `question`, `link`.

Closing the page, or never opening it, is no answer: a question waits until somebody answers it.
"""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from typing import Literal, TypeAlias, assert_never

from acp_elicitation.client.prompts import (
    FormPrompt,
    LinkPrompt,
    PermissionPrompt,
    Prompt,
    Reply,
)
from acp_elicitation.presenters.ending import Ending, word_ending
from acp_elicitation.presenters.web.desk import Desk
from acp_elicitation.presenters.web.link import render_waiting
from acp_elicitation.presenters.web.question import render_question
from acp_elicitation.presenters.web.questions import ID, Posted, Question, Questions
from acp_elicitation.protocol.answers import Accepted, Cancelled, Declined
from acp_elicitation.text.html import Html, element, join
from acp_elicitation.text.language import tr

__all__ = ["WebPresenter"]

_ASKED, _NOTICE = "asked", "notice"
_EVERY = 1.0
"""Seconds between two looks at how many questions wait."""

_Waiting: TypeAlias = tuple[LinkPrompt, float, asyncio.Event]
"""An opened link, since when it waits, and that its user is done waiting."""


class WebPresenter:
    """Shows questions on a `Desk`. It is also a completion and a permission presenter."""

    def __init__(self, desk: Desk | None = None, *, tells_idle: bool = True) -> None:
        """Show questions on `desk`, below the regions that it has by now; by default on its own.

        `tells_idle` says in the page when nothing is asked.
        """
        self.desk = desk or Desk()
        self._tells_idle = tells_idle
        self.questions = Questions()
        self._turn = asyncio.Lock()
        """Agents that share no queue still share the page, which shows one question at a time."""
        self._notice: Html = Html()
        self._withdrawn: Question | None = None
        self._waiting: _Waiting | None = None
        self.desk.add_region(_NOTICE, lambda: self._notice, role="status")
        self.desk.add_region(_ASKED, self.draw)
        self.desk.actions["waiting"] = self._take_done

    async def form(self, prompt: FormPrompt) -> Reply:
        """Show a form until the user submits, declines or cancels."""
        return await self._ask(prompt)

    async def link(self, prompt: LinkPrompt) -> Reply:
        """Ask whether to open a link; the browser that consents opens it (URL-11)."""
        return await self._ask(prompt)

    async def permission(self, prompt: PermissionPrompt) -> Reply:
        """Show the options of a permission request."""
        return await self._ask(prompt)

    async def withdraw(self, prompt: Prompt, why: Literal["withdrawn", "expired"]) -> None:
        """Say in every tab that the question is gone."""
        question, self._withdrawn = self._withdrawn, None
        if question is not None and question.prompt is prompt:
            self.questions.end(question, why)
        self._tell(word_ending(why))
        self.desk.changed(_NOTICE, _ASKED)

    async def wait_for_completion(self, prompt: LinkPrompt) -> None:
        """Offer retry and done until the agent says that the link is complete (URL-8)."""
        done = asyncio.Event()
        self._waiting = (prompt, time.monotonic(), done)
        self.desk.changed(_ASKED)
        try:
            await _first_of(prompt.completed, done)
        finally:
            self._waiting = None
            if prompt.completed.is_set():
                self._tell(tr("The agent says that the link is complete."))
            elif done.is_set():
                self._tell(tr("Done waiting. The agent may wait all the same."))
            self.desk.changed(_NOTICE, _ASKED)

    def dismiss(self) -> bool:
        """Cancel the question before the user, as its button does; False where there is none."""
        question = self.questions.current
        if question is None:
            return False
        question.reply(Cancelled())
        return True

    # --- what is in the page ----------------------------------------------------------------------

    def draw(self, *, show_problems: bool = False) -> Html:
        """Return the question before the user, else the link that waits, else that none is."""
        question = self.questions.current
        if question is not None:
            return self.draw_question(question, show_problems=show_problems)
        if self._waiting is not None:
            prompt, since, _ = self._waiting
            action = f"{self.desk.base}/waiting"
            elapsed = time.monotonic() - since
            return render_waiting(prompt, action=action, token=self.desk.token, elapsed=elapsed)
        if not self._tells_idle:
            return Html()
        idle = tr("Nothing is asked now. A question appears here by itself.")
        return join(element("p", {"class": "idle"}, idle), self.desk.look_again())

    def draw_question(self, question: Question, *, show_problems: bool = False) -> Html:
        """Return one question."""
        return render_question(
            question.prompt,
            action=f"{self.desk.base}/q/{question.id}",
            token=self.desk.token,
            show_problems=show_problems,
            id=ID,
        )

    def page_of(self, ending: Ending) -> Html:
        """Return the page for whoever answers a question that has ended."""
        return self.desk.page({_NOTICE: _said(word_ending(ending))})

    def page_with(self, asked: Html) -> Html:
        """Return the page with this drawing of the question."""
        return self.desk.page({_ASKED: asked})

    def _tell(self, words: str) -> None:
        self._notice = _said(words)

    # --- questions --------------------------------------------------------------------------------

    async def _ask(self, prompt: Prompt) -> Reply:
        async with self._turn:
            return await self._show(prompt)

    async def _show(self, prompt: Prompt) -> Reply:
        question = self.questions.open(prompt)
        self.desk.changed(_ASKED)
        async with self._counting(question):
            try:
                reply = await question.replied
            except asyncio.CancelledError:
                self.questions.end(question, "withdrawn")
                self._withdrawn = question  # `withdraw` says why, next
                raise
        self._notice = Html()
        self.questions.end(question, _ending_of(reply))
        self.desk.changed(_NOTICE, _ASKED)
        return reply

    @contextlib.asynccontextmanager
    async def _counting(self, question: Question) -> AsyncIterator[None]:
        """Keep the number of questions that wait up to date."""
        task = asyncio.create_task(self._count(question))
        try:
            yield
        finally:
            task.cancel()

    async def _count(self, question: Question) -> None:
        prompt, shown = question.prompt, (0, 0)
        while True:
            counted = (prompt.waiting, prompt.waiting_from_asker)
            if counted != shown:
                shown = counted
                self.desk.changed(_ASKED)
            await asyncio.sleep(_EVERY)

    async def _take_done(self, data: Posted) -> None:
        if self._waiting is not None and list(data.get("do", ())) == ["done"]:
            self._waiting[2].set()


def _said(words: str) -> Html:
    return element("p", {"class": "notice"}, words)


def _ending_of(reply: Reply) -> Ending:
    match reply:
        case Accepted():
            return "accepted"
        case Declined():
            return "declined"
        case Cancelled():
            return "cancelled"
        case _ as never:
            assert_never(never)


async def _first_of(*events: asyncio.Event) -> None:
    tasks = [asyncio.create_task(event.wait()) for event in events]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)

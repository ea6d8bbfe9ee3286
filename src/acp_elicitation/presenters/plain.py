"""Questions in line mode: any terminal, a pipe, a screen reader.

Owns: `PlainPresenter`: what every question opens with, links, permissions, and what becomes of a
question that was withdrawn. Knows nothing of: how a form is filled in (see `filling`), how lines
are read, and the protocol. Above it: the command line, any client. Below it: `filling`, `page`,
`lines`, `client.prompts`.

Input that was typed for one question never answers another: what a person has typed ahead at the
terminal is dropped when a question opens, and after a question was withdrawn one line is read and
dropped before anything else is taken.
"""

import asyncio
import shlex
from collections.abc import Callable, Iterable
from functools import partial
from typing import Literal, TypeAlias, assert_never

from acp_elicitation.client.prompts import (
    Asker,
    FormPrompt,
    LinkPrompt,
    PermissionPrompt,
    Prompt,
    Reply,
)
from acp_elicitation.forms.secrets import SecretFinding
from acp_elicitation.presenters.choices import Choices
from acp_elicitation.presenters.commands import DECLINE_ALL, read_word
from acp_elicitation.presenters.ending import word_ending
from acp_elicitation.presenters.filling import FormFiller
from acp_elicitation.presenters.lines import LineSource, Stop
from acp_elicitation.presenters.notice import Notice
from acp_elicitation.presenters.page import Out, Page
from acp_elicitation.presenters.screen_lines import ScreenLines
from acp_elicitation.presenters.waiting import CompletionWait
from acp_elicitation.protocol.answers import Accepted, Cancelled, Declined
from acp_elicitation.protocol.schema import Option
from acp_elicitation.text.language import tr, tr_count
from acp_elicitation.text.links import word_warning
from acp_elicitation.text.warnings import word_finding

__all__ = ["OpenUrl", "PlainPresenter", "show_asker"]

OpenUrl: TypeAlias = Callable[[str], bool]
"""Opens a URL where the user can see it; returns whether that worked. It may block."""


def _asking(findings: Iterable[SecretFinding]) -> frozenset[str]:
    """The fields that ask for a secret: what is typed there is not shown."""
    holding = ("default", "option")
    return frozenset(f.property for f in findings if f.property and f.where not in holding)


def show_asker(page: Page, opening: str, asker: Asker) -> None:
    """Say who asks: the agent in its own words, and the command that started it (UI-1).

    The agent's name stands where the opening words have `{}`.
    """
    page.tell()
    page.tell_about(opening, asker.name, hang=2)
    if asker.command:
        page.tell_about(tr("Started by the command: {}"), shlex.join(asker.command), hang=2)


class PlainPresenter:
    """Asks one user, line by line. It is also a completion and a permission presenter."""

    def __init__(
        self,
        lines: LineSource,
        out: Out,
        *,
        open_url: OpenUrl | None,
        notice: Notice | None = None,
    ) -> None:
        """Read from `lines`, write to `out`; None for `open_url` has the user open links.

        `notice` calls the user to each question.
        """
        self._page = Page(out)
        self._lines = ScreenLines(lines, self._page)
        self._open_url = open_url
        self._notice = notice
        self._withdrawn = False

    async def form(self, prompt: FormPrompt) -> Reply:
        """Show a form until the user submits, declines or cancels."""
        page = self._page
        self._introduce(tr("Question from {}"), prompt)
        page.quote(prompt.message)  # UI-6
        page.tell()
        schema = prompt.request.schema
        if schema.title:
            page.quote(schema.title)
        if schema.description:
            page.quote(schema.description)
        if not await self.settle():
            return self._finish(Cancelled(), "")
        refusal = await self._warn_of_secrets(prompt)
        if refusal is not None:
            return self._finish(refusal, "")
        if prompt.decline_all is not None and prompt.waiting_from_asker:
            page.tell(tr("/decline all says no to all questions of this agent that wait."))
        filler = FormFiller(
            prompt.draft,
            page=page,
            lines=self._lines,
            decline_all=partial(self._decline_all, prompt),
            before_deciding=partial(self._tell_of_others, prompt),
            masked=_asking(prompt.secrets),
        )
        return self._finish(await filler.run(), tr("Submitted."))

    async def _warn_of_secrets(self, prompt: FormPrompt) -> Reply | None:
        """Warn of a form that asks for a secret; Enter declines it (FORM-5, UI-2)."""
        if not prompt.secrets:
            return None
        for warning in dict.fromkeys(map(partial(self._word_secret, prompt), prompt.secrets)):
            self._page.tell("  ! ", warning, hang=4)
        self._tell_of_others(prompt)
        question = tr("Enter declines; type continue to fill it in all the same, or cancel")
        self._page.ask(f"{question}> ")
        line = await self._lines.read_line()
        if isinstance(line, Stop):
            return Cancelled()  # RES-1
        match read_word(line):
            case "continue":
                return None
            case "cancel":
                return Cancelled()
            case word if word == DECLINE_ALL:
                return self._decline_all(prompt)
            case _:
                return Declined()

    def _word_secret(self, prompt: FormPrompt, finding: SecretFinding) -> str:
        if finding.property not in prompt.request.schema.properties:
            return word_finding(finding)
        return f"{prompt.draft.field(finding.property).label}: {word_finding(finding)}"

    async def link(self, prompt: LinkPrompt) -> Reply:
        """Ask whether to open a link, and open it on consent (UI-5, URL-10)."""
        page = self._page
        self._introduce(tr("Link from {}"), prompt)
        page.quote(prompt.message)  # UI-6
        page.tell()
        page.tell(tr("It asks you to open this address:"))
        page.show_exactly(prompt.url)
        # The host comes last, so that no address is long enough to drive it off the screen (UI-5).
        page.tell(tr("A page of the host:"))
        page.show_exactly(prompt.host)
        report = prompt.report
        if report.registrable_domain not in (None, prompt.host):
            page.tell_about(tr("It belongs to {}."), report.registrable_domain or "")
        for warning in report.warnings:  # URL-12
            page.tell("  ! ", word_warning(warning), hang=4)
        if not await self.settle():
            return self._finish(Cancelled(), "")
        reply = await self._consent(prompt)
        if isinstance(reply, Accepted):
            await self._open(prompt.url)
        return self._finish(reply, tr("The agent is told that you agreed."))

    async def permission(self, prompt: PermissionPrompt) -> Reply:
        """Show the options of a permission request."""
        page = self._page
        request = prompt.request
        self._introduce(tr("Permission request from {}"), prompt)
        page.quote(request.title)
        if request.description:
            page.quote(request.description)
        options = [Option(value=o.option_id, title=o.name) for o in request.options]
        choices = Choices(options)
        choices.show(page)
        if not await self.settle():
            return self._finish(Cancelled(), "")
        self._tell_of_others(prompt)
        while True:
            page.ask(tr("Choose one ({how}), or cancel", how=choices.how) + "> ")
            line = await self._lines.read_line()
            if isinstance(line, Stop) or line.strip().casefold() in ("cancel", "/cancel"):
                return self._finish(Cancelled(), "")
            if read_word(line) == DECLINE_ALL and not choices.find(line):
                return self._finish(self._decline_all(prompt), "")
            found = choices.find(line)
            if len(found) == 1:
                return self._finish(Accepted(found[0].value), tr("Answered."))
            choices.explain(page, line)

    async def withdraw(self, prompt: Prompt, why: Literal["withdrawn", "expired"]) -> None:
        """Say that the question is gone, and let nothing that was typed for it answer another."""
        self._withdrawn = True
        self._lines.drop_pending()
        page = self._page
        page.tell()
        page.tell()
        page.tell(word_ending(why))
        page.flush()

    async def settle(self) -> bool:
        """Wait for the user to notice that a question was withdrawn, if one was.

        Whoever reads lines of its own awaits this before: what was on its way to the withdrawn
        question ends here. Returns False when the user stopped instead.
        """
        self._page.flush()
        if not self._withdrawn:
            return True
        self._page.ask(tr("The question before was withdrawn. Press Enter to go on") + "> ")
        line = await self._lines.read_line()
        self._withdrawn = False
        return not isinstance(line, Stop)

    async def wait_for_completion(self, prompt: LinkPrompt) -> None:
        """Offer retry and done until the agent says that the link is complete (URL-8)."""
        await CompletionWait(self._lines, self._page, self._open).run(prompt)

    def _introduce(self, opening: str, prompt: Prompt) -> None:
        self._lines.drop_typeahead()
        if self._notice is not None:
            self._notice.call()
        show_asker(self._page, opening, prompt.asker)
        if prompt.waiting:
            waiting = tr_count(
                "{count} more question waits after this one.",
                "{count} more questions wait after this one.",
                prompt.waiting,
            )
            self._page.tell(waiting)

    def _tell_of_others(self, prompt: Prompt) -> None:
        """Say how to be rid of an agent that asks too much, where several questions of it wait."""
        if prompt.decline_all is not None and prompt.waiting_from_asker:
            others = tr_count(
                "decline all says no to this and to {count} more question of this agent.",
                "decline all says no to this and to {count} more questions of this agent.",
                prompt.waiting_from_asker,
            )
            self._page.tell(others)

    def _decline_all(self, prompt: Prompt) -> Reply:
        others = prompt.waiting_from_asker
        if prompt.decline_all is not None:
            prompt.decline_all()
            if others:
                declined = tr_count(
                    "{count} more question of this agent is declined with it.",
                    "{count} more questions of this agent are declined with it.",
                    others,
                )
                self._page.tell(declined)
        return Declined()

    async def _consent(self, prompt: LinkPrompt) -> Reply:
        if self._open_url:
            question = tr("Open it in your browser? yes, decline or cancel")
        else:
            question = tr("Do you agree to open it? yes, decline or cancel")
        self._tell_of_others(prompt)
        while True:
            self._page.ask(f"{question}> ")
            line = await self._lines.read_line()
            if isinstance(line, Stop):
                return Cancelled()  # RES-1
            match read_word(line):
                case "yes":
                    return Accepted(None)
                case "decline":
                    return Declined()
                case word if word == DECLINE_ALL:
                    return self._decline_all(prompt)
                case "cancel":
                    return Cancelled()
                case _:
                    words = tr("yes, decline or cancel")
                    self._page.tell("  ! " + tr("Type one of the words: {words}.", words=words))

    async def _open(self, url: str) -> None:
        """Open exactly the address that was shown, or have the user do it."""
        opened = self._open_url is not None and await asyncio.to_thread(self._open_url, url)
        if opened:
            self._page.tell(tr("Opened in the browser."))
            return
        self._page.tell(tr("Open this address in your browser:"))
        self._page.show_exactly(url)

    def _finish(self, reply: Reply, when_accepted: str) -> Reply:
        match reply:
            case Accepted():
                self._page.tell(when_accepted)
            case Declined():
                self._page.tell(word_ending("declined"))
            case Cancelled():
                self._page.tell(word_ending("cancelled"))
            case _ as never:
                assert_never(never)
        self._page.flush()
        return reply

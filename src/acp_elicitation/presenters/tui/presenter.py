"""Questions as screens over a running Textual application.

Owns: which screen is up for which question, and taking it away when the question is withdrawn.
Knows nothing of: how a question looks. Above it: any Textual application, the command line.
Below it: `screen`, `completion`, `client.prompts`.
"""

import asyncio
from typing import Any, Literal, assert_never

from textual.app import App
from textual.screen import Screen

from acp_elicitation.client.prompts import (
    FormPrompt,
    LinkPrompt,
    PermissionPrompt,
    Prompt,
    Reply,
)
from acp_elicitation.presenters.plain import OpenUrl
from acp_elicitation.presenters.tui.completion import CompletionScreen
from acp_elicitation.presenters.tui.screen import ElicitationScreen
from acp_elicitation.protocol.answers import Cancelled
from acp_elicitation.text.language import tr

__all__ = ["TuiPresenter"]

_WITHDRAWAL_SHOWN = 6.0
"""Seconds."""


class TuiPresenter:
    """Asks the user of `app`. It is also a completion and a permission presenter.

    Its coroutines may be awaited from any task of the application's event loop.
    """

    def __init__(self, app: App[Any], *, open_url: OpenUrl | None) -> None:
        """Push screens on `app`.

        Args:
            app: the application; questions that come while it does not run are not shown.
            open_url: opens a link after consent; None has the user open it.
        """
        self._app = app
        self._open_url = open_url
        self._screen: ElicitationScreen | None = None

    async def form(self, prompt: FormPrompt) -> Reply:
        """Show a form until the user submits, declines or cancels."""
        return await self._ask(prompt)

    async def link(self, prompt: LinkPrompt) -> Reply:
        """Ask whether to open a link, and open it on consent (UI-5, URL-10)."""
        return await self._ask(prompt)

    async def permission(self, prompt: PermissionPrompt) -> Reply:
        """Show the options of a permission request."""
        return await self._ask(prompt)

    async def withdraw(self, prompt: Prompt, why: Literal["withdrawn", "expired"]) -> None:
        """Say why the question is gone, beside whatever is on the screen now."""
        self._app.call_later(
            self._app.notify,
            _word_news(why),
            severity="warning",
            timeout=_WITHDRAWAL_SHOWN,
            markup=False,
        )

    async def wait_for_completion(self, prompt: LinkPrompt) -> None:
        """Offer retry and done until the agent says that the link is complete (URL-8)."""
        screen = CompletionScreen(prompt, open_url=self._open_url)
        if not self._push(screen):
            return
        try:
            await screen.gone.wait()
        finally:
            self._app.call_later(_take_away, screen)
        if prompt.completed.is_set():
            words = tr("The agent says that the link is complete.")
            self._app.call_later(self._app.notify, words, markup=False)

    def dismiss(self) -> bool:
        """Have the question on the screen cancelled by its user; False where none is (RES-1).

        Where that would lose what was entered, the first time only says so.
        """
        if self._screen is None:
            return False
        self._app.call_later(_leave, self._screen)
        return True

    async def _ask(self, prompt: Prompt) -> Reply:
        screen = ElicitationScreen(prompt, open_url=self._open_url)
        if not self._push(screen):
            return Cancelled("not-shown")
        self._screen = screen
        try:
            return await screen.reply()
        except asyncio.CancelledError:
            self._app.call_later(_take_away, screen)
            raise
        finally:
            self._screen = None

    def _push(self, screen: Screen[Any]) -> bool:
        """Have the screen pushed, from within the application; False where that is not running."""
        return self._app.is_running and self._app.call_later(self._app.push_screen, screen)


def _word_news(why: Literal["withdrawn", "expired"]) -> str:
    """Say the same where another question may be on the screen already."""
    match why:
        case "withdrawn":
            return tr("A question was withdrawn. Nothing that you typed for it was sent.")
        case "expired":
            return tr("The time for a question is over. Nothing that you typed for it was sent.")
        case _ as never:
            assert_never(never)


def _leave(screen: ElicitationScreen) -> None:
    if not screen.is_current or not screen.holds_back("cancel"):
        _take_away(screen)


def _take_away(screen: Screen[Any]) -> None:
    """Take a screen away: at once, or as soon as nothing lies over it any more."""
    app = screen.app
    if screen not in app.screen_stack:
        return
    if app.screen is screen:
        screen.dismiss(None)
    else:
        app.screen_change_signal.subscribe(screen, lambda _: app.call_later(_take_away, screen))

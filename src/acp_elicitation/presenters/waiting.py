"""An opened link that waits for its completion, in line mode (URL-8).

Owns: what a user is told and may type meanwhile: retry and done.
Knows nothing of: consent, and what the agent does meanwhile; its text may come at any time, so
nothing here is left standing before the cursor. Above it: `plain`. Below it: `lines`, `page`,
`patience`, `client.prompts`.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from acp_elicitation.client.prompts import LinkPrompt
from acp_elicitation.presenters.lines import Line, LineSource, Stop
from acp_elicitation.presenters.page import Page
from acp_elicitation.presenters.patience import FIRST_WORD, Patience
from acp_elicitation.text.elapsed import word_elapsed
from acp_elicitation.text.language import tr

__all__ = ["CompletionWait"]


class CompletionWait:
    """Waits with one user."""

    def __init__(
        self,
        lines: LineSource,
        page: Page,
        open_link: Callable[[str], Awaitable[None]],
        *,
        first_word: float = FIRST_WORD,
    ) -> None:
        """Read from `lines`, write to `page`.

        Args:
            lines: what the user types.
            page: where it is shown.
            open_link: opens a link, or has the user open it.
            first_word: after how many seconds the length of the wait is told, at a terminal.
        """
        self._lines = lines
        self._page = page
        self._open_link = open_link
        self._patience = Patience(self._tell_how_long, first=first_word)

    async def run(self, prompt: LinkPrompt) -> None:
        """Offer retry and done until the agent says that the link is complete."""
        self._offer()
        if self._page.is_terminal:
            self._patience.start()
        try:
            await self._take_words(prompt)
        finally:
            self._patience.stop()

    async def _take_words(self, prompt: LinkPrompt) -> None:
        while True:
            try:
                line = await _unless(self._lines.read_line(), prompt.completed)
            except asyncio.CancelledError:
                # The next question may come together with the completion.
                if prompt.completed.is_set():
                    self._tell_completion()
                raise
            if line is None:
                self._tell_completion()
                return
            if isinstance(line, Stop):
                return
            match line.strip().casefold().removeprefix("/"):
                case "r" | "retry":
                    await self._open_link(prompt.url)
                case "d" | "done":
                    self._page.tell(tr("Done waiting. The agent may wait all the same."))
                    self._page.flush()
                    return
            self._offer()

    def _offer(self) -> None:
        self._page.tell(tr("Waiting for completion: r tries the link again, d is done waiting."))
        self._page.flush()

    def _tell_how_long(self, seconds: float) -> None:
        elapsed = word_elapsed(seconds)
        self._page.tell(
            tr(
                "Waiting for completion for {elapsed}: r tries the link again, d is done waiting.",
                elapsed=elapsed,
            )
        )
        self._page.flush()

    def _tell_completion(self) -> None:
        self._lines.drop_typeahead()
        self._page.tell(tr("The agent says that the link is complete."))
        self._page.flush()


async def _unless(read: Coroutine[Any, Any, Line], event: asyncio.Event) -> Line | None:
    """Return the line, or None when `event` is set first."""
    reading: asyncio.Task[Any] = asyncio.create_task(read)
    waiting: asyncio.Task[Any] = asyncio.create_task(event.wait())
    try:
        await asyncio.wait([reading, waiting], return_when=asyncio.FIRST_COMPLETED)
        return None if event.is_set() else reading.result()
    finally:
        reading.cancel()
        waiting.cancel()
        await asyncio.wait([reading, waiting])

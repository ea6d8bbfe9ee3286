"""A presenter on a console on which the agent's work is shown, too.

Owns: when everything else is held back, and how long an opened link keeps the input.
Knows nothing of: how questions are shown. Above it: `line_face`. Below it: `console`,
`client.prompts`.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Literal

from acp_elicitation.cli.console import Console
from acp_elicitation.client.prompts import (
    CompletionPresenter,
    FormPrompt,
    LinkPrompt,
    PermissionPresenter,
    PermissionPrompt,
    Presenter,
    Prompt,
    Reply,
)
from acp_elicitation.protocol.answers import Cancelled
from acp_elicitation.text.language import tr

__all__ = ["SharedPresenter", "done_before"]


class SharedPresenter:
    """A presenter on a console that others use as well."""

    def __init__(self, inner: Presenter, console: Console) -> None:
        self._inner = inner
        self._console = console

    async def form(self, prompt: FormPrompt) -> Reply:
        """As the inner presenter, with everything else held back."""
        return await self._ask(lambda: self._inner.form(prompt))

    async def link(self, prompt: LinkPrompt) -> Reply:
        """As the inner presenter, with everything else held back."""
        return await self._ask(lambda: self._inner.link(prompt))

    async def permission(self, prompt: PermissionPrompt) -> Reply:
        """As the inner presenter, with everything else held back."""
        inner = self._inner
        if not isinstance(inner, PermissionPresenter):
            return Cancelled("not-shown")
        return await self._ask(lambda: inner.permission(prompt))

    async def withdraw(self, prompt: Prompt, why: Literal["withdrawn", "expired"]) -> None:
        """Say that the question is gone; then everything else may be shown."""
        try:
            await self._inner.withdraw(prompt, why)
        finally:
            self._console.release()

    async def wait_for_completion(self, prompt: LinkPrompt) -> None:
        """As the inner presenter, until the turn ends; the agent goes on, and is shown.

        After the turn its user may type again; how to retry is told, and the completion when it
        comes (URL-8).
        """
        inner, console = self._inner, self._console
        if not isinstance(inner, CompletionPresenter):
            return
        if not console.no_turn.is_set():
            async with console.taken_over():
                console.end_text()
                done = await done_before(inner.wait_for_completion(prompt), console.no_turn)
                if done or prompt.completed.is_set():
                    return
        console.tell(tr("The turn is over. To try the link again, open this address:"))
        console.page.show_exactly(prompt.url)
        console.page.flush()
        await prompt.completed.wait()
        console.tell(tr("The agent says that the link is complete."))

    async def _ask(self, ask: Callable[[], Awaitable[Reply]]) -> Reply:
        async with self._console.taken_over():
            self._console.hold()
            try:
                reply = await ask()
            except asyncio.CancelledError:
                raise  # `withdraw` comes next, and belongs to the question
            except BaseException:
                self._console.release()
                raise
            self._console.release()
            return reply


async def done_before(waiting: Coroutine[Any, Any, None], event: asyncio.Event) -> bool:
    """Return whether `waiting` ended before `event` was set, which ends it."""
    task: asyncio.Task[Any] = asyncio.create_task(waiting)
    other: asyncio.Task[Any] = asyncio.create_task(event.wait())
    try:
        await asyncio.wait([task, other], return_when=asyncio.FIRST_COMPLETED)
        return task.done() and not task.result()
    finally:
        task.cancel()
        other.cancel()
        await asyncio.wait([task, other])

"""A Textual application with one question before it, and someone at its keys."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

from textual import events
from textual.app import App
from textual.pilot import Pilot
from textual.widget import Widget

from acp_elicitation.client.prompts import Prompt, Reply
from acp_elicitation.presenters.tui.screen import ElicitationScreen

__all__ = ["Stage", "on_stage"]

_LIMIT = 10.0


class Stage:
    """The question on the screen."""

    def __init__(self, app: App[None], pilot: Pilot[None], screen: ElicitationScreen) -> None:
        self.app = app
        self.pilot = pilot
        self.screen = screen
        self.replies: list[Reply | None] = []

    def take(self, reply: Reply | None) -> None:
        self.replies.append(reply)

    async def press(self, *keys: str) -> None:
        """Press keys, and let everything settle that they bring about."""
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def types(self, text: str) -> None:
        """Put a text into what has the focus, all at once: a key takes its time each."""
        self.app.post_message(events.Paste(text))
        await self.pilot.pause()

    async def paste(self, text: str, *, into: Widget) -> None:
        """Paste a text as a terminal does."""
        into.focus()
        await self.pilot.pause()
        self.app.post_message(events.Paste(text))
        await self.pilot.pause()

    async def reply(self) -> Reply | None:
        """Return what the screen was dismissed with."""
        async with asyncio.timeout(_LIMIT):
            return await self.screen.reply()

    @property
    def sees(self) -> str:
        """Every text of the question, whether it is scrolled into view or not."""
        return "\n".join(
            str(widget.render())
            for widget in self.screen.query("Static, Button")
            if all(node.display for node in widget.ancestors_with_self if isinstance(node, Widget))
        )


@contextlib.asynccontextmanager
async def on_stage(prompt: Prompt, *, size: tuple[int, int] = (80, 24)) -> AsyncIterator[Stage]:
    """Show `prompt` for the length of the block; keys count at once."""
    screen = ElicitationScreen(prompt)
    screen.settle_seconds = 0
    app = App[None]()
    async with app.run_test(size=size) as pilot:
        stage = Stage(app, pilot, screen)
        await app.push_screen(screen, stage.take)
        await pilot.pause()
        await pilot.pause(0.02)
        yield stage

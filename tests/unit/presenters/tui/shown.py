"""A question on a full screen in a test: asked in an application of its own, and what is seen."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from textual.app import App
from textual.pilot import Pilot
from textual.screen import Screen

from acp_elicitation.client.prompts import Prompt
from acp_elicitation.presenters.plain import OpenUrl
from acp_elicitation.presenters.tui import ElicitationScreen

__all__ = ["asked", "shown"]


@asynccontextmanager
async def asked(
    prompt: Prompt, *, size: tuple[int, int] = (80, 40), open_url: OpenUrl | None = None
) -> AsyncIterator[tuple[Pilot[None], ElicitationScreen]]:
    """Ask `prompt` in an application that has nothing else."""
    app: App[None] = App()
    async with app.run_test(size=size) as pilot:
        screen = ElicitationScreen(prompt, open_url=open_url)
        screen.settle_seconds = 0
        app.push_screen(screen)
        await pilot.pause()
        yield pilot, screen


def shown(screen: Screen[Any]) -> str:
    """Return the characters on the screen, line by line."""
    width, height = screen.size
    lines = screen._compositor.render_strips()
    assert len(lines) == height
    return "\n".join(line.text[:width].rstrip() for line in lines)

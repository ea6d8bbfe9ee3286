"""Pictures of the full screen in a terminal, in SVG, as Textual draws them."""

import re

from textual.app import App

from acp_elicitation.client.prompts import Prompt
from acp_elicitation.presenters.tui import ElicitationScreen

__all__ = ["screen"]

_FOREIGN_FONTS = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)
"""Textual refers to fonts on a server; a picture of ours loads nothing."""
_NUMBERED = re.compile(r"terminal-\d+-")


async def screen(
    prompt: Prompt, *, press: str | None = None, size: tuple[int, int] = (80, 30)
) -> bytes:
    """Return the picture of a question, after the control `press` was pressed."""
    app = App[None]()
    async with app.run_test(size=size) as pilot:
        shown = ElicitationScreen(prompt)
        shown.settle_seconds = 0
        await app.push_screen(shown)
        await pilot.pause()
        if press is not None:
            await shown.body.press(press)
            await pilot.pause()
        drawn = app.export_screenshot(title="acp-elicit")
    return _NUMBERED.sub("terminal-", _FOREIGN_FONTS.sub("", drawn)).encode()

"""A link that was opened and is not complete yet: how long already, once more, and done (URL-8).

Owns: what stands on the screen meanwhile. It lies over the lower end of the screen only, so that
what the agent does can still be seen. Knows nothing of: consent, and who takes it away when the
next question comes. Above it: `presenter`. Below it: `address`, Textual.
"""

import asyncio
from time import monotonic
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Button

from acp_elicitation.client.prompts import LinkPrompt
from acp_elicitation.presenters.plain import OpenUrl
from acp_elicitation.presenters.tui.address import draw_address
from acp_elicitation.presenters.tui.said import Words
from acp_elicitation.text.elapsed import word_elapsed
from acp_elicitation.text.language import tr

__all__ = ["CompletionScreen"]


class CompletionScreen(ModalScreen[None]):
    """Waits with its user; dismisses itself when the agent says that the link is complete."""

    DEFAULT_CSS: ClassVar[str] = """
    CompletionScreen {
        align: center bottom;
        background: $background 30%;
        & > Vertical {
            height: auto;
            max-height: 100%;
            border-top: outer $primary;
            background: $surface;
            padding: 0 1;
        }
        VerticalScroll { height: auto; max-height: 6; }
        #address { color: $text; }
        Horizontal { height: auto; }
        Button { margin-right: 1; min-width: 8; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "done", show=False),
        Binding("left", "app.focus_previous", show=False),
        Binding("right", "app.focus_next", show=False),
    ]
    AUTO_FOCUS = "#done"

    def __init__(self, prompt: LinkPrompt, *, open_url: OpenUrl | None) -> None:
        """Make it.

        Args:
            prompt: the link that the user has agreed to.
            open_url: opens it once more; None where its user opens links.
        """
        super().__init__()
        self._prompt = prompt
        self._open_url = open_url
        self.gone = asyncio.Event()
        """Set when the screen has been taken away, by whomever."""
        self.since = monotonic()
        self._state = Words()

    def compose(self) -> ComposeResult:
        """Lay it out."""
        with Vertical():
            yield self._state
            with VerticalScroll(can_focus=False):
                yield Words(draw_address(self._prompt.report), id="address")
            with Horizontal():
                yield Button(Content(tr("Done waiting")), id="done", compact=True)
                if self._open_url is not None:
                    yield Button(Content(tr("Open again")), id="retry", compact=True)
                yield Button(Content(tr("Copy the address")), id="copy", compact=True)

    def on_mount(self) -> None:
        """Begin to wait."""
        self.set_interval(1, self.tell_how_long)
        self.tell_how_long()
        self.run_worker(self._wait())

    def on_unmount(self) -> None:
        """Nobody waits here any more."""
        self.gone.set()

    async def _wait(self) -> None:
        await self._prompt.completed.wait()
        self._leave()

    def tell_how_long(self) -> None:
        """Say how long it has been."""
        elapsed = word_elapsed(monotonic() - self.since)
        words = tr("Waiting for the agent to say that the link is complete: {elapsed}",
                   elapsed=elapsed)  # fmt: skip
        self._state.say(words)

    @on(Button.Pressed, "#done")
    def action_done(self) -> None:
        """Wait no longer."""
        self._leave()

    def _leave(self) -> None:
        if self.app.screen is self:
            self.dismiss(None)

    @on(Button.Pressed, "#retry")
    async def _retry(self) -> None:
        assert self._open_url is not None
        opened = await asyncio.to_thread(self._open_url, self._prompt.url)
        words = tr("Opened in the browser.") if opened else tr("Open this address in your browser:")
        self.notify(words, markup=False)

    @on(Button.Pressed, "#copy")
    def _copy(self) -> None:
        self.app.copy_to_clipboard(self._prompt.url)
        self.notify(tr("Copied."), timeout=2, markup=False)

"""A link that an agent wants to be opened: what it is, whose, what is odd about it, and consent.

Owns: what is shown of the address, which control stands ready, and the opening itself: exactly the
string that is shown, and nothing before the user has consented (URL-10).
Knows nothing of: who asks, declining and cancelling, which the frame has.
Above it: `screen`. Below it: `body`, `said`, `address`, `text.links`.
"""

import asyncio
from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Button

from acp_elicitation.client.prompts import LinkPrompt
from acp_elicitation.presenters.plain import OpenUrl
from acp_elicitation.presenters.tui.address import draw_address, draw_host
from acp_elicitation.presenters.tui.body import Body, Control
from acp_elicitation.presenters.tui.said import Words, told
from acp_elicitation.protocol.answers import Accepted
from acp_elicitation.text.language import tr
from acp_elicitation.text.links import word_warning

__all__ = ["LinkBody"]


class LinkBody(Body):
    """Asks for consent, and opens the link once it has it."""

    DEFAULT_CSS: ClassVar[str] = """
    LinkBody { height: auto; layout: vertical; }
    LinkBody .-lead { color: $text-muted; }
    LinkBody .-exact { border-left: outer $primary; padding: 0 1; }
    LinkBody .-warning { color: $text-warning; }
    LinkBody .-later { margin-top: 1; }
    .-low LinkBody .-later { margin-top: 0; }
    """

    def __init__(self, prompt: LinkPrompt, *, open_url: OpenUrl | None) -> None:
        """Make it.

        Args:
            prompt: the link.
            open_url: opens it; None has the user open it.
        """
        super().__init__()
        self._prompt = prompt
        self._open_url = open_url
        self._has_consent = False

    @property
    def opening(self) -> str:
        """Own words for what is asked."""
        return tr("Link from {}")

    @property
    def message(self) -> str:
        """What the link is for, in the agent's words."""
        return self._prompt.message

    def compose(self) -> ComposeResult:
        """Show the address, then whose it is, then what is odd about it."""
        report = self._prompt.report
        yield Words(tr("It asks you to open this address:"), classes="-lead")
        yield Words(draw_address(report), id="address", classes="-exact")
        yield Words(tr("A page of the host:"), classes="-lead -later")
        yield Words(draw_host(self._prompt.host, report.registrable_domain), classes="-exact")
        if report.host_unicode not in (None, self._prompt.host):
            readable = draw_host(report.host_unicode or "", report.registrable_domain_unicode)
            yield Words(readable, classes="-exact")
        if report.registrable_domain not in (None, self._prompt.host):
            owner = report.registrable_domain or ""
            yield Words(told(tr("It belongs to {}."), owner, style="bold"), classes="-lead")
        for warning in report.warnings:  # URL-12
            words = Content.assemble(("! ", "bold"), word_warning(warning))
            yield Words(words, classes="-warning -later")

    def controls(self) -> Sequence[Control]:
        """Return the consent, by the word for what comes of it."""
        label = tr("Agree") if self._open_url is None else tr("Open in the browser")
        return (Control("open", label, is_main=not self._prompt.report.warnings),)

    def focus_first(self) -> bool:
        """Focus the consent, unless there is something to read before it is given (URL-12)."""
        if self._prompt.report.warnings:
            return False
        self.screen.query_one("#do-open", Button).focus()
        return True

    async def press(self, id: str) -> None:
        """Take the consent: opens exactly the address that is shown, once (URL-10)."""
        if self._has_consent:
            return
        self._has_consent = True
        if self._open_url is not None:
            if await asyncio.to_thread(self._open_url, self._prompt.url):
                self.notify(tr("Opened in the browser."), timeout=3, markup=False)
            else:
                words = tr("No browser could be opened. Open the address yourself.")
                self.notify(words, severity="warning", markup=False)
        self.post_message(self.Answered(Accepted(None)))

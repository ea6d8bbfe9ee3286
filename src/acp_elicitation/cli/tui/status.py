"""The line at the end of the screen: with whom, whose turn it is, and for how long already.

Owns: what it says, and what is left out where there is little room.
Knows nothing of: conversations and questions. Above it: `app`. Below it: Textual, `text.elapsed`.
"""

from time import monotonic
from typing import ClassVar

from textual.content import Content
from textual.widgets import Static

from acp_elicitation.text.elapsed import word_elapsed
from acp_elicitation.text.language import tr
from acp_elicitation.text.terminal import one_line

__all__ = ["StatusLine"]

_LONGEST_AGENT = 40
_FLASH_SECONDS = 2.5


class StatusLine(Static):
    """One line."""

    DEFAULT_CSS: ClassVar[str] = """
    StatusLine {
        height: 1;
        padding: 0 1;
        background: $panel;
        color: $text-muted;
        text-wrap: nowrap;
        text-overflow: ellipsis;
    }
    """

    def __init__(self) -> None:
        super().__init__(markup=False)
        self._agent = ""
        self._doing = tr("connecting")
        self._hint = ""
        self._since: float | None = monotonic()
        self._flash = ""
        self._flash_until = 0.0

    def on_mount(self) -> None:
        """Begin to count."""
        self.set_interval(1, self._draw)
        self._draw()

    def name_agent(self, name: str, version: int) -> None:
        """Say with whom, and in which version of the protocol."""
        shown = one_line(name, _LONGEST_AGENT)
        self._agent = tr("{agent}, protocol {version}", agent=shown, version=version)
        self._draw()

    def say(self, doing: str, hint: str = "", *, counts: bool = False) -> None:
        """Say what is going on and what can be done; `counts` shows for how long already."""
        self._doing, self._hint = doing, hint
        self._since = monotonic() if counts else None
        self._draw()

    def flash(self, words: str) -> None:
        """Say something for a moment."""
        self._flash, self._flash_until = words, monotonic() + _FLASH_SECONDS
        self._draw()

    def on_resize(self) -> None:
        """Leave out what has no room."""
        self._draw()

    def _draw(self) -> None:
        if monotonic() < self._flash_until:
            self.update(Content.styled(self._flash, "bold"))
            return
        doing = self._doing
        if self._since is not None and (seconds := int(monotonic() - self._since)):
            doing = f"{doing} {word_elapsed(seconds)}"
        room = self.content_size.width
        content = Content.styled(doing, "bold")
        for part in (self._hint, self._agent):
            longer = Content.assemble(content, "  ", part) if part else content
            if longer.cell_length <= room:
                content = longer
        self.update(content)

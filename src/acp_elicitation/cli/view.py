"""What an agent does during a turn, as lines: its text, its thoughts, its tools and its plan.

Owns: how each of these looks in line mode, where nothing that was written can be changed.
Knows nothing of: updates as they travel, sessions and questions. Above it: `console`.
Below it: `updates`, `stream`, `presenters.page`.
"""

from collections.abc import Sequence

from acp_elicitation.cli.stream import QuotedStream
from acp_elicitation.cli.updates import SPEAKERS, Kind, Step, Updates, word_tool
from acp_elicitation.presenters.page import Out, Page
from acp_elicitation.protocol.reading import JsonObject
from acp_elicitation.text.language import tr

__all__ = ["View"]


class View:
    """Shows the updates of one agent."""

    def __init__(self, out: Out) -> None:
        self._page = Page(out)
        self._stream = QuotedStream(out)
        self._updates = Updates(self)
        self._running: tuple[Kind, str] | None = None
        """The kind and the id of the message whose text runs."""

    def take(self, update: JsonObject) -> None:
        """Show one update. Never raises for what an agent sends."""
        self._updates.take(update)

    def end(self) -> None:
        """End the running text: something else is about to be shown."""
        self._stream.end()
        self._running = None

    def show_text(self, kind: Kind, message: str, text: str, *, anew: bool) -> None:
        """Write the text, below a word that says whose it is where that is not clear."""
        if anew:
            self.end()
        if not text:
            return
        if self._running != (kind, message):
            self.end()
            self._page.tell(tr(SPEAKERS[kind]))
            self._running = (kind, message)
        self._stream.feed(text)

    def show_tool(self, id: str, title: str, status: str) -> None:
        """Write a line."""
        self.end()
        self._page.tell_about(tr("Tool: {}"), word_tool(title, status), hang=6)

    def show_plan(self, id: str, steps: Sequence[Step]) -> None:
        """Write a line for each entry."""
        self.end()
        self._page.tell(tr("Plan:"))
        for status, content in steps:
            self._page.tell("  ", f"{status}: {content}", hang=4)

    def show_failure(self, message: str) -> None:
        """Write a line."""
        self.end()
        self._page.tell_about(tr("The agent failed: {}"), message, hang=2)

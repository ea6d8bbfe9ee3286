"""Lines typed on a screen: whatever ends one, the next words stand on a line of their own.

Owns: the end of a line on the screen where no Enter wrote it: after Ctrl-C and Ctrl-D.
Knows nothing of: what lines mean. Above it: `plain`. Below it: `lines`, `page`.
"""

from contextlib import AbstractContextManager

from acp_elicitation.presenters.lines import Line, LineSource, Stop
from acp_elicitation.presenters.page import Page

__all__ = ["ScreenLines"]


class ScreenLines:
    """A `LineSource` whose lines are shown on `page` as they are typed."""

    def __init__(self, lines: LineSource, page: Page) -> None:
        self._lines = lines
        self._page = page

    async def read_line(self) -> Line:
        """Return the next line, or why there is none; then the line on the screen is ended."""
        line = await self._lines.read_line()
        if isinstance(line, Stop) and self._page.is_terminal:
            self._page.tell()
        return line

    def hidden(self) -> AbstractContextManager[None]:
        """As the lines below."""
        return self._lines.hidden()

    def drop_typeahead(self) -> None:
        """As the lines below."""
        self._lines.drop_typeahead()

    def drop_pending(self) -> None:
        """As the lines below."""
        self._lines.drop_pending()

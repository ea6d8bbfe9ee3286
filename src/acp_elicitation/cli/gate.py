"""An output that can be held back: what comes meanwhile is shown later, in order.

Owns: the text that waits while a question is before the user, and how much of it is kept.
Knows nothing of: questions and agents. Above it: `console`. Below it: a text stream.
"""

from collections.abc import Callable

from acp_elicitation.presenters.page import Out
from acp_elicitation.text.language import tr_count

__all__ = ["Gate"]

_KEPT = 1_048_576
"""Characters kept at most: an agent can write faster than a person answers."""


class Gate:
    """A text stream before another one."""

    def __init__(
        self,
        out: Out,
        *,
        on_gone: Callable[[], None],
        before: Callable[[], None] = lambda: None,
    ) -> None:
        """Write to `out`.

        `on_gone` is called when nobody reads it any more, `before` each time before it is written
        to.
        """
        self._out = out
        self._on_gone = on_gone
        self._before = before
        self._closed = False
        self._kept: list[str] = []
        self._size = 0
        self._lost = 0

    def hold(self) -> None:
        """Keep what is written from now on."""
        self._closed = True

    def release(self) -> None:
        """Write what was kept, and everything else from now on."""
        if not self._closed:
            return
        self._closed = False
        kept, self._kept, self._size = self._kept, [], 0
        for text in kept:
            self._write(text)
        if self._lost:
            left_out = tr_count(
                "({count} character more was left out meanwhile)",
                "({count} characters more were left out meanwhile)",
                self._lost,
            )
            self._write(f"\n{left_out}\n")
            self._lost = 0
        self.flush()

    def write(self, text: str, /) -> None:
        """Write `text`, now or later."""
        if not self._closed:
            self._write(text)
        elif self._size + len(text) <= _KEPT:
            self._kept.append(text)
            self._size += len(text)
        else:
            self._lost += len(text)

    def flush(self) -> None:
        """Make sure that all is seen, unless it is held back."""
        if not self._closed:
            try:
                self._out.flush()
            except BrokenPipeError:
                self._on_gone()

    def _write(self, text: str) -> None:
        self._before()
        try:
            self._out.write(text)
        except BrokenPipeError:
            self._on_gone()

    def isatty(self) -> bool:
        """Whether this ends at a terminal."""
        return self._out.isatty()

    def fileno(self) -> int:
        """The descriptor that this ends at."""
        return self._out.fileno()

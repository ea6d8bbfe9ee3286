"""What stands before the cursor while a user may type, and steps aside for what else is written.

Owns: that no line of the agent is glued to it, and that it comes back below.
Knows nothing of: what the user types, and what is written meanwhile.
Above it: `console`. Below it: asyncio.

What the user had typed before something was written stays with the terminal, which sends it with
the rest of the line.
"""

import asyncio
from collections.abc import Callable

__all__ = ["StandingPrompt"]

_PAUSE = 0.5
"""Seconds without a word after which it comes back."""


class StandingPrompt:
    """One prompt on one terminal."""

    def __init__(self, write: Callable[[str], None], *, pause: float = _PAUSE) -> None:
        """Write with `write`; come back after `pause` seconds without other words."""
        self._write = write
        self._pause = pause
        self._text: str | None = None
        self._is_aside = False
        self._coming: asyncio.TimerHandle | None = None

    def stand(self, text: str) -> None:
        """Write the prompt, and write it again below whatever is written meanwhile."""
        self.fall()
        self._write(text)
        self._text = text

    def fall(self) -> None:
        """The line is typed, or nobody waits for it any more."""
        self._text = None
        self._is_aside = False
        if self._coming is not None:
            self._coming.cancel()
            self._coming = None

    def step_aside(self) -> None:
        """Make room: something else is about to be written."""
        if self._text is None:
            return
        if not self._is_aside:
            self._is_aside = True
            text, self._text = self._text, None  # the end of its own line moves nothing aside
            self._write("\n")
            self._text = text
        if self._coming is not None:
            self._coming.cancel()
        self._coming = asyncio.get_running_loop().call_later(self._pause, self._come_back)

    def _come_back(self) -> None:
        text = self._text
        if text is not None:
            self.stand(text)

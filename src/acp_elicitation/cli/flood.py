"""A limit on the lines that an agent writes beside the protocol: a flood buries what matters.

Owns: how many lines are shown in how much time, and that the rest is counted.
Knows nothing of: what the lines say, and where they are shown.
Above it: `conversation`. Below it: asyncio.
"""

import asyncio
from collections.abc import Callable

__all__ = ["LINES_AT_MOST", "Flood"]

LINES_AT_MOST = 100
"""Lines that are shown within one period."""

_PERIOD = 10.0


class Flood:
    """Takes lines, and hands on the first ones of each period."""

    def __init__(
        self,
        show: Callable[[bytes], None],
        tell_rest: Callable[[int], None],
        *,
        most: int = LINES_AT_MOST,
        period: float = _PERIOD,
    ) -> None:
        """Hand lines to `show`.

        Args:
            show: takes a line.
            tell_rest: takes the number of lines left out, at the end of the period.
            most: lines shown within one period.
            period: its length in seconds, from the first line on.
        """
        self._show = show
        self._tell_rest = tell_rest
        self._most = most
        self._period = period
        self._count = 0
        self._end: asyncio.TimerHandle | None = None

    def take(self, line: bytes) -> None:
        """Show a line, or count it."""
        if self._end is None:
            self._end = asyncio.get_running_loop().call_later(self._period, self.finish)
        self._count += 1
        if self._count <= self._most:
            self._show(line)

    def finish(self) -> None:
        """End the period: tell of what was left out. To be called at the end of it all, too."""
        if self._end is not None:
            self._end.cancel()
            self._end = None
        left_out, self._count = self._count - self._most, 0
        if left_out > 0:
            self._tell_rest(left_out)

"""A person at the other end of a line presenter: a real pipe to type into, and what was shown."""

import asyncio
import io
import os
from collections.abc import Awaitable
from typing import TypeVar

from acp_elicitation.presenters.lines import DescriptorLines
from acp_elicitation.presenters.notice import Notice
from acp_elicitation.presenters.plain import PlainPresenter

__all__ = ["Person", "Shown"]

T = TypeVar("T")
_LIMIT = 10.0


class Shown(io.StringIO):
    """What was written, and a way to wait for it."""

    def __init__(self) -> None:
        super().__init__()
        self._more = asyncio.Event()

    def write(self, text: str) -> int:
        self._more.set()
        return super().write(text)

    async def until(self, text: str, *, count: int = 1) -> None:
        """Return when `text` has been shown `count` times."""
        async with asyncio.timeout(_LIMIT):
            while self.getvalue().count(text) < count:
                self._more.clear()
                await self._more.wait()


class Person:
    """Types lines into a `PlainPresenter` and reads what it shows."""

    def __init__(
        self,
        *lines: str,
        browser: bool = True,
        ends: bool = True,
        notice: Notice | None = None,
    ) -> None:
        """Type `lines` at once, and nothing more unless `ends` is False."""
        self._reading, self._writing = os.pipe()
        self.lines = DescriptorLines(self._reading)
        self.shown = Shown()
        self.opened: list[str] = []
        self.browser_works = True
        open_url = self._open if browser else None
        self.presenter = PlainPresenter(self.lines, self.shown, open_url=open_url, notice=notice)
        self.types(*lines)
        if ends:
            self.leaves()

    def _open(self, url: str) -> bool:
        self.opened.append(url)
        return self.browser_works

    def types(self, *lines: str) -> None:
        os.write(self._writing, "".join(line + "\n" for line in lines).encode())

    def leaves(self) -> None:
        """End the input."""
        if self._writing >= 0:
            os.close(self._writing)
            self._writing = -1

    def close(self) -> None:
        self.leaves()
        if self._reading >= 0:
            os.close(self._reading)
            self._reading = -1

    @property
    def sees(self) -> str:
        return self.shown.getvalue()

    async def answers(self, ask: Awaitable[T]) -> T:
        """Return the reply to a question that the lines typed so far answer."""
        try:
            async with asyncio.timeout(_LIMIT):
                return await ask
        finally:
            self.close()

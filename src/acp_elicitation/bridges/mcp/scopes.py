"""Which tool call of the agent a server's question belongs to, and what ends with the call.

Owns: the calls that run, the choice between them (REQ-2), the pages that a call opened, and its
questions, which nobody needs any more when it fails or is cancelled (REQ-5).
Knows nothing of: MCP, what is asked and answered. Above it: `forwarding`, `calling`.
Below it: `links`.

A question that comes within a result (2026-07-28) is answered in the task of its call. One that
comes by itself names no call, so it belongs to one only while no other runs.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from acp_elicitation.bridges.mcp.links import ServerPage

__all__ = ["Call", "Calls"]


class Call:
    """One call of a tool: its id in ACP, its questions, and the pages that the user opened."""

    __slots__ = ("pages", "questions", "tool_call")

    def __init__(self, tool_call: str | None) -> None:
        self.tool_call = tool_call
        self.pages: list[ServerPage] = []
        self.questions: set[asyncio.Future[Any]] = set()


_running: ContextVar[tuple["Calls", Call] | None] = ContextVar("running", default=None)


class Calls:
    """The calls of one server's tools that run."""

    def __init__(self, tool_call: str | None = None) -> None:
        self._otherwise = tool_call
        self._calls: list[Call] = []

    @property
    def tool_call(self) -> str | None:
        """The id of the call that a question of this moment belongs to."""
        call = self._of_now()
        return self._otherwise if call is None or call.tool_call is None else call.tool_call

    @contextmanager
    def running(self, tool_call: str | None) -> Iterator[Call]:
        """Let the questions of the block belong to a call."""
        call = Call(tool_call)
        self._calls.append(call)
        token = _running.set((self, call))
        try:
            yield call
        except BaseException:
            # Not every server takes its questions back when its call is cancelled.
            for question in list(call.questions):
                question.cancel()
            raise
        finally:
            _running.reset(token)
            self._calls.remove(call)

    @contextmanager
    def asking(self, question: asyncio.Future[Any]) -> Iterator[None]:
        """Let the call of this moment take a question along, if it fails or is cancelled."""
        call = self._of_now() or Call(None)
        call.questions.add(question)
        try:
            yield
        finally:
            call.questions.discard(question)

    def opened(self, page: ServerPage) -> None:
        """Note that the call of this moment opened a page."""
        call = self._of_now()
        if call is not None:
            call.pages.append(page)

    def _of_now(self) -> Call | None:
        here = _running.get()
        if here is not None and here[0] is self:
            return here[1]
        return self._calls[0] if len(self._calls) == 1 else None

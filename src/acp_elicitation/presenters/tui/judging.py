"""The draft of a form in the hands of a screen: edits and judgements, one at a time.

Owns: the order of the two. Knows nothing of: widgets, and what is judged.
Above it: `field_view`, `form_body`. Below it: `forms.draft`.

A pattern of the agent's may take a moment, so judging runs in a thread where there are patterns
(FORM-9). A draft is not safe in two threads: what is edited meanwhile waits for the end of it.
"""

import asyncio
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from acp_elicitation.forms.draft import FormDraft
from acp_elicitation.forms.problem import Problem

__all__ = ["Judge"]

T = TypeVar("T")


class Judge:
    """Edits and judges one draft."""

    def __init__(self, draft: FormDraft) -> None:
        self.draft = draft
        self._edits: list[Callable[[], None]] = []
        self._lock = asyncio.Lock()
        self._tasks: set[asyncio.Task[Any]] = set()

    @property
    def is_behind(self) -> bool:
        """Whether there are edits that the draft does not have yet."""
        return bool(self._edits)

    def edit(self, edit: Callable[[], None]) -> None:
        """Have `edit` change the draft, before anything is judged again."""
        self._edits.append(edit)

    async def problems(self, names: Iterable[str] | None = None) -> list[Problem]:
        """Return what is wrong with these fields, or with the whole form (FORM-2)."""
        if names is None:
            return await self._run(self.draft.problems)
        listed = list(names)
        return await self._run(lambda: [p for name in listed for p in self.draft.problems(name)])

    async def content(self) -> dict[str, Any] | list[Problem]:
        """Return what would be sent, or else what is wrong: a list that is not empty."""
        return await self._run(lambda: self.draft.problems() or self.draft.content())

    async def _run(self, judge: Callable[[], T]) -> T:
        # Whoever waits may be cancelled; the thread goes on then, and so must the lock.
        task = asyncio.create_task(self._in_turn(judge))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return await asyncio.shield(task)

    async def _in_turn(self, judge: Callable[[], T]) -> T:
        async with self._lock:
            edits, self._edits = self._edits, []
            for edit in edits:
                edit()
            return await asyncio.to_thread(judge) if self.draft.has_patterns else judge()

"""A draft under the hands of someone who types while it is being judged.

Owns: the order of edits and judgements. A form with patterns is judged in a thread (FORM-9), where
the draft must not change; what is typed meanwhile waits for the end of it.
Knows nothing of: widgets. Above it: `form_body`. Below it: `forms.draft`, `presenters.fields`.
"""

import asyncio
from collections.abc import Callable

from acp_elicitation.forms.draft import FormDraft
from acp_elicitation.forms.problem import Problem
from acp_elicitation.presenters.fields import judge

__all__ = ["Judging"]


class Judging:
    """Puts edits into a draft, one after another, and tells what is wrong after each."""

    def __init__(self, draft: FormDraft, on_judged: Callable[[str, list[Problem]], None]) -> None:
        """`on_judged` is called with a field's name and its problems, after each of its edits."""
        self._draft = draft
        self._on_judged = on_judged
        self._edits: dict[str, Callable[[], None]] = {}
        self._work: asyncio.Task[None] | None = None

    def edit(self, name: str, change: Callable[[], None]) -> None:
        """Have `change` called when nobody reads the draft; an older one for `name` is left out."""
        self._edits.pop(name, None)
        self._edits[name] = change
        if self._work is None:
            self._work = asyncio.create_task(self._run())

    async def settled(self) -> list[Problem]:
        """Return the problems of the whole form once every edit is in it."""
        while self._work is not None:
            await asyncio.wait([self._work])
        return await judge(self._draft)

    def stop(self) -> None:
        """Judge nothing more: the form is gone."""
        if self._work is not None:
            self._work.cancel()

    async def _run(self) -> None:
        try:
            while self._edits:
                name = next(iter(self._edits))
                self._edits.pop(name)()
                self._on_judged(name, await judge(self._draft, name))
        finally:
            self._work = None

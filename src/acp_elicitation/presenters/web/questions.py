"""The questions that the page shows, and what became of those before: they live here, on the
server, so that no reload, second tab or lost connection loses one, or what was typed into it.

Owns: the ids of questions, the one that is before the user, how each ended, and putting what was
posted into an answer, once. Knows nothing of: HTTP, and how anything looks.
Above it: `presenter`, `app`. Below it: `posted`, `question`, `client.prompts`.

What ended is remembered by its id alone: nothing of it, and nothing that was typed, is kept.
"""

import asyncio
import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias, TypeVar, assert_never

from acp_elicitation.client.prompts import FormPrompt, LinkPrompt, PermissionPrompt, Prompt, Reply
from acp_elicitation.forms.secrets import takes_long
from acp_elicitation.presenters.ending import Ending
from acp_elicitation.presenters.fields import judge
from acp_elicitation.presenters.web.form import form_problems
from acp_elicitation.presenters.web.posted import read_form
from acp_elicitation.presenters.web.question import chosen_option
from acp_elicitation.protocol.answers import Accepted, Cancelled, Declined

__all__ = ["ID", "PREFIX", "Posted", "Question", "Questions"]

Posted: TypeAlias = Mapping[str, Sequence[str]]
"""What a form posted: all values of each name."""

ID = "question"
"""The id of the question's element in the page."""

PREFIX = f"{ID}-"
"""What the names of its controls begin with."""

T = TypeVar("T")

_MOST_REMEMBERED = 1_000


class Question:
    """One question, from when it is shown until it has ended."""

    def __init__(self, prompt: Prompt) -> None:
        self.id = secrets.token_urlsafe(12)
        self.prompt = prompt
        self.replied: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._draft = asyncio.Lock()
        """A draft with patterns is judged in a thread (FORM-9), and must not change then."""

    @property
    def is_open(self) -> bool:
        """Whether an answer still counts."""
        return not self.replied.done()

    @property
    def is_accepted(self) -> bool:
        """Whether its user has said yes."""
        replied = self.replied
        return replied.done() and not replied.cancelled() and isinstance(replied.result(), Accepted)

    def reply(self, reply: Reply) -> None:
        """Answer it. Only the first answer counts."""
        if self.is_open:
            self.replied.set_result(reply)

    async def take(self, data: Posted) -> bool:
        """Take what a form of this question posted; False where it is no answer.

        Then either the form has problems to be shown, which stand in the draft with all that was
        typed, or what was posted means nothing.
        """
        do = _last(data, "do")
        match do:
            case "decline":
                self.reply(Declined())  # UI-2: whatever else was posted is not looked at
            case "cancel":
                self.reply(Cancelled())
            case "decline-all" if self.prompt.decline_all is not None:
                if self.is_open:
                    self.prompt.decline_all()
                    self.reply(Declined())
            case _:
                return await self._take_yes(do, data)
        return True

    async def _take_yes(self, do: str, data: Posted) -> bool:
        match self.prompt:
            case FormPrompt() as prompt if do == "submit":
                return await self._submit(prompt, data)
            case LinkPrompt() if do == "open":
                self.reply(Accepted(None))
                return True
            case PermissionPrompt() as prompt if (option := chosen_option(prompt, do)) is not None:
                self.reply(Accepted(option))
                return True
            case FormPrompt() | LinkPrompt() | PermissionPrompt():
                return False
            case _ as never:
                assert_never(never)

    async def _submit(self, prompt: FormPrompt, data: Posted) -> bool:
        async with self._draft:
            if not self.is_open:  # the other half of a double click has answered it
                return True
            read_form(prompt.draft, data, prefix=PREFIX)
            if await judge(prompt.draft):  # FORM-2
                return False
            self.reply(Accepted(prompt.draft.content()))
            return True

    async def save(self, data: Posted) -> dict[str, list[str]]:
        """Keep what is being typed, and return what is wrong with it, by the names of controls."""
        prompt = self.prompt
        if not isinstance(prompt, FormPrompt):
            return {}
        async with self._draft:
            if not self.is_open:
                return {}
            read_form(prompt.draft, data, prefix=PREFIX)
            await judge(prompt.draft)
            return form_problems(prompt.draft, prefix=PREFIX)

    async def draw(self, drawing: Callable[[], T]) -> T:
        """Return what `drawing` does, called when nobody changes or judges the draft.

        It may judge the draft itself, and draw as much as an agent may ask, which holds nobody up
        (FORM-9).
        """
        async with self._draft:
            if isinstance(self.prompt, FormPrompt) and _takes_a_while(self.prompt):
                return await asyncio.to_thread(drawing)
            return drawing()


class Questions:
    """The question before the user, and the endings of those before it."""

    def __init__(self) -> None:
        self.current: Question | None = None
        """The presenter port shows one at a time."""
        self._endings: dict[str, Ending] = {}

    def open(self, prompt: Prompt) -> Question:
        """Put a question before the user."""
        self.current = Question(prompt)
        return self.current

    def end(self, question: Question, ending: Ending) -> None:
        """Take a question away, and remember only how it ended."""
        self._endings[question.id] = ending
        while len(self._endings) > _MOST_REMEMBERED:
            del self._endings[next(iter(self._endings))]
        if self.current is question:
            self.current = None

    def find(self, id: str) -> Question | Ending | None:
        """Return the question with this id, or how it ended; None where there never was one."""
        if self.current is not None and self.current.id == id:
            return self.current
        return self._endings.get(id)


def _takes_a_while(prompt: FormPrompt) -> bool:
    return prompt.draft.has_patterns or takes_long(prompt.message, prompt.request.schema)


def _last(data: Posted, name: str) -> str:
    values = data.get(name, ())
    return values[-1] if values else ""

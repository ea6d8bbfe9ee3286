"""What the faces share that show a conversation as a feed, and questions apart from it.

Owns: what of an agent's work goes into the feed, what is said there of a question and its end, and
what went wrong. Knows nothing of: where the feed is drawn, how questions look, and the prompt.
Above it: `tui.face`, `web.face`. Below it: `feed`, `updates`.
"""

import contextlib
import logging
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Literal, Protocol, assert_never

from acp_elicitation.cli.feed import Feed
from acp_elicitation.cli.updates import Updates
from acp_elicitation.client.prompts import (
    CompletionPresenter,
    FormPrompt,
    LinkPrompt,
    PermissionPresenter,
    PermissionPrompt,
    Presenter,
    Prompt,
    Reply,
)
from acp_elicitation.presenters.ending import word_ending
from acp_elicitation.protocol.answers import Accepted, Cancelled, Declined
from acp_elicitation.protocol.reading import JsonObject
from acp_elicitation.text.language import tr
from acp_elicitation.text.terminal import one_line

__all__ = ["FeedFace", "Questions"]

_COMPLAINTS = 3
"""How many are repeated in the terminal at the end: those that tell of the failure."""


class Questions(Presenter, PermissionPresenter, CompletionPresenter, Protocol):
    """Shows questions of every kind, and can have the one that is up cancelled by its user."""

    def dismiss(self) -> bool:
        """Have the question before the user be cancelled; False where none is."""
        ...


class FeedFace(ABC):
    """A `Face`, but for its prompt. It is a presenter around its presenter as well."""

    def __init__(self, feed: Feed, questions: Questions) -> None:
        """Say everything in `feed`, and have `questions` ask."""
        self._questions = questions
        self.presenter: Presenter = self
        self.question_is_up = False
        self.complaints: list[str] = []
        """What went wrong, to be said once more in the terminal."""
        self._feed = feed
        self._updates = Updates(feed)
        self._is_working = False

    @abstractmethod
    def _tell_state(self) -> None:
        """Show who is waited for: the user, the agent or nobody."""

    @abstractmethod
    def _call_user(self) -> None:
        """Draw attention to a question that comes up now."""

    def _touch(self) -> None:  # noqa: B027 - not every face has to be told
        """There is more in the feed."""

    # --- the conversation -------------------------------------------------------------------------

    def say(self, prompt: str) -> None:
        """Show a prompt that nobody typed here."""
        self._feed.say(prompt)
        self._touch()

    def turn_began(self) -> None:
        """Count the seconds."""
        self._is_working = True
        self._tell_state()

    def turn_ended(self) -> None:
        """Count no more."""
        self._is_working = False
        self._tell_state()

    def take_update(self, session_id: str, update: JsonObject) -> None:
        """Show what the agent does."""
        self._updates.take(update)
        self._touch()

    def take_stderr(self, line: bytes) -> None:
        """Show a line that the agent wrote to stderr."""
        self._feed.add_noise(tr("agent's stderr: "), line)
        self._touch()

    def take_noise(self, line: bytes) -> None:
        """Show a line of the agent's stdout that is no message."""
        self._feed.add_noise(tr("agent's stdout, no message: "), line)
        self._touch()

    def tell(self, own: str, untrusted: str = "") -> None:
        """Say something of our own, with `untrusted` in the place of its `{}`."""
        self._feed.tell(own, untrusted)
        self._touch()

    def complain(self, own: str, untrusted: str = "") -> None:
        """Say what went wrong, now, and once more in the terminal in the end."""
        own = own or "{}"
        self._feed.tell(own, untrusted, bad=True)
        self._touch()
        before, _, after = own.partition("{}")
        self.complaints = [*self.complaints, before + one_line(untrusted) + after][-_COMPLAINTS:]

    def log_handler(self) -> logging.Handler:
        """Return a handler that shows what the package logs."""
        return _Complaining(self)

    # --- the questions ----------------------------------------------------------------------------

    def interrupt_question(self) -> bool:
        """Have the question be cancelled as by its user."""
        return self._questions.dismiss()

    async def form(self, prompt: FormPrompt) -> Reply:
        """As the inner presenter, with the state saying so."""
        with self._asked():
            return self._told(await self._questions.form(prompt))

    async def link(self, prompt: LinkPrompt) -> Reply:
        """As the inner presenter, with the state saying so."""
        with self._asked():
            return self._told(await self._questions.link(prompt))

    async def permission(self, prompt: PermissionPrompt) -> Reply:
        """As the inner presenter, with the state saying so."""
        with self._asked():
            return self._told(await self._questions.permission(prompt))

    async def withdraw(self, prompt: Prompt, why: Literal["withdrawn", "expired"]) -> None:
        """Say why the question went, where it can be read later too."""
        self.tell(word_ending(why))
        await self._questions.withdraw(prompt, why)

    async def wait_for_completion(self, prompt: LinkPrompt) -> None:
        """As the inner presenter; the agent goes on meanwhile, and what it does is shown."""
        await self._questions.wait_for_completion(prompt)
        if prompt.completed.is_set():
            self.tell(tr("The agent says that the link is complete."))

    @contextlib.contextmanager
    def _asked(self) -> Iterator[None]:
        self.question_is_up = True
        self._call_user()
        self._tell_state()
        try:
            yield
        finally:
            self.question_is_up = False
            self._tell_state()

    def _told(self, reply: Reply) -> Reply:
        """Note in the feed how a question was answered; what was answered is not in it."""
        match reply:
            case Accepted():
                self.tell(tr("Answered."))
            case Declined():
                self.tell(word_ending("declined"))
            case Cancelled():
                self.tell(word_ending("cancelled"))
            case _ as never:
                assert_never(never)
        return reply


class _Complaining(logging.Handler):
    def __init__(self, face: FeedFace) -> None:
        super().__init__()
        self._face = face

    def emit(self, record: logging.LogRecord) -> None:
        self._face.complain("", record.getMessage())

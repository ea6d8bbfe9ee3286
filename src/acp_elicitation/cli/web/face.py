"""A conversation in a web page.

Owns: what of a conversation is shown where in the page, and how its end is.
Knows nothing of: sessions, turns, how questions look, and HTTP. Above it: `run`.
Below it: `log`, `speaking`, `cli.feed`, `presenters.web`.
"""

import contextlib
import logging
from collections.abc import Callable, Iterator
from typing import Literal, assert_never

from acp_elicitation.cli.face import Controls, ExitCode
from acp_elicitation.cli.feed import Feed
from acp_elicitation.cli.updates import Updates
from acp_elicitation.cli.web.log import PageLog
from acp_elicitation.cli.web.speaking import Speaking
from acp_elicitation.client.prompts import (
    FormPrompt,
    LinkPrompt,
    PermissionPrompt,
    Presenter,
    Prompt,
    Reply,
)
from acp_elicitation.presenters.lines import Line
from acp_elicitation.presenters.web.desk import Desk
from acp_elicitation.presenters.web.presenter import WebPresenter, word_ending
from acp_elicitation.protocol.answers import Accepted, Cancelled, Declined
from acp_elicitation.protocol.reading import JsonObject
from acp_elicitation.text.language import tr
from acp_elicitation.text.terminal import one_line

__all__ = ["WebFace"]

_COMPLAINTS = 3
"""How many are repeated in the terminal at the end: those that tell of the failure."""


class WebFace:
    """A `Face` on a `Desk`. It is a presenter around its presenter as well."""

    def __init__(self, desk: Desk, *, call_user: Callable[[], None] = lambda: None) -> None:
        """Show it on `desk`; `call_user` is called for each question."""
        self._feed = Feed()
        self._updates = Updates(self._feed)
        self._log = PageLog(self._feed, desk)
        self.questions = WebPresenter(desk, tells_idle=False)
        self._speaking = Speaking(desk, self.tell)
        self._call_user = call_user
        self._is_working = False
        self._is_connected = False
        self.presenter: Presenter = self
        self.question_is_up = False
        self.complaints: list[str] = []
        """What went wrong, to be said in the terminal as well."""

    @property
    def is_read_on(self) -> bool:
        """Whether the conversation has ended by itself, with its user still reading."""
        return self._is_connected and not self._speaking.was_left

    # --- the conversation -------------------------------------------------------------------------

    def start(self, controls: Controls) -> None:
        """Have the buttons of the page act on the conversation."""

        def leave() -> None:
            self.end()  # at once: the agent may take its time to go
            controls.leave(ExitCode.DONE)

        self._speaking.on_stop = controls.interrupt
        self._speaking.on_end = leave

    def end(self) -> None:
        """Show what is still kept back, and take the prompt away."""
        self._log.tell()
        self._speaking.close(tr("The conversation is over. You can close this page."))

    def connected(self, agent: str, version: int) -> None:
        """Say which agent answered."""
        self._is_connected = True
        self.tell(tr("Connected, protocol version {version}: {}", version=version), agent)

    def invite(self) -> None:
        """Show the prompt."""
        self._speaking.invite()
        self._tell_state()

    def say(self, prompt: str) -> None:
        """Show a prompt that nobody typed here."""
        self._feed.say(prompt)
        self._log.touch()

    def turn_began(self) -> None:
        """Count the seconds."""
        self._is_working = True
        self._tell_state()

    def turn_ended(self) -> None:
        """Count no more."""
        self._is_working = False
        self._tell_state()

    def turn_is_cancelled(self) -> None:
        """Say so."""
        self._speaking.say_state(tr("cancelling"), counts=True)

    def take_update(self, session_id: str, update: JsonObject) -> None:
        """Show what the agent does."""
        self._updates.take(update)
        self._log.touch()

    def take_stderr(self, line: bytes) -> None:
        """Show a line that the agent wrote to stderr."""
        self._feed.add_noise(tr("agent's stderr: "), line)
        self._log.touch()

    def take_noise(self, line: bytes) -> None:
        """Show a line of the agent's stdout that is no message."""
        self._feed.add_noise(tr("agent's stdout, no message: "), line)
        self._log.touch()

    def tell(self, own: str, untrusted: str = "") -> None:
        """Say something of our own, with `untrusted` in the place of its `{}`."""
        self._feed.tell(own, untrusted)
        self._log.touch()

    def complain(self, own: str, untrusted: str = "") -> None:
        """Say what went wrong, in the page and in the end in the terminal."""
        own = own or "{}"
        self._feed.tell(own, untrusted, bad=True)
        self._log.touch()
        before, _, after = own.partition("{}")
        self.complaints = [*self.complaints, before + one_line(untrusted) + after][-_COMPLAINTS:]

    def log_handler(self) -> logging.Handler:
        """Return a handler that shows what the package logs."""
        return _FaceHandler(self)

    # --- the prompt -------------------------------------------------------------------------------

    async def read_prompt(self) -> Line:
        """Return what the user says next, and show it as said."""
        line = await self._speaking.read()
        if isinstance(line, str):
            self.say(line)
            # The page is drawn anew before the turn has begun, and can be cancelled.
            self._speaking.say_state(tr("the agent is working"), counts=True)
        return line

    def interrupt_prompt(self) -> bool:
        """Leave it to the conversation, which a Ctrl-C ends: nothing is typed in the terminal."""
        return False

    def _tell_state(self) -> None:
        say = self._speaking.say_state
        if self.question_is_up:
            say(tr("waiting for your answer"), counts=True)
        elif self._is_working:
            say(tr("the agent is working"), counts=True, can_stop=True)
        elif self._is_connected:
            say(tr("your turn"))

    # --- the questions ----------------------------------------------------------------------------

    def interrupt_question(self) -> bool:
        """Have the question be cancelled as by its button."""
        return self.questions.dismiss()

    async def form(self, prompt: FormPrompt) -> Reply:
        """As the inner presenter, with the state saying so."""
        with self._asked():
            return self._told(await self.questions.form(prompt))

    async def link(self, prompt: LinkPrompt) -> Reply:
        """As the inner presenter, with the state saying so."""
        with self._asked():
            return self._told(await self.questions.link(prompt))

    async def permission(self, prompt: PermissionPrompt) -> Reply:
        """As the inner presenter, with the state saying so."""
        with self._asked():
            return self._told(await self.questions.permission(prompt))

    async def withdraw(self, prompt: Prompt, why: Literal["withdrawn", "expired"]) -> None:
        """Say why the question went, where it can be read later too."""
        self.tell(word_ending(why))
        await self.questions.withdraw(prompt, why)

    async def wait_for_completion(self, prompt: LinkPrompt) -> None:
        """As the inner presenter; the agent goes on meanwhile, and what it does is shown."""
        await self.questions.wait_for_completion(prompt)
        if prompt.completed.is_set():
            self.tell(tr("The agent says that the link is complete."))

    @contextlib.contextmanager
    def _asked(self) -> Iterator[None]:
        self.question_is_up = True
        self._log.tell()  # what led to the question stands above it
        self._tell_state()
        self._call_user()
        try:
            yield
        finally:
            self.question_is_up = False
            self._tell_state()

    def _told(self, reply: Reply) -> Reply:
        """Note in the log how a question was answered; what was answered is not in it."""
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


class _FaceHandler(logging.Handler):
    def __init__(self, face: WebFace) -> None:
        super().__init__()
        self._face = face

    def emit(self, record: logging.LogRecord) -> None:
        self._face.complain("", record.getMessage())

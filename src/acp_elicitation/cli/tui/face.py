"""A conversation on a full screen.

Owns: what of a conversation is shown where on the screen, and how its end is.
Knows nothing of: sessions, turns, and how questions look. Above it: `faces`.
Below it: `app`, `cli.feed_face`, `conversation`, `presenters.tui`.
"""

import asyncio
import contextlib
import logging
import os
import sys
from collections.abc import Iterator
from time import monotonic

from acp_elicitation.cli.conversation import Conversation
from acp_elicitation.cli.face import Controls, ExitCode
from acp_elicitation.cli.faces import Meeting
from acp_elicitation.cli.feed import Feed
from acp_elicitation.cli.feed_face import FeedFace
from acp_elicitation.cli.shared import done_before
from acp_elicitation.cli.tui.app import ChatApp
from acp_elicitation.client.prompts import LinkPrompt
from acp_elicitation.presenters.browser import open_beside_screen, open_in_browser
from acp_elicitation.presenters.lines import Line, Stop
from acp_elicitation.presenters.notice import Notify, attention
from acp_elicitation.presenters.tui.presenter import TuiPresenter
from acp_elicitation.text.language import tr

__all__ = ["TuiFace", "converse_on_screen"]

_SLIP_SECONDS = 1.0


async def converse_on_screen(meeting: Meeting) -> ExitCode:
    """Have one conversation on a full screen; returns when its user has left it."""
    feed = Feed()
    app = ChatApp(feed)
    # Whatever opens links on a plain terminal must not do so into the screen.
    open_url = open_beside_screen if meeting.open_url is open_in_browser else meeting.open_url
    presenter = TuiPresenter(app, open_url=open_url)
    face = TuiFace(app, feed, presenter, notify=meeting.notify)
    logging.basicConfig(handlers=[face.log_handler()], level=logging.WARNING)
    conversation = Conversation(meeting.settings, face, transcript=meeting.transcript)
    talking: asyncio.Task[ExitCode] | None = None

    async def talk() -> ExitCode:
        try:
            code = await conversation.run()
            if code in (ExitCode.DONE, ExitCode.AGENT_FAILED) and face.has_more_to_read:
                await face.stay()
            return code
        finally:
            app.exit()

    def begin() -> None:
        nonlocal talking
        talking = asyncio.create_task(talk())

    app.on_ready = begin
    try:
        await app.run_async()
    finally:
        if talking is not None and not talking.done():
            conversation.leave(ExitCode.INTERRUPTED)
            await asyncio.wait([talking])
    code = ExitCode.INTERRUPTED if talking is None else talking.result()
    if code == ExitCode.AGENT_FAILED:
        for complaint in face.complaints:
            print(f"acp-elicit: {complaint}", file=sys.stderr)
    return code


class TuiFace(FeedFace):
    """A `Face` on a running `ChatApp`."""

    def __init__(
        self, app: ChatApp, feed: Feed, presenter: TuiPresenter, *, notify: Notify = "off"
    ) -> None:
        super().__init__(feed, presenter)
        self._app = app
        self._notify = notify
        self._reading: asyncio.Future[Line] | None = None
        self._answered_at = -_SLIP_SECONDS
        self._no_turn = asyncio.Event()
        self._no_turn.set()
        self.has_more_to_read = False
        """Whether the conversation, once it ends, has not been ended by its user."""
        app.on_line = self._take_line

    # --- the conversation -------------------------------------------------------------------------

    def start(self, controls: Controls) -> None:
        """Have the keys act on the conversation."""
        self._app.on_interrupt = controls.interrupt

        def leave() -> None:
            self.has_more_to_read = False
            controls.leave(ExitCode.DONE)

        self._app.on_leave = leave

    def end(self) -> None:
        """Take the prompt away."""
        self._app.close_prompt()

    def connected(self, agent: str, version: int) -> None:
        """Say which agent answered."""
        self.has_more_to_read = True
        self._app.status.name_agent(agent, version)
        self._feed.tell(tr("Connected, protocol version {version}: {}", version=version), agent)

    def invite(self) -> None:
        """Say what the keys do."""
        self._feed.tell(tr("Enter sends, Ctrl-J begins a new line, Up brings earlier prompts."))
        self._feed.tell(tr("Ctrl-C cancels a turn, Ctrl-D ends the conversation."))

    def turn_began(self) -> None:
        """Count the seconds."""
        self._no_turn.clear()
        super().turn_began()

    def turn_ended(self) -> None:
        """Count no more."""
        self._no_turn.set()
        super().turn_ended()

    def turn_is_cancelled(self) -> None:
        """Say so."""
        self._feed.tell(tr("Cancelling the turn. Ctrl-C again leaves without waiting for it."))
        self._app.status.say(tr("cancelling"), tr("Ctrl-C leaves"), counts=True)

    # --- the prompt -------------------------------------------------------------------------------

    async def read_prompt(self) -> Line:
        """Return what the user says next, and show it as said."""
        self.has_more_to_read = True
        self._reading = asyncio.get_running_loop().create_future()
        self._app.open_prompt()
        self._tell_state()
        try:
            line = await self._reading
        finally:
            self._reading = None
            self._app.prompt.can_send = False
        if isinstance(line, str):
            self._feed.say(line)
        self.has_more_to_read = isinstance(line, str)
        return line

    def _take_line(self, line: Line) -> None:
        if line is Stop.END and monotonic() - self._answered_at < _SLIP_SECONDS:
            return  # Ctrl-D declines a question: one too many does not end it all
        if self._reading is not None and not self._reading.done():
            self._reading.set_result(line)

    def interrupt_prompt(self) -> bool:
        """Have the conversation learn of a Ctrl-C at the prompt."""
        if self._reading is None or self._reading.done():
            return False
        self._reading.set_result(Stop.INTERRUPT)
        return True

    async def stay(self) -> None:
        """Return when the user has read the end, and wants to leave."""
        left = asyncio.Event()
        self._app.on_leave = self._app.on_interrupt = left.set
        self._app.is_over = True
        self._app.status.say(tr("The conversation is over."), tr("Enter leaves"))
        await left.wait()

    def _tell_state(self) -> None:
        say = self._app.status.say
        if self.question_is_up:
            say(tr("waiting for your answer"), counts=True)
        elif self._is_working:
            say(tr("the agent is working"), tr("Ctrl-C cancels"), counts=True)
        else:
            say(tr("your turn"), tr("Ctrl-D ends"))

    def _call_user(self) -> None:
        self._app.call_user(attention(self._notify, os.environ))

    async def wait_for_completion(self, prompt: LinkPrompt) -> None:
        """As the inner presenter, until the turn ends: then its user may type again.

        How to retry is told, and the completion when it comes (URL-8).
        """
        if not self._no_turn.is_set() and await done_before(
            super().wait_for_completion(prompt), self._no_turn
        ):
            return
        self.tell(tr("The turn is over. To try the link again, open this address:"))
        self.tell("{}", prompt.url)
        await prompt.completed.wait()
        self.tell(tr("The agent says that the link is complete."))

    @contextlib.contextmanager
    def _asked(self) -> Iterator[None]:
        try:
            with super()._asked():
                yield
        finally:
            self._answered_at = monotonic()

"""A conversation in a web page.

Owns: what of a conversation is shown where in the page, and how its end is.
Knows nothing of: sessions, turns, how questions look, and HTTP. Above it: `run`.
Below it: `log`, `speaking`, `cli.feed_face`, `presenters.web`.
"""

from collections.abc import Callable

from acp_elicitation.cli.face import Controls, ExitCode
from acp_elicitation.cli.feed import Feed
from acp_elicitation.cli.feed_face import FeedFace
from acp_elicitation.cli.web.log import PageLog
from acp_elicitation.cli.web.speaking import Speaking
from acp_elicitation.presenters.lines import Line
from acp_elicitation.presenters.web.desk import Desk
from acp_elicitation.presenters.web.presenter import WebPresenter
from acp_elicitation.text.language import tr

__all__ = ["WebFace"]


class WebFace(FeedFace):
    """A `Face` on a `Desk`."""

    def __init__(self, desk: Desk, *, call_user: Callable[[], None] = lambda: None) -> None:
        """Show it on `desk`; `call_user` is called for each question."""
        feed = Feed()
        self._log = PageLog(feed, desk)
        self.questions = WebPresenter(desk, tells_idle=False)
        super().__init__(feed, self.questions)
        self._speaking = Speaking(desk, self.tell)
        self._calls_user = call_user
        self._is_connected = False

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

    def turn_is_cancelled(self) -> None:
        """Say so."""
        self._speaking.say_state(tr("cancelling"), counts=True)

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

    def _call_user(self) -> None:
        self._log.tell()  # what led to the question stands above it
        self._calls_user()

    def _touch(self) -> None:
        self._log.touch()

"""A conversation line by line: in any terminal, in a pipe, or with a script that answers.

Owns: what is said in line mode, and how a prompt of one or several lines is typed.
Knows nothing of: sessions, turns and how questions are shown.
Above it: `faces`. Below it: `console`, `face`, `presenters.lines`.
"""

from collections.abc import Awaitable, Callable

from acp_elicitation.cli.console import Console
from acp_elicitation.cli.face import Controls, ExitCode
from acp_elicitation.cli.shared import SharedPresenter
from acp_elicitation.client.prompts import Presenter
from acp_elicitation.presenters.fields import read_block
from acp_elicitation.presenters.lines import DescriptorLines, Line, Stop
from acp_elicitation.presenters.patience import FIRST_WORD, Patience
from acp_elicitation.protocol.reading import JsonObject
from acp_elicitation.text.elapsed import word_elapsed
from acp_elicitation.text.language import tr

__all__ = ["LineFace"]

_FENCE = '"""'


class LineFace:
    """A `Face` on two text streams and a source of lines."""

    def __init__(
        self,
        console: Console,
        presenter: Presenter,
        lines: DescriptorLines,
        *,
        before_reading: Callable[[], Awaitable[bool]] | None = None,
        first_word: float = FIRST_WORD,
    ) -> None:
        """Make it.

        Args:
            console: where everything is shown.
            presenter: answers the agent's questions on the same streams.
            lines: what the user types.
            before_reading: awaited before the user's own lines are read; False when the user
                wants to stop instead.
            first_word: after how many silent seconds of an agent its user is told so.
        """
        self._console = console
        self._lines = lines
        self._before_reading = before_reading
        self._was_interrupted = False
        self._patience = Patience(self._tell_silence, first=first_word)
        self.presenter: Presenter = SharedPresenter(presenter, console)

    @property
    def question_is_up(self) -> bool:
        """Whether a question is before the user."""
        return self._console.question_is_up

    def start(self, controls: Controls) -> None:
        """Have the conversation end when nobody reads it any more."""
        self._console.on_gone = lambda: controls.leave(ExitCode.NOBODY_READS)

    def end(self) -> None:
        """Show what was kept back."""
        self._console.release()

    def connected(self, agent: str, version: int) -> None:
        """Say which agent answered."""
        self.tell(tr("Connected, protocol version {version}: {}", version=version), agent)

    def invite(self) -> None:
        """Say what can be typed."""
        self.tell(tr('Type a prompt and Enter; """ before and after one of several lines.'))
        self.tell(tr("Ctrl-C cancels a turn, Ctrl-D ends the conversation."))

    def say(self, prompt: str) -> None:
        """Show a prompt that nobody typed here."""
        self.tell(tr("You: {}"), prompt)

    def turn_began(self) -> None:
        """Begin to look out for a long silence of the agent; a terminal shows it."""
        self._console.no_turn.clear()
        if self._console.is_terminal:
            self._patience.start()

    def turn_ended(self) -> None:
        """End the running line of the agent's text."""
        self._patience.stop()
        self._console.end_text()
        self._console.no_turn.set()

    def _tell_silence(self, seconds: float) -> None:
        if self._console.is_taken:  # it is the user who is waited for
            self._patience.start()
        else:
            elapsed = word_elapsed(seconds)
            self.tell(tr("Waiting for the agent for {elapsed}; Ctrl-C cancels.", elapsed=elapsed))

    def turn_is_cancelled(self) -> None:
        """Say so, below the ^C that the terminal has written."""
        self.tell("")
        self.tell(tr("Cancelling the turn. Ctrl-C again leaves without waiting for it."))

    def take_update(self, session_id: str, update: JsonObject) -> None:
        """Show what the agent does."""
        self._patience.touch()
        self._console.take_update(session_id, update)

    def take_stderr(self, line: bytes) -> None:
        """Show a line that the agent wrote to stderr."""
        self._console.take_stderr(line)

    def take_noise(self, line: bytes) -> None:
        """Show a line of the agent's stdout that is no message."""
        self._console.take_noise(line)

    def tell(self, own: str, untrusted: str = "") -> None:
        """Say something of our own, with `untrusted` in the place of its `{}`."""
        self._console.tell(own, untrusted)

    def complain(self, own: str, untrusted: str = "") -> None:
        """Say on stderr what went wrong, with `untrusted` in the place of its `{}`."""
        self._console.complain(own, untrusted)

    async def read_prompt(self) -> Line:
        """Return the next line, or the lines between two fences, or why there is none."""
        line = await self._console.read_when_free(self._read)
        if isinstance(line, Stop):
            self.tell("")  # the terminal has written ^C, or nothing at all
        return line

    async def _read(self) -> Line:
        self._was_interrupted = False
        if self._before_reading is not None and not await self._before_reading():
            return Stop.INTERRUPT if self._was_interrupted else Stop.END
        self._console.page.tell()
        line = await self._console.read_at(tr("you") + "> ", self._lines)
        if isinstance(line, str) and line.strip() == _FENCE:
            return await read_block(self._lines, _FENCE)
        return line

    def interrupt_question(self) -> bool:
        """Have whoever reads a line for the question learn of the Ctrl-C."""
        return self._console.question_is_up and self._lines.interrupt()

    def interrupt_prompt(self) -> bool:
        """Have whoever reads a line learn of the Ctrl-C."""
        self._was_interrupted = self._lines.interrupt()
        return self._was_interrupted

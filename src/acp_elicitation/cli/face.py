"""Where a conversation takes place: the port between the conversation and what a user looks at.

Owns: what a conversation needs of such a place, what a place may do to the conversation, and the
exit codes. Knows nothing of: terminals, pages and agents.
Above it: `conversation` and every face. Below it: `client.prompts`.
"""

import enum
from typing import Protocol

from acp_elicitation.cli.standard import NOBODY_READS
from acp_elicitation.client.prompts import Presenter
from acp_elicitation.presenters.lines import Line
from acp_elicitation.protocol.reading import JsonObject

__all__ = ["Controls", "ExitCode", "Face"]


class ExitCode(enum.IntEnum):
    """What the shell learns."""

    DONE = 0
    """The turn ended; or the user left."""
    USAGE = 2
    AGENT_FAILED = 3
    """It could not be started, left, or answered with an error."""
    UNANSWERED = 4
    """A question had no scripted answer."""
    INTERRUPTED = 130
    NOBODY_READS = NOBODY_READS


class Controls(Protocol):
    """What a face may do to the conversation that it shows."""

    def interrupt(self) -> None:
        """Take a Ctrl-C: it belongs to the question, else to the turn, else to the prompt."""
        ...

    def leave(self, code: ExitCode) -> None:
        """End the conversation now."""
        ...


class Face(Protocol):
    """Shows one conversation, and is where its user types.

    Obligations:
    - Every text that is called untrusted, and every line and update of the agent, is data: it is
      made visible by `text/` before it is shown, and acts on nothing.
    - Nothing is shown in a way that gets into a question, and no key that was meant for a question
      becomes a prompt, or the other way round.
    - What an agent sends is bounded in what is kept of it.
    - The two methods that interrupt return at once.
    """

    @property
    def presenter(self) -> Presenter:
        """What answers the agent's questions here."""
        ...

    @property
    def question_is_up(self) -> bool:
        """Whether a question is before the user."""
        ...

    def start(self, controls: Controls) -> None:
        """Take what acts on the conversation, which begins now."""
        ...

    def end(self) -> None:
        """Show what is still kept back: the conversation is over."""
        ...

    def connected(self, agent: str, version: int) -> None:
        """Say which agent answered (untrusted), and in which version of the protocol."""
        ...

    def invite(self) -> None:
        """Say how to type prompts: the user's turn to speak comes now, for the first time."""
        ...

    def say(self, prompt: str) -> None:
        """Show a prompt that comes from the command line."""
        ...

    def turn_began(self) -> None:
        """The agent works."""
        ...

    def turn_ended(self) -> None:
        """The agent has ended its turn, in whatever way."""
        ...

    def turn_is_cancelled(self) -> None:
        """The agent was told to end its turn: say so, and what a second Ctrl-C does."""
        ...

    def take_update(self, session_id: str, update: JsonObject) -> None:
        """Show what the agent does."""
        ...

    def take_stderr(self, line: bytes) -> None:
        """Show a line that the agent wrote to stderr."""
        ...

    def take_noise(self, line: bytes) -> None:
        """Show a line of the agent's stdout that is no message."""
        ...

    def tell(self, own: str, untrusted: str = "") -> None:
        """Say something of our own, with `untrusted` in the place of its `{}`."""
        ...

    def complain(self, own: str, untrusted: str = "") -> None:
        """Say what went wrong, with `untrusted` in the place of its `{}`."""
        ...

    async def read_prompt(self) -> Line:
        """Return what the user says next to the agent, or why nothing comes."""
        ...

    def interrupt_question(self) -> bool:
        """Have the question before the user be cancelled by its user; False where none is."""
        ...

    def interrupt_prompt(self) -> bool:
        """Make `read_prompt` return `Stop.INTERRUPT`; False where nobody awaits it."""
        ...

"""One conversation with one agent: prompts, turns, Ctrl-C, and how it ends.

Owns: the order of things in a chat, and the exit code.
Knows nothing of: command lines, and how questions are shown.
Above it: `chat`, `demo`. Below it: `console`, `client`.
"""

import asyncio
import contextlib
import enum
import signal
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from acp_elicitation import __version__
from acp_elicitation.cli.console import Console, SharedPresenter
from acp_elicitation.cli.standard import NOBODY_READS
from acp_elicitation.cli.transcript import Transcript
from acp_elicitation.client.launch import Protocol, launch
from acp_elicitation.client.prompts import Presenter
from acp_elicitation.client.responder import Responder
from acp_elicitation.client.session import Session
from acp_elicitation.presenters.commands import why_unusable
from acp_elicitation.presenters.fields import read_block
from acp_elicitation.presenters.lines import DescriptorLines, Line, Stop
from acp_elicitation.protocol.errors import ConnectionLost, PeerError, RemoteError
from acp_elicitation.protocol.handshake import Implementation
from acp_elicitation.text.language import tr

__all__ = ["Conversation", "ExitCode", "Settings"]

_INFO = Implementation(name="acp-elicitation", title="acp-elicit", version=__version__)
_AUTHENTICATION_REQUIRED = -32000
_ENDINGS = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
"""The signals of a user or a terminal that goes away."""
_SECOND_INTERRUPT = 2.0
"""Seconds within which a further Ctrl-C is meant for more than the question."""
_FENCE = '"""'


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What to talk to, and about what."""

    command: tuple[str, ...]
    protocol: Protocol = "auto"
    cwd: str
    prompts: tuple[str, ...] | None = None
    """What to say; None reads it from the user."""


class Conversation:
    """Runs once."""

    def __init__(
        self,
        settings: Settings,
        *,
        console: Console,
        presenter: Presenter,
        lines: DescriptorLines,
        transcript: Transcript | None = None,
        before_reading: Callable[[], Awaitable[bool]] | None = None,
    ) -> None:
        """Prepare it.

        Args:
            settings: what to talk to.
            console: where it is shown.
            presenter: answers the agent's questions.
            lines: what the user types.
            transcript: takes every message.
            before_reading: awaited before the user's own lines are read; False when the user
                wants to stop instead.
        """
        self._settings = settings
        self._console = console
        self._lines = lines
        self._transcript = transcript
        self._before_reading = before_reading
        self._responder = Responder(SharedPresenter(presenter, console))
        self._end: asyncio.Future[ExitCode] | None = None
        self._turn: Session | None = None
        self._interrupts = 0
        self._interrupted_at = -_SECOND_INTERRUPT

    async def run(self) -> ExitCode:
        """Talk until one side is done; returns the exit code."""
        loop = asyncio.get_running_loop()
        self._end = loop.create_future()
        self._console.on_gone = lambda: self.leave(ExitCode.NOBODY_READS)
        with contextlib.suppress(NotImplementedError):  # Windows
            loop.add_signal_handler(signal.SIGINT, self._interrupted)
            for ending in _ENDINGS:  # the agent has a session of its own, and has to be ended too
                loop.add_signal_handler(ending, self.leave, ExitCode.INTERRUPTED)
        talking = asyncio.create_task(self._talk())
        try:
            await asyncio.wait([talking, self._end], return_when=asyncio.FIRST_COMPLETED)
            return self._end.result() if self._end.done() else talking.result()
        finally:
            talking.cancel()
            await asyncio.wait([talking])
            with contextlib.suppress(NotImplementedError):
                for handled in (signal.SIGINT, *_ENDINGS):
                    loop.remove_signal_handler(handled)
            self._console.release()

    def leave(self, code: ExitCode) -> None:
        """End the conversation now. Called while it runs."""
        assert self._end is not None
        if not self._end.done():
            self._end.set_result(code)

    def _interrupted(self) -> None:
        """Take a Ctrl-C: it belongs to the question, else to the turn, else to the prompt.

        A second one right after it goes on to the turn: an agent that asks again at once must not
        keep its user here.
        """
        now = asyncio.get_running_loop().time()
        is_second = now - self._interrupted_at < _SECOND_INTERRUPT
        self._interrupted_at = now
        if self._console.question_is_up and not is_second and self._lines.interrupt():
            return
        if self._console.question_is_up and self._turn is None:
            self.leave(ExitCode.INTERRUPTED)  # it asks outside of any turn that could be cancelled
            return
        self._interrupts += 1
        if self._turn is not None and self._interrupts == 1:
            with contextlib.suppress(ConnectionLost):
                self._turn.cancel()
            self._console.tell()  # the terminal has written ^C
            self._console.tell(
                tr("Cancelling the turn. Ctrl-C again leaves without waiting for it.")
            )
        elif self._turn is not None or not self._lines.interrupt():
            self.leave(ExitCode.INTERRUPTED)

    async def _talk(self) -> ExitCode:
        settings, console = self._settings, self._console
        try:
            async with launch(
                settings.command,
                self._responder,
                on_update=console.take_update,
                info=_INFO,
                protocol=settings.protocol,
                cwd=settings.cwd,
                on_stderr=console.take_stderr,
                on_noise=console.take_noise,
                on_raw=self._transcript.take if self._transcript else None,
            ) as running:
                name = self._responder.asker.name
                version = running.version.number
                console.tell(tr("Connected, protocol version {version}: {}", version=version), name)
                session = await running.client.new_session(settings.cwd)
                if settings.prompts is None:
                    return await self._converse(session)
                return await self._say_all(session, settings.prompts)
        except PeerError as error:
            self._explain(error)
            return ExitCode.AGENT_FAILED

    async def _say_all(self, session: Session, prompts: tuple[str, ...]) -> ExitCode:
        for prompt in prompts:
            self._console.tell(tr("You: {}"), prompt)
            reason = await self._take_turn(session, prompt)
            if reason == "error":
                return ExitCode.AGENT_FAILED
            if self._interrupts:
                return ExitCode.INTERRUPTED
        await self._responder.queue.clear_background()
        return ExitCode.DONE

    async def _converse(self, session: Session) -> ExitCode:
        console = self._console
        console.tell(
            tr('Type a prompt and Enter; """ before and after one of several lines.'),
        )
        console.tell(tr("Ctrl-C cancels a turn, Ctrl-D ends the conversation."))
        while True:
            line = await console.read_when_free(self._read_prompt)
            match line:
                case Stop.END:
                    console.tell()
                    return ExitCode.DONE
                case Stop.INTERRUPT if self._interrupts > 1:
                    console.tell()
                    return ExitCode.DONE
                case Stop():
                    console.tell()
                    console.tell(tr("Ctrl-C again, or Ctrl-D, ends the conversation."))
                case str() if (why := why_unusable(line.replace("\n", ""))) is not None:
                    console.tell("  ! " + tr("That was not sent: {why}. Type it again.", why=why))
                case str() if line.strip():
                    self._interrupts = 0
                    try:
                        await self._take_turn(session, line)
                    except RemoteError as error:
                        self._explain(error)  # the next prompt may fare better

    async def _read_prompt(self) -> Line:
        if self._before_reading is not None and not await self._before_reading():
            return Stop.INTERRUPT if self._interrupts else Stop.END
        self._console.page.tell()
        self._console.page.ask(tr("you") + "> ")
        line = await self._lines.read_line()
        if isinstance(line, str) and line.strip() == _FENCE:
            return await read_block(self._lines, _FENCE)
        return line

    async def _take_turn(self, session: Session, text: str) -> str:
        self._turn = session
        try:
            reason = await session.prompt(text)
        finally:
            self._turn = None
            self._console.end_text()
        if reason not in ("end_turn", "error"):
            self._console.tell(tr("The turn ended: {}"), reason)
        return reason

    def _explain(self, error: PeerError) -> None:
        complain = self._console.complain
        match error:
            case RemoteError(code=code, message=message) if code == _AUTHENTICATION_REQUIRED:
                complain(tr("the agent wants its user to log in first: {}"), message)
                complain(tr("log in with the agent's own program, then try again"))
            case RemoteError(code=code, message=message):
                complain(tr("the agent answered with error {code}: {}", code=code), message)
            case ConnectionLost(reason=reason):
                complain(tr("the agent left: {}"), reason)
            case _:
                complain(tr("the agent does not speak the protocol: {}"), str(error))

"""One conversation with one agent: prompts, turns, Ctrl-C, and how it ends.

Owns: the order of things in a chat, the same wherever it is shown, and the exit code.
Knows nothing of: command lines, and how anything is shown or typed.
Above it: every face's runner (`faces`). Below it: `face`, `client`.
"""

import asyncio
import contextlib
import signal
from dataclasses import dataclass
from functools import partial
from typing import Any

from acp_elicitation import __version__
from acp_elicitation.cli.face import ExitCode, Face
from acp_elicitation.cli.flood import Flood
from acp_elicitation.cli.transcript import Transcript
from acp_elicitation.client.launch import Protocol, launch
from acp_elicitation.client.responder import Responder
from acp_elicitation.client.session import Session
from acp_elicitation.presenters.commands import why_unusable
from acp_elicitation.presenters.lines import Line, Stop
from acp_elicitation.presenters.patience import Patience
from acp_elicitation.protocol.errors import ConnectionLost, NotStarted, PeerError, RemoteError
from acp_elicitation.protocol.handshake import Implementation
from acp_elicitation.text.elapsed import word_elapsed
from acp_elicitation.text.language import tr, tr_count
from acp_elicitation.wire.stdio import Child

__all__ = ["FIRST_WORD", "Conversation", "Settings"]

_INFO = Implementation(name="acp-elicitation", title="acp-elicit", version=__version__)
_AUTHENTICATION_REQUIRED = -32000
_ENDINGS = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
"""The signals of a user or a terminal that goes away."""
FIRST_WORD = 2.0
"""Seconds after which a person is told what an agent that starts is waited for."""
_SECOND_INTERRUPT = 2.0
"""Seconds within which a further Ctrl-C is meant for more than the question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What to talk to, and about what."""

    command: tuple[str, ...]
    protocol: Protocol = "auto"
    cwd: str
    prompts: tuple[str, ...] | None = None
    """What to say; None reads it from the user."""
    first_word: float | None = None
    """After how many seconds without an answer of the agent that starts its user is told what is
    waited for; None tells nothing."""


class Conversation:
    """Runs once. It is the `Controls` of its face."""

    def __init__(
        self, settings: Settings, face: Face, *, transcript: Transcript | None = None
    ) -> None:
        """Prepare it.

        Args:
            settings: what to talk to.
            face: where it is shown, and where its user types.
            transcript: takes every message.
        """
        self._settings = settings
        self._face = face
        self._transcript = transcript
        self._responder = Responder(face.presenter)
        self._end: asyncio.Future[ExitCode] | None = None
        self._turn: Session | None = None
        self._interrupts = 0
        self._interrupted_at = -_SECOND_INTERRUPT
        self._awaited = ""
        self._patience = Patience(self._tell_wait, first=settings.first_word or FIRST_WORD)

    async def run(self) -> ExitCode:
        """Talk until one side is done; returns the exit code."""
        loop = asyncio.get_running_loop()
        self._end = loop.create_future()
        self._face.start(self)
        with contextlib.suppress(NotImplementedError):  # Windows
            loop.add_signal_handler(signal.SIGINT, self.interrupt)
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
            self._face.end()

    def leave(self, code: ExitCode) -> None:
        """End the conversation now. Called while it runs."""
        assert self._end is not None
        if not self._end.done():
            self._end.set_result(code)

    def interrupt(self) -> None:
        """Take a Ctrl-C: it belongs to the question, else to the turn, else to the prompt.

        A second one right after it goes on to the turn: an agent that asks again at once must not
        keep its user here.
        """
        face = self._face
        now = asyncio.get_running_loop().time()
        is_second = now - self._interrupted_at < _SECOND_INTERRUPT
        self._interrupted_at = now
        if face.question_is_up and not is_second and face.interrupt_question():
            return
        if face.question_is_up and self._turn is None:
            self.leave(ExitCode.INTERRUPTED)  # it asks outside of any turn that could be cancelled
            return
        self._interrupts += 1
        if self._turn is not None and self._interrupts == 1:
            with contextlib.suppress(ConnectionLost):
                self._turn.cancel()
            face.turn_is_cancelled()
        elif self._turn is not None or not face.interrupt_prompt():
            self.leave(ExitCode.INTERRUPTED)

    async def _talk(self) -> ExitCode:
        settings, face = self._settings, self._face
        stderr = Flood(face.take_stderr, partial(self._tell_flood, "stderr"))
        noise = Flood(face.take_noise, partial(self._tell_flood, "stdout"))
        try:
            self._wait_for(tr("the agent's answer to initialize"))
            async with launch(
                settings.command,
                self._responder,
                on_update=face.take_update,
                info=_INFO,
                protocol=settings.protocol,
                cwd=settings.cwd,
                on_stderr=stderr.take,
                on_noise=noise.take,
                on_raw=self._transcript.take if self._transcript else None,
                on_restart=self._tell_restart,
            ) as running:
                face.connected(self._responder.asker.name, running.version.number)
                self._wait_for(tr("the agent to open a session"))
                session = await running.client.new_session(settings.cwd)
                self._patience.stop()
                if settings.prompts is None:
                    return await self._converse(session, running.child)
                return await self._say_all(session, settings.prompts)
        except PeerError as error:
            self._explain(error)
            return ExitCode.AGENT_FAILED
        finally:
            self._patience.stop()
            stderr.finish()
            noise.finish()

    def _wait_for(self, what: str) -> None:
        self._awaited = what
        if self._settings.first_word is not None:
            self._patience.start()

    def _tell_wait(self, seconds: float) -> None:
        if self._face.question_is_up:  # the agent waits for its user
            self._patience.start()
            return
        elapsed = word_elapsed(seconds)
        waiting = tr("waiting for {elapsed} for {what}", elapsed=elapsed, what=self._awaited)
        self._face.complain(waiting)

    def _tell_restart(self) -> None:
        self._face.complain(
            tr("the agent did not answer in version 2: it is started a second time, in version 1")
        )

    def _tell_flood(self, stream: str, count: int) -> None:
        left_out = tr_count(
            "{count} more line of the agent's {stream} was left out",
            "{count} more lines of the agent's {stream} were left out",
            count,
            stream=stream,
        )
        self._face.complain(left_out)

    async def _say_all(self, session: Session, prompts: tuple[str, ...]) -> ExitCode:
        for prompt in prompts:
            self._face.say(prompt)
            reason = await self._take_turn(session, prompt)
            if reason == "error":
                return ExitCode.AGENT_FAILED
            if self._interrupts:
                return ExitCode.INTERRUPTED
        await self._responder.queue.clear_background()
        return ExitCode.DONE

    async def _converse(self, session: Session, child: Child) -> ExitCode:
        face = self._face
        face.invite()
        while True:
            line = await self._read_prompt(child)
            match line:
                case Stop.END:
                    return ExitCode.DONE
                case Stop.INTERRUPT if self._interrupts > 1:
                    return ExitCode.DONE
                case Stop():
                    face.tell(tr("Ctrl-C again, or Ctrl-D, ends the conversation."))
                case str() if (why := why_unusable(line.replace("\n", ""))) is not None:
                    face.tell("  ! " + tr("That was not sent: {why}. Type it again.", why=why))
                case str() if line.strip():
                    self._interrupts = 0
                    try:
                        await self._take_turn(session, line)
                    except RemoteError as error:
                        self._explain(error)  # the next prompt may fare better
                    self._interrupts = 0  # one Ctrl-C too many for the turn is none for the prompt

    async def _read_prompt(self, child: Child) -> Line:
        """Return what the user says next. An agent that leaves is not found out by talking to it.

        Raises:
            ConnectionLost: the agent is gone.
        """
        reading = asyncio.create_task(self._face.read_prompt())
        leaving = asyncio.create_task(child.connection.wait_closed())
        both: tuple[asyncio.Task[Any], ...] = (reading, leaving)
        try:
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
            if not reading.done():
                raise ConnectionLost
            return reading.result()
        finally:
            reading.cancel()
            leaving.cancel()
            await asyncio.wait(both)

    async def _take_turn(self, session: Session, text: str) -> str:
        self._turn = session
        self._face.turn_began()
        try:
            reason = await session.prompt(text)
        finally:
            self._turn = None
            self._face.turn_ended()
        if reason not in ("end_turn", "error"):
            self._face.tell(tr("The turn ended: {}"), reason)
        return reason

    def _explain(self, error: PeerError) -> None:
        complain = self._face.complain
        match error:
            case RemoteError(code=code, message=message) if code == _AUTHENTICATION_REQUIRED:
                complain(tr("the agent wants its user to log in first: {}"), message)
                complain(tr("log in with the agent's own program, then try again"))
            case RemoteError(code=code, message=message):
                complain(tr("the agent answered with error {code}: {}", code=code), message)
            case NotStarted(program=program, why=why):
                complain(tr("the agent could not be started: {}"), f"{program}: {why}")
            case ConnectionLost(reason=reason, exit_status=status):
                complain(tr("the agent left: {}"), reason)
                if status is not None and status < 0:
                    complain(tr("it was ended by signal {number}", number=-status))
                elif status is not None:
                    complain(tr("its exit status was {status}", status=status))
            case _:
                complain(tr("the agent does not speak the protocol: {}"), str(error))

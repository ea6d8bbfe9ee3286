"""The terminal that the agent's work, the agent's stderr and the user's questions share.

Owns: that nothing is ever written into a question, and that a question takes the input over from
whoever waits for a line. Knows nothing of: sessions and the protocol's messages.
Above it: `line_face`, `shared`. Below it: `gate`, `standing`, `view`, `presenters.page`.
"""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable

from acp_elicitation.cli.gate import Gate
from acp_elicitation.cli.standing import StandingPrompt
from acp_elicitation.cli.view import View
from acp_elicitation.presenters.lines import Line, LineSource
from acp_elicitation.presenters.page import Out, Page
from acp_elicitation.protocol.reading import JsonObject
from acp_elicitation.text.language import tr

__all__ = ["Console"]

_DIM, _PLAIN = "\x1b[2m", "\x1b[0m"


class Console:
    """Two streams, and whose turn it is to write to them and to read."""

    def __init__(self, out: Out, err: Out, *, dim: bool) -> None:
        """Write to `out` and `err`; `dim` has the agent's stderr stand out less."""
        self._out = Gate(out, on_gone=self._nobody_reads, before=self._step_aside)
        self._err = Gate(err, on_gone=lambda: None, before=self._step_aside)
        self._standing = StandingPrompt(self._write_prompt)
        self._dim = dim
        self._view = View(self._out)
        self.page = Page(self._out)
        self._errors = Page(self._err)
        self.on_gone: Callable[[], None] = lambda: None
        """Called when nobody reads the output any more."""
        self.question_is_up = False
        self._free = asyncio.Event()
        self._free.set()
        self._idle: asyncio.Task[Line] | None = None
        self.no_turn = asyncio.Event()
        """Set while no turn of the agent runs."""
        self.no_turn.set()

    # --- what is shown beside the questions -------------------------------------------------------

    def take_update(self, session_id: str, update: JsonObject) -> None:
        """Show what the agent does."""
        self._view.take(update)

    def take_stderr(self, line: bytes) -> None:
        """Show a line that the agent wrote to stderr."""
        self._relay(tr("agent's stderr: "), line.decode("utf-8", "replace"))

    def take_noise(self, line: bytes) -> None:
        """Show a line of the agent's stdout that is no message."""
        self._relay(tr("agent's stdout, no message: "), line.decode("utf-8", "replace"))

    def tell(self, own: str = "", untrusted: str = "") -> None:
        """Say something of our own, with `untrusted` in the place of its `{}`."""
        self._view.end()
        self.page.tell_about(own, untrusted, hang=2)
        self.page.flush()

    def complain(self, own: str, untrusted: str = "") -> None:
        """Say on stderr what went wrong, with `untrusted` in the place of its `{}`."""
        self._view.end()
        self._errors.tell_about(own, untrusted, lead="acp-elicit: ", hang=2)
        self._errors.flush()

    @property
    def is_terminal(self) -> bool:
        """Whether a person looks at it."""
        return self._out.isatty()

    def end_text(self) -> None:
        """End the running line of the agent's text."""
        self._view.end()

    def log_handler(self) -> logging.Handler:
        """Return a handler that writes what the package logs, without getting into a question."""
        return _ConsoleHandler(self)

    def _relay(self, own: str, untrusted: str) -> None:
        self._view.end()
        if self._dim:
            self._errors.relay(own, untrusted, before=_DIM, after=_PLAIN)
        else:
            self._errors.relay(own, untrusted)
        self._errors.flush()

    def _nobody_reads(self) -> None:
        self.on_gone()

    def _step_aside(self) -> None:
        if self.is_terminal:
            self._standing.step_aside()

    def _write_prompt(self, text: str) -> None:
        self._view.end()
        self.page.ask(text)

    # --- whose turn it is -------------------------------------------------------------------------

    async def read_when_free(self, ask: Callable[[], Awaitable[Line]]) -> Line:
        """Return the line that `ask` reads while no question is up; a question restarts it."""
        while True:
            await self._free.wait()
            self._idle = asyncio.ensure_future(_awaited(ask))
            try:
                await asyncio.wait([self._idle])
                if not self._idle.cancelled():
                    return self._idle.result()
            finally:
                self._idle.cancel()
                self._idle = None

    async def read_at(self, own: str, lines: LineSource) -> Line:
        """Return the next line, which is typed at the prompt `own`, or why there is none."""
        self._standing.stand(own)
        try:
            return await lines.read_line()
        except asyncio.CancelledError:
            self._step_aside()  # nobody has ended the line
            raise
        finally:
            self._standing.fall()

    @property
    def is_taken(self) -> bool:
        """Whether a question, or the notice of an open link, has the input."""
        return not self._free.is_set()

    @contextlib.asynccontextmanager
    async def taken_over(self) -> AsyncIterator[None]:
        """Have the input for the length of the block."""
        self._free.clear()
        try:
            if self._idle is not None:
                self._idle.cancel()
                await asyncio.wait([self._idle])
            yield
        finally:
            self._free.set()

    def hold(self) -> None:
        """Keep everything else back while a question is up."""
        self._view.end()
        self._out.hold()
        self._err.hold()
        self.question_is_up = True

    def release(self) -> None:
        """Show what was kept back."""
        self.question_is_up = False
        self._out.release()
        self._err.release()


async def _awaited(ask: Callable[[], Awaitable[Line]]) -> Line:
    return await ask()


class _ConsoleHandler(logging.Handler):
    def __init__(self, console: Console) -> None:
        super().__init__()
        self._console = console

    def emit(self, record: logging.LogRecord) -> None:
        # What follows on the first line is for developers: the frames of a failure.
        self._console.complain("", record.getMessage().partition("\n")[0])

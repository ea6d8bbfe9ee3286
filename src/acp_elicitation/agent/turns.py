"""The turns of a connection's sessions, and the questions that wait for the user within them.

Owns: which turns are cancelled, which questions a cancelled turn takes along (REQ-5), when the
client hears that a turn waits for its user (REQ-4), and for how long it did.
Knows nothing of: what is asked. Above it: `elicitor`, `serve`. Below it: asyncio.

A host that never calls `begin` still gets the withdrawal of questions and the measured time.
"""

import asyncio
import contextlib
from collections import defaultdict
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

__all__ = ["Question", "State", "Turns", "Waiting", "Withdrawn"]

_MOST_CANCELLED = 1_000
"""Sessions of which it is remembered that their turn was cancelled and nothing has begun since."""

State: TypeAlias = Literal["requires_action", "running"]


class Withdrawn(Exception):
    """The question was taken back, since its turn or session is over; internal to `agent`."""


class Waiting:
    """The time that the user took: questions that overlap count once. Unit: seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._since: float | None = None
        self._open = 0
        self._total = 0.0
        # What is left of each time limit that stands still, and None for one that runs.
        self._limits: dict[asyncio.Timeout, float | None] = {}

    @property
    def seconds(self) -> float:
        """For how long the user has been waited for, up to now."""
        return self._total + (0.0 if self._since is None else self._clock() - self._since)

    @property
    def now(self) -> bool:
        """Whether the user is being waited for."""
        return self._open > 0

    @property
    def paused(self) -> list[asyncio.Timeout]:
        """The time limits that stand still now."""
        return [limit for limit, left in self._limits.items() if left is not None]

    def begin(self) -> None:
        """A question is sent."""
        self._open += 1
        if self._open == 1:
            self._since = self._clock()
            for limit in self._limits:
                self._pause(limit)

    def end(self) -> None:
        """A question is over."""
        self._open -= 1
        if self._open == 0 and self._since is not None:
            self._total += self._clock() - self._since
            self._since = None
            for limit, left in self._limits.items():
                if left is not None:
                    limit.reschedule(self._clock() + left)
                    self._limits[limit] = None

    def _pause(self, limit: asyncio.Timeout) -> None:
        when = limit.when()
        if when is not None and not limit.expired():
            self._limits[limit] = when - self._clock()
            limit.reschedule(None)

    @contextlib.asynccontextmanager
    async def timeout(self, seconds: float) -> AsyncIterator[None]:
        """Limit a block like `asyncio.timeout`, but stop the watch while the user is waited for.

        Raises:
            TimeoutError: the block took longer than `seconds` without the user's time.
        """
        async with asyncio.timeout(seconds) as limit:
            self._limits[limit] = None
            if self.now:
                self._pause(limit)
            try:
                yield
            finally:
                del self._limits[limit]


@dataclass(slots=True)
class _Session:
    """One session: whether its turn runs or was cancelled, and what waits within it."""

    running: bool = False
    cancelled: bool = False
    deadline: float | None = None
    blocking: int = 0
    questions: set[asyncio.Task[Any]] = field(default_factory=set)


class Turns:
    """The sessions of one connection."""

    def __init__(self, *, clock: Callable[[], float], tell: Callable[[str, State], None]) -> None:
        """Make the record of one connection.

        Args:
            clock: the event loop's time in seconds.
            tell: says to the client that the turn of a session is in this state (REQ-4).
        """
        self.waiting = Waiting(clock)
        self._clock = clock
        self._tell = tell
        self._sessions: defaultdict[str, _Session] = defaultdict(_Session)
        self._withdrawn: set[asyncio.Task[Any]] = set()
        self._cancelled: dict[str, None] = {}
        """The sessions whose last turn was cancelled, that of the oldest cancellation first."""

    def __len__(self) -> int:
        return len(self._sessions)

    def begin(self, session_id: str) -> None:
        """A turn of the session begins: questions may be asked (again)."""
        session = self._sessions[session_id]
        session.running = True
        session.cancelled = False
        self._cancelled.pop(session_id, None)
        session.deadline = None

    def end(self, session_id: str) -> None:
        """The turn is over, however it ended."""
        self._sessions[session_id].running = False
        self._tidy(session_id)

    def limit(self, session_id: str, seconds: float) -> None:
        """The questions of the running turn have so many seconds from now, all together."""
        self._sessions[session_id].deadline = self._clock() + seconds

    def seconds_left(self, session_id: str | None, seconds: float | None) -> float | None:
        """Return the shorter of `seconds` and what the session's turn has left; None for none."""
        session = None if session_id is None else self._sessions.get(session_id)
        if session is None or session.deadline is None:
            return seconds
        left = max(0.0, session.deadline - self._clock())
        return left if seconds is None else min(seconds, left)

    def cancel(self, session_id: str) -> None:
        """The turn is cancelled: its questions are withdrawn, and no more are sent (REQ-5)."""
        session = self._sessions[session_id]
        session.cancelled = True
        self._cancelled.pop(session_id, None)
        self._cancelled[session_id] = None
        self._forget_oldest()
        for task in list(session.questions):
            self._withdrawn.add(task)
            task.cancel()

    def forget(self, session_id: str) -> None:
        """The session is closed: its questions are withdrawn."""
        if session_id in self._sessions:
            self.cancel(session_id)

    def question(self, session_id: str | None, *, blocks: bool) -> "Question":
        """Return what to hold, in a `with`, while a question is with the user.

        Entering and leaving it raise `Withdrawn` when its turn was cancelled, before or while the
        question was asked.

        Args:
            session_id: the session it belongs to, if it does.
            blocks: whether the whole turn waits for it (REQ-4).
        """
        return Question(self, session_id, blocks)

    def enter(self, session_id: str, task: asyncio.Task[Any], *, blocks: bool) -> None:
        """A question of the session is asked, or may not be: then `Withdrawn` is raised."""
        session = self._sessions[session_id]
        if session.cancelled:
            raise Withdrawn
        session.questions.add(task)
        self.waiting.begin()
        if blocks:
            self._block(session_id, session)

    def leave(self, session_id: str, task: asyncio.Task[Any], *, blocks: bool) -> bool:
        """The question is over; returns whether it was withdrawn."""
        session = self._sessions[session_id]
        session.questions.discard(task)
        self.waiting.end()
        if blocks:
            self._unblock(session_id, session)
        self._tidy(session_id)
        if task in self._withdrawn:
            self._withdrawn.discard(task)
            return True
        return False

    def _forget_oldest(self) -> None:
        """Forget the turn that was cancelled first: a client may cancel as often as it likes."""
        if len(self._cancelled) > _MOST_CANCELLED:
            oldest = next(iter(self._cancelled))
            del self._cancelled[oldest]
            session = self._sessions.get(oldest)
            if session is not None and not (session.running or session.questions):
                del self._sessions[oldest]

    def _tidy(self, session_id: str) -> None:
        """Forget a session of which there is nothing to know."""
        session = self._sessions[session_id]
        remembered = session.cancelled and session_id in self._cancelled
        if not (session.questions or session.running or remembered):
            del self._sessions[session_id]

    def _block(self, session_id: str, session: _Session) -> None:
        session.blocking += 1
        if session.blocking == 1 and session.running:
            self._tell(session_id, "requires_action")

    def _unblock(self, session_id: str, session: _Session) -> None:
        session.blocking -= 1
        if session.blocking == 0 and session.running and not session.cancelled:
            self._tell(session_id, "running")


class Question:
    """One question, for as long as it is with the user: see `Turns.question`."""

    __slots__ = ("_blocks", "_session_id", "_task", "_turns")

    def __init__(self, turns: Turns, session_id: str | None, blocks: bool) -> None:
        self._turns = turns
        self._session_id = session_id
        self._blocks = blocks
        self._task: asyncio.Task[Any] | None = None

    def __enter__(self) -> None:
        if self._session_id is None:
            self._turns.waiting.begin()
            return
        self._task = asyncio.current_task()
        assert self._task is not None, "a question is asked in a task"
        self._turns.enter(self._session_id, self._task, blocks=self._blocks)

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self._session_id is None or self._task is None:
            self._turns.waiting.end()
            return
        withdrawn = self._turns.leave(self._session_id, self._task, blocks=self._blocks)
        # Who else cancelled the task wants more of it than the question.
        if withdrawn and kind is asyncio.CancelledError and self._task.uncancel() == 0:
            raise Withdrawn from None

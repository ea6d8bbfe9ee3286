"""What happened to the questions of a recorded conversation, in order.

Owns: which answer belongs to which question, what took one away, and how long each took.
Knows nothing of: files, and how an event is shown. No clock: all times are those of the record.
Above it: `telling`. Below it: `record`, `protocol`.
"""

import datetime
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

import msgspec

from acp_elicitation.cli.trace.record import Entry, Means, Recorded
from acp_elicitation.client.permissions import PERMISSION, PermissionRequest, read_permission
from acp_elicitation.protocol.errors import MalformedMessage, PeerError
from acp_elicitation.protocol.handshake import INITIALIZE, AgentHello, read_agent_hello
from acp_elicitation.protocol.requests import (
    COMPLETE,
    CREATE,
    Request,
    UrlRequest,
    read_completion,
    read_request,
)
from acp_elicitation.protocol.responses import Cancel, Response, read_response
from acp_elicitation.protocol.version import V2, Version
from acp_elicitation.wire.events import CANCEL_METHOD, INVALID_REQUEST, RequestId
from acp_elicitation.wire.messages import read_error, read_id

__all__ = [
    "Answer",
    "Answered",
    "Asked",
    "Chosen",
    "Completed",
    "Event",
    "Failure",
    "Met",
    "Question",
    "TakenBack",
    "Timeline",
    "TurnCancelled",
]

_decode = msgspec.json.Decoder().decode


@dataclass(eq=False, kw_only=True)
class Question:
    """One question of the agent, an elicitation or a permission request."""

    number: int
    """Its place in the record, from 1."""
    at: datetime.datetime
    asked: Request | PermissionRequest | MalformedMessage
    """The question, or what is wrong with it."""
    by: Means | None = None
    """By which means the proxy asked it; None where it was left to the client."""
    shown: datetime.datetime | None = None
    """Since when the proxy asks it; before, it waited behind others."""


@dataclass(frozen=True, kw_only=True)
class Failure:
    """A question was answered with an error."""

    code: int
    message: str


@dataclass(frozen=True, kw_only=True)
class Chosen:
    """The option of a permission request that the user chose, by its name."""

    name: str


Answer: TypeAlias = Response | Chosen | Failure | MalformedMessage
"""What came back; a malformed one says what is wrong with it."""


@dataclass(frozen=True, kw_only=True)
class _At:
    at: datetime.datetime


@dataclass(frozen=True, kw_only=True)
class Met(_At):
    """The agent has said who it is."""

    hello: AgentHello


@dataclass(frozen=True, kw_only=True)
class Asked(_At):
    """The agent asks."""

    question: Question


@dataclass(frozen=True, kw_only=True)
class Answered(_At):
    """The answer is there, `seconds` after the question was before the user, if that is known."""

    question: Question
    answer: Answer
    seconds: float


@dataclass(frozen=True, kw_only=True)
class TakenBack(_At):
    """The agent gives a question up that has no answer yet."""

    question: Question
    seconds: float


@dataclass(frozen=True, kw_only=True)
class Completed(_At):
    """The agent says that a link is complete; None where the record knows no such link."""

    question: Question | None
    seconds: float = 0.0


@dataclass(frozen=True, kw_only=True)
class TurnCancelled(_At):
    """The user cancels the turn in which questions are open."""

    session: str


Event: TypeAlias = Met | Asked | Answered | TakenBack | Completed | TurnCancelled


@dataclass(eq=False)
class Timeline:
    """Finds the events in the entries of a record."""

    _version: Version = V2
    _hello: RequestId | None = None
    _questions: int = 0
    _open: dict[RequestId, list[Question]] = field(default_factory=dict)
    _links: dict[str, Question] = field(default_factory=dict)
    _lost: list[Question] = field(default_factory=list)

    @property
    def unanswered(self) -> list[Question]:
        """The questions that have no answer so far, in the order in which they were asked."""
        left = [question for waiting in self._open.values() for question in waiting]
        return self._lost + sorted(left, key=lambda question: question.number)

    def take(self, entry: Entry) -> Iterator[Event]:
        """Yield what an entry tells. Never raises for what was recorded."""
        if entry.note is not None:
            for question in self._open.get(entry.note.request_id, [])[-1:]:
                question.by, question.shown = entry.note.by, entry.at
        elif entry.message is not None and entry.sender == "agent":
            yield from self._take_agents(entry.at, entry.message)
        elif entry.message is not None and entry.sender == "client":
            yield from self._take_clients(entry.at, entry.message)

    def _take_agents(self, at: datetime.datetime, message: Recorded) -> Iterator[Event]:
        id = read_id(message.id)
        match message.method:
            case None if id is not msgspec.UNSET and id == self._hello:
                yield from self._meet(at, message)
            case method if id is not msgspec.UNSET and method in (CREATE, PERMISSION):
                yield self._ask(at, id, message)
            case method if method == COMPLETE:
                yield from self._complete(at, message)
            case method if method == CANCEL_METHOD:
                yield from self._take_back(at, message)

    def _take_clients(self, at: datetime.datetime, message: Recorded) -> Iterator[Event]:
        id = read_id(message.id)
        match message.method:
            case None if id is not msgspec.UNSET and id in self._open:
                yield self._answer(at, id, message)
            case method if method == INITIALIZE and id is not msgspec.UNSET:
                # The agent was started anew: what it asked before is not answered any more.
                self._hello, self._lost = id, self.unanswered
                self._open.clear()
            case "session/cancel":
                params = _value(message.params)
                session = params.get("sessionId") if isinstance(params, dict) else None
                if isinstance(session, str) and self._open:
                    yield TurnCancelled(at=at, session=session)

    def _meet(self, at: datetime.datetime, message: Recorded) -> Iterator[Event]:
        try:
            hello = read_agent_hello(_value(message.result))
        except PeerError:
            return
        self._version = hello.version
        yield Met(at=at, hello=hello)

    def _ask(self, at: datetime.datetime, id: RequestId, message: Recorded) -> Event:
        params = _value(message.params)
        asked: Request | PermissionRequest | MalformedMessage
        try:
            if message.method == CREATE:
                asked = read_request(params, self._version)
            else:
                asked = read_permission(params)
        except MalformedMessage as error:
            asked = error
        self._questions += 1
        question = Question(number=self._questions, at=at, asked=asked)
        self._open.setdefault(id, []).append(question)
        if isinstance(asked, UrlRequest):
            self._links[asked.elicitation_id] = question
        return Asked(at=at, question=question)

    def _answer(self, at: datetime.datetime, id: RequestId, message: Recorded) -> Event:
        failure = read_error(_value(message.error))
        waiting = self._open[id]
        # An id that is in use already is refused at once: the question before goes on.
        refused = failure is not None and failure[0] == INVALID_REQUEST
        question = waiting.pop(-1 if refused else 0)
        if not waiting:
            del self._open[id]
        answer: Answer
        if failure is not None:
            answer = Failure(code=failure[0], message=failure[1])
        else:
            try:
                answer = self._read_answer(question, _value(message.result))
            except MalformedMessage as error:
                answer = error
        taken = _passed(question.shown or question.at, at)
        return Answered(at=at, question=question, answer=answer, seconds=taken)

    def _read_answer(self, question: Question, result: object) -> Response | Chosen:
        if not isinstance(question.asked, PermissionRequest):
            return read_response(result, self._version)
        outcome = result.get("outcome") if isinstance(result, dict) else None
        match outcome:
            case {"outcome": "selected", "optionId": str(chosen)}:
                names = {option.option_id: option.name for option in question.asked.options}
                return Chosen(name=names.get(chosen, chosen))
            case {"outcome": "cancelled"}:
                return Cancel()
            case _:
                raise MalformedMessage(path="/outcome", expected="an outcome")

    def _complete(self, at: datetime.datetime, message: Recorded) -> Iterator[Event]:
        try:
            link = read_completion(_value(message.params)).elicitation_id
        except MalformedMessage:
            return
        question = self._links.pop(link, None)
        seconds = 0.0 if question is None else _passed(question.at, at)
        yield Completed(at=at, question=question, seconds=seconds)

    def _take_back(self, at: datetime.datetime, message: Recorded) -> Iterator[Event]:
        params = _value(message.params)
        id = read_id(params.get("requestId")) if isinstance(params, dict) else msgspec.UNSET
        if id is not msgspec.UNSET:
            for question in self._open.get(id, [])[-1:]:
                yield TakenBack(at=at, question=question, seconds=_passed(question.at, at))


def _value(raw: msgspec.Raw | msgspec.UnsetType) -> object:
    if raw is msgspec.UNSET:
        return None
    try:
        return _decode(raw)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None  # deeper than anybody reads


def _passed(since: datetime.datetime, at: datetime.datetime) -> float:
    return max((at - since).total_seconds(), 0.0)  # a clock may have been set back

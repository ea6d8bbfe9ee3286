"""The events of a recorded conversation in words, line after line.

Owns: how each event reads, and what is hidden: whatever a user answered, and what of a link may
say more than where it leads. Knows nothing of: how events are found, and of files.
Above it: `command`. Below it: `timeline`, `presenters.page`, `text`.
"""

import datetime
from collections import Counter
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import assert_never

import msgspec

from acp_elicitation.cli.trace.record import Means
from acp_elicitation.cli.trace.timeline import (
    Answer,
    Answered,
    Asked,
    Chosen,
    Completed,
    Event,
    Failure,
    Met,
    Question,
    TakenBack,
    TurnCancelled,
)
from acp_elicitation.client.permissions import PermissionRequest
from acp_elicitation.client.prompts import Asker
from acp_elicitation.links import inspect_link
from acp_elicitation.presenters.page import Page
from acp_elicitation.protocol.errors import MalformedMessage
from acp_elicitation.protocol.reading import JsonObject
from acp_elicitation.protocol.requests import FormRequest, UnknownRequest, UrlRequest
from acp_elicitation.protocol.responses import Accept, Cancel, Decline, Reason, UnknownAction
from acp_elicitation.protocol.schema import Property
from acp_elicitation.protocol.scope import SessionScope
from acp_elicitation.text.elapsed import word_elapsed
from acp_elicitation.text.language import tr, tr_count, tr_later

__all__ = ["Teller"]

_INDENT = "  "
_TEXT_AT_MOST = 2_000
"""Code points of one text of the agent that are shown."""

_MEANS: Mapping[Means | None, str] = MappingProxyType(
    {
        None: tr_later("by the client"),
        "permission": tr_later("by the client's permission dialog"),
        "web": tr_later("on the web page"),
        "script": tr_later("by the answers file"),
    }
)
_REASONS: Mapping[Reason, str] = MappingProxyType(
    {
        "withdrawn": tr_later("It was taken back before its user answered."),
        "expired": tr_later("Its time was over before its user answered."),
        "policy": tr_later("The client did not show it."),
        "not-shown": tr_later("The client could not show it."),
    }
)
_FAILURES: Mapping[int, str] = MappingProxyType(
    {
        -32800: tr_later("cancelled"),
        -32601: tr_later("refused: the client does not know such questions"),
        -32602: tr_later("refused as malformed, or as one of a kind that was not offered"),
    }
)


class Teller:
    """Writes what happened to `page`."""

    def __init__(self, page: Page, *, shows_answers: bool) -> None:
        """`shows_answers` writes what users answered, and links in full."""
        self._page = page
        self._shows_answers = shows_answers
        self._day: datetime.date | None = None
        self._ends: Counter[str] = Counter()

    def tell(self, event: Event) -> None:
        """Write one event."""
        if event.at.date() != self._day:
            self._day = event.at.date()
            self._page.tell(tr("{day}, in UTC", day=self._day.isoformat()))
        match event:
            case Met(hello=hello):
                own = tr("The agent is {}, in version {number}.", number=hello.version.number)
                self._line(event.at, own, Asker(info=hello.info).name)
            case Asked(question=question):
                self._asked(event.at, question)
            case Answered(question=question, answer=answer, seconds=seconds):
                self._answered(event.at, question, answer, word_elapsed(seconds))
            case TakenBack(question=question, seconds=seconds):
                self._ends["taken back"] += 1
                told = tr("The agent takes it back after {time}.", time=word_elapsed(seconds))
                self._line(event.at, _of(question, told))
            case Completed(question=None):
                self._line(event.at, tr("A link is complete that was not asked for."))
            case Completed(question=question, seconds=seconds):
                assert question is not None
                told = tr("The link is complete after {time}.", time=word_elapsed(seconds))
                self._line(event.at, _of(question, told))
            case TurnCancelled(session=session):
                own = tr("The user cancels the turn in the session {}.")
                self._line(event.at, own, session)
            case _ as never:
                assert_never(never)
        self._page.flush()

    def end(self, unanswered: Iterable[Question]) -> None:
        """Write what is left, and how many questions there were."""
        left = list(unanswered)
        for question in left:
            self._page.tell(_of(question, tr("It has no answer in this record.")))
        total = sum(self._ends[action] for action in _ACTIONS) + len(left)
        counted = [
            tr("{count} {action}", count=self._ends[action], action=tr(word))
            for action, word in _ACTIONS.items()
            if self._ends[action]
        ]
        if left:
            counted.append(tr("{count} without an answer", count=len(left)))
        summary = tr_count("{count} question", "{count} questions", total)
        if counted:
            ends = ", ".join(counted)
            summary = tr("{questions}: {ends}", questions=summary, ends=ends)
        self._page.tell(summary)
        self._page.flush()

    def _line(self, at: datetime.datetime, own: str, untrusted: str = "") -> None:
        time = at.time().isoformat("milliseconds")
        self._page.tell_about(own, untrusted[:_TEXT_AT_MOST], lead=f"{time}  ", hang=4)

    def _asked(self, at: datetime.datetime, question: Question) -> None:
        asked = question.asked
        match asked:
            case FormRequest():
                self._line(at, _of(question, tr("Form in {}")), _place(asked))
                self._quote(asked.message)
                self._ask_for(asked.schema.properties)
            case UrlRequest():
                self._line(at, _of(question, tr("Link in {}")), _place(asked))
                self._quote(asked.message)
                self._link(asked.url)
            case UnknownRequest():
                own = tr("Question of a kind that is not known, {}")
                self._line(at, _of(question, own), asked.mode)
                self._quote(asked.message)
            case PermissionRequest():
                own = tr("Permission request in the session {}")
                self._line(at, _of(question, own), asked.scope.session_id)
                self._quote(asked.title)
            case MalformedMessage():
                self._line(at, _of(question, tr("Malformed question: {}")), str(asked))
            case _ as never:
                assert_never(never)

    def _ask_for(self, properties: Mapping[str, Property]) -> None:
        labels = [member.title or name for name, member in properties.items()]
        if labels:
            self._page.tell_about(
                tr("asks for: {}"), ", ".join(labels)[:_TEXT_AT_MOST], lead=_INDENT, hang=4
            )

    def _link(self, url: str) -> None:
        if self._shows_answers:
            self._page.tell_about(tr("address: {}"), url, lead=_INDENT, hang=4)
        else:
            host = inspect_link(url[:_TEXT_AT_MOST]).host or ""
            self._page.tell_about(tr("host: {}"), host, lead=_INDENT, hang=4)

    def _quote(self, text: str) -> None:
        cut = text[:_TEXT_AT_MOST]
        self._page.quote(cut if cut == text else f"{cut}…")

    def _answered(
        self, at: datetime.datetime, question: Question, answer: Answer, time: str
    ) -> None:
        action = _action_of(answer)
        self._ends[action] += 1
        by = tr(_MEANS[question.by])
        own = tr("{action} after {time}, {by}", action=tr(_ACTIONS[action]), time=time, by=by)
        self._line(at, _of(question, own))
        match answer:
            case Accept(content=content):
                self._content(question, content or {})
            case Decline():
                pass
            case Cancel(reason=reason):
                if reason is not None:
                    self._page.tell(_INDENT + tr(_REASONS[reason]))
            case UnknownAction(action=said):
                self._page.tell_about(tr("The action is not known: {}"), said, lead=_INDENT)
            case Chosen(name=name):
                self._answer_line(name)
            case Failure(code=code, message=message):
                said = tr(_FAILURES[code]) if code in _FAILURES else tr("an error")
                self._page.tell(_INDENT + tr("{what} ({code})", what=said, code=code))
                self._answer_line(message)  # it may quote what its user typed
            case MalformedMessage():
                self._page.tell_about(tr("Malformed answer: {}"), str(answer), lead=_INDENT)
            case _ as never:
                assert_never(never)

    def _content(self, question: Question, content: JsonObject) -> None:
        form = question.asked
        known = form.schema.properties if isinstance(form, FormRequest) else {}
        for name, value in content.items():
            label = (known[name].title or name) if name in known else name
            self._answer_line(_text(value), label=label)

    def _answer_line(self, value: str, *, label: str = "") -> None:
        shown = value if self._shows_answers else tr("(hidden)")
        untrusted = f"{label}: {shown}" if label else shown
        self._page.tell(_INDENT, untrusted, hang=4)


_ACTIONS: Mapping[str, str] = MappingProxyType(
    {
        "accept": tr_later("accepted"),
        "choose": tr_later("answered with an option"),
        "decline": tr_later("declined"),
        "cancel": tr_later("cancelled"),
        "unknown": tr_later("answered in a way that is not known"),
        "failure": tr_later("answered with an error"),
        "malformed": tr_later("answered with something malformed"),
    }
)


def _action_of(answer: Answer) -> str:
    match answer:
        case Accept():
            return "accept"
        case Chosen():
            return "choose"
        case Decline():
            return "decline"
        case Cancel():
            return "cancel"
        case UnknownAction():
            return "unknown"
        case Failure():
            return "failure"
        case MalformedMessage():
            return "malformed"
        case _ as never:
            assert_never(never)


def _of(question: Question, told: str) -> str:
    return f"#{question.number} {told}"


def _place(asked: FormRequest | UrlRequest) -> str:
    scope = asked.scope
    if isinstance(scope, SessionScope):
        return tr("the session {id}", id=scope.session_id)
    return tr("the request {id}", id=scope.request_id)


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    return msgspec.json.encode(value).decode()

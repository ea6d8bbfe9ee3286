"""The answering side of one connection: from `elicitation/create` to the user and back.

Owns: the gate by mode, reading and limits, the prompt's turn, and the one answer per request.
Knows nothing of: how a prompt is shown (a `Presenter` does), or how messages travel.
Above it: `session`, the bridges. Below it: `queue`, `outstanding`, `limits`, `forms`, `protocol`.

Nothing that a user typed is logged here, or sent before the presenter returned it (UI-2).
"""

import asyncio
import logging
from collections.abc import Callable, Collection, Coroutine, Iterable
from typing import Any, assert_never

from acp_elicitation.client.form_reader import FormReader
from acp_elicitation.client.judging import judging
from acp_elicitation.client.limits import Limits, check_limits, check_permission, measure
from acp_elicitation.client.outstanding import Entry, Outstanding
from acp_elicitation.client.permissions import read_permission, write_outcome
from acp_elicitation.client.prompts import (
    Asker,
    CompletionPresenter,
    FormPrompt,
    LinkPrompt,
    PermissionPresenter,
    PermissionPrompt,
    Presenter,
    Reply,
)
from acp_elicitation.client.queue import PromptQueue
from acp_elicitation.client.replies import not_accepted, problems_of
from acp_elicitation.client.showing import Showing
from acp_elicitation.forms.check import Check
from acp_elicitation.links import inspect_link
from acp_elicitation.protocol.answers import Accepted, Cancelled
from acp_elicitation.protocol.capabilities import Capabilities, Mode, capabilities_for
from acp_elicitation.protocol.errors import ErrorReply, MalformedMessage
from acp_elicitation.protocol.ledger import Received, ReceivedEvent
from acp_elicitation.protocol.reading import JsonObject
from acp_elicitation.protocol.requests import (
    FormRequest,
    Request,
    UnknownRequest,
    UrlRequest,
    read_completion,
    read_request,
)
from acp_elicitation.protocol.responses import Accept, Cancel, Response, write_response
from acp_elicitation.protocol.scope import RequestScope, SessionScope
from acp_elicitation.protocol.version import V2, Version

__all__ = ["Responder"]

_METHOD_NOT_FOUND = -32601
_INVALID_PARAMS = -32602
_log = logging.getLogger(__name__)


class Responder:
    """Answers the elicitations of one agent through a presenter.

    `capabilities()` goes into `initialize`. `create`, `complete`, `withdraw_session`,
    `withdraw_requests_but` and `close` are called by whatever carries the messages.
    """

    def __init__(
        self,
        presenter: Presenter,
        *,
        modes: Iterable[Mode] = ("form", "url"),
        asker: Asker | None = None,
        version: Version = V2,
        limits: Limits | None = None,
        queue: PromptQueue | None = None,
        expires_after: float | None = None,
        allow: Callable[[Request], bool] | None = None,
    ) -> None:
        """Make a responder.

        Args:
            presenter: shows the prompts.
            modes: what is advertised, and so the only modes that are answered (CAP-6);
                ValueError for what is none.
            asker: who asks, for the user to see (UI-1); usually set after `initialize`.
            version: in which version requests are read; usually set after `initialize`.
            limits: what is shown at most.
            queue: share one between responders that share a presenter.
            expires_after: seconds before the user until a question is cancelled as expired.
                None, the default, waits as long as the user does.
            allow: a policy; a question for which it returns False is cancelled unseen.
        """
        self._presenter = presenter
        self._capabilities = capabilities_for(modes)
        self.asker = asker or Asker()
        self.version = version
        self._limits = limits or Limits()
        self.queue = queue or PromptQueue()
        self._allow = allow
        self._forms = FormReader(self._limits)
        self._outstanding = Outstanding(max_links=self._limits.outstanding_links)
        self._showing = Showing(
            presenter,
            queue=self.queue,
            outstanding=self._outstanding,
            expires_after=expires_after,
        )

    def capabilities(self) -> Capabilities:
        """Return what to advertise at `initialize` (CAP-2)."""
        return self._capabilities

    @property
    def open_links(self) -> tuple[str, ...]:
        """The ids of the links that the user opened and the agent has not completed."""
        return self._outstanding.open_links

    async def create(self, params: object) -> JsonObject:
        """Answer one `elicitation/create`: returns its result.

        Cancelling the awaiting task takes the prompt away (REQ-6).

        Raises:
            ErrorReply: -32602 for a mode that was not advertised (CAP-6), an unknown mode (FWD-1),
                malformed params (FWD-5) and what is over the limits.
        """
        size, request = self._read(params)
        task = _current_task()
        match request:
            case FormRequest():
                entry = Entry(scope=request.scope, task=task, size=size)
                check = self._forms.check_of(request.schema)
                prompt = FormPrompt(request=request, **self._showing.around(entry, self.asker))
                response = await self._ask(
                    request,
                    entry,
                    lambda: self._show_form(prompt, entry, check),
                    before=judging(prompt, check),
                )
            case UrlRequest():
                entry = Entry(
                    scope=request.scope,
                    task=task,
                    size=size,
                    link=request.elicitation_id,
                    completed=asyncio.Event(),
                )
                response = await self._ask(request, entry, lambda: self._show_link(request, entry))
            case _:
                assert_never(request)
        return write_response(response)

    def _read(self, params: object) -> tuple[int, FormRequest | UrlRequest]:
        try:
            size = measure(params, self._limits)
            request = read_request(params, self.version, read_form=self._forms.read)
            if not isinstance(request, UnknownRequest):
                check_limits(request, self._limits)
        except MalformedMessage as error:
            raise _invalid(error.path, f"expected {error.expected}") from None
        match request:
            case FormRequest() if self._capabilities.form:
                return size, request
            case UrlRequest() if self._capabilities.url:
                return size, request
            case _:  # CAP-6, FWD-1
                raise _invalid("/mode", "expected a mode that the client advertised")

    async def _ask(
        self,
        request: FormRequest | UrlRequest,
        entry: Entry,
        show: Callable[[], Coroutine[Any, Any, Response]],
        *,
        before: Callable[[], Coroutine[Any, Any, None]] | None = None,
    ) -> Response:
        if self._is_full() or not self._may_show(request):
            return Cancel(reason="policy")
        if not self._outstanding.add(entry):
            raise _invalid("/elicitationId", "expected an id that is not outstanding (URL-3)")
        try:
            return await self._showing.take_turn(entry, show, not_accepted, before=before)
        except MalformedMessage as error:
            raise _invalid(error.path, f"expected {error.expected}") from None

    async def permit(self, params: object) -> JsonObject:
        """Answer one `session/request_permission`: returns its result.

        The same user, the same queue, and the same ways to take it back as for `create`.

        Raises:
            ErrorReply: -32601 when the presenter shows no permissions, -32602 for malformed params.
        """
        presenter = self._presenter
        if not isinstance(presenter, PermissionPresenter):
            raise ErrorReply(_METHOD_NOT_FOUND, "Method not found")
        try:
            size = measure(params, self._limits)
            request = read_permission(params)
            check_permission(request, self._limits)
        except MalformedMessage as error:
            raise _invalid(error.path, f"expected {error.expected}") from None
        if self._is_full():
            return write_outcome(request, Cancelled("policy"))
        entry = Entry(scope=request.scope, task=_current_task(), size=size)
        self._outstanding.add(entry)
        prompt = PermissionPrompt(request=request, **self._showing.around(entry, self.asker))
        reply: Reply = await self._showing.take_turn(
            entry,
            lambda: self._showing.present(entry, prompt, presenter.permission),
            lambda ended: ended,
        )
        return write_outcome(request, reply)

    def _is_full(self) -> bool:
        asked, limits = self._outstanding, self._limits
        return len(asked) > limits.waiting or asked.size > limits.waiting_bytes

    def _may_show(self, request: FormRequest | UrlRequest) -> bool:
        if isinstance(request, UrlRequest):
            report = inspect_link(request.url)
            if report.verdict == "refuse":  # URL-12
                _log.warning("refused a link: %s", ", ".join(sorted(report.codes)))
                return False
        return self._allow is None or self._allow(request)

    async def _show_form(self, prompt: FormPrompt, entry: Entry, check: Check) -> Response:
        reply = await self._showing.present(entry, prompt, self._presenter.form)
        if not (isinstance(reply, Accepted) and isinstance(reply.value, dict)):
            return _answered(entry, not_accepted(reply))
        problems = await problems_of(check, reply.value)
        if not problems:
            return _answered(entry, Accept(content=reply.value or None))
        places = ", ".join(f"{problem.property}: {problem.code}" for problem in problems)
        _log.error("the presenter accepted content that does not fit: %s", places)
        return _answered(entry, Cancel(reason="not-shown"))

    async def _show_link(self, request: UrlRequest, entry: Entry) -> Response:
        assert entry.completed is not None
        prompt = LinkPrompt(
            request=request,
            host=inspect_link(request.url).host or "",
            completed=entry.completed,
            **self._showing.around(entry, self.asker),
        )
        reply = await self._showing.present(entry, prompt, self._presenter.link)
        if not isinstance(reply, Accepted):
            return _answered(entry, not_accepted(reply))
        entry.advance(ReceivedEvent.CONSENT)  # URL-1: consent, not completion
        if entry.state is Received.OUTSTANDING and isinstance(self._presenter, CompletionPresenter):
            self.queue.put_in_background(self._presenter.wait_for_completion(prompt))
        return Accept()  # RES-4: no content

    def complete(self, params: object) -> bool:
        """Take an `elicitation/complete`; False when it was ignored (URL-7). Never raises."""
        try:
            completion = read_completion(params)
        except MalformedMessage:
            return False  # a notification cannot be answered
        return self._outstanding.complete(completion.elicitation_id)

    def withdraw_session(self, session_id: str) -> int:
        """Take back the unanswered questions of a session; returns how many.

        Each is answered `cancel` with the reason "withdrawn".
        """
        return self._withdraw_where(
            lambda entry: (
                isinstance(entry.scope, SessionScope) and entry.scope.session_id == session_id
            )
        )

    def withdraw_requests_but(self, open_calls: Collection[int | str]) -> int:
        """Take back the unanswered questions of every request that is not among `open_calls`.

        Returns how many. For after a request of the client was answered, failed or given up.
        """
        return self._withdraw_where(
            lambda entry: (
                isinstance(entry.scope, RequestScope) and entry.scope.request_id not in open_calls
            )
        )

    def close(self) -> int:
        """Take everything back: the connection is gone. Returns how many questions that ended."""
        self._outstanding.drop_links()
        return self._withdraw_where(lambda _: True)

    def _withdraw_where(self, chosen: Callable[[Entry], bool]) -> int:
        entries = [entry for entry in self._outstanding.asked_in(None) if chosen(entry)]
        for entry in entries:
            self._outstanding.withdraw(entry, "withdrawn")
        return len(entries)


def _current_task() -> asyncio.Task[Any]:
    task = asyncio.current_task()
    assert task is not None, "a coroutine runs in a task"
    return task


def _invalid(path: str, reason: str) -> ErrorReply:
    return ErrorReply(_INVALID_PARAMS, "Invalid params", {"path": path, "reason": reason})


def _answered(entry: Entry, response: Response) -> Response:
    entry.advance(ReceivedEvent.ANSWER)
    return response

"""Asking the user: the gate, the request, and the checked answer.

Owns: `Elicitor`, the one object through which an agent asks on one connection.
Knows nothing of: how messages travel (a `Channel` carries them), or how the client shows them.
Above it: agents, `serve`, the bridges. Below it: `link`, `outstanding`, `turns`, `receiving`,
`forms`, `protocol`.
"""

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar, Unpack, cast, overload

from acp_elicitation.agent.again import asked_again
from acp_elicitation.agent.asking import Asking, check_message, scope_of, within
from acp_elicitation.agent.channel import Channel
from acp_elicitation.agent.connecting import Connects
from acp_elicitation.agent.fallback import (
    Fallback,
    TextChannel,
    Unanswered,
    fall_back,
    has_fallback,
)
from acp_elicitation.agent.guard import Guard
from acp_elicitation.agent.link import Link
from acp_elicitation.agent.outstanding import AskedLinks, new_link_id
from acp_elicitation.agent.questions import Questions
from acp_elicitation.agent.receiving import not_accepted, receive
from acp_elicitation.agent.turns import State, Turns, Waiting, Withdrawn
from acp_elicitation.forms.check import Check, compile_check
from acp_elicitation.forms.describe import Description, describe
from acp_elicitation.forms.problem import Problem
from acp_elicitation.links import check_own_link
from acp_elicitation.protocol.answers import Accepted, Answer
from acp_elicitation.protocol.capabilities import Capabilities, Mode
from acp_elicitation.protocol.errors import (
    ConnectionLost,
    ElicitationError,
    InvalidAnswer,
    ModeNotAdvertised,
)
from acp_elicitation.protocol.ledger import AskedEvent
from acp_elicitation.protocol.reading import JsonObject
from acp_elicitation.protocol.requests import (
    COMPLETE,
    CREATE,
    Completion,
    ElicitationId,
    FormRequest,
    UrlRequest,
    write_completion,
    write_request,
)
from acp_elicitation.protocol.responses import Accept, Cancel, Response, read_response
from acp_elicitation.protocol.schema import FormSchema
from acp_elicitation.protocol.version import V1, Version

__all__ = ["Elicitor"]

T = TypeVar("T")


class Elicitor(Questions, Connects):
    """Asks the user of one client, on the one connection that `channel` is (REQ-3).

    Ask within a session (`session=`), or while a request of the client is pending (`request=` with
    its id), never both (REQ-2). Whoever runs the turns (`Agent`, the bridges) tells when one
    begins, ends and is cancelled.
    """

    def __init__(
        self,
        channel: Channel,
        *,
        capabilities: Capabilities,
        version: Version = V1,
        clock: Callable[[], float] | None = None,
    ) -> None:
        self._channel = channel
        self._capabilities = capabilities
        self._version = version
        self._links = AskedLinks()
        self._turns = Turns(clock=clock or asyncio.get_running_loop().time, tell=self._tell_state)
        self._guard = Guard()
        self._lost = False
        self.text_channel: TextChannel | None = None  # for `via_text`, where the runtime can ask so

    @property
    def modes(self) -> frozenset[Mode]:
        """The modes that this client advertised; no other is ever sent (CAP-4)."""
        return self._capabilities.modes

    @property
    def waiting(self) -> Waiting:
        """For how long the user was waited for, and time limits that leave it out."""
        return self._turns.waiting

    @overload
    async def form(
        self,
        message: str,
        schema: FormSchema,
        *,
        fallback: Fallback[dict[str, Any]] | None = None,
        **asking: Unpack[Asking],
    ) -> Answer[dict[str, Any]]: ...

    @overload
    async def form(
        self,
        message: str,
        schema: type[T] | Description[T],
        *,
        fallback: Fallback[T] | None = None,
        **asking: Unpack[Asking],
    ) -> Answer[T]: ...

    async def form(
        self,
        message: str,
        schema: FormSchema | type[Any] | Description[Any],
        *,
        fallback: Fallback[Any] | None = None,
        **asking: Unpack[Asking],
    ) -> Answer[Any]:
        """Show a form and return the checked answer.

        Args:
            message: what the user is asked, in plain text.
            schema: what is asked: a type whose instance is returned (or what `describe` says of
                it), or a `FormSchema`, for which the content is returned as a dict.
            fallback: what to do where the client cannot show it, or no usable answer comes: a
                value, a coroutine function (`via_permission`, `via_text`, your own), or a
                `Ladder` of them (CAP-5). It then takes the place of the errors marked with *.
            asking: where it belongs and how long it may take, see `Asking`.

        Returns:
            `Accepted(value)`, `Declined()` or `Cancelled(reason)` (RES-1). An action nobody knows
            is a cancel (RES-6); so is a question whose turn was cancelled (REQ-5), which is not
            sent any more, with the reason "withdrawn".

        Raises:
            ModeNotAdvertised*: the client has no form mode; nothing was sent (CAP-4).
            UnsupportedType: the type cannot be a form (FORM-1).
            SecretInForm: the form asks for a secret, which only a link may (FORM-5, FORM-6).
            InvalidAnswer*: the client accepted with content that does not fit (FORM-3).
            MalformedMessage*: the client's answer is none.
            RemoteError*: the client answered with an error.
            AnswerTimeout*: the time is over; the question was withdrawn.
            ConnectionLost*: the client is gone (RES-5).
            InvalidQuestion: no client could show it or no user answer it, or an option is wrong.
        """
        description = describe(schema)
        form, check = description.schema, description.check
        written = description.written(form, self._version)
        return await self._question(
            message, form, description.build, fallback, asking, check=check, written=written
        )

    async def _question(
        self,
        message: str,
        form: FormSchema,
        build: Callable[[dict[str, Any]], T],
        fallback: Fallback[T] | None,
        asking: Asking,
        *,
        check: Check | None = None,
        written: JsonObject | None = None,
    ) -> Answer[T]:
        scope, check = scope_of(asking), check or compile_check(form)
        await self._guard.check(message, check, asking.get("reviewed", ()))
        first = FormRequest(message=message, schema=form, scope=scope, meta=asking.get("meta"))
        try:
            return await self._attempts(first, check, build, asking, written)
        except ElicitationError as error:
            if fallback is None or not has_fallback(error):
                raise
            failure = error
        unanswered = Unanswered(
            message=message,
            form=form,
            asking=asking,
            error=failure,
            receive=lambda content: receive(check, content, build),
            call=lambda method, params: self._call(method, params, asking),
            version=self._version,
            text_channel=self.text_channel,
        )
        return await fall_back(unanswered, fallback)

    async def _attempts(
        self,
        first: FormRequest,
        check: Check,
        build: Callable[[dict[str, Any]], T],
        asking: Asking,
        written: JsonObject | None,
    ) -> Answer[T]:
        if not self._capabilities.form:
            raise ModeNotAdvertised("form")
        asked, left = first, asking.get("attempts", 1)
        while True:
            response = await self._ask(write_request(asked, self._version, form=written), asking)
            if not isinstance(response, Accept):
                return not_accepted(response)
            try:
                return Accepted(await receive(check, response.content, build))
            except InvalidAnswer as error:
                left -= 1
                if left < 1:
                    raise
                problems = cast("tuple[Problem, ...]", error.problems)
            asked, written = await asked_again(first, asked, response.content or {}, problems), None

    async def link(
        self, message: str, url: str, *, link_id: str | None = None, **asking: Unpack[Asking]
    ) -> Link:
        """Ask for consent to open `url`, the agent's own page, in the user's browser.

        Returns as soon as the user decided; `Link.completed()` waits for the outside part (URL-1).

        Args:
            message: what the link is for, in plain text.
            url: an absolute URL of the agent's own page, free of credentials (URL-9, URL-14).
            link_id: the `elicitationId`; by default a fresh one that cannot be guessed (URL-3).
            asking: where it belongs and how long it may take, see `Asking`.

        Raises:
            ModeNotAdvertised: the client has no url mode; nothing was sent (CAP-4, FORM-6).
            UnsafeLink: the URL carries credentials or personal data, is not https outside this
                machine, or is not a page of the agent's own; nothing was sent (URL-9, URL-14).
            DuplicateLink: that id is outstanding on this connection (URL-3).
            InvalidQuestion, and what an answer that is none raises: as for `form`.
        """
        check_message(message)
        if not self._capabilities.url:
            raise ModeNotAdvertised("url")
        check_own_link(url)
        asked = UrlRequest(
            message=message,
            url=url,
            elicitation_id=new_link_id() if link_id is None else ElicitationId(link_id),
            scope=scope_of(asking),
            meta=asking.get("meta"),
        )
        entry = self._links.add(asked.elicitation_id)
        try:
            response = await self._ask(write_request(asked, self._version), asking)
        except BaseException:
            self._links.withdraw(entry)  # cancelled or failed: nobody waits for it any more
            raise
        match response:
            case Accept():  # RES-4: content of a consent is ignored
                self._links.step(entry, AskedEvent.CONSENT)
                answer: Answer[None] = Accepted(None)
            case _:
                self._links.step(entry, AskedEvent.ANSWER)
                answer = not_accepted(response)
        return Link(url=url, answer=answer, entry=entry, links=self._links)

    def complete(self, link_id: str, *, meta: JsonObject | None = None) -> None:
        """Tell the client that the outside part of a link is finished (URL-5).

        Only this connection's client hears of it (URL-6), and only once. It may come before the
        user's consent has been answered.

        Raises:
            UnknownLink: no such link is outstanding here; nothing was sent (URL-6).
            ConnectionLost: the client is gone.
        """
        elicitation_id = ElicitationId(link_id)
        if self._lost:
            raise ConnectionLost
        self._links.complete(elicitation_id)
        completion = Completion(elicitation_id=elicitation_id, meta=meta)
        self._channel.notify(COMPLETE, write_completion(completion))

    def begin_turn(self, session_id: str) -> None:
        """A turn of this session begins."""
        self._turns.begin(session_id)

    def limit_turn(self, session_id: str, seconds: float) -> None:
        """The questions of the turn have `seconds` from now; then `AnswerTimeout` (RES-5)."""
        self._turns.limit(session_id, seconds)

    def end_turn(self, session_id: str) -> None:
        """The turn of this session is over."""
        self._turns.end(session_id)

    def cancel_turn(self, session_id: str) -> None:
        """The turn is cancelled: its questions are withdrawn, and none is sent after (REQ-5)."""
        self._turns.cancel(session_id)

    def close_session(self, session_id: str) -> None:
        """The session is closed: the questions that wait within it are withdrawn (REQ-5)."""
        self._turns.forget(session_id)

    def connection_lost(self) -> None:
        """End every link that waits for completion: whoever owns the channel calls this (RES-5)."""
        self._lost = True
        self._links.lose()

    def _tell_state(self, session_id: str, state: State) -> None:
        if self._version.turn_ends_by_update and not self._lost:
            update = {"sessionUpdate": "state_update", "state": state}
            self._channel.notify("session/update", {"sessionId": session_id, "update": update})

    async def _ask(self, params: JsonObject, asking: Asking) -> Response:
        try:
            result = await self._call(CREATE, params, asking)
        except Withdrawn:
            return Cancel(reason="withdrawn")
        return read_response(result, self._version)

    async def _call(self, method: str, params: JsonObject, asking: Asking) -> object:
        seconds = self._turns.seconds_left(asking.get("session"), asking.get("timeout"))
        with self._turns.question(asking.get("session"), blocks=asking.get("blocks", True)):
            request = self._channel.request(method, params)
            return await (request if seconds is None else within(seconds, request))

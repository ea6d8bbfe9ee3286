"""Forwarding an MCP server's questions to the user of an ACP agent.

Owns: `forward` and its `Forward`, which is the elicitation callback of an MCP client session.
Knows nothing of: how the session came to be (see `client`), and of calls that have to be repeated
(see `calling`). Above it: `client`, `calling`. Below it: `questions`, `pages`, `outcomes`, `agent`.

A server's question passes all that a question of the agent's own passes: the client's modes
(CAP-4), the guard against secrets (FORM-5), the check of what no client could show, the rules for
links (URL-9, URL-14). Whatever does not pass is declined in the user's place, and reported.
"""

import asyncio
import logging
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any, TypeAlias, assert_never

from acp_elicitation.agent.asking import Asking
from acp_elicitation.agent.elicitor import Elicitor
from acp_elicitation.bridges.mcp.asker import Asker
from acp_elicitation.bridges.mcp.losses import Loss, LossReport, NotForwarded, place
from acp_elicitation.bridges.mcp.outcomes import answer_of, declined, failed, whole_params
from acp_elicitation.bridges.mcp.pages import PageOf, Pages
from acp_elicitation.bridges.mcp.questions import ServerForm, ServerLink, read_question
from acp_elicitation.protocol.answers import Answer, Cancelled
from acp_elicitation.protocol.capabilities import Mode
from acp_elicitation.protocol.errors import ElicitationError, InvalidQuestion, SecretInForm
from acp_elicitation.text.language import tr
from acp_elicitation.wire.callouts import log_failure

if TYPE_CHECKING:
    from mcp import ErrorData
    from mcp.client.session import ClientRequestContext, IncomingMessage
    from mcp.types import ElicitRequestParams, ElicitResult

__all__ = ["Forward", "OnReport", "forward"]

OnReport: TypeAlias = Callable[[LossReport], None]
"""Hears of each question that was changed on its way, or declined in the user's place."""

_MOST_OPEN = 8
"""Questions of one server at once. A person answers one at a time."""

_log = logging.getLogger(__name__)


def forward(
    elicitor: Elicitor,
    *,
    session: str | None = None,
    request: int | str | None = None,
    tool_call: str | None = None,
    server: str | None = None,
    hosts: Collection[str] | None = None,
    page: PageOf | None = None,
    on_report: OnReport | None = None,
    timeout: float | None = None,
    attempts: int = 3,
) -> "Forward":
    """Return the elicitation callback with which one MCP server asks the user of `elicitor`.

    Args:
        elicitor: asks the user.
        session, request, tool_call, timeout, attempts: as for any question, see `Asking`.
        server: the name under which the user knows the server. By default it is the one that the
            server gives itself, and that may be anybody's.
        hosts: the hosts of the server's own pages, as a browser writes them; a link to another is
            declined. By default all are asked for: a server on this machine has none of its own.
        page: sends the user to a page of the agent's own, which verifies who it is and leads on
            (URL-13, URL-14); by default the user is shown the server's page itself.
        on_report: hears of losses; by default they are logged.
    """
    asking: Asking = {"timeout": timeout, "attempts": attempts}
    if session is not None:
        asking["session"] = session
    if request is not None:
        asking["request"] = request
    asker = Asker(elicitor, asking, tool_call=tool_call, name=server)
    return Forward(asker, Pages(asker, hosts=hosts, page_of=page), on_report or _log_report)


class Forward:
    """The questions of one MCP server, on their way to one user. Made by `forward`."""

    def __init__(self, asker: Asker, pages: Pages, on_report: OnReport) -> None:
        self.asker = asker
        self.pages = pages
        self._on_report = on_report
        self._open = 0

    @property
    def modes(self) -> frozenset[Mode]:
        """What is advertised to the server: the modes of the ACP client, and never more (CAP-4)."""
        return self.asker.modes

    async def __call__(
        self, context: "ClientRequestContext", params: "ElicitRequestParams"
    ) -> "ElicitResult | ErrorData":
        """Answer one `elicitation/create`; the `elicitation_callback` of an MCP client."""
        info = context.session.server_info
        self.asker.learn_name(None if info is None else info.title or info.name)
        return await self.answer(whole_params(params))

    async def answer(self, params: object) -> "ElicitResult | ErrorData":
        """Answer the question that these params hold. Raises nothing but a cancellation."""
        self._open += 1
        asked = asyncio.ensure_future(self._ask(params))
        try:
            with self.asker.calls.asking(asked):
                return answer_of(await asked)
        except asyncio.CancelledError:
            if _is_cancelled():  # by the server, or by the end of its connection
                raise
            return answer_of(Cancelled("withdrawn"))  # by the end of the call (REQ-5)
        except NotForwarded as error:
            self.report(params, error.losses, error)
            return declined(error)
        except Exception as error:
            # The SDK would send the text of an exception to the server: it gets a fixed one.
            if not isinstance(error, ElicitationError):
                log_failure("forwarding a question", error)
            return failed(error)
        finally:
            self._open -= 1

    async def on_message(self, message: "IncomingMessage") -> None:
        """Take a message of the server; the `message_handler` of an MCP client."""
        if getattr(message, "method", "") == "notifications/elicitation/complete":
            params = getattr(message, "params", None)
            self.pages.links.complete_named(str(getattr(params, "elicitation_id", "")))

    def close(self) -> None:
        """The connection with the server is over: none of its pages completes any more."""
        self.pages.links.close()

    def report(
        self, params: object, losses: tuple[Loss, ...], error: NotForwarded | None = None
    ) -> None:
        """Tell what became of a question, where it is not all as it was."""
        if not losses and error is None:
            return
        is_url = isinstance(params, dict) and params.get("mode") == "url"
        report = LossReport(
            server=self.asker.name,
            mode="url" if is_url else "form",
            losses=losses,
            declined=None if error is None else error.why,
        )
        try:
            self._on_report(report)
        except Exception as failure:
            log_failure("a listener to loss reports", failure)

    async def _ask(self, params: object) -> Answer[Any]:
        if self._open > _MOST_OPEN:
            raise NotForwarded("too-many", Loss("", "refused", f"{_MOST_OPEN} are open already"))
        # A pattern may take its whole time limit, and a form be large: not on the event loop.
        question = await asyncio.to_thread(read_question, params)
        match question:
            case ServerForm():
                answer: Answer[Any] = await self._ask_form(question)
            case ServerLink():
                answer = await self.pages.ask(question)
            case _:  # pragma: no cover
                assert_never(question)
        self.report(params, question.losses)
        return answer

    async def _ask_form(self, question: ServerForm) -> Answer[dict[str, object]]:
        heading = tr("The MCP server {server} asks:", server=self.asker.name)
        message = f"{heading}\n\n{question.message}"
        try:
            return await self.asker.elicitor.form(message, question.form, **self.asker.asking)
        except SecretInForm as error:  # FORM-5, FORM-6: neither a form nor another way
            raise NotForwarded("secret", _secret(error), *question.losses) from None
        except InvalidQuestion as error:
            loss = Loss("/requestedSchema", "refused", f"{error.where}: {error.reason}")
            raise NotForwarded("not-carried", loss, *question.losses) from None


def _is_cancelled() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _secret(error: SecretInForm) -> Loss:
    where = place("requestedSchema", "properties", error.property) if error.property else ""
    return Loss(
        where, "refused", f"its {error.where} asks for a secret or holds one ({error.rule})"
    )


def _log_report(report: LossReport) -> None:
    _log.log(logging.INFO if report.declined is None else logging.WARNING, "%s", report)

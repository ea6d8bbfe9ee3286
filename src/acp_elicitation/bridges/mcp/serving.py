"""Asking as an MCP server, with the functions of an ACP agent.

Owns: `McpElicitor`, which is an `Elicitor` whose client is an MCP client, and `with_elicitor`,
which makes a tool of a function that asks.
Knows nothing of: how questions travel (see `carrying`). Above it: MCP servers.
Below it: `carrying`, `capabilities`, `agent`, the SDK.

A function that takes an elicitor and hands on where it asks serves both protocols:

    async def order(elicitor: Elicitor, pizza: str, **where: Unpack[Asking]) -> str: ...

    await order(turn.elicitor, "Funghi", session=turn.session_id)  # in an ACP agent
    server.add_tool(with_elicitor(order))                          # on an MCP server
"""

import functools
import inspect
import typing
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, TypeVar, Unpack

from acp_elicitation.agent.asking import Asking
from acp_elicitation.agent.channel import Channel
from acp_elicitation.agent.elicitor import Elicitor
from acp_elicitation.agent.fallback import Fallback
from acp_elicitation.agent.link import Link
from acp_elicitation.bridges.mcp.capabilities import read_mcp_capability
from acp_elicitation.bridges.mcp.carrying import ByRequests, ByResults, Paused, read_state
from acp_elicitation.forms.check import Check
from acp_elicitation.protocol.answers import Answer
from acp_elicitation.protocol.capabilities import Capabilities
from acp_elicitation.protocol.errors import MisuseError
from acp_elicitation.protocol.reading import JsonObject
from acp_elicitation.protocol.schema import FormSchema

if TYPE_CHECKING:
    from mcp.server.mcpserver import Context
    from mcp.types import InputRequiredResult

__all__ = ["McpElicitor", "elicitor_of", "with_elicitor"]

T = TypeVar("T")

_BY_RESULTS_FROM = "2026-07-28"
_ONLY = "mcp"
"""An MCP server asks within the call that it serves; it has no sessions of ACP."""


class McpElicitor(Elicitor):
    """Asks the user of an MCP client. Where a question belongs need not be said."""

    def __init__(self, channel: Channel, capabilities: Capabilities) -> None:
        super().__init__(channel, capabilities=capabilities)

    async def link(
        self, message: str, url: str, *, link_id: str | None = None, **asking: Unpack[Asking]
    ) -> Link:
        """Ask for consent to open `url`, the server's own page, in the user's browser.

        From 2026-07-28 on the call is served anew with each answer, so `url` has to be the same
        each time. For the rest see `Elicitor.link`.
        """
        return await super().link(message, url, link_id=link_id, **_placed(asking))

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
        return await super()._question(
            message, form, build, fallback, _placed(asking), check=check, written=written
        )


def _placed(asking: Asking) -> Asking:
    placed: Asking = {**asking, "session": _ONLY, "request": None}
    return placed


def elicitor_of(context: "Context[Any, Any]") -> McpElicitor:
    """Return what asks the user of the client whose call `context` is.

    Raises:
        MisuseError: the client takes questions in results only (from 2026-07-28 on), so the
            function has to be one of `with_elicitor`.
    """
    if _by_results(context):
        raise MisuseError(
            "this client takes questions in the results of its calls only; make the tool of "
            "with_elicitor(function), which repeats it with the answers"
        )
    return McpElicitor(ByRequests(context), _capabilities(context))


def with_elicitor(function: Callable[..., Awaitable[T]]) -> Callable[..., Awaitable[Any]]:
    """Return a tool for `MCPServer` of a coroutine function with a parameter of type `Elicitor`.

    The tool has the other parameters, but for `**where`. From 2026-07-28 on the function runs again
    with each answer, from its start: until it has asked its last question it must do nothing that
    may not be done twice, and ask the same each time.

    Raises:
        TypeError: the function has no such parameter.
    """
    from mcp.server.mcpserver import Context

    signature, hints = inspect.signature(function), typing.get_type_hints(function)
    own = next((name for name, hint in hints.items() if _is_elicitor(hint)), None)
    if own is None:
        raise TypeError(f"{function.__qualname__} has no parameter of type Elicitor")

    @functools.wraps(function)
    async def tool(*args: Any, **kwargs: Any) -> Any:
        bound = tool_signature.bind(*args, **kwargs)
        context = bound.arguments.pop(own)
        if _by_results(context):
            return await _by_rounds(function, own, context, bound.arguments)
        return await function(**bound.arguments, **{own: elicitor_of(context)})

    parameters = [
        one.replace(annotation=Context if one.name == own else hints.get(one.name, one.annotation))
        for one in signature.parameters.values()
        if one.kind is not inspect.Parameter.VAR_KEYWORD
    ]
    tool_signature = signature.replace(parameters=parameters)
    tool.__signature__ = tool_signature  # type: ignore[attr-defined]
    tool.__annotations__ = {
        **{one.name: one.annotation for one in parameters},
        **({"return": hints["return"]} if "return" in hints else {}),
    }
    del tool.__wrapped__  # the SDK looks at this signature
    return tool


def _is_elicitor(hint: object) -> bool:
    return isinstance(hint, type) and issubclass(hint, Elicitor)


def _by_results(context: "Context[Any, Any]") -> bool:
    return (context.protocol_version or "") >= _BY_RESULTS_FROM


def _capabilities(context: "Context[Any, Any]") -> Capabilities:
    declared = context.client_capabilities
    whole = {} if declared is None else declared.model_dump(exclude_none=True)
    return read_mcp_capability(whole.get("elicitation"))


async def _by_rounds(
    function: Callable[..., Awaitable[T]], own: str, context: "Context[Any, Any]", arguments: Any
) -> "T | InputRequiredResult":
    from mcp.types import ElicitResult, InputRequiredResult

    answers = read_state(context.request_state)
    for key, answer in (context.input_responses or {}).items():
        if isinstance(answer, ElicitResult):
            answers[key] = answer.model_dump(by_alias=True, mode="json", exclude_none=True)
    channel = ByResults(answers)
    elicitor = McpElicitor(channel, _capabilities(context))
    try:
        return await function(**arguments, **{own: elicitor})
    except Paused:
        pass
    except BaseExceptionGroup as group:
        if group.split(Paused)[1] is not None:
            raise
    return InputRequiredResult(input_requests=dict(channel.open), request_state=channel.state)

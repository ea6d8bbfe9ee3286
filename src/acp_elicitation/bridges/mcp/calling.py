"""Calling the tools of an MCP server, also where a page has to be opened first (-32042).

Owns: which tool call the questions of a call belong to, the error that wants pages opened
(2025-11-25), how often a call is repeated for it, and the end of a call's pages.
Knows nothing of: how a page is asked for. Above it: agents. Below it: `forwarding`, `pages`,
`questions`.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from acp_elicitation.bridges.mcp.forwarding import Forward
from acp_elicitation.bridges.mcp.losses import Loss, NotForwarded
from acp_elicitation.bridges.mcp.questions import ServerLink, read_question
from acp_elicitation.protocol.answers import Accepted
from acp_elicitation.protocol.errors import ElicitationError

if TYPE_CHECKING:
    from mcp.types import CallToolResult

__all__ = ["ToolCaller", "call_tool", "repeated"]

T = TypeVar("T")

_MOST_PAGES = 5
_MOST_ROUNDS = 3


class ToolCaller(Protocol):
    """What calls a tool: `mcp.Client`, or another with the same method."""

    async def call_tool(
        self, name: str, arguments: dict[str, Any] | None = None, /
    ) -> "CallToolResult": ...


async def call_tool(
    client: ToolCaller,
    forward: Forward,
    name: str,
    arguments: dict[str, Any] | None = None,
    *,
    tool_call: str | None = None,
) -> "CallToolResult":
    """Call a tool; what its server asks meanwhile belongs to the tool call with that id (REQ-2).

    A page that the server has no way to complete (2026-07-28) is finished when the call succeeds,
    which the ACP client is told (URL-5), and else given up.

    Raises:
        MCPError: as `mcp.Client.call_tool`; and with the code -32042 where the user did not open
            the pages, or opening them was not enough.
    """
    with forward.asker.calls.running(tool_call) as call:
        succeeded = False
        try:
            result = await repeated(lambda: client.call_tool(name, arguments), forward)
            succeeded = not result.is_error
        finally:
            forward.pages.links.end(call.pages, finished=succeeded)
        return result


async def repeated(call: Callable[[], Awaitable[T]], forward: Forward) -> T:
    """Return what `call` returns, once the user has opened the pages that its error asks for.

    Raises:
        MCPError: whatever `call` raises; -32042 after a few rounds, without the user's consent, or
            where the error names no page that may be opened.
    """
    from mcp import MCPError
    from mcp.types import URL_ELICITATION_REQUIRED

    for _ in range(_MOST_ROUNDS):
        try:
            return await call()
        except MCPError as error:
            if error.code != URL_ELICITATION_REQUIRED or not await _opened(error.data, forward):
                raise
    return await call()


async def _opened(data: object, forward: Forward) -> bool:
    """Ask for each page of the error, one after another; whether all of them are finished."""
    params = {"mode": "url"}
    try:
        for link in await asyncio.to_thread(_links_of, data):
            page = forward.pages.links.find(link.url, link.id)
            if page is None:
                page = await forward.pages.open(link)
                assert page.link is not None, "it was answered"
                if not isinstance(page.link.answer, Accepted):
                    return False
            if not isinstance(await forward.pages.finished(page), Accepted):
                return False
            forward.report(params, link.losses)
    except NotForwarded as error:
        forward.report(params, error.losses, error)
        return False
    except ElicitationError:
        return False
    return True


def _links_of(data: object) -> Sequence[ServerLink]:
    listed = data.get("elicitations") if isinstance(data, dict) else None
    if not isinstance(listed, list) or not 0 < len(listed) <= _MOST_PAGES:
        reason = f"a list of 1 to {_MOST_PAGES} pages belongs there"
        raise NotForwarded("malformed", Loss("/elicitations", "refused", reason))
    links = [read_question(one) for one in listed]
    if not all(isinstance(link, ServerLink) for link in links):
        raise NotForwarded("malformed", Loss("/elicitations", "refused", "one is no page"))
    return [link for link in links if isinstance(link, ServerLink)]

"""MCP servers that ask: in both generations of the protocol, with any question."""

from collections.abc import Awaitable, Callable
from typing import Any

from mcp.server.mcpserver import Context, MCPServer
from mcp.types import (
    CallToolResult,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitRequestURLParams,
    ElicitResult,
    InputRequiredResult,
    TextContent,
)

Answers = list[ElicitResult]
Params = ElicitRequestFormParams | ElicitRequestURLParams

NAME: dict[str, Any] = {"type": "object", "properties": {"name": {"type": "string"}}}


def form(message: str = "Which?", schema: dict[str, Any] = NAME) -> ElicitRequestFormParams:
    return ElicitRequestFormParams(message=message, requested_schema=schema)


def link(url: str = "https://mcp.example/connect", name: str | None = "one") -> Params:
    return ElicitRequestURLParams(message="Connect.", url=url, elicitation_id=name)


def asking(*questions: Params, name: str = "files") -> tuple[MCPServer, Answers]:
    """A server whose tool `ask` asks these, one after another, and the answers that it got.

    It asks by requests of its own, or by its results, whichever its client speaks.
    """
    server, answers = MCPServer(name), Answers()

    @server.tool()
    async def ask(ctx: Context) -> CallToolResult | InputRequiredResult:
        if ctx.protocol_version == "2026-07-28":
            return _by_results(ctx, questions, answers)
        for params in questions:
            request = ElicitRequest(params=params)
            answers.append(await ctx.session.send_request(request, ElicitResult))
        return done()

    return server, answers


def _by_results(
    ctx: Context, questions: tuple[Params, ...], answers: Answers
) -> CallToolResult | InputRequiredResult:
    for answer in (ctx.input_responses or {}).values():
        assert isinstance(answer, ElicitResult)
        answers.append(answer)
    if len(answers) == len(questions):
        return done()
    params = questions[len(answers)]
    return InputRequiredResult(input_requests={"q": ElicitRequest(params=params)})


def done(*, is_error: bool = False) -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text="done")], is_error=is_error)


def with_tool(body: Callable[[Context], Awaitable[Any]], name: str = "files") -> MCPServer:
    """A server whose tool `ask` is this function."""
    server = MCPServer(name)

    @server.tool()
    async def ask(ctx: Context) -> CallToolResult | InputRequiredResult:
        outcome = await body(ctx)
        return done() if outcome is None else outcome

    return server

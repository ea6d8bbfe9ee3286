"""Advertising to an MCP server only what the ACP client can show.

Owns: a transport that takes modes of elicitation out of what an MCP client advertises, in
`initialize` and in the `_meta` that every request has from 2026-07-28 on.
Knows nothing of: what the modes are for, and other members of messages. Above it: `client`.
Below it: `capabilities`.

The SDK advertises both modes as soon as there is a callback, and has no setting for it; a transport
is the place of its public interface where the messages pass.
"""

from collections.abc import AsyncIterator, Iterable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from types import TracebackType
from typing import Any

from mcp.shared.message import SessionMessage
from mcp.types import CLIENT_CAPABILITIES_META_KEY

from acp_elicitation.bridges.mcp.capabilities import narrowed_capability
from acp_elicitation.protocol.capabilities import Mode
from acp_elicitation.protocol.reading import JsonObject

__all__ = ["narrowed"]


@asynccontextmanager
async def narrowed(
    transport: AbstractAsyncContextManager[tuple[Any, Any]], modes: Iterable[Mode]
) -> AsyncIterator[tuple[Any, Any]]:
    """Be `transport`, but for the modes of elicitation that are not in `modes` (CAP-4)."""
    allowed = frozenset(modes)
    async with transport as (read, write):
        yield read, _NarrowedStream(write, allowed)


class _NarrowedStream:
    """The stream that a client writes to."""

    def __init__(self, stream: Any, modes: frozenset[Mode]) -> None:
        self._stream = stream
        self._modes = modes

    async def send(self, item: SessionMessage) -> None:
        params = getattr(item.message, "params", None)
        if isinstance(params, dict):
            said = self._said(getattr(item.message, "method", ""), params)
            if said is not params:
                message = item.message.model_copy(update={"params": said})
                item = SessionMessage(message=message, metadata=item.metadata)
        await self._stream.send(item)

    async def aclose(self) -> None:
        await self._stream.aclose()

    async def __aenter__(self) -> "_NarrowedStream":
        await self._stream.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool | None:
        ended: bool | None = await self._stream.__aexit__(kind, error, trace)
        return ended

    def _said(self, method: str, params: JsonObject) -> JsonObject:
        if method == "initialize":
            params = self._in(params, "capabilities")
        meta = params.get("_meta")
        if isinstance(meta, dict):
            said = self._in(meta, CLIENT_CAPABILITIES_META_KEY)
            params = params if said is meta else {**params, "_meta": said}
        return params

    def _in(self, holder: JsonObject, key: str) -> JsonObject:
        capabilities = holder.get(key)
        if not isinstance(capabilities, dict) or "elicitation" not in capabilities:
            return holder
        left = narrowed_capability(capabilities["elicitation"], self._modes)
        rest = {name: one for name, one in capabilities.items() if name != "elicitation"}
        return {**holder, key: rest if left is None else {**rest, "elicitation": left}}

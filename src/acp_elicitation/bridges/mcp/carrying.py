"""What carries the questions of an MCP server to its client, as a `Channel` of an `Elicitor`.

Owns: a question of ACP as one of MCP, and the two ways in which a server asks: by a request of its
own (until 2025-11-25), or by the result of the call that it serves (from 2026-07-28 on).
Knows nothing of: forms, checks and fallbacks. Above it: `serving`. Below it: the SDK.
"""

import asyncio
import hashlib
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NoReturn

import msgspec

from acp_elicitation.bridges.mcp.writing import write_mcp_form
from acp_elicitation.protocol.errors import RemoteError
from acp_elicitation.protocol.reading import JsonObject
from acp_elicitation.protocol.requests import COMPLETE, CREATE
from acp_elicitation.wire.callouts import log_failure

if TYPE_CHECKING:
    from mcp.server.mcpserver import Context
    from mcp.types import ElicitRequest, ElicitResult

__all__ = ["ByRequests", "ByResults", "Paused", "read_state"]

_METHOD_NOT_FOUND = -32601


class Paused(BaseException):
    """A question that has no answer in this round; no `except Exception` holds it up."""


class ByRequests:
    """Asks by requests of the server's own."""

    def __init__(self, context: "Context[Any, Any]") -> None:
        self._context = context
        self.telling: set[asyncio.Task[None]] = set()

    async def request(self, method: str, params: JsonObject) -> object:
        """Ask; raises `RemoteError`, also for what MCP has no request for."""
        from mcp import MCPError

        _check_method(method)
        session, related = self._context.request_context.session, self._context.request_id
        try:
            if params["mode"] == "url":
                url, link_id = params["url"], params["elicitationId"]
                result = await session.elicit_url(params["message"], url, link_id, related)
            else:
                form = write_mcp_form(params["requestedSchema"])
                result = await session.elicit_form(params["message"], form, related)
        except MCPError as error:
            raise RemoteError(code=error.code, message=error.message, data=error.data) from None
        return _read(result)

    def notify(self, method: str, params: JsonObject) -> None:
        """Tell of a completion (URL-5), which may come long after the call is over."""
        if method == COMPLETE:
            telling = asyncio.ensure_future(self._tell(params["elicitationId"]))
            self.telling.add(telling)
            telling.add_done_callback(self.telling.discard)

    async def _tell(self, link_id: str) -> None:
        try:
            # Not by the channel of the call: what is sent there after its end is dropped.
            await self._context.request_context.session.send_elicit_complete(link_id)
        except Exception as error:  # nobody waits for it, and a client need not hear of it
            log_failure("telling a completion", error)


class ByResults:
    """Asks by the result of a call: `answers` has those of the rounds before, by their keys.

    The same question gets the same key in every round, whatever its id is; asked twice, it gets
    two. What has no answer is put into `open`.
    """

    def __init__(self, answers: Mapping[str, JsonObject]) -> None:
        self._answers = answers
        self._times: Counter[str] = Counter()
        self._used: dict[str, JsonObject] = {}
        self.open: dict[str, ElicitRequest] = {}

    @property
    def state(self) -> str:
        """What the client has to send back with the answers to `open`."""
        return msgspec.json.encode(self._used).decode()

    async def request(self, method: str, params: JsonObject) -> object:
        """Return the answer from a round before.

        Raises:
            Paused: there is none yet.
        """
        _check_method(method)
        key = self._key(params)
        answer = self._answers.get(key)
        if answer is None:
            self._pause(key, params)
        self._used[key] = answer
        return answer

    def notify(self, method: str, params: JsonObject) -> None:
        """Tell nothing: a client learns of a completion by the result of its call."""

    def _key(self, params: JsonObject) -> str:
        said = {name: params.get(name) for name in ("mode", "message", "requestedSchema", "url")}
        digest = hashlib.sha256(msgspec.json.encode(said)).hexdigest()[:16]
        self._times[digest] += 1
        return f"{digest}-{self._times[digest]}"

    def _pause(self, key: str, params: JsonObject) -> NoReturn:
        from mcp.types import ElicitRequest, ElicitRequestFormParams, ElicitRequestURLParams

        asked: ElicitRequestFormParams | ElicitRequestURLParams
        if params["mode"] == "url":
            asked = ElicitRequestURLParams(message=params["message"], url=params["url"])
        else:
            form = write_mcp_form(params["requestedSchema"])
            asked = ElicitRequestFormParams(message=params["message"], requested_schema=form)
        self.open[key] = ElicitRequest(params=asked)
        raise Paused


def read_state(state: str | None) -> dict[str, JsonObject]:
    """Return the answers of the rounds before.

    `MCPServer` seals what a client sends back. Where nothing does, the client may have changed it:
    then nothing is more than an answer of its user's, and is checked as one.
    """
    try:
        return msgspec.json.decode(state or "{}", type=dict[str, dict[str, Any]])
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return {}


def _check_method(method: str) -> None:
    if method != CREATE:
        raise RemoteError(code=_METHOD_NOT_FOUND, message="an MCP client has no such method")


def _read(result: "ElicitResult") -> JsonObject:
    return result.model_dump(by_alias=True, mode="json", exclude_none=True)

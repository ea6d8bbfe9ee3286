"""A client on the official Python SDK (v1): runs an agent, sends prompts, answers by policy.

Owns: the same environment, policy and output lines as ``ts_client.mjs`` (see there). What 0.12.1
    cannot do is left out: it has no cancellation, so a ``$/cancel_request`` is seen on the wire
    and never answered.
Deliberately does not know: which agent it runs. That one's stderr is this process's stderr.
Above it: tests/interop. Below it: agent-client-protocol.
"""

import asyncio
import json
import os
import sys
import threading
from collections import defaultdict
from contextvars import ContextVar
from typing import Any, cast

import acp
from acp.connection import StreamDirection, StreamEvent
from acp.schema import (
    ClientCapabilities,
    ElicitationCapabilities,
    Implementation,
    RequestPermissionResponse,
)
from pydantic import BaseModel

CAPABILITY = json.loads(os.environ.get("ACP_ELICITATION", '{"form":{},"url":{}}'))
PROMPTS = json.loads(os.environ.get("ACP_PROMPTS", '["form"]'))
POLICY = json.loads(os.environ.get("ACP_POLICY", '[{"do":"decline"}]'))

# The SDK does not tell a handler the id of its request; the observer of messages runs in the
# context from which the handler's task is made, so a context variable carries it over.
incoming_id: ContextVar[Any] = ContextVar("incoming_id")


def seen(kind: str, **fields: Any) -> None:
    sys.stdout.write(json.dumps({"seen": kind, **fields}, ensure_ascii=False) + "\n")
    sys.stdout.flush()


def dumped(model: BaseModel) -> Any:
    return model.model_dump(mode="json", by_alias=True, exclude_none=True)


class InteropClient:
    """The client side of every scenario, for one session."""

    agent: acp.Agent

    def __init__(self) -> None:
        self.asked = 0
        self.session_id = ""
        self.cancelled: defaultdict[Any, asyncio.Event] = defaultdict(asyncio.Event)
        self.completed: defaultdict[str, asyncio.Event] = defaultdict(asyncio.Event)
        self.gone = asyncio.Event()

    def on_connect(self, conn: acp.Agent) -> None:
        self.agent = conn

    def observe(self, event: StreamEvent) -> None:
        if event.direction is not StreamDirection.INCOMING:
            return
        message = event.message
        match message.get("method"):
            case "elicitation/create":
                incoming_id.set(message["id"])
                seen("wire", id=message["id"], params=message["params"])
            case "$/cancel_request":
                seen("cancel_request", requestId=message["params"]["requestId"])
                self.cancelled[message["params"]["requestId"]].set()

    async def create_elicitation(self, message: str, mode: Any, **kwargs: Any) -> Any:
        seen("elicitation", id=incoming_id.get(), params={"message": message, **dumped(mode)})
        rule = POLICY[min(self.asked, len(POLICY) - 1)]
        self.asked += 1
        await self.agent.ext_notification("interop/shown", {})
        if rule.get("send") == "session/cancel":
            await self.agent.cancel(self.session_id)
        await self._moment(rule, mode)
        match rule["do"]:
            case "accept":
                return acp.AcceptElicitationResponse(action="accept", content=rule.get("content"))
            case "decline":
                return acp.DeclineElicitationResponse(action="decline")
            case "cancel":
                return acp.CancelElicitationResponse(action="cancel")
            case "result":
                return rule["result"]
            case "error":
                raise acp.RequestError(rule["code"], "refused by policy")
            case "close":
                os._exit(0)
            case _:
                return await asyncio.Event().wait()

    async def _moment(self, rule: dict[str, Any], mode: Any) -> None:
        if rule.get("when") == "completed":
            await self.completed[mode.elicitation_id].wait()
        if rule.get("when") == "cancelled":
            await self.cancelled[incoming_id.get()].wait()

    async def complete_elicitation(self, elicitation_id: str, **kwargs: Any) -> None:
        seen("completed", elicitationId=elicitation_id)
        self.completed[elicitation_id].set()

    async def request_permission(
        self, session_id: str, tool_call: Any, options: list[Any], **kwargs: Any
    ) -> Any:
        seen(
            "permission",
            params={"sessionId": session_id, "options": [dumped(option) for option in options]},
        )
        outcome = {"outcome": "selected", "optionId": options[0].option_id}
        return RequestPermissionResponse.model_validate({"outcome": outcome})

    async def session_update(self, session_id: str, update: Any, **kwargs: Any) -> None:
        seen("update", update=dumped(update))


async def converse(agent: acp.Agent, client: InteropClient) -> None:
    elicitation = None if CAPABILITY is None else ElicitationCapabilities.model_validate(CAPABILITY)
    initialized = await agent.initialize(
        protocol_version=1,
        client_capabilities=ClientCapabilities(elicitation=elicitation),
        client_info=Implementation(name="interop-py", title="Interop (Python)", version="1"),
    )
    seen("initialized", result=dumped(initialized))
    session = await agent.new_session(cwd=os.getcwd(), mcp_servers=[])
    client.session_id = session.session_id
    seen("session", sessionId=session.session_id)
    for text in PROMPTS:
        try:
            result = await agent.prompt(
                session_id=session.session_id, prompt=[acp.text_block(text)]
            )
        except acp.RequestError as error:
            seen("error", code=error.code, message=str(error), data=error.data)
        else:
            seen("turn", stopReason=result.stop_reason, result=dumped(result))


async def main(command: list[str]) -> None:
    client = InteropClient()
    spawned = acp.spawn_agent_process(
        cast(acp.Client, client),
        *command,
        env=os.environ,
        transport_kwargs={"stderr": None, "limit": 16 * 1024 * 1024},
        use_unstable_protocol=True,
        observers=[client.observe],
    )
    async with spawned as (agent, process):
        try:
            await converse(agent, client)
        except ConnectionError as error:
            seen("closed", message=str(error))
    seen("exit", code=process.returncode)


if __name__ == "__main__":
    watchdog = threading.Timer(45, os._exit, (70,))  # no peer outlives a test
    watchdog.daemon = True
    watchdog.start()
    asyncio.run(main(sys.argv[1:]))

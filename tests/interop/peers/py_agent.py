"""An agent on the official Python SDK (v1) that runs the scenario named by the prompt.

Owns: the same scenarios and the same report as ``ts_agent.mjs`` (see there), through
    ``create_elicitation`` where the SDK can say it, through its untyped connection where not.
Deliberately does not know: who asks, or which answers are right. It has no gate, checks nothing.
Above it: tests/interop and any ACP client. Below it: agent-client-protocol.
"""

import asyncio
import json
import os
import sys
import threading
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from pathlib import Path
from typing import Any, cast

import acp
from acp.connection import StreamDirection, StreamEvent
from acp.schema import (
    AgentCapabilities,
    ClientCapabilities,
    ElicitationFormRequestMode,
    ElicitationFormSessionMode,
    ElicitationUrlSessionMode,
    Implementation,
)

QUESTIONS = json.loads((Path(__file__).parent / "questions.json").read_text(encoding="utf-8"))
Outcome = dict[str, Any]

# The SDK does not tell a handler the id of its request; the observer of messages runs in the
# context from which the handler's task is made, so a context variable carries it over.
incoming_id: ContextVar[Any] = ContextVar("incoming_id")


class Wire:
    """What passed on the connection: events to wait on, as the observer of the SDK saw them."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()
        self.last_asked_id: Any = None

    def __call__(self, event: StreamEvent) -> None:
        message = event.message
        if event.direction is StreamDirection.INCOMING and "method" in message:
            incoming_id.set(message.get("id"))
        if (
            event.direction is StreamDirection.OUTGOING
            and message.get("method") == "elicitation/create"
        ):
            self.last_asked_id = message["id"]
            self.asked.set()


class Turn:
    """One prompt being worked on: asks, and keeps the outcomes in the order of asking."""

    def __init__(self, agent: "InteropAgent", session_id: str) -> None:
        self.agent = agent
        self.session_id = session_id
        self.outcomes: list[Outcome | None] = []
        self.cancelled = asyncio.Event()

    async def ask(self, question: dict[str, Any]) -> Outcome:
        """Ask through the SDK's typed method."""
        scope = {"session_id": self.session_id, "tool_call_id": question.get("toolCallId")}
        if question["mode"] == "form":
            mode: Any = ElicitationFormSessionMode.model_validate(
                {**_camel(scope), "requestedSchema": question["requestedSchema"]}
            )
        else:
            mode = ElicitationUrlSessionMode.model_validate(
                {
                    **_camel(scope),
                    "elicitationId": question["elicitationId"],
                    "url": question["url"],
                }
            )
        return await self._outcome(self.agent.client.create_elicitation(question["message"], mode))

    async def ask_raw(self, question: dict[str, Any], *, scoped: bool = True) -> Outcome:
        """Ask what the SDK's types cannot say."""
        params = {**({"sessionId": self.session_id} if scoped else {}), **question}
        return await self._outcome(self.agent.untyped.send_request("elicitation/create", params))

    async def _outcome(self, answer: Awaitable[Any]) -> Outcome:
        slot = len(self.outcomes)
        self.outcomes.append(None)
        try:
            response = await answer
        except acp.RequestError as error:
            outcome: Outcome = {
                "error": {"code": error.code, "message": str(error), "data": error.data}
            }
        except Exception as error:
            outcome = {"error": {"message": str(error)}}
        else:
            outcome = (
                response
                if isinstance(response, dict)
                else response.model_dump(by_alias=True, exclude_none=True)
            )
        self.outcomes[slot] = outcome
        return outcome


def _camel(scope: dict[str, Any]) -> dict[str, Any]:
    return {"sessionId": scope["session_id"], "toolCallId": scope["tool_call_id"]}


async def form(turn: Turn) -> None:
    call = acp.start_tool_call("call-1", "Set up the project", kind="other", status="pending")
    await turn.agent.client.session_update(turn.session_id, call)
    await turn.ask({**QUESTIONS["form"], "toolCallId": "call-1"})


async def small(turn: Turn) -> None:
    await turn.ask(QUESTIONS["small"])


async def confirm(turn: Turn) -> None:
    await turn.ask(QUESTIONS["confirm"])


async def url(turn: Turn) -> None:
    outcome = await turn.ask(QUESTIONS["url"])
    if outcome.get("action") == "accept":
        await turn.agent.client.complete_elicitation(QUESTIONS["url"]["elicitationId"])


async def url_early(turn: Turn) -> None:
    answer = asyncio.create_task(turn.ask(QUESTIONS["url"]))
    await turn.agent.wire.asked.wait()
    await turn.agent.client.complete_elicitation(QUESTIONS["url"]["elicitationId"])
    await answer


async def url_silent(turn: Turn) -> None:
    await turn.ask(QUESTIONS["url"])


async def cancel_request(turn: Turn) -> None:
    await _ask_and_cancel(turn, turn.agent.wire.asked)


async def cancel_shown(turn: Turn) -> None:
    await _ask_and_cancel(turn, turn.agent.shown)


async def cancel_turn(turn: Turn) -> None:
    await _ask_and_cancel(turn, turn.cancelled)


async def _ask_and_cancel(turn: Turn, moment: asyncio.Event) -> None:
    answer = asyncio.create_task(turn.ask(QUESTIONS["small"]))
    await turn.agent.wire.asked.wait()
    await moment.wait()
    await turn.agent.untyped.send_notification(
        "$/cancel_request", {"requestId": turn.agent.wire.last_asked_id}
    )
    await answer


async def unadvertised(turn: Turn) -> None:
    for mode, name in (("form", "small"), ("url", "url")):
        if (turn.agent.capabilities or {}).get(mode) is None:
            await turn.ask(QUESTIONS[name])


async def two(turn: Turn) -> None:
    await asyncio.gather(turn.ask(QUESTIONS["small"]), turn.ask(QUESTIONS["second"]))


async def unknown_mode(turn: Turn) -> None:
    await turn.ask_raw(QUESTIONS["unknown-mode"])


async def unknown_property(turn: Turn) -> None:
    await turn.ask_raw(QUESTIONS["unknown-property"])


async def unknown_required(turn: Turn) -> None:
    await turn.ask_raw(QUESTIONS["unknown-required"])


async def malformed(turn: Turn) -> None:
    for body in QUESTIONS["malformed"]:
        await turn.ask_raw(body)
    await turn.ask_raw(QUESTIONS["small"], scoped=False)


async def die(turn: Turn) -> None:
    await _ask_and_die(turn, turn.agent.wire.asked)


async def die_shown(turn: Turn) -> None:
    await _ask_and_die(turn, turn.agent.shown)


async def _ask_and_die(turn: Turn, moment: asyncio.Event) -> None:
    async with asyncio.TaskGroup() as group:
        group.create_task(turn.ask(QUESTIONS["small"]))
        await moment.wait()
        os._exit(3)


async def request_scope(turn: Turn) -> None:
    turn.outcomes.extend(turn.agent.in_new_session)


SCENARIOS: dict[str, Callable[[Turn], Awaitable[None]]] = {
    "form": form,
    "small": small,
    "confirm": confirm,
    "url": url,
    "url-early": url_early,
    "url-silent": url_silent,
    "cancel-request": cancel_request,
    "cancel-shown": cancel_shown,
    "cancel-turn": cancel_turn,
    "unadvertised": unadvertised,
    "two": two,
    "unknown-mode": unknown_mode,
    "unknown-property": unknown_property,
    "unknown-required": unknown_required,
    "malformed": malformed,
    "die": die,
    "die-shown": die_shown,
    "request-scope": request_scope,
}


class InteropAgent:
    """The agent side of every scenario; one session at a time is enough here."""

    client: Any

    def __init__(self) -> None:
        self.wire = Wire()
        self.shown = asyncio.Event()
        self.capabilities: dict[str, Any] | None = None
        self.in_new_session: list[Outcome | None] = []
        self.turns: dict[str, Turn] = {}
        self.sessions = 0

    @property
    def untyped(self) -> Any:
        """The SDK's own JSON-RPC connection, for what its typed methods cannot send."""
        return self.client._conn

    def on_connect(self, conn: acp.Client) -> None:
        self.client = conn

    async def initialize(
        self,
        protocol_version: int,
        client_capabilities: ClientCapabilities | None = None,
        client_info: Implementation | None = None,
        **kwargs: Any,
    ) -> acp.InitializeResponse:
        elicitation = client_capabilities.elicitation if client_capabilities else None
        self.capabilities = (
            elicitation.model_dump(by_alias=True, exclude_none=True) if elicitation else None
        )
        return acp.InitializeResponse(
            protocol_version=acp.PROTOCOL_VERSION,
            agent_info=Implementation(name="interop-py", title="Interop (Python)", version="1"),
            agent_capabilities=AgentCapabilities(),
        )

    async def new_session(self, cwd: str, **kwargs: Any) -> acp.NewSessionResponse:
        if "ask-in-new-session" in sys.argv[1:]:
            turn = Turn(self, "")
            mode = ElicitationFormRequestMode.model_validate(
                {
                    "requestId": incoming_id.get(),
                    "requestedSchema": QUESTIONS["small"]["requestedSchema"],
                }
            )
            await turn._outcome(self.client.create_elicitation(QUESTIONS["small"]["message"], mode))
            self.in_new_session = turn.outcomes
        self.sessions += 1
        return acp.NewSessionResponse(session_id=f"session-{self.sessions}")

    async def prompt(self, session_id: str, prompt: list[Any], **kwargs: Any) -> acp.PromptResponse:
        text = "".join(block.text for block in prompt if block.type == "text").strip()
        turn = self.turns[session_id] = Turn(self, session_id)
        self.wire.asked.clear()
        if text.startswith("raw "):
            await turn.ask_raw(json.loads(text.removeprefix("raw ")))
        elif scenario := SCENARIOS.get(text):
            await scenario(turn)
        report = {"scenario": text, "outcomes": turn.outcomes, "capabilities": self.capabilities}
        await self.client.session_update(
            session_id, acp.update_agent_message_text(json.dumps(report))
        )
        return acp.PromptResponse(
            stop_reason="cancelled" if turn.cancelled.is_set() else "end_turn"
        )

    async def cancel(self, session_id: str, **kwargs: Any) -> None:
        if turn := self.turns.get(session_id):
            turn.cancelled.set()

    async def ext_notification(self, method: str, params: dict[str, Any]) -> None:
        if method == "interop/shown":
            self.shown.set()


async def main() -> None:
    agent = InteropAgent()
    await acp.run_agent(cast(acp.Agent, agent), use_unstable_protocol=True, observers=[agent.wire])


if __name__ == "__main__":
    watchdog = threading.Timer(45, os._exit, (70,))  # no peer outlives a test
    watchdog.daemon = True
    watchdog.start()
    asyncio.run(main())
    sys.exit(0)

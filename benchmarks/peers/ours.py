"""This package: `Elicitor.form` with a pydantic model against `Responder`, everything checked.

Owns: the same question as everyone's, by the public face of both sides, from the agent's call to
    the typed value: mode gate, reading, limits, queue, draft, both checks, ledgers, the instance.
Deliberately does not know: how it is compared.
Above it: benchmarks/run.py. Below it: acp_elicitation.
"""

import asyncio
import json
import sys
from typing import Any, Literal

import msgspec
from pydantic import BaseModel, Field

from acp_elicitation.agent.serve import Agent, AgentConnection
from acp_elicitation.agent.turn import Turn
from acp_elicitation.client.launch import launch
from acp_elicitation.client.prompts import FormPrompt, LinkPrompt, Prompt, Reply
from acp_elicitation.client.responder import Responder
from acp_elicitation.client.session import ClientConnection, Session
from acp_elicitation.forms.describe import describe
from acp_elicitation.protocol.answers import Accepted, Declined
from acp_elicitation.protocol.handshake import Implementation
from acp_elicitation.protocol.schema_wire import write_schema
from acp_elicitation.protocol.version import V1
from acp_elicitation.wire.sockets import open_pair
from benchmarks.peers.pacing import QUESTION, obey, seconds_each

INFO = Implementation(name="bench", version="1")


class Project(BaseModel):
    """The question of question.json, as a type."""

    name: str = Field(title="Name", min_length=2, max_length=40)
    workers: int = Field(4, title="Workers", ge=1, le=64)
    dry_run: bool = Field(True, title="Dry run", description="Only show the diff")
    strategy: Literal["conservative", "balanced", "aggressive"] = Field(
        "balanced", title="Strategy"
    )
    extras: list[Literal["tests", "docs", "ci"]] = Field(default_factory=list, title="Extras")


class Instant:
    """A user who fills in every form alike, and at once."""

    async def form(self, prompt: FormPrompt) -> Reply:
        """Submit the content of question.json."""
        return Accepted(QUESTION["content"])

    async def link(self, prompt: LinkPrompt) -> Reply:
        """Not asked here."""
        return Declined()

    async def withdraw(self, prompt: Prompt, why: str) -> None:
        """Nothing is on a screen."""


async def on_prompt(turn: Turn) -> None:
    """Measure as the prompt says, and say the seconds."""
    elicitor, session, message = turn.elicitor, turn.session_id, QUESTION["message"]

    async def ask() -> object:
        return (await elicitor.form(message, Project, session=session)).unwrap()

    seconds = await seconds_each(ask, **json.loads(turn.text))
    turn.say(repr(seconds))


AGENT = Agent(on_prompt, name="bench", version="1")


class Said:
    """What the agent said last."""

    text = ""

    def __call__(self, session_id: str, update: dict[str, Any]) -> None:
        """Take one update."""
        if update["sessionUpdate"] == "agent_message_chunk":
            self.text = update["content"]["text"]


async def obey_over(session: Session, said: Said) -> None:
    """Carry each command to the agent as a prompt, and its seconds back."""

    async def measure(questions: int, at_once: int) -> float:
        await session.prompt(json.dumps({"questions": questions, "at_once": at_once}))
        return float(said.text)

    await obey(measure)


async def over_socketpair() -> None:
    """Both sides in this process."""
    said = Said()
    client = ClientConnection(Responder(Instant()), on_update=said, info=INFO)
    agent = AgentConnection(AGENT)
    near, far = await open_pair(client, agent)
    client.attach(near)
    agent.attach(far)
    await client.initialize(V1)
    await obey_over(await client.new_session("/"), said)
    near.close()


async def over_stdio() -> None:
    """The client here, the agent a child that asks and measures."""
    said = Said()
    command = (sys.executable, "-m", __spec__.name, "agent")
    launched = launch(command, Responder(Instant()), on_update=said, info=INFO, protocol="1")
    async with launched as running:
        await obey_over(await running.client.new_session("/"), said)


def check_that_the_question_is_everyones() -> None:
    """Measure nothing that says less than the others say."""
    mine = len(msgspec.json.encode(write_schema(describe(Project).schema)))
    theirs = len(msgspec.json.encode(QUESTION["requestedSchema"]))
    if mine < theirs:
        raise SystemExit(f"the form is smaller than everyone's: {mine} and {theirs} bytes")


if __name__ == "__main__":
    check_that_the_question_is_everyones()
    part = {"socketpair": over_socketpair, "stdio": over_stdio, "agent": AGENT.serve_stdio}
    asyncio.run(part[sys.argv[1]]())

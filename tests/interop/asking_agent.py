"""Our agent, as official clients meet it: asks what the prompt names, reports what came of it.

Owns: one scenario per prompt, and a `REPORT {json}` line on stderr for each question.
Deliberately does not know: which client answers.
Above it: test_official_clients.py. Below it: acp_elicitation.agent.
"""

import asyncio
import datetime
import json
import sys
from collections.abc import Awaitable, Callable
from typing import Any, Literal

from pydantic import BaseModel, Field

from acp_elicitation.agent.serve import Agent, NewSession
from acp_elicitation.agent.turn import StopReason, Turn
from acp_elicitation.protocol.answers import Accepted, Cancelled, Declined

URL = "https://agent.example/connect/link-1"


class Project(BaseModel):
    """One property of each kind that the protocol has, with and without constraints."""

    name: str = Field(min_length=2, max_length=20, pattern=r"^[a-z][a-z0-9-]*$", title="Name")
    notes: str | None = Field(default=None, description="Anything else")
    start: datetime.date | None = None
    ratio: float = Field(default=0.5, ge=0, le=1)
    workers: int = Field(default=4, ge=1, le=64)
    private: bool = True
    license: Literal["MIT", "Apache-2.0"] = "MIT"
    extras: list[Literal["tests", "docs", "ci"]] = Field(default=["tests"], max_length=2)


class Branch(BaseModel):
    branch: str


def report(**fields: Any) -> None:
    sys.stderr.write(f"REPORT {json.dumps(fields)}\n")
    sys.stderr.flush()


async def reported(answer: Awaitable[Any]) -> Any:
    """Await an answer and report it; an exception is reported and swallowed."""
    try:
        got = await answer
    except asyncio.CancelledError:
        report(raised="CancelledError")
        raise
    except Exception as error:
        problems = [[p.property, p.code] for p in getattr(error, "problems", ())]
        report(raised=type(error).__name__, text=str(error), problems=problems)
        return None
    match got:
        case Accepted(value=BaseModel() as value):
            report(
                answer="Accepted", type=type(value).__name__, value=value.model_dump(mode="json")
            )
        case Accepted():
            report(answer="Accepted")
        case Declined():
            report(answer="Declined")
        case Cancelled(reason=reason, action=action):
            report(answer="Cancelled", reason=reason, action=action)
    return got


async def form(turn: Turn) -> None:
    tool = turn.start_tool("Set up the project")
    await reported(
        turn.elicitor.form(
            "Tell us about the project.", Project, session=turn.session_id, tool_call=tool
        )
    )
    turn.end_tool(tool)


async def small(turn: Turn) -> None:
    await reported(turn.elicitor.form("Which branch?", Branch, session=turn.session_id))


async def apart(turn: Turn) -> None:
    """Ask in a task of its own, which the end of the turn does not cancel."""
    asking = asyncio.create_task(small(turn))
    try:
        await asyncio.shield(asking)
    finally:
        await asyncio.wait([asking])


async def impatient(turn: Turn) -> None:
    await reported(turn.elicitor.form("Soon?", Branch, session=turn.session_id, timeout=0.3))


async def given_up(turn: Turn) -> None:
    """Ask, and cancel the asking task as soon as the question has been sent."""
    asking = asyncio.create_task(small(turn))
    await asyncio.sleep(0)
    asking.cancel()
    await asyncio.wait([asking])


async def link(turn: Turn) -> None:
    async def consent() -> Any:
        asked = await turn.elicitor.link("Please connect.", URL, session=turn.session_id)
        links.append(asked)
        return asked.answer

    links: list[Any] = []
    await reported(consent())
    if links and links[0].consented:
        waiting = asyncio.create_task(links[0].completed(timeout=10))
        turn.elicitor.complete(links[0].id)
        await waiting
        report(completed=links[0].id)
    elif links:
        await reported(links[0].completed())


async def link_early(turn: Turn) -> None:
    """Complete a link before its question is answered."""

    async def consent() -> Any:
        asked = await turn.elicitor.link(
            "Please connect.", URL, session=turn.session_id, link_id="early"
        )
        await asked.completed(timeout=10)
        report(completed=asked.id)
        return asked.answer

    asking = asyncio.create_task(reported(consent()))
    await asyncio.sleep(0)  # the question is sent
    turn.elicitor.complete("early")
    await asking


async def modes(turn: Turn) -> None:
    report(modes=sorted(turn.elicitor.modes))


SCENARIOS: dict[str, Callable[[Turn], Awaitable[None]]] = {
    "form": form,
    "small": small,
    "apart": apart,
    "impatient": impatient,
    "given-up": given_up,
    "link": link,
    "link-early": link_early,
    "modes": modes,
}


async def on_prompt(turn: Turn) -> StopReason | None:
    await SCENARIOS[turn.text](turn)
    turn.say("done")
    return None


async def on_session(session: NewSession) -> None:
    if "ask-in-new-session" in sys.argv[1:]:
        await reported(session.elicitor.form("Which branch?", Branch, request=session.request_id))


if __name__ == "__main__":
    agent = Agent(
        on_prompt, name="asking", title="Asking agent", version="1", on_session=on_session
    )
    asyncio.run(agent.serve_stdio())

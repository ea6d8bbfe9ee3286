"""An agent without any SDK, in twenty lines: it asks how to refactor, and does as it is told.

Run it in this terminal:  acp-elicit chat -- python examples/agent.py
"""

import asyncio
from typing import Literal

from pydantic import BaseModel, Field

from acp_elicitation import Accepted, Agent, Cancelled, Declined, Turn


class Refactoring(BaseModel):
    """How to go about it."""

    strategy: Literal["conservative", "balanced", "aggressive"] = "balanced"
    dry_run: bool = Field(default=True, title="Dry run", description="Only show the diff")


async def on_prompt(turn: Turn) -> None:
    """Ask, and say what comes of it."""
    answer = await turn.elicitor.form(
        "How should I approach this refactoring?", Refactoring, session=turn.session_id
    )
    match answer:
        case Accepted(value=refactoring):
            turn.say(f"Strategy: {refactoring.strategy}, dry run: {refactoring.dry_run}.")
        case Declined():
            turn.say("Then I leave the code as it is.")
        case Cancelled():
            turn.say("I will ask again another time.")


if __name__ == "__main__":
    asyncio.run(Agent(on_prompt, name="refactorer", version="1.0").serve_stdio())

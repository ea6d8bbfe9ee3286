"""The demo agent: it sets a project up, and asks what it needs to know. It changes nothing.

Owns: one believable conversation that shows every kind of question, a question that depends on an
answer before it, what an agent does with a no, and a link that completes.
Knows nothing of: how the client shows questions. Above it: `python -m acp_elicitation.demo`.
Below it: `agent`, `questions`, `approval`.
"""

import json
from collections.abc import Mapping
from typing import Any, assert_never

from acp_elicitation.agent.outstanding import new_link_id
from acp_elicitation.agent.serve import Agent
from acp_elicitation.agent.turn import Turn
from acp_elicitation.demo.approval import ApprovalPage
from acp_elicitation.demo.questions import (
    ANNOUNCEMENT,
    DATABASES,
    POSTGRESQL,
    PROJECT,
    SQLITE,
)
from acp_elicitation.protocol.answers import Accepted, Cancelled, Declined
from acp_elicitation.protocol.errors import AnswerTimeout

__all__ = ["demo_agent"]

_PATIENCE = 300.0
"""Seconds that the agent waits for the page behind its link."""


def demo_agent() -> Agent:
    """Return the agent that `python -m acp_elicitation.demo` serves."""
    return Agent(
        _on_prompt, name="acp-elicitation-demo", title="Project setup (demo)", version="1.0"
    )


async def _on_prompt(turn: Turn) -> None:
    turn.think("A new project needs a name, a license and a database. I had better ask.")
    turn.say("I will set up a Python project with you. Nothing is written: this is a demo.\n")
    missing = [mode for mode in ("form", "url") if mode not in turn.elicitor.modes]
    if missing:  # CAP-5
        turn.say(f"Your client cannot show questions ({', '.join(missing)} mode is missing).\n")
        return
    project = await _ask_about_project(turn)
    if project is None:
        return
    settings = await _ask_about_database(turn, project["database"])
    project |= {"settings": settings} if settings else {}
    connected = await _connect(turn)
    _write(turn, project, connected=connected)
    await _announce(turn, project["name"])


async def _ask_about_project(turn: Turn) -> dict[str, Any] | None:
    answer = await turn.elicitor.form(
        "What should the new project look like?", PROJECT, session=turn.session_id
    )
    match answer:
        case Accepted(value=project):
            return project
        case Declined():
            turn.say("Understood, no project then.\n")
        case Cancelled():
            turn.say("I have stopped. Ask me again when you know more.\n")
        case _ as never:
            assert_never(never)
    return None


async def _ask_about_database(turn: Turn, database: str) -> dict[str, Any]:
    """Ask what follows from the answer before; a no means the usual settings."""
    schema = {"postgresql": POSTGRESQL, "sqlite": SQLITE}.get(database)
    if schema is None:
        return {}
    answer = await turn.elicitor.form(
        f"How is {DATABASES[database]} to be used?", schema, session=turn.session_id
    )
    if not isinstance(answer, Accepted):
        turn.say("I take the usual settings for the database.\n")
    return answer.value_or({})


async def _connect(turn: Turn) -> bool:
    """Put a link before the user and wait for the page behind it (URL-1, URL-5)."""
    link_id = new_link_id()
    page = ApprovalPage(lambda: turn.elicitor.complete(link_id))
    async with page:
        link = await turn.elicitor.link(
            "Please approve the connection to a repository. The page is served by this demo.",
            page.url,
            session=turn.session_id,
            link_id=link_id,
        )
        if not link.consented:
            turn.say("I leave the repository unconnected.\n")
            return False
        try:
            await link.completed(timeout=_PATIENCE)
        except AnswerTimeout:
            link.withdraw()
            turn.say("Nobody approved it in time, so I leave the repository unconnected.\n")
            return False
    turn.say("The repository is connected.\n")
    return True


def _write(turn: Turn, project: Mapping[str, Any], *, connected: bool) -> None:
    tool = turn.start_tool(f"Write {project['name']}/pyproject.toml", kind="edit")
    turn.end_tool(tool)
    turn.say("This is what I would have written:\n\n")
    for name, value in {**project, "connected": connected}.items():
        turn.say(f"    {name} = {_toml(value)}\n")


def _toml(value: object) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case Mapping():
            return (
                "{ " + ", ".join(f"{name} = {_toml(part)}" for name, part in value.items()) + " }"
            )
        case list():
            return "[" + ", ".join(map(_toml, value)) + "]"
        case str():
            return json.dumps(value, ensure_ascii=False)
        case _:
            return str(value)


async def _announce(turn: Turn, name: str) -> None:
    """Ask for a plain yes; a no is respected, and the work goes on without."""
    answer = await turn.elicitor.form(
        f"Shall I announce {name} to the whole company by e-mail?",
        ANNOUNCEMENT,
        session=turn.session_id,
    )
    match answer:
        case Accepted():
            turn.say("I would have announced it now. All done.\n")
        case Declined():
            turn.say("No announcement, then. All done.\n")
        case Cancelled():
            turn.say("I take that as a no: no announcement. All done.\n")
        case _ as never:
            assert_never(never)

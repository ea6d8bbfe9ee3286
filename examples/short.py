"""The short questions, and what to do where the client cannot show a form.

Run it in this terminal:  acp-elicit chat -- python examples/short.py
"""

import asyncio

from acp_elicitation import Agent, Ladder, Turn, via_permission, via_text


async def on_prompt(turn: Turn) -> None:
    """Ask four questions, and say what comes of them."""
    ask, session = turn.elicitor, turn.session_id
    name = await ask.text(
        "Name of the function?", min_length=1, pattern=r"^[a-z_]\w*$", session=session
    )
    database = await ask.choose(
        "Which database?",
        {"pg": "PostgreSQL", "sqlite": "SQLite"},
        session=session,
        fallback=Ladder(via_permission, via_text, "sqlite"),
    )
    extras = await ask.choose_many("Which extras?", ["tests", "docs"], session=session)
    if await ask.confirm("Overwrite config.toml?", session=session):
        turn.say(f"{name.value_or('main')} uses {database.unwrap()}, with {extras.value_or([])}.")
    else:
        turn.say("Nothing was written.")


if __name__ == "__main__":
    asyncio.run(Agent(on_prompt, name="short", version="1.0").serve_stdio())

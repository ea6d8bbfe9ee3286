"""An agent that asks for one property of each kind, or for a link: the prompt says for what."""

import asyncio
import contextlib
import sys
from collections.abc import Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from acp_elicitation.agent.serve import Agent
from acp_elicitation.agent.turn import Turn
from acp_elicitation.protocol.answers import Accepted, Answer, Cancelled, Declined
from acp_elicitation.protocol.errors import AnswerTimeout
from acp_elicitation.protocol.schema import (
    BooleanProperty,
    FormSchema,
    IntegerProperty,
    MultiSelectProperty,
    NumberProperty,
    Option,
    Property,
    SelectProperty,
    StringProperty,
    UnknownProperty,
)

OPTIONS = (Option(value="r", title="Red"), Option(value="g", title="Green"))
KINDS: Mapping[str, Property] = {
    "word": StringProperty(title="Word", min_length=3, max_length=8),
    "text": StringProperty(title="Text"),
    "mail": StringProperty(title="Mail", format="email"),
    "date": StringProperty(title="Date", format="date"),
    "number": NumberProperty(title="Number", maximum=10),
    "integer": IntegerProperty(title="Integer", minimum=1),
    "boolean": BooleanProperty(title="Boolean"),
    "select": SelectProperty(title="Select", options=OPTIONS),
    "several": MultiSelectProperty(title="Several", options=OPTIONS, min_items=1),
    "unknown": UnknownProperty(type="object", title="Unknown"),
}
LINKS = {"link": "https://example.com/connect", "odd": "https://login.example.com:8443/" + "x" * 90}


def named(answer: Answer[object]) -> str:
    match answer:
        case Accepted(value=value):
            return f"accepted {value}"
        case Declined():
            return "declined"
        case Cancelled():
            return "cancelled"


async def ask(turn: Turn) -> None:
    session = turn.session_id
    match turn.text:
        case "link" | "odd" as which:
            link = await turn.elicitor.link("Please connect.", LINKS[which], session=session)
            turn.say(f"Answer: {named(link.answer)}.\n")
            if link.consented:
                turn.elicitor.complete(link.id)
        case "withdraw":
            schema = FormSchema(properties={"word": KINDS["word"]})
            with contextlib.suppress(AnswerTimeout):
                await turn.elicitor.form("Quick!", schema, session=session, timeout=1.5)
            turn.say("It went.\n")
        case kind:
            schema = FormSchema(properties={kind: KINDS[kind]})
            answer = await turn.elicitor.form(f"Give me: {kind}", schema, session=session)
            turn.say(f"Answer: {named(answer)}.\n")


if __name__ == "__main__":
    asyncio.run(Agent(ask, name="asker", title="Asker", version="1.0").serve_stdio())

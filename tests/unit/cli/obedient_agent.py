"""An agent that does what its prompt says, for the tests of the command line.

`python obedient_agent.py [1]`: with 1 it speaks protocol version 1 only.
"""

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Awaitable, Callable

from acp_elicitation.agent.serve import Agent, NewSession
from acp_elicitation.agent.turn import StopReason, Turn
from acp_elicitation.protocol.answers import Accepted, Answer, Cancelled, Declined
from acp_elicitation.protocol.errors import AnswerTimeout, ErrorReply
from acp_elicitation.protocol.schema import FormSchema, Property, StringProperty
from acp_elicitation.protocol.version import ALL_VERSIONS, V1

FORM: dict[str, Property] = {"colour": StringProperty(title="Colour")}


async def ask(turn: Turn, message: str, *, timeout: float | None = None) -> str:
    answer = await turn.elicitor.form(
        message, FormSchema(properties=FORM), session=turn.session_id, timeout=timeout
    )
    return named(answer)


def named(answer: Answer[object]) -> str:
    match answer:
        case Accepted(value=value):
            return f"accepted {value}"
        case Declined():
            return "declined"
        case Cancelled(reason=reason):
            return f"cancelled {reason}"


async def answer_of_ask(turn: Turn) -> None:
    turn.say(f"Answered: {await ask(turn, 'Which colour?')}\n")


async def confirm(turn: Turn) -> None:
    form = FormSchema(properties={})
    answer = await turn.elicitor.form("Go on?", form, session=turn.session_id)
    turn.say(f"Answered: {named(answer)}\n")


async def permit(turn: Turn) -> None:
    options = [
        {"optionId": "o1", "name": "Allow", "kind": "allow_once"},
        {"optionId": "o2", "name": "Reject", "kind": "reject_once"},
    ]
    result = await turn.elicitor._channel.request(
        "session/request_permission",
        {
            "sessionId": turn.session_id,
            "title": "Paint the wall",
            "toolCall": {"toolCallId": "t1", "title": "Paint the wall"},
            "options": options,
        },
    )
    turn.say(f"Answered: {result}\n")


async def link(turn: Turn) -> None:
    asked = await turn.elicitor.link(
        "Please connect.", "https://example.com/connect", session=turn.session_id
    )
    LINKS.append(asked.id)
    turn.say(f"Answered: {named(asked.answer)}\n")


async def wait_for_link(turn: Turn) -> None:
    asked = await turn.elicitor.link(
        "Please connect.", "https://example.com/connect", session=turn.session_id
    )
    turn.say("I wait for you. \n")
    await asked.completed()


async def complete(turn: Turn) -> None:
    turn.elicitor.complete(LINKS.pop())


async def show(turn: Turn) -> None:
    turn.think("Hm.")
    turn.say("Hello \x1b[31mred\x1b[0m world. ")
    turn.say("Second line\nof mine.")
    tool = turn.start_tool("Paint\nit")
    turn.end_tool(tool)
    turn.update("_vendor/thing", text="unseen")


async def error(turn: Turn) -> None:
    raise RuntimeError("secret detail")


async def crash(turn: Turn) -> None:
    os._exit(7)


async def stall(turn: Turn) -> None:
    turn.say("Waiting now. \n")
    await asyncio.Event().wait()


async def stubborn(turn: Turn) -> None:
    while True:
        try:
            await stall(turn)
        except asyncio.CancelledError:
            turn.say("I go on. \n")


async def withdraw(turn: Turn) -> None:
    try:
        await ask(turn, "Quickly?", timeout=0.5)
    except AnswerTimeout:
        turn.say(f"Answered: {await ask(turn, 'And now?')}\n")


async def vanish(turn: Turn) -> None:
    with contextlib.suppress(AnswerTimeout):
        await ask(turn, "Quickly?", timeout=0.5)


async def refuse(turn: Turn) -> StopReason:
    return "refusal"


async def chatter(turn: Turn) -> None:
    asking = asyncio.create_task(ask(turn, "Which colour?"))
    await asyncio.sleep(0)
    turn.say("In the middle of it. \n")
    print("noise on stderr", file=sys.stderr, flush=True)
    turn.say(f"Answered: {await asking}\n")


async def later(turn: Turn) -> None:
    """Ask when the turn is over already."""

    async def ask_later() -> None:
        turn.say(f"Answered: {await ask(turn, 'By the way?')}\n")

    TASKS.append(asyncio.create_task(ask_later()))


async def speak_later(turn: Turn) -> None:
    """Say something at a signal, when the turn is over already."""
    asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, turn.say, "By the way.\n")
    turn.say(f"I am process {os.getpid()}.\n")


async def stderr(turn: Turn) -> None:
    print("a line \x1b[2J on stderr", file=sys.stderr, flush=True)


async def flood(turn: Turn) -> None:
    print("    indented\n" * 500, end="", file=sys.stderr, flush=True)


COMMANDS: dict[str, Callable[[Turn], Awaitable[StopReason | None]]] = {
    "ask": answer_of_ask,
    "confirm": confirm,
    "permit": permit,
    "link": link,
    "wait for link": wait_for_link,
    "complete": complete,
    "show": show,
    "error": error,
    "crash": crash,
    "stall": stall,
    "stubborn": stubborn,
    "withdraw": withdraw,
    "vanish": vanish,
    "refuse": refuse,
    "chatter": chatter,
    "later": later,
    "speak later": speak_later,
    "stderr": stderr,
    "flood": flood,
}
LINKS: list[str] = []
TASKS: list[asyncio.Task[None]] = []


async def obey(turn: Turn) -> StopReason | None:
    if turn.text in COMMANDS:
        return await COMMANDS[turn.text](turn)
    turn.say(f"You said {turn.text!r}.\n")
    return None


async def on_session(session: NewSession) -> None:
    if session.cwd.endswith("log-in"):
        raise ErrorReply(-32000, "Authentication required")
    if session.cwd.endswith("ask-first"):
        await session.elicitor.form(
            "Who are you?", FormSchema(properties=FORM), request=session.request_id
        )


if __name__ == "__main__":
    if "noisy" in sys.argv:
        print("I am not JSON", flush=True)
    agent = Agent(
        obey,
        name="obedient",
        title="Obedient",
        version="1.0",
        on_session=on_session,
        supported=(V1,) if "1" in sys.argv else ALL_VERSIONS,
    )
    asyncio.run(agent.serve_stdio())

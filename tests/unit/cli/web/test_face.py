import asyncio
import logging
from collections.abc import AsyncIterator

import pytest

from acp_elicitation.cli.face import ExitCode
from acp_elicitation.cli.web.face import WebFace
from acp_elicitation.presenters.web.desk import Desk
from acp_elicitation.protocol.answers import Accepted, Cancelled, Declined
from tests.contract.presenters import form_prompt, link_prompt, permission_prompt
from tests.posting import read_page
from tests.web_client import found


class Acted:
    """What the page has done to the conversation: its `Controls`."""

    def __init__(self) -> None:
        self.done: list[object] = []

    def interrupt(self) -> None:
        self.done.append("interrupt")

    def leave(self, code: ExitCode) -> None:
        self.done.append(code)


class Shown:
    """A face on a desk."""

    def __init__(self) -> None:
        self.desk = Desk()
        self.calls: list[None] = []
        self.face = WebFace(self.desk, call_user=lambda: self.calls.append(None))
        self.acted = Acted()
        self.face.start(self.acted)

    @property
    def state(self) -> str:
        return found(self.desk.page(), "#state .doing").text().strip()

    @property
    def said(self) -> list[str]:
        return [block.text() for block in read_page(self.desk.page()).css(".said")]

    async def post(self, name: str) -> None:
        await self.desk.actions[name]({})


async def first_changes(desk: Desk, count: int) -> AsyncIterator[bytes]:
    """The first changes that the tabs were told of."""
    async for block in desk.events.stream(0):
        if block.startswith(b"id: "):
            yield block
        if block.startswith(b"id: %d\n" % count):
            return


@pytest.fixture
async def shown() -> Shown:
    return Shown()


async def test_the_state_follows_the_conversation(shown: Shown) -> None:
    face = shown.face
    assert shown.state.startswith("connecting")
    face.connected("Ada <1>", 2)
    assert shown.state.startswith("connecting")  # a session has to be opened yet
    face.invite()
    assert shown.state == "your turn"
    assert shown.said == ["Connected, protocol version 2: Ada <1>"]
    face.turn_began()
    assert shown.state.startswith("the agent is working")
    await shown.post("stop")
    assert shown.acted.done == ["interrupt"]
    face.turn_is_cancelled()
    assert shown.state.startswith("cancelling")
    face.turn_ended()
    assert shown.state == "your turn"


async def test_a_question_is_announced_and_how_it_ended_is_noted(shown: Shown) -> None:
    face = shown.face
    face.connected("Ada", 2)
    for ask, reply, words in (
        (face.form(form_prompt({})), Accepted({}), "Answered."),
        (face.link(link_prompt()), Declined(), "Declined. Nothing that you typed was sent."),
        (face.permission(permission_prompt()), Cancelled(),
         "Cancelled. Nothing that you typed was sent."),
    ):  # fmt: skip
        asking = asyncio.create_task(ask)
        await asyncio.sleep(0)
        assert face.question_is_up is True
        assert shown.state.startswith("waiting for your answer")
        question = face.questions.questions.current
        assert question is not None
        question.reply(reply)
        assert await asking == reply
        assert shown.said[-1] == words
        assert shown.state == "your turn"
    assert len(shown.calls) == 3


async def test_what_led_to_a_question_stands_above_it(shown: Shown) -> None:
    chunk = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "So:"}}
    shown.face.take_update("s", chunk)
    asking = asyncio.create_task(shown.face.form(form_prompt({})))
    await asyncio.sleep(0)
    changes = [block async for block in first_changes(shown.desk, 3)]
    assert b"So:" in changes[0]
    assert b"Which colour?" in changes[2]
    assert "So:" in shown.said[0]
    assert shown.face.interrupt_question() is True
    assert await asking == Cancelled()
    assert shown.face.interrupt_question() is False


async def test_a_withdrawn_question_is_noted_where_it_can_be_read_later(shown: Shown) -> None:
    prompt = form_prompt({})
    asking = asyncio.create_task(shown.face.form(prompt))
    await asyncio.sleep(0)
    asking.cancel()
    await asyncio.wait([asking])
    await shown.face.withdraw(prompt, "withdrawn")
    assert shown.said == ["This question was withdrawn. Nothing that you typed was sent."]


async def test_the_completion_of_a_link_is_noted(shown: Shown) -> None:
    prompt = link_prompt()
    waiting = asyncio.create_task(shown.face.wait_for_completion(prompt))
    await asyncio.sleep(0)
    prompt.completed.set()
    await waiting
    assert shown.said == ["The agent says that the link is complete."]


async def test_complaints_are_kept_for_the_terminal(shown: Shown) -> None:
    for number in range(5):
        shown.face.complain("it failed: {}", f"{number}\x1b[31m")
    shown.face.complain("", "alone")
    shown.face.log_handler().emit(
        logging.LogRecord("x", logging.WARNING, "", 0, "logged %s", ("this",), None)
    )
    assert shown.face.complaints == ["it failed: 4<U+001B>[31m", "alone", "logged this"]
    assert shown.said[-1] == "logged this"


async def test_what_the_agent_writes_beside_the_protocol_is_shown(shown: Shown) -> None:
    shown.face.take_stderr(b"a warning")
    shown.face.take_noise(b"\xff<b>")
    assert shown.said == ["agent's stderr: a warning\nagent's stdout, no message: \ufffd<b>"]


async def test_ending_it_in_the_page_is_shown_at_once(shown: Shown) -> None:
    shown.face.connected("Ada", 2)
    shown.face.invite()
    assert shown.face.is_read_on
    await shown.post("end")
    assert shown.acted.done == [ExitCode.DONE]
    assert shown.state == "The conversation is over. You can close this page."
    assert not shown.face.is_read_on


async def test_a_conversation_that_never_began_has_no_reader(shown: Shown) -> None:
    shown.face.complain("the agent could not be started")
    shown.face.end()
    assert not shown.face.is_read_on
    assert shown.face.interrupt_prompt() is False


async def test_a_prompt_that_is_read_is_shown_as_said(shown: Shown) -> None:
    shown.face.invite()
    reading = asyncio.create_task(shown.face.read_prompt())
    await asyncio.sleep(0)
    await shown.desk.actions["say"]({"text": ["Hello"]})
    assert await reading == "Hello"
    assert shown.state.startswith("the agent is working")
    assert shown.said == ["You:Hello"]

"""A conversation line by line: what is said of an agent that is silent for long."""

import asyncio
import os

from acp_elicitation.cli.console import Console
from acp_elicitation.cli.line_face import LineFace
from acp_elicitation.presenters.lines import DescriptorLines
from acp_elicitation.presenters.plain import PlainPresenter
from acp_elicitation.protocol.answers import Cancelled
from tests.contract.presenters import form_prompt
from tests.unit.presenters.dialogue import Shown

SILENCE = "Waiting for the agent for 0 s; Ctrl-C cancels."


class OnTerminal(Shown):
    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        raise OSError  # it has no size, so no line is wrapped


def face_on(out: Shown, *, first_word: float) -> LineFace:
    reading, writing = os.pipe()
    os.close(writing)
    lines = DescriptorLines(reading)
    console = Console(out, Shown(), dim=False)
    plain = PlainPresenter(lines, out, open_url=None)
    return LineFace(console, plain, lines, first_word=first_word)


async def test_a_long_silence_of_the_agent_is_told_until_its_turn_ends() -> None:
    out, other = OnTerminal(), OnTerminal()
    face, later = face_on(out, first_word=0.001), face_on(other, first_word=0.002)
    face.turn_began()
    await out.until(SILENCE)
    face.turn_ended()
    told = out.getvalue()
    later.turn_began()
    await other.until(SILENCE, count=2)
    later.turn_ended()
    assert out.getvalue() == told


async def test_while_a_question_is_up_it_is_the_user_who_is_waited_for() -> None:
    out, other = OnTerminal(), OnTerminal()
    face, later = face_on(out, first_word=0.001), face_on(other, first_word=0.002)
    async with face._console.taken_over():
        face.turn_began()
        later.turn_began()
        await other.until(SILENCE, count=2)
        assert SILENCE not in out.getvalue()
    await out.until(SILENCE)
    face.turn_ended()
    later.turn_ended()


async def test_nothing_is_told_where_no_terminal_is() -> None:
    out, other = Shown(), OnTerminal()
    face, later = face_on(out, first_word=0.001), face_on(other, first_word=0.002)
    face.turn_began()
    later.turn_began()
    await other.until(SILENCE, count=2)
    assert out.getvalue() == ""
    face.turn_ended()
    later.turn_ended()


async def test_a_sign_of_the_agent_begins_the_silence_anew() -> None:
    out = OnTerminal()
    face = face_on(out, first_word=60)
    face.turn_began()
    update = {"sessionUpdate": "tool_call", "toolCallId": "t", "title": "Paint"}
    began = face._patience._since
    await asyncio.sleep(0)
    face.take_update("s", update)
    assert face._patience._since > began
    face.turn_ended()
    assert isinstance(await face.presenter.form(form_prompt({})), Cancelled)

"""One terminal for the agent's work, its stderr, and the questions."""

import asyncio
import io
import logging
from typing import Literal

import pytest

from acp_elicitation.cli.console import Console
from acp_elicitation.cli.shared import SharedPresenter
from acp_elicitation.client.prompts import FormPrompt, LinkPrompt, Prompt, Reply
from acp_elicitation.presenters.lines import Line, Stop
from acp_elicitation.protocol.answers import Accepted, Cancelled, Declined
from tests.contract.presenters import form_prompt, link_prompt, permission_prompt

SAID = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "Hello "}}


class Terminal:
    """A console and what it wrote."""

    def __init__(self, *, dim: bool = False) -> None:
        self.out = io.StringIO()
        self.err = io.StringIO()
        self.console = Console(self.out, self.err, dim=dim)


class SlowPresenter:
    """A presenter that shows a question and has the test decide."""

    def __init__(self, terminal: Terminal) -> None:
        self._out = terminal.out
        self.asked = asyncio.Event()
        self.reply: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()

    async def form(self, prompt: FormPrompt) -> Reply:
        self._out.write("[question]")
        self.asked.set()
        return await self.reply

    async def link(self, prompt: LinkPrompt) -> Reply:
        return Declined()

    async def withdraw(self, prompt: Prompt, why: Literal["withdrawn", "expired"]) -> None:
        self._out.write(f"[{why}]")


@pytest.fixture
def terminal() -> Terminal:
    return Terminal()


def test_own_words_go_to_stdout_and_complaints_to_stderr(terminal: Terminal) -> None:
    terminal.console.take_update("s", SAID)
    terminal.console.tell("Own: ", "not\x1b own")
    terminal.console.complain("bad: ", "\x1b")
    terminal.console.take_stderr(b"\xff line")
    terminal.console.take_noise(b"noise")
    assert terminal.out.getvalue() == "Agent:\n| Hello \nOwn: not<U+001B> own\n"
    assert terminal.err.getvalue() == (
        "acp-elicit: bad: <U+001B>\n"
        "agent's stderr: \ufffd line\n"
        "agent's stdout, no message: noise\n"
    )


def test_the_agents_stderr_can_be_dimmed() -> None:
    terminal = Terminal(dim=True)
    terminal.console.take_stderr(b"\x1b[0m line")
    assert terminal.err.getvalue() == "\x1b[2magent's stderr: <U+001B>[0m line\x1b[0m\n"


def test_what_is_logged_is_a_complaint(terminal: Terminal) -> None:
    logger = logging.getLogger("acp_elicitation.test_console")
    logger.addHandler(terminal.console.log_handler())
    logger.propagate = False
    logger.warning("careful with %s", "this\n  File x.py, for developers")
    assert terminal.err.getvalue() == "acp-elicit: careful with this\n"


async def test_everything_else_waits_while_a_question_is_up(terminal: Terminal) -> None:
    console = terminal.console
    inner = SlowPresenter(terminal)
    asking = asyncio.create_task(SharedPresenter(inner, console).form(form_prompt({})))
    await inner.asked.wait()
    was_up = console.question_is_up
    console.take_update("s", SAID)
    console.take_stderr(b"noise")
    assert (terminal.out.getvalue(), terminal.err.getvalue()) == ("[question]", "")
    inner.reply.set_result(Accepted({}))
    assert await asking == Accepted({})
    assert (was_up, console.question_is_up) == (True, False)
    console.end_text()
    assert terminal.out.getvalue() == "[question]Agent:\n| Hello \n"
    assert terminal.err.getvalue() == "agent's stderr: noise\n"


async def test_a_withdrawn_question_is_explained_before_anything_else_is_shown(
    terminal: Terminal,
) -> None:
    console = terminal.console
    inner = SlowPresenter(terminal)
    shared = SharedPresenter(inner, console)
    asking = asyncio.create_task(shared.form(form_prompt({})))
    await inner.asked.wait()
    console.take_update("s", SAID)
    asking.cancel()
    await asyncio.wait([asking])
    assert asking.cancelled()
    await shared.withdraw(form_prompt({}), "withdrawn")
    console.end_text()
    assert terminal.out.getvalue() == "[question][withdrawn]Agent:\n| Hello \n"


async def test_a_presenter_that_fails_holds_nothing_back(terminal: Terminal) -> None:
    inner = SlowPresenter(terminal)
    inner.reply.set_exception(RuntimeError())
    with pytest.raises(RuntimeError):
        await SharedPresenter(inner, terminal.console).form(form_prompt({}))
    assert not terminal.console.question_is_up


async def test_what_the_inner_presenter_cannot_show_is_not_shown(terminal: Terminal) -> None:
    shared = SharedPresenter(SlowPresenter(terminal), terminal.console)
    assert await shared.link(link_prompt()) == Declined()
    assert await shared.permission(permission_prompt()) == Cancelled("not-shown")
    await shared.wait_for_completion(link_prompt())


async def test_a_question_takes_the_input_over_and_gives_it_back(terminal: Terminal) -> None:
    console = terminal.console
    asked: list[asyncio.Future[Line]] = []
    more = asyncio.Event()

    async def ask() -> Line:
        asked.append(asyncio.get_running_loop().create_future())
        more.set()
        return await asked[-1]

    reading = asyncio.create_task(console.read_when_free(ask))
    await more.wait()
    more.clear()
    async with console.taken_over():
        assert asked[0].cancelled()
        await asyncio.sleep(0)
        assert len(asked) == 1
    await more.wait()
    asked[1].set_result("a line")
    assert await reading == "a line"


async def test_a_line_that_is_no_longer_wanted_is_not_waited_for(terminal: Terminal) -> None:
    waiting = asyncio.Event()

    async def ask() -> Line:
        waiting.set()
        await asyncio.Event().wait()
        return Stop.END

    reading = asyncio.create_task(terminal.console.read_when_free(ask))
    await waiting.wait()
    reading.cancel()
    await asyncio.wait([reading])
    assert reading.cancelled()

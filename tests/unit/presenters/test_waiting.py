"""An opened link that waits for its completion in line mode: retry, done, and its length."""

import asyncio

import pytest

from acp_elicitation.presenters.page import Page
from acp_elicitation.presenters.waiting import CompletionWait
from acp_elicitation.protocol.answers import Declined
from tests.contract.presenters import link_prompt
from tests.unit.presenters.dialogue import Person, Shown


@pytest.mark.requirement("URL-8")
async def test_an_opened_link_can_be_tried_again_until_the_user_is_done() -> None:
    person = Person("r", "what", "RETRY", "d")
    await person.answers(person.presenter.wait_for_completion(link_prompt()))
    assert person.opened == ["https://example.com/connect?id=1"] * 2
    assert person.sees.count("Waiting for completion: r tries the link again") == 4


@pytest.mark.requirement("URL-8")
async def test_the_wait_ends_by_itself_when_the_agent_says_so() -> None:
    person = Person(ends=False)
    prompt = link_prompt()
    waiting = asyncio.create_task(person.presenter.wait_for_completion(prompt))
    await person.shown.until("Waiting for completion")
    prompt.completed.set()
    await person.answers(waiting)
    assert person.sees.endswith("\nThe agent says that the link is complete.\n")


@pytest.mark.requirement("URL-8")
async def test_the_wait_ends_with_the_input_and_with_an_interrupt() -> None:
    person = Person()
    await person.answers(person.presenter.wait_for_completion(link_prompt()))
    person = Person(ends=False)
    waiting = asyncio.create_task(person.presenter.wait_for_completion(link_prompt()))
    await person.shown.until("Waiting for completion")
    for _ in range(3):
        await asyncio.sleep(0)  # until the line is awaited
    assert person.lines.interrupt()
    await person.answers(waiting)
    assert person.opened == []


@pytest.mark.requirement("URL-8")
async def test_a_completion_is_told_even_if_the_next_question_comes_with_it() -> None:
    person = Person(ends=False)
    prompt = link_prompt()
    waiting = asyncio.create_task(person.presenter.wait_for_completion(prompt))
    await person.shown.until("Waiting for completion")
    prompt.completed.set()
    waiting.cancel()
    await asyncio.wait([waiting])
    assert waiting.cancelled()
    assert person.sees.endswith("\nThe agent says that the link is complete.\n")
    person.close()


async def test_a_wait_that_is_taken_away_leaves_the_next_line_alone() -> None:
    person = Person(ends=False)
    waiting = asyncio.create_task(person.presenter.wait_for_completion(link_prompt()))
    await person.shown.until("Waiting for completion")
    waiting.cancel()
    await asyncio.wait([waiting])
    assert waiting.cancelled()
    person.types("decline")
    assert await person.answers(person.presenter.link(link_prompt())) == Declined()


@pytest.mark.requirement("URL-8")
async def test_nothing_stands_before_the_cursor_while_the_agent_may_write() -> None:
    person = Person("r", "what", "d")
    await person.answers(person.presenter.wait_for_completion(link_prompt()))
    assert person.sees.endswith("Done waiting. The agent may wait all the same.\n")
    assert "> " not in person.sees


class OnTerminal(Shown):
    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        raise OSError


@pytest.mark.requirement("URL-8")
async def test_a_terminal_shows_how_long_the_wait_is() -> None:
    person, out = Person(ends=False), OnTerminal()

    async def open_link(url: str) -> None:
        raise AssertionError(url)

    prompt = link_prompt()
    wait = CompletionWait(person.lines, Page(out), open_link, first_word=0.001)
    waiting = asyncio.create_task(wait.run(prompt))
    await out.until("Waiting for completion for 0 s: r tries the link again")
    prompt.completed.set()
    await person.answers(waiting)
    assert out.getvalue().endswith("The agent says that the link is complete.\n")

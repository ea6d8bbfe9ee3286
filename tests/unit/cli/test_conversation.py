"""A conversation on a real terminal: Ctrl-C, Ctrl-D, and who has the terminal when."""

import os
import re
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from tests.terminal.program import TerminalProgram, on_a_terminal
from tests.unit.cli.test_chat import AGENT, MAIN

CTRL_C, CTRL_D = b"\x03", b"\x04"


@asynccontextmanager
async def chat(*options: str) -> AsyncIterator[TerminalProgram]:
    command = (sys.executable, "-c", MAIN, "chat", *options, "--", *AGENT)
    async with on_a_terminal(*command) as program:
        await program.expects("Connected, protocol version 2: Obedient 1.0")
        yield program


async def test_a_prompt_is_typed_and_answered() -> None:
    async with chat() as program:
        await program.expects("you> ")
        program.types("hello")
        await program.expects("| You said 'hello'.")
        program.types('"""', "two", "lines", '"""')
        await program.expects(r"| You said 'two\nlines'.")
        await program.expects("you> ", count=3)
        program.presses(CTRL_D)
        assert await program.ends() == 0


async def test_an_empty_line_is_no_prompt() -> None:
    async with chat() as program:
        await program.expects("you> ")
        program.types("", "  ", "hello")
        output = await program.expects("| You said 'hello'.")
        assert output.count("You said") == 1


async def test_an_arrow_key_does_not_end_up_in_a_prompt() -> None:
    async with chat() as program:
        await program.expects("you> ")
        program.presses(b"hello\x1b[D\r")
        await program.expects("! That was not sent: it has control characters")
        program.types("hello")
        output = await program.expects("| You said 'hello'.")
        assert output.count("You said") == 1


async def test_ctrl_c_cancels_the_turn_and_two_more_at_the_prompt_end_it_all() -> None:
    async with chat() as program:
        await program.expects("you> ")
        program.types("stall")
        await program.expects("| Waiting now.")
        program.presses(CTRL_C)
        await program.expects("The turn ended: cancelled")
        await program.expects("you> ", count=2)
        program.presses(CTRL_C)  # one too many for the turn is none for the conversation
        await program.expects("Ctrl-C again, or Ctrl-D, ends the conversation.")
        program.presses(CTRL_C)
        assert await program.ends() == 0


async def test_after_a_cancelled_turn_the_conversation_goes_on() -> None:
    async with chat() as program:
        await program.expects("you> ")
        program.types("stall")
        await program.expects("| Waiting now.")
        program.presses(CTRL_C)
        await program.expects("you> ", count=2)
        program.types("hello")
        await program.expects("| You said 'hello'.")
        await program.expects("you> ", count=3)
        program.presses(CTRL_C)
        await program.expects("Ctrl-C again, or Ctrl-D, ends the conversation.")
        program.presses(CTRL_C)
        assert await program.ends() == 0


async def test_an_agent_that_goes_on_after_a_cancel_is_left_at_the_second_ctrl_c() -> None:
    async with chat() as program:
        await program.expects("you> ")
        program.types("stubborn")
        await program.expects("| Waiting now.")
        program.presses(CTRL_C)
        await program.expects("| I go on.")
        program.presses(CTRL_C)
        assert await program.ends() == 130


async def test_ctrl_c_during_a_scripted_prompt_is_exit_code_130() -> None:
    async with chat("--prompt", "stall", "never said") as program:
        await program.expects("| Waiting now.")
        program.presses(CTRL_C)
        assert await program.ends() == 130
        assert "never said" not in program.output


@pytest.mark.requirement("RES-1")
@pytest.mark.parametrize("keys", [CTRL_C, CTRL_D])
async def test_ctrl_c_and_ctrl_d_at_a_question_cancel_the_question_and_not_the_turn(
    keys: bytes,
) -> None:
    async with chat() as program:
        await program.expects("you> ")
        program.types("ask")
        await program.expects("1/1 Colour")
        await program.expects("> ", count=2)
        program.presses(keys)
        await program.expects("| Answered: cancelled None")
        await program.expects("you> ", count=2)
        program.types("ask")
        await program.expects("1/1 Colour", count=2)
        program.types("green", "submit")
        await program.expects("| Answered: accepted {'colour': 'green'}")


async def test_what_the_agent_says_meanwhile_is_held_back_while_a_question_is_up() -> None:
    async with chat() as program:
        await program.expects("you> ")
        program.types("chatter")
        await program.expects("1/1 Colour")
        program.types("green")
        await program.expects("submit, change NUMBER, decline or cancel> ")
        program.types("submit")
        await program.expects("| Answered: accepted {'colour': 'green'}")
        await program.expects("\x1b[2magent's stderr: noise on stderr\x1b[0m\r\n")
        before, _, rest = program.output.partition("Question from")
        question, _, after = rest.partition("Submitted.")
        assert "In the middle of it" not in before + question
        assert "noise on stderr" not in question
        assert "Agent:\r\n| In the middle of it." in after


async def test_a_question_takes_the_terminal_over_from_the_prompt_and_gives_it_back() -> None:
    async with chat() as program:
        await program.expects("you> ")
        program.types("later")
        await program.expects("| By the way?")
        program.types("green", "submit")
        await program.expects("| Answered: accepted {'colour': 'green'}")
        program.types("hello")
        await program.expects("| You said 'hello'.")


@pytest.mark.requirement("UI-2")
async def test_what_was_typed_for_a_withdrawn_question_goes_nowhere() -> None:
    async with chat() as program:
        await program.expects("you> ")
        program.types("withdraw")
        await program.expects("| Quickly?")
        program.presses(b"half an answ")
        await program.expects("This question was withdrawn. Nothing that you typed was sent.")
        await program.expects("Press Enter to go on> ")
        program.types("er")  # the rest of it, typed before its user has noticed
        await program.expects("1/1 Colour", count=2)
        program.types("green", "submit")
        await program.expects("| Answered: accepted {'colour': 'green'}")


@pytest.mark.requirement("UI-2")
async def test_what_was_typed_for_a_withdrawn_question_becomes_no_prompt() -> None:
    async with chat() as program:
        await program.expects("you> ")
        program.types("vanish")
        await program.expects("| Quickly?")
        program.presses(b"half an answ")
        await program.expects("Press Enter to go on> ")
        program.types("er")
        await program.expects("you> ", count=2)
        program.types("hello")
        await program.expects("| You said 'hello'.")
        assert program.output.count("You said") == 1


async def test_ctrl_c_before_going_on_after_a_withdrawal_is_one_at_the_prompt() -> None:
    async with chat() as program:
        await program.expects("you> ")
        program.types("vanish")
        await program.expects("Press Enter to go on> ")
        program.presses(CTRL_C)
        await program.expects("Ctrl-C again, or Ctrl-D, ends the conversation.")
        await program.expects("you> ", count=2)
        program.presses(CTRL_D)
        assert await program.ends() == 0


async def test_an_agent_that_does_not_answer_initialize_is_not_waited_for_in_silence() -> None:
    silent = (sys.executable, "-c", "import sys; sys.stdin.read()")
    async with on_a_terminal(sys.executable, "-c", MAIN, "chat", "--", *silent) as program:
        await program.expects("acp-elicit: waiting for 2 s for the agent's answer to initialize")
        program.presses(CTRL_C)
        assert await program.ends() == 130


async def test_ctrl_c_while_an_agent_does_not_answer_at_all_is_exit_code_130() -> None:
    silent = (sys.executable, "-c", "import sys; print('hello', flush=True); sys.stdin.read()")
    async with on_a_terminal(sys.executable, "-c", MAIN, "chat", "--", *silent) as program:
        await program.expects("agent's stdout")
        program.presses(CTRL_C)
        assert await program.ends() == 130


@pytest.mark.requirement("URL-8")
async def test_an_opened_link_is_waited_for_until_its_user_is_done() -> None:
    async with chat("--no-browser") as program:
        await program.expects("you> ")
        program.types("wait for link")
        await program.expects("yes, decline or cancel> ")
        program.types("yes")
        await program.expects("Waiting for completion: r tries the link again")
        await program.expects("\nAgent:\r\n| I wait for you.")
        program.types("r")
        await program.expects("Open this address in your browser:", count=2)
        program.types("d")
        await program.expects("Done waiting. The agent may wait all the same.")
        program.presses(CTRL_C)
        await program.expects("The turn ended: cancelled")
        await program.expects("you> ", count=2)
        assert "The turn is over." not in program.output


@pytest.mark.requirement("URL-8")
async def test_the_end_of_the_turn_gives_the_terminal_back_and_tells_how_to_retry() -> None:
    async with chat("--no-browser") as program:
        await program.expects("you> ")
        program.types("link")
        await program.expects("yes, decline or cancel> ")
        program.types("yes")
        await program.expects("| Answered: accepted None")
        await program.expects(
            "The turn is over. To try the link again, open this address:\r\n"
            "https://example.com/connect\r\n"
        )
        await program.expects("you> ", count=2)
        program.types("complete")
        await program.expects("The agent says that the link is complete.")
        await program.expects("you> ", count=3)


async def test_what_comes_at_the_prompt_stands_on_lines_of_its_own_and_the_prompt_comes_back() -> (
    None
):
    async with chat() as program:
        await program.expects("you> ")
        program.types("speak later")
        output = await program.expects("you> ", count=2)
        os.kill(int(re.findall("I am process ([0-9]+)", output)[0]), signal.SIGUSR1)
        await program.expects("you> \r\nAgent:\r\n| By the way.")
        output = await program.expects("you> ", count=3)
        assert output.endswith("| By the way.\r\nyou> ")
        program.types("hello")
        await program.expects("| You said 'hello'.")


STORM = """
import asyncio
from acp_elicitation import Agent

async def on_prompt(turn):
    for number in range(10_000):
        await turn.elicitor.confirm(f"Question {number}?", session=turn.session_id)

asyncio.run(Agent(on_prompt, name="storm").serve_stdio())
"""


async def test_an_agent_that_asks_again_at_once_does_not_keep_its_user() -> None:
    agent = (sys.executable, "-c", STORM)
    async with on_a_terminal(sys.executable, "-c", MAIN, "chat", "--", *agent) as program:
        await program.expects("you> ")
        program.types("go")
        await program.expects("Question 0?")
        program.presses(CTRL_C)
        await program.expects("Question 1?")
        program.presses(CTRL_C)
        await program.expects("Press Enter to go on> ")
        program.types("")
        await program.expects("you> ", count=2)
        program.presses(CTRL_D)
        assert await program.ends() == 0


OUTSIDE = STORM.replace(
    "    for", "    asyncio.create_task(storm(turn))\n\nasync def storm(turn):\n    for"
)


async def test_an_agent_that_asks_outside_of_a_turn_does_not_keep_its_user() -> None:
    agent = (sys.executable, "-c", OUTSIDE)
    async with on_a_terminal(sys.executable, "-c", MAIN, "chat", "--", *agent) as program:
        await program.expects("you> ")
        program.types("go")
        await program.expects("Question 0?")
        program.presses(CTRL_C)
        await program.expects("Question 1?")
        program.presses(CTRL_C)
        assert await program.ends() == 130


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGHUP])
async def test_a_terminal_that_goes_away_ends_the_agent_too(ending: signal.Signals) -> None:
    async with chat() as program:
        await program.expects("you> ")
        program.gets(ending)
        assert await program.ends() == 130


LEAVES = """
import asyncio, sys
from acp_elicitation import Agent

async def on_prompt(turn):
    asyncio.get_running_loop().call_later(0.1, sys.exit, 5)

asyncio.run(Agent(on_prompt, name="leaves").serve_stdio())
"""


@pytest.mark.requirement("RES-5")
async def test_an_agent_that_leaves_while_nobody_speaks_is_told_at_once() -> None:
    agent = (sys.executable, "-c", LEAVES)
    async with on_a_terminal(sys.executable, "-c", MAIN, "chat", "--", *agent) as program:
        await program.expects("you> ")
        program.types("go")
        await program.expects("acp-elicit: its exit status was 5")
        assert await program.ends() == 3
        assert "you> acp-elicit" not in program.output

"""The example of a Textual application, run as it stands, with the example agent."""

import asyncio
import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import RichLog

from acp_elicitation.presenters.tui import ElicitationScreen

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def host(command: list[str]) -> Any:
    spec = importlib.util.spec_from_file_location("textual_host", EXAMPLES / "textual_host.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Host(command)


async def until(pilot: Pilot[None], holds: Any) -> None:
    async with asyncio.timeout(20):
        while not holds():
            await pilot.pause(0.02)


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        (["ctrl+s", "ctrl+s"], "Strategy: balanced, dry run: True."),
        (["down", "enter", "n", "ctrl+s", "ctrl+s"], "Strategy: aggressive, dry run: False."),
        (["ctrl+d"], "Then I leave the code as it is."),
        (["escape"], "I will ask again another time."),
    ],
)
async def test_the_question_comes_up_over_the_host_and_its_answer_reaches_the_agent(
    keys: list[str], said: str
) -> None:
    app = host([sys.executable, str(EXAMPLES / "agent.py")])
    async with app.run_test() as pilot:
        await until(pilot, lambda: isinstance(app.screen, ElicitationScreen))
        await until(pilot, lambda: app.screen.is_settled)
        await pilot.press(*keys)
        log = app.screen_stack[0].query_one(RichLog)
        await until(pilot, lambda: any(said in line.text for line in log.lines))
        assert not isinstance(app.screen, ElicitationScreen)
        await app.workers.wait_for_complete()


@pytest.mark.parametrize(
    ("command", "said"),
    [(["no-such-agent"], "not found"), ([sys.executable, "-c", ""], "closed the connection")],
)
async def test_an_agent_that_does_not_start_or_leaves_is_told_of(
    command: list[str], said: str
) -> None:
    app = host(command)
    async with app.run_test() as pilot:
        log = app.query_one(RichLog)
        await until(pilot, lambda: any(said in line.text for line in log.lines))
        assert app.is_running

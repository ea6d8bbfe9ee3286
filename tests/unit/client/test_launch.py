"""How an agent that leaves, or cannot be started, is told of; and its second start."""

import asyncio
import sys

import pytest

from acp_elicitation.client.launch import Protocol, launch
from acp_elicitation.client.responder import Responder
from acp_elicitation.protocol.errors import ConnectionLost, NotStarted
from acp_elicitation.protocol.handshake import Implementation
from tests.held import HeldPresenter

AGENT = """
import asyncio, os, sys
from acp_elicitation import Agent
from acp_elicitation.protocol.version import ALL_VERSIONS, V1

async def on_prompt(turn):
    os._exit(7)

supported = (V1,) if "1" in sys.argv else ALL_VERSIONS
asyncio.run(Agent(on_prompt, name="leaves", supported=supported).serve_stdio())
"""


async def talk(*command: str, says: str = "go", protocol: Protocol = "auto") -> list[str]:
    """Start an agent and say one thing to it; returns what it was restarted for."""
    restarts: list[str] = []
    async with (
        asyncio.timeout(30),
        launch(
            command,
            Responder(HeldPresenter()),
            on_update=lambda session, update: None,
            info=Implementation(name="test"),
            protocol=protocol,
            on_restart=lambda: restarts.append("again"),
        ) as running,
    ):
        if says:
            session = await running.client.new_session("/")
            await session.prompt(says)
    return restarts


@pytest.mark.requirement("RES-5")
async def test_an_agent_that_leaves_in_a_turn_is_lost_with_its_exit_status() -> None:
    with pytest.raises(ConnectionLost) as lost:
        await talk(sys.executable, "-c", AGENT)
    assert lost.value.exit_status == 7


@pytest.mark.requirement("RES-5")
async def test_an_agent_that_leaves_before_it_has_spoken_is_lost_with_its_exit_status() -> None:
    with pytest.raises(ConnectionLost) as lost:
        await talk(sys.executable, "-S", "-c", "raise SystemExit(9)")
    assert lost.value.exit_status == 9


async def test_an_agent_that_closes_the_connection_and_stays_has_no_exit_status() -> None:
    with pytest.raises(ConnectionLost) as lost:
        await talk(
            sys.executable,
            "-S",
            "-c",
            "import os, signal; os.close(1); signal.pause()",
            protocol="2",
        )
    assert lost.value.exit_status is None


async def test_a_second_start_in_version_1_is_told_and_a_first_one_is_not() -> None:
    assert await talk(sys.executable, "-c", AGENT, "1", says="") == ["again"]
    assert await talk(sys.executable, "-c", AGENT, says="") == []


async def test_what_cannot_be_started_is_not_started_twice() -> None:
    with pytest.raises(NotStarted, match="could not start 'no-such-agent'") as raised:
        await talk("no-such-agent")
    assert raised.value.program == "no-such-agent"
    assert raised.value.why == "not found; check the command"
    assert raised.value.exit_status is None

"""The examples on the official Python SDK, in each of its versions, run as their readers would."""

import asyncio
import sys
from itertools import product
from pathlib import Path

import pytest

from tests.interop.official import SECONDS

ROOT = Path(__file__).resolve().parents[2]
PYTHONS = {"0.12": sys.executable, "1.0": str(ROOT / ".venv-sdk1/bin/python")}


def python(version: str, example: str) -> list[str]:
    """The command that runs an example on a version of the SDK; every warning is an error."""
    return [PYTHONS[version], "-X", "dev", "-W", "error", str(ROOT / "examples" / example)]


async def run(command: list[str]) -> tuple[str, str, int | None]:
    process = await asyncio.create_subprocess_exec(
        *command,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(SECONDS):
        out, err = await process.communicate()
    return out.decode(), err.decode(), process.returncode


@pytest.mark.parametrize(("client", "agent"), list(product(PYTHONS, PYTHONS)))
async def test_both_versions_of_the_sdk_talk_to_each_other_and_leave_in_peace(
    client: str, agent: str
) -> None:
    command = [*python(client, "sdk_client.py"), *python(agent, "sdk_agent.py")]
    assert await run(command) == ("'Hello stranger'\n", "", 0)


@pytest.mark.parametrize("version", PYTHONS)
async def test_a_client_on_the_sdk_answers_an_agent_without_it(version: str) -> None:
    command = [*python(version, "sdk_client.py"), *python("0.12", "agent.py")]
    assert await run(command) == ("'Strategy: balanced, dry run: True.'\n", "", 0)


@pytest.mark.parametrize("version", PYTHONS)
async def test_an_agent_without_a_client_just_ends(version: str) -> None:
    assert await run(python(version, "sdk_agent.py")) == ("", "", 0)

"""The example of a client whose agent asks in a page of its own server."""

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.posting import read_page
from tests.web_client import Client

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@contextlib.asynccontextmanager
async def running() -> AsyncIterator[tuple[asyncio.subprocess.Process, Client]]:
    agent = (sys.executable, str(EXAMPLES / "agent.py"))
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, str(EXAMPLES / "web_page.py"), *agent), stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    try:
        async with asyncio.timeout(20):
            yield process, Client((await process.stdout.readline()).decode().strip())
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()


@pytest.mark.parametrize(
    ("do", "said"), [("submit", "Strategy: balanced"), ("decline", "as it is")]
)
async def test_the_answer_in_the_page_reaches_the_agent(do: str, said: str) -> None:
    async with running() as (process, browser):
        page = await browser.get()
        async with browser.listening() as tab:
            while not read_page(page.text).css("#question"):
                await tab.change()
                page = await browser.get()
        await browser.submit(page, do)
        assert process.stdout is not None
        printed = (await process.stdout.read()).decode()
        assert await process.wait() == 0
        assert said in printed

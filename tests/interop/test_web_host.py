"""The example of a web application that shows an agent's forms in pages of its own."""

import asyncio
import contextlib
import sys
import urllib.error
import urllib.request
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import urlencode

import pytest
from selectolax.lexbor import LexborHTMLParser

from tests.posting import chosen_in, fill, posted, read_page

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


class Host:
    """The running example."""

    def __init__(self, process: asyncio.subprocess.Process, address: str) -> None:
        self.process = process
        self.address = address

    async def load(self, data: dict[str, list[str]] | None = None) -> tuple[int, LexborHTMLParser]:
        """Load the page, or post `data` to it; the status and the page."""
        body = None if data is None else urlencode(data, doseq=True).encode()
        return await asyncio.to_thread(_load, self.address, body)

    async def form(self) -> LexborHTMLParser:
        """Load the page until the agent's form is in it."""
        async with asyncio.timeout(20):
            while True:
                _, page = await self.load()
                if page.css("form"):
                    return page
                await asyncio.sleep(0)

    async def ending(self) -> str:
        """What it prints until it ends by itself."""
        assert self.process.stdout is not None
        async with asyncio.timeout(20):
            printed = await self.process.stdout.read()
            assert await self.process.wait() == 0
        return printed.decode()


def _load(address: str, body: bytes | None) -> tuple[int, LexborHTMLParser]:
    try:
        with urllib.request.urlopen(address, body, timeout=10) as response:
            return response.status, read_page(response.read().decode())
    except urllib.error.HTTPError as error:
        with error:
            return error.code, read_page(error.read().decode())


@contextlib.asynccontextmanager
async def running() -> AsyncIterator[Host]:
    agent = (sys.executable, str(EXAMPLES / "agent.py"))
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, str(EXAMPLES / "web_host.py"), *agent), stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    try:
        async with asyncio.timeout(20):
            address = (await process.stdout.readline()).decode().strip()
        yield Host(process, address)
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()


def answer(page: LexborHTMLParser, do: str) -> dict[str, list[str]]:
    page.css("form")[0].attrs["id"] = "form"
    return posted(page, "form", do)


async def test_a_form_is_answered_in_the_page_of_another_application() -> None:
    async with running() as host:
        page = await host.form()
        assert "refactorer 1.0 asks" in page.css("h1")[0].text()
        assert chosen_in(page, "f1") == ["yes"]
        fill(page, "f0", "2")
        status, after = await host.load(answer(page, "submit"))
        assert (status, after.css("main")[0].text()) == (200, "Sent.")
        assert "Strategy: aggressive, dry run: True." in await host.ending()


@pytest.mark.parametrize(
    ("do", "said"),
    [
        ("decline", "Then I leave the code as it is."),
        ("cancel", "I will ask again another time."),
    ],
)
async def test_no_is_said_in_two_ways(do: str, said: str) -> None:
    async with running() as host:
        _, after = await host.load(answer(await host.form(), do))
        assert after.css("main")[0].text() == "No was said."
        assert said in await host.ending()


async def test_what_is_wrong_is_shown_in_the_page_and_nothing_is_sent() -> None:
    async with running() as host:
        data = answer(await host.form(), "submit")
        status, again = await host.load(data | {"f0": ["9"]})
        assert status == 422
        assert "Nothing was sent: 1 answer needs another look." in again.css("main")[0].text()
        status, _ = await host.load(answer(await host.form(), "submit") | {"f0": ["0"]})
        assert status == 200
        assert "conservative" in await host.ending()


async def test_the_page_is_at_an_address_that_nobody_can_guess() -> None:
    async with running() as host:
        for path in ("/", "/f"):
            root = host.address.split("/", 3)
            status, _ = await asyncio.to_thread(_load, f"{root[0]}//{root[2]}{path}", None)
            assert status == 404

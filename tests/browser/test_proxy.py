"""A client on the official TypeScript SDK that knows no elicitation, and its user's Chromium.

The proxy stands before the agent; what it leads its user to is found where a user finds it: in the
session. Without a browser: tests/interop/test_proxy.py.
"""

import asyncio
import contextlib
import json
import re
import sys
from collections.abc import AsyncIterator

import pytest
from playwright.async_api import Page, expect

from tests.browser.chat import button, settled
from tests.browser.visit import Visit
from tests.interop import official
from tests.interop.official import TYPESCRIPT_V1, TYPESCRIPT_V2, Peer, end_of, start_client

MAIN = "import sys; from acp_elicitation.cli import main; sys.exit(main())"
DEMO = (sys.executable, "-m", "acp_elicitation.demo")
_ADDRESS = re.compile(rb"http://127\.0\.0\.1:[0-9]+/[A-Za-z0-9_-]{43}/")
_LIMIT = 30.0

pytestmark = pytest.mark.parametrize(
    "peer",
    [
        pytest.param(TYPESCRIPT_V1, id="typescript-v1"),
        pytest.param(TYPESCRIPT_V2, id="typescript-v2"),
    ],
)


class Session:
    """The client's session, in which the user reads where to answer."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._read = b""

    async def address(self) -> str:
        """Return the page that the session names, as soon as it does."""
        assert self._process.stdout is not None
        async with asyncio.timeout(_LIMIT):
            while not (found := _ADDRESS.search(self._read)):
                line = await self._process.stdout.readline()
                assert line, await self._process.communicate()
                self._read += line
        return found[0].decode()

    async def end(self) -> official.Visit:
        """Return what the client saw, once it has left."""
        return await end_of(self._process, begun=self._read)


@contextlib.asynccontextmanager
async def session(peer: Peer, prompt: str, *agent: str) -> AsyncIterator[Session]:
    """Have the client prompt the agent through the proxy, with the page as the only means."""
    proxy = (sys.executable, "-c", MAIN, "proxy", "--via", "web", "--", *agent)
    process = await start_client(peer, prompt, policy=[], elicitation=None, agent=proxy)
    try:
        yield Session(process)
    finally:
        if process.returncode is None:
            process.kill()
            await process.communicate()


def said(met: official.Visit) -> list[str]:
    """Return each text that the agent, or the proxy in its name, said in the session."""
    updates = [line["update"] for line in met.all("update")]
    chunks = [u for u in updates if u["sessionUpdate"] == "agent_message_chunk"]
    return [chunk["content"]["text"] for chunk in chunks]


async def submit(page: Page, asked: str) -> None:
    """Submit the form that is shown, once it is the one that is meant."""
    await expect(page.get_by_role("article")).to_contain_text(asked)
    await settled(page)
    await button(page, "submit").click()


async def test_the_typescript_agent_is_answered_on_the_page(visit: Visit, peer: Peer) -> None:
    async with session(peer, "form", *peer.agent) as client:
        page = await visit.open(await client.address())
        await expect(page.get_by_role("article")).to_contain_text(official.TS)
        await page.get_by_label("Name").first.fill("demo")
        await page.get_by_label("Contact").fill("ada@example.com")
        await page.get_by_role("checkbox", name="Europe").check(force=True)
        await submit(page, "Tell us about the project.")
        met = await client.end()
    lead, report = said(met)
    assert lead.startswith(f"{official.TS} has a question, which this client cannot show.")
    (answer,) = json.loads(report)["outcomes"]
    assert answer["action"] == "accept"
    assert answer["content"]["name"] == "demo"
    assert answer["content"]["regions"] == ["eu"]
    assert met.all("wire") == met.all("permission") == []
    assert await visit.notes(page) == []


async def test_the_demo_is_answered_on_the_page(visit: Visit, peer: Peer) -> None:
    async with session(peer, "Set up a project.", *DEMO) as client:
        page = await visit.open(await client.address())
        await page.get_by_label("Project name").fill("sunflower")
        await page.get_by_label("Contact address").fill("ada@example.org")
        await page.get_by_role("radio", name="No database").check(force=True)
        await submit(page, "What should the new project look like?")
        await expect(page.get_by_role("article")).to_contain_text("Please approve the connection")
        await settled(page)
        async with visit.context.expect_page() as opened:
            await button(page, "open").click()
        approval = await opened.value
        await approval.get_by_role("button", name="Approve").click()
        await submit(page, "Shall I announce sunflower")
        met = await client.end()
    told = "".join(said(met))
    assert 'name = "sunflower"' in told
    assert "connected = true" in told
    assert "I would have announced it now." in told
    assert met.all("wire") == met.all("permission") == []

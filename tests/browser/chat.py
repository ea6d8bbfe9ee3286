"""A real agent process, and the page in which its questions are shown and answered."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

from playwright.async_api import Locator, Page

from acp_elicitation.client.launch import launch
from acp_elicitation.client.responder import Responder
from acp_elicitation.presenters.web.presenter import WebPresenter
from acp_elicitation.presenters.web.server import serving
from acp_elicitation.protocol.errors import PeerError
from acp_elicitation.protocol.handshake import Implementation
from tests.browser.visit import Visit
from tests.told import ToldAgent, told_agent

__all__ = ["Meeting", "WebChat", "button", "settled", "web_chat"]


class WebChat:
    """An agent whose turn has begun, and the server of the page."""

    def __init__(self, agent: ToldAgent, address: str, running: contextlib.AsyncExitStack) -> None:
        self.agent = agent
        self.address = address
        self._running = running

    async def stop(self) -> None:
        """End the server and the agent."""
        await self._running.aclose()


class Meeting:
    """A chat, and the browser that its page was opened in first: it works in no other."""

    def __init__(self, chat: WebChat, visit: Visit) -> None:
        self.chat = chat
        self.agent = chat.agent
        self.visit = visit

    async def page(self) -> Page:
        """Open the page in a new tab."""
        return await self.visit.open(self.chat.address)

    @contextlib.asynccontextmanager
    async def tab(self) -> AsyncIterator[Page]:
        """Open the page for the length of the block, after which nothing is asked any more."""
        page = await self.page()
        try:
            yield page
        finally:
            await self.agent.withdraw_all()
            await page.close()


async def settled(page: Page) -> None:
    """Let the time pass in which a click counts as the second half of a double click."""
    await page.evaluate("sessionStorage.clear()")


def button(page: Page, do: str) -> Locator:
    """The button that answers in this way."""
    return page.locator(f"button[name=do][value={do}]")


@contextlib.asynccontextmanager
async def web_chat() -> AsyncIterator[WebChat]:
    """Have a chat for the length of the block; its agent awaits the orders of the test."""
    presenter = WebPresenter()
    async with told_agent() as agent, contextlib.AsyncExitStack() as running:
        address = await running.enter_async_context(serving(presenter))
        launched = launch(
            agent.command,
            responder := Responder(presenter),
            on_update=lambda session_id, update: None,
            info=Implementation(name="tests"),
            protocol="2",
        )
        client = (await running.enter_async_context(launched)).client
        session = await client.new_session("/")

        async def take_turn() -> None:
            with contextlib.suppress(PeerError):  # the agent is stopped in the middle of it
                await session.prompt("Go.")

        turn = asyncio.create_task(take_turn())
        await agent.turn()
        try:
            yield WebChat(agent, address, running)
        finally:
            await responder.queue.clear_background()
            await running.aclose()
            await turn

"""The web page as a means of the proxy: served from its first question on, and told of each time.

Owns: when the page is served, and telling the user where it is: in the session, since the client
shows nothing else of it. Knows nothing of: which questions get here.
Above it: the command line. Below it: `presenters.web`, `client.prompts`.
"""

import asyncio
import uuid
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Literal

from acp_elicitation.client.prompts import FormPrompt, LinkPrompt, Prompt, Reply
from acp_elicitation.presenters.web.presenter import WebPresenter
from acp_elicitation.presenters.web.server import serving
from acp_elicitation.protocol.errors import NotPossible
from acp_elicitation.protocol.reading import JsonObject
from acp_elicitation.protocol.scope import SessionScope
from acp_elicitation.protocol.version import Version

__all__ = ["OnPage"]


class OnPage:
    """A presenter that says in the session where to answer. Use it as a context."""

    def __init__(
        self,
        *,
        tell: Callable[[str, JsonObject], Awaitable[None]],
        version: Callable[[], Version],
        word: Callable[[str, str], str],
        open_page: Callable[[str], bool] | None = None,
    ) -> None:
        """Show questions on a page.

        Args:
            tell: sends a notification to the client.
            version: the version that the client speaks.
            word: own words to the user, with the agent's name and the page's address.
            open_page: opens the page in a browser when the first question comes, and whenever there
                is no session to tell of it; returns whether that worked, and may block.
        """
        self._tell = tell
        self._version = version
        self._word = word
        self._open_page = open_page
        self._web = WebPresenter()
        self._stack = AsyncExitStack()
        self._address: str | None = None
        self._opening = asyncio.Lock()

    async def __aenter__(self) -> "OnPage":
        return self

    async def __aexit__(self, *raised: object) -> None:
        await self._stack.aclose()

    async def form(self, prompt: FormPrompt) -> Reply:
        """Show a form on the page."""
        await self._lead_to_page(prompt)
        return await self._web.form(prompt)

    async def link(self, prompt: LinkPrompt) -> Reply:
        """Ask for the consent to a link on the page; the browser opens it (URL-11)."""
        await self._lead_to_page(prompt)
        return await self._web.link(prompt)

    async def withdraw(self, prompt: Prompt, why: Literal["withdrawn", "expired"]) -> None:
        """Say on the page that a question is gone."""
        await self._web.withdraw(prompt, why)

    async def wait_for_completion(self, prompt: LinkPrompt) -> None:
        """Show on the page that a link waits (URL-8)."""
        await self._web.wait_for_completion(prompt)

    async def _lead_to_page(self, prompt: FormPrompt | LinkPrompt) -> None:
        scope = prompt.request.scope
        if isinstance(scope, SessionScope):
            await self._tell_in(scope.session_id, prompt.asker.name, await self._served())
        elif not await self._opened():
            # Nobody would ever look: better no answer than none for ever.
            raise NotPossible(way="web", reason="the question belongs to no session to tell it in")

    async def _tell_in(self, session_id: str, asker: str, address: str) -> None:
        update: JsonObject = {
            "sessionUpdate": "agent_message_chunk",
            "content": {"type": "text", "text": self._word(asker, address)},
        }
        if self._version().echoes_user_message:  # there every message has an id
            update["messageId"] = uuid.uuid4().hex
        await self._tell("session/update", {"sessionId": session_id, "update": update})

    async def _served(self) -> str:
        """Return the address of the page; the first time, open it where that is allowed."""
        async with self._opening:
            if self._address is None:
                self._address = await self._stack.enter_async_context(serving(self._web))
                await self._open(self._address)
            return self._address

    async def _opened(self) -> bool:
        """Open the page, now; returns whether that worked."""
        async with self._opening:
            if self._address is None:
                self._address = await self._stack.enter_async_context(serving(self._web))
            return await self._open(self._address)

    async def _open(self, address: str) -> bool:
        return self._open_page is not None and await asyncio.to_thread(self._open_page, address)

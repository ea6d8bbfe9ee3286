"""The web page as a means of the proxy: served from its first question on, and told of each time.

Owns: when the page is served, and telling the user where it is: in the session, since the client
shows nothing else of it. Knows nothing of: which questions get here.
Above it: the command line. Below it: `presenters.web`, `client.prompts`.
"""

import asyncio
import uuid
from collections.abc import Callable
from contextlib import AsyncExitStack
from typing import Literal

from acp_elicitation.client.prompts import FormPrompt, LinkPrompt, Prompt, Reply
from acp_elicitation.presenters.web.presenter import WebPresenter
from acp_elicitation.presenters.web.server import serving
from acp_elicitation.protocol.reading import JsonObject
from acp_elicitation.protocol.scope import SessionScope
from acp_elicitation.protocol.version import Version

__all__ = ["OnPage"]


class OnPage:
    """A presenter that says in the session where to answer. Use it as a context."""

    def __init__(
        self,
        *,
        tell: Callable[[str, JsonObject], None],
        version: Callable[[], Version],
        word: Callable[[str, str], str],
        open_page: Callable[[str], bool] | None = None,
    ) -> None:
        """Show questions on a page.

        Args:
            tell: sends a notification to the client.
            version: the version that the client speaks.
            word: own words to the user, with the agent's name and the page's address.
            open_page: opens the page in a browser when the first question comes; it may block.
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
        address = await self._served()
        scope = prompt.request.scope
        if not isinstance(scope, SessionScope):
            return  # there is no session to say it in
        update: JsonObject = {
            "sessionUpdate": "agent_message_chunk",
            "content": {"type": "text", "text": self._word(prompt.asker.name, address)},
        }
        if self._version().echoes_user_message:  # there every message has an id
            update["messageId"] = uuid.uuid4().hex
        self._tell("session/update", {"sessionId": scope.session_id, "update": update})

    async def _served(self) -> str:
        async with self._opening:
            if self._address is None:
                self._address = await self._stack.enter_async_context(serving(self._web))
                if self._open_page is not None:
                    await asyncio.to_thread(self._open_page, self._address)
            return self._address

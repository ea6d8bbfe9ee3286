"""A presenter whose user is the test: it shows each prompt to the test, and waits for its reply."""

import asyncio
from typing import Literal

from acp_elicitation.client.prompts import (
    FormPrompt,
    LinkPrompt,
    PermissionPrompt,
    Prompt,
    Reply,
)


class HeldPresenter:
    """Holds every prompt until the test replies to it."""

    def __init__(self) -> None:
        self.shown: asyncio.Queue[Prompt] = asyncio.Queue()
        self.withdrawn: list[tuple[Prompt, str]] = []
        self.waiting_for: list[LinkPrompt] = []
        self.waits = asyncio.Event()
        self.gone = asyncio.Event()
        self._replies: dict[int, asyncio.Future[object]] = {}

    async def form(self, prompt: FormPrompt) -> Reply:
        return await self._hold(prompt)

    async def link(self, prompt: LinkPrompt) -> Reply:
        return await self._hold(prompt)

    async def permission(self, prompt: PermissionPrompt) -> Reply:
        return await self._hold(prompt)

    async def withdraw(self, prompt: Prompt, why: Literal["withdrawn", "expired"]) -> None:
        self.withdrawn.append((prompt, why))
        self.gone.set()

    async def wait_for_completion(self, prompt: LinkPrompt) -> None:
        self.waiting_for.append(prompt)
        self.waits.set()
        try:
            await prompt.completed.wait()
        finally:
            self.waiting_for.remove(prompt)

    async def _hold(self, prompt: Prompt) -> Reply:
        future: asyncio.Future[object] = asyncio.get_running_loop().create_future()
        self._replies[id(prompt)] = future
        self.shown.put_nowait(prompt)
        return await future  # type: ignore[return-value]  # a test may reply with anything

    def reply(self, prompt: Prompt, reply: object) -> None:
        """Answer a prompt as its user."""
        self._replies.pop(id(prompt)).set_result(reply)

    def fail(self, prompt: Prompt, error: Exception) -> None:
        """Let the presenter fail while it shows a prompt."""
        self._replies.pop(id(prompt)).set_exception(error)

    async def next_form(self) -> FormPrompt:
        """Return the next prompt, which is a form."""
        prompt = await self.shown.get()
        assert isinstance(prompt, FormPrompt)
        return prompt

    async def next_link(self) -> LinkPrompt:
        """Return the next prompt, which is a link."""
        prompt = await self.shown.get()
        assert isinstance(prompt, LinkPrompt)
        return prompt

    async def next_permission(self) -> PermissionPrompt:
        """Return the next prompt, which is a permission."""
        prompt = await self.shown.get()
        assert isinstance(prompt, PermissionPrompt)
        return prompt

"""The page as a means of the proxy: where its user is led there, and where there is no way to."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import msgspec
import pytest

from acp_elicitation.bridges.proxy.page import OnPage
from acp_elicitation.client.prompts import FormPrompt
from acp_elicitation.client.trial import form_prompt, link_prompt
from acp_elicitation.protocol.errors import NotPossible
from acp_elicitation.protocol.scope import RequestScope
from acp_elicitation.protocol.version import V1, V2, Version

_LIMIT = 20.0


class Told:
    """What the client is told, and which addresses were opened."""

    def __init__(self) -> None:
        self.updates: asyncio.Queue[tuple[str, Any]] = asyncio.Queue()
        self.opened: list[str] = []

    async def tell(self, method: str, params: Any) -> None:
        self.updates.put_nowait((method, params))

    async def next(self) -> Any:
        async with asyncio.timeout(_LIMIT):
            method, params = await self.updates.get()
        assert method == "session/update"
        return params

    def open(self, address: str) -> bool:
        self.opened.append(address)
        return True


@asynccontextmanager
async def page(
    told: Told, *, version: Version = V1, open_page: Callable[[str], bool] | None = None
) -> AsyncIterator[OnPage]:
    async with OnPage(
        tell=told.tell,
        version=lambda: version,
        word=lambda agent, address: f"{agent} asks: {address}",
        open_page=open_page,
    ) as presenter:
        yield presenter


@asynccontextmanager
async def asking(coroutine: Any) -> AsyncIterator[asyncio.Task[Any]]:
    task = asyncio.create_task(coroutine)
    try:
        yield task
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


def of_a_request() -> FormPrompt:
    """A question that belongs to no session."""
    prompt = form_prompt()
    request = msgspec.structs.replace(prompt.request, scope=RequestScope(request_id=7))
    return FormPrompt(asker=prompt.asker, request=request)


@pytest.mark.parametrize("version", [V1, V2])
async def test_the_session_is_told_where_each_question_is_answered(version: Version) -> None:
    told = Told()
    async with page(told, version=version) as presenter:
        async with asking(presenter.form(form_prompt())):
            first = await told.next()
        async with asking(presenter.link(link_prompt())):
            second = await told.next()
    for params in (first, second):
        assert params["sessionId"] == "s1"
        assert params["update"]["sessionUpdate"] == "agent_message_chunk"
        assert ("messageId" in params["update"]) is (version is V2)
    text = first["update"]["content"]["text"]
    assert text.startswith("House Painter 3.1 asks: http://127.0.0.1:")
    assert second["update"]["content"]["text"] == text


async def test_the_page_is_opened_when_the_first_question_comes() -> None:
    told = Told()
    async with page(told, open_page=told.open) as presenter:
        for _ in range(2):
            async with asking(presenter.form(form_prompt())):
                await told.next()
    assert len(told.opened) == 1


async def test_a_question_of_no_session_is_not_left_where_nobody_looks() -> None:
    told = Told()
    async with page(told) as presenter:
        with pytest.raises(NotPossible):
            await presenter.form(of_a_request())
    async with page(told, open_page=lambda address: False) as presenter:
        with pytest.raises(NotPossible):
            await presenter.form(of_a_request())
    assert told.updates.empty()


async def test_a_question_of_no_session_opens_the_page_each_time() -> None:
    opened: asyncio.Queue[str] = asyncio.Queue()
    loop = asyncio.get_running_loop()

    def open_page(address: str) -> bool:
        loop.call_soon_threadsafe(opened.put_nowait, address)
        return True

    async with page(Told(), open_page=open_page) as presenter:
        for _ in range(2):
            async with asking(presenter.form(of_a_request())), asyncio.timeout(_LIMIT):
                assert (await opened.get()).startswith("http://127.0.0.1:")

"""What the browser tests share: one Chromium for all, and a context of its own for each test.

All of them run on one event loop, the browser's: starting a browser takes longer than most of them.
"""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser

from tests.browser.chat import Meeting, web_chat
from tests.browser.chromium import running_chromium
from tests.browser.visit import Visit, visiting

_HERE = Path(__file__).parent
_SECONDS = 180
"""A limit on every wait still; a browser has many processes, and a busy machine few cores."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the tests of this folder on the loop on which the browser runs, and let it take time."""
    for item in items:
        if _HERE in item.path.parents:
            item.add_marker(pytest.mark.timeout(_SECONDS))
            if pytest_asyncio.is_async_test(item):
                item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def chromium() -> AsyncIterator[Browser]:
    async with running_chromium(hosts={"foreign.example": "127.0.0.1"}) as browser:
        yield browser


@pytest_asyncio.fixture(loop_scope="session")
async def visit(chromium: Browser) -> AsyncIterator[Visit]:
    """A person with a browser that has never been anywhere."""
    async with visiting(chromium) as visit:
        yield visit


@pytest_asyncio.fixture(loop_scope="session")
async def meeting(chromium: Browser) -> AsyncIterator[Meeting]:
    """A chat of its own for the test, and the browser that it belongs to."""
    async with web_chat() as chat, visiting(chromium) as visit:
        yield Meeting(chat, visit)


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def long_meeting(chromium: Browser) -> AsyncIterator[Meeting]:
    """The same for all tests of a module, each of which has to end what it has asked."""
    async with web_chat() as chat, visiting(chromium) as visit:
        yield Meeting(chat, visit)

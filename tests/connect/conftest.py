"""What the tests of connecting share: a setting on each store, a browser, and one event loop.

Starting the parts takes longer than most of the tests, so they run on one loop, and share them.
"""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser

from tests.browser.chromium import running_chromium
from tests.connect.setting import Setting
from tests.connect.settings import Settings

_HERE = Path(__file__).parent
_SECONDS = 180
"""A limit on every wait still; there are many processes, and a busy machine has few cores."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the tests of this folder on one loop, and let them take time."""
    for item in items:
        if _HERE in item.path.parents:
            item.add_marker(pytest.mark.timeout(_SECONDS))
            if pytest_asyncio.is_async_test(item):
                item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def settings(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Settings]:
    async with AsyncExitStack() as stack:
        yield Settings(stack, tmp_path_factory.mktemp("connect"))


@pytest_asyncio.fixture(loop_scope="session")
async def here(settings: Settings) -> Setting:
    """The quickest."""
    return await settings.on("sqlite")


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def chromium() -> AsyncIterator[Browser]:
    async with running_chromium() as browser:
        yield browser

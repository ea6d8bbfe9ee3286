"""A presenter with a server of its own on a real socket, and a browser that has opened its page."""

from collections.abc import AsyncIterator

import pytest

from acp_elicitation.presenters.web.presenter import WebPresenter
from acp_elicitation.presenters.web.server import serving
from tests.web_client import Client


@pytest.fixture
async def presenter() -> WebPresenter:
    return WebPresenter()


@pytest.fixture
async def address(presenter: WebPresenter) -> AsyncIterator[str]:
    async with serving(presenter) as address:
        yield address


@pytest.fixture
async def browser(address: str) -> Client:
    """The user's own browser: it was here first."""
    client = Client(address)
    assert (await client.get()).status == 200
    return client

"""A person connects an account in Chromium, with the agent, workers and provider as processes."""

import asyncio
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect

from tests.browser.visit import Visit, visiting
from tests.connect.balancer import SIGNED_IN
from tests.connect.setting import Setting
from tests.connect.settings import STORES, Settings, StoreKind


@pytest_asyncio.fixture(loop_scope="session")
async def visit(chromium: Browser) -> AsyncIterator[Visit]:
    async with visiting(chromium) as visit:
        yield visit


async def _open(visit: Visit, here: Setting, url: str, *, user: str) -> Page:
    """Open a link in a new tab of a user who is signed in where the agent is hosted."""
    signed_in = {"name": SIGNED_IN, "value": user, "url": here.balancer.address}
    await visit.context.add_cookies([signed_in])  # type: ignore[list-item]
    return await visit.open(url)


async def _says(page: Page, text: str) -> None:
    await expect(page.get_by_role("heading", name=text, level=2, exact=True)).to_be_visible()


@pytest.mark.requirement("URL-1", "URL-2", "URL-5")
@pytest.mark.parametrize("store", STORES)
async def test_an_account_is_connected_in_a_browser(
    settings: Settings, store: StoreKind, visit: Visit
) -> None:
    here = await settings.on(store)
    async with here.agent("ada") as client:
        asked = asyncio.create_task(client.ask("connect"))
        link = await client.next_link()
        link.consent()
        page = await _open(visit, here, link.url, user="ada")
        await page.get_by_role("button", name="Continue").click()
        await page.get_by_label("User name").fill("ada-lovelace")
        await page.get_by_role("button", name="Allow").click()
        await _says(page, "Connected")
        assert await asked == "connected ada-lovelace"
        assert client.completed == [link.id]
        assert visit.noted == []
        # Both workers have had a part in it, and what they hold for the user is the same.
        assert len([port for port, count in here.balancer.served.items() if count]) == 2
        heard = b"".join(client.lines)
        tokens = [token for answer in here.provider.answers for token in answer.tokens]
        assert tokens
        assert not [token for token in tokens if token.encode() in heard]

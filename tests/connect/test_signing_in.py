"""Users of a hosted agent sign in on the connect page, in Chromium."""

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator
from pathlib import Path

import httpx2
import pytest
from playwright.async_api import Browser, Page, expect
from starlette.types import Receive, Scope, Send

from acp_elicitation.connect.details import LinkDetails, write_details
from acp_elicitation.connect.identities.oidc import OidcIdentity, oidc_identity
from acp_elicitation.connect.providers import OAuthProvider, SecretEntry, by_name
from acp_elicitation.connect.sealing import Sealer, new_key
from acp_elicitation.connect.secret import Secret
from acp_elicitation.connect.service import ConnectService
from acp_elicitation.connect.vault import Vault
from acp_elicitation.protocol.requests import ElicitationId
from acp_elicitation.stores.lifecycle import LinkState
from acp_elicitation.stores.port import Store
from acp_elicitation.stores.records import ConnectionId
from acp_elicitation.stores.sqlite import sqlite_store
from tests.browser.visit import visiting
from tests.openid.strict import Client, StrictProvider, strict_provider
from tests.unit.connect.identities.asked import served

LINK = ElicitationId("link-0123456789")
USERS = "users"


class Hosted:
    """A service whose users sign in; it is made once its address is known."""

    service: ConnectService

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.service(scope, receive, send)


@contextlib.asynccontextmanager
async def hosting(store: Store, provider: StrictProvider) -> AsyncIterator[str]:
    hosted = Hosted()
    async with served(hosted) as address, httpx2.AsyncClient(verify=False) as http:
        base_url = f"{address}/connect"
        client = Client(id=USERS, redirect_uris=(f"{base_url}/sign-in/callback",))
        provider.clients[client.id] = client
        users = OAuthProvider(
            name=USERS,
            issuer=provider.issuer,
            client_id=client.id,
            client_secret=Secret(client.secret),
        )
        sealer = Sealer([new_key()])
        hosted.service = ConnectService(
            store,
            Vault(store, sealer),
            OidcIdentity(users, sealer=sealer, http=http),
            by_name([SecretEntry(name="wiki", title="The Wiki", label="API key")]),
            base_url=base_url,
            http=http,
        )
        yield base_url


async def sign_in(page: Page, name: str) -> None:
    await page.get_by_label("User name").fill(name)
    await page.get_by_role("button", name="Allow").click()


async def says(page: Page, text: str) -> None:
    await expect(page.get_by_role("heading", name=text, level=2, exact=True)).to_be_visible()


@pytest.mark.requirement("URL-13")
async def test_a_user_signs_in_as_another_first_and_once_more_when_the_session_is_over(
    chromium: Browser, tmp_path: Path
) -> None:
    async with (
        sqlite_store(tmp_path / "links.sqlite3") as store,
        strict_provider() as provider,
        hosting(store, provider) as base_url,
        visiting(chromium) as visit,
    ):
        await store.create(
            LINK,
            connection=ConnectionId("connection"),
            identity=oidc_identity(provider.issuer, "subject-ada"),
            lifetime=60,
            details=write_details(LinkDetails(provider="wiki", agent="Coder")),
        )
        page = await visit.open(f"{base_url}/link/{LINK}")
        await sign_in(page, "eve")
        await says(page, "Made for another user")
        await page.get_by_role("link", name="Sign in with another account").click()
        await sign_in(page, "ada")
        await says(page, "Connect The Wiki")
        await page.get_by_label("API key").fill("wk-0123")
        await visit.context.clear_cookies(name=re.compile("acp-user"))
        # What was typed is not kept; the form leads to the provider, past the page's own policy.
        await page.get_by_role("button", name="Continue").click()
        await sign_in(page, "ada")
        await says(page, "Connect The Wiki")
        assert (await store.read(LINK)).state is LinkState.OPEN
        await page.get_by_label("API key").fill("wk-0123")
        await page.get_by_role("button", name="Continue").click()
        await says(page, "Connected")
        assert visit.noted == []
        async with asyncio.timeout(10):
            assert (await store.read(LINK)).state is LinkState.COMPLETED

"""The connect service in tests: with real parts, and a browser for it."""

import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from types import MappingProxyType

import httpx2
import pytest
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from acp_elicitation.connect.cookies import Cookies
from acp_elicitation.connect.details import LinkDetails, write_details
from acp_elicitation.connect.identity import Identified, Identify, Known, NotKnown
from acp_elicitation.connect.oauth.fetching import provider_http
from acp_elicitation.connect.providers import Provider, by_name
from acp_elicitation.connect.sealing import KEY_BYTES, Sealer
from acp_elicitation.connect.service import ConnectService
from acp_elicitation.connect.vault import Vault
from acp_elicitation.connect.visiting import Place
from acp_elicitation.protocol.requests import ElicitationId
from acp_elicitation.stores.port import Store
from acp_elicitation.stores.records import ConnectionId, Identity, StoredLink
from acp_elicitation.stores.settings import wall_clock
from acp_elicitation.stores.sqlite import sqlite_store

__all__ = [
    "ADA",
    "BASE",
    "BOB",
    "CONNECTION",
    "KEY",
    "LINK",
    "Browser",
    "NamedUser",
    "Running",
    "clients_made_by",
    "place_of",
    "running",
]

ADA, BOB = Identity("ada"), Identity("bob")
LINK = ElicitationId("link-0123456789")
CONNECTION = ConnectionId("connection")
BASE = "https://agent.example/connect"
KEY = b"k" * KEY_BYTES
DETAILS = LinkDetails(provider="wiki", agent="Coder", purpose="To read the <b>wiki</b>.")


class NamedUser:
    """Knows a user by the header `x-user`: what stands between is not what is tested here."""

    def check_address(self, host: str) -> None:
        assert host

    def routes(self, base: str) -> Sequence[BaseRoute]:
        return []

    async def identify(self, request: Request, link: StoredLink) -> Identified:
        name = request.headers.get("x-user")
        return NotKnown() if name is None else Known(Identity(name))

    def remember(self, request: Request, link: StoredLink, response: Response) -> None:
        response.headers["x-remembered"] = "yes"


class Browser(httpx2.AsyncClient):
    """A browser of one user: keeps cookies, and posts as browsers do."""

    def __init__(self, service: ConnectService, *, user: str | None = "ada") -> None:
        super().__init__(
            transport=httpx2.ASGITransport(service),
            base_url="https://agent.example",
            headers={} if user is None else {"x-user": user},
        )

    async def open(self, path: str, **headers: str) -> httpx2.Response:
        return await self.get(path, headers=headers)

    async def answer(
        self, page: httpx2.Response, do: str = "begin", /, **fields: str
    ) -> httpx2.Response:
        """Post one of the forms of a page."""
        found = re.search(r'name="token" value="([^"]*)"', page.text)
        assert found is not None, page.text
        path = f"{page.url.path.removesuffix('/end').removesuffix('/begin')}/{do}"
        return await self.send_form(path, token=found[1], **fields)

    async def send_form(self, path: str, **fields: str) -> httpx2.Response:
        headers = {"origin": "https://agent.example", "sec-fetch-site": "same-origin"}
        return await self.post(path, data=fields, headers=headers)


class Running:
    """A service, with its store and its vault."""

    def __init__(self, store: Store, vault: Vault, service: ConnectService) -> None:
        self.store = store
        self.vault = vault
        self.service = service

    async def link(
        self,
        provider: str = "wiki",
        *,
        link_id: ElicitationId = LINK,
        identity: Identity = ADA,
        details: LinkDetails = DETAILS,
    ) -> str:
        """Make a link, and return the path of its page."""
        written = write_details(LinkDetails(
            provider=provider, agent=details.agent, purpose=details.purpose, scopes=details.scopes
        ))  # fmt: skip
        await self.store.create(
            link_id, connection=CONNECTION, identity=identity, lifetime=60, details=written
        )
        return f"/connect/link/{link_id}"

    async def state(self, link_id: ElicitationId = LINK) -> tuple[str, str]:
        link = await self.store.read(link_id)
        return link.state.name, link.reason


def place_of(run: Running, identity: Identify, *, base_url: str = BASE) -> Place:
    """Return what the pages of a service share, for what is below the service itself."""
    return Place(
        store=run.store,
        vault=run.vault,
        identity=identity,
        providers={},
        cookies=Cookies(run.vault.sealer, base_url=base_url),
        base_url=base_url,
        clock=wall_clock,
    )


def clients_made_by(module: str, monkeypatch: pytest.MonkeyPatch) -> list[httpx2.AsyncClient]:
    """Return where the clients for providers are found that a module of `connect` makes."""
    made: list[httpx2.AsyncClient] = []

    def make() -> httpx2.AsyncClient:
        made.append(provider_http())
        return made[-1]

    monkeypatch.setattr(f"acp_elicitation.connect.{module}.provider_http", make)
    return made


@asynccontextmanager
async def running(
    folder: Path,
    providers: Sequence[Provider],
    *,
    identity: Identify | None = None,
    http: httpx2.AsyncClient | None = None,
) -> AsyncIterator[Running]:
    """Run a service on a store in `folder`, mounted under its path."""
    async with sqlite_store(folder / "links.sqlite3") as store:
        vault = Vault(store, Sealer([KEY]))
        service = ConnectService(
            store,
            vault,
            identity or NamedUser(),
            MappingProxyType(dict(by_name(providers))),
            base_url=BASE,
            http=http,
        )
        try:
            yield Running(store, vault, service)
        finally:
            await service.aclose()

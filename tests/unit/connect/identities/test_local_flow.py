"""The user of this machine connects an account: one browser all the way, over real sockets."""

from pathlib import Path

import httpx2
import pytest
from starlette.types import Receive, Scope, Send

from acp_elicitation.connect.details import LinkDetails, write_details
from acp_elicitation.connect.identities.local import LocalUser, local_identity
from acp_elicitation.connect.providers import OAuthProvider, by_name
from acp_elicitation.connect.sealing import Sealer, new_key
from acp_elicitation.connect.service import ConnectService
from acp_elicitation.connect.vault import Vault
from acp_elicitation.protocol.requests import ElicitationId
from acp_elicitation.stores.lifecycle import LinkState
from acp_elicitation.stores.records import ConnectionId
from acp_elicitation.stores.sqlite import sqlite_store
from tests.openid.strict import Client, strict_provider, visit
from tests.unit.connect.identities.asked import served
from tests.web_client import found

LINK = ElicitationId("link-0123456789")


class Late:
    """The service, which is made once its address is known."""

    service: ConnectService

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.service(scope, receive, send)


@pytest.mark.requirement("URL-13")
async def test_who_begins_finishes_and_a_second_browser_gets_nowhere(tmp_path: Path) -> None:
    late = Late()
    async with (
        sqlite_store(tmp_path / "links.sqlite3") as store,
        served(late) as address,
        strict_provider() as provider,
        httpx2.AsyncClient(verify=False) as own,
        httpx2.AsyncClient(verify=False) as other,
    ):
        base_url = f"{address}/connect"
        client = Client(proof="none", redirect_uris=(f"{base_url}/callback/hub",))
        provider.clients[client.id] = client
        hub = OAuthProvider(
            name="hub", issuer=provider.issuer, client_id=client.id, scopes=("openid",)
        )
        vault = Vault(store, Sealer([new_key()]))
        late.service = ConnectService(
            store, vault, LocalUser(), by_name([hub]), base_url=base_url, http=own
        )
        details = write_details(LinkDetails(provider="hub", agent="Coder"))
        connection, user = ConnectionId("connection"), local_identity()
        await store.create(LINK, connection=connection, identity=user, lifetime=60, details=details)

        page = await own.get(f"{base_url}/link/{LINK}")
        assert (await other.get(f"{base_url}/link/{LINK}")).status_code == 200
        token = found(page.text, "input[name=token]").attributes["value"]
        away = await own.post(f"{base_url}/link/{LINK}/begin", data={"token": token})
        back = await visit(found(away.text, "#onward").attributes["href"] or "")

        refused = await other.get(f"{base_url}/link/{LINK}")
        assert (refused.status_code, "another browser" in refused.text) == (403, True)
        assert (await store.read(LINK)).state is LinkState.STARTED
        done = await own.get(back, follow_redirects=True)
        assert "Connected" in done.text
        assert (await store.read(LINK)).state is LinkState.COMPLETED

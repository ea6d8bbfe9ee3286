"""A web worker of the tests: the connect service on a port of its own, behind the balancer.

Run by `tests.connect.setting`; the first line of its output is its port.
"""

import asyncio
import os
import socket
import sys
from collections.abc import Sequence

import uvicorn
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from acp_elicitation.connect.identity import Identified, Known, NotKnown
from acp_elicitation.connect.keys import keys_from_environment
from acp_elicitation.connect.sealing import Sealer
from acp_elicitation.connect.service import ConnectService
from acp_elicitation.connect.vault import Vault
from acp_elicitation.stores.opening import store_at
from acp_elicitation.stores.records import Identity, StoredLink
from tests.connect.balancer import USER_HEADER
from tests.connect.provider import providers


class _Header:
    def check_address(self, host: str) -> None:
        pass

    def routes(self, base: str) -> Sequence[BaseRoute]:
        return ()

    async def identify(self, request: Request, link: StoredLink) -> Identified:
        user = request.headers.get(USER_HEADER)
        return Known(Identity(user)) if user else NotKnown()

    def remember(self, request: Request, link: StoredLink, response: Response) -> None:
        pass


async def _serve(store_url: str, base_url: str) -> None:
    keys = keys_from_environment(os.environ)
    assert keys is not None
    async with store_at(store_url) as store:
        vault = Vault(store, Sealer(keys))
        service = ConnectService(store, vault, _Header(), providers(), base_url=base_url)
        listening = socket.create_server(("127.0.0.1", 0), backlog=1024)
        print(listening.getsockname()[1], flush=True)
        config = uvicorn.Config(service, ws="none", lifespan="off", log_level="warning")
        await uvicorn.Server(config).serve([listening])
        await service.aclose()


if __name__ == "__main__":
    asyncio.run(_serve(*sys.argv[1:]))

"""All that a hosted agent with a connect service consists of, each part a process of its own.

Owns: starting and stopping: a store, two web workers behind a balancer, a provider, agents.
Knows nothing of: what is tested. Above it: the tests of connecting.
Below it: `balancer`, `client`, `agent`, `tests.openid`, `acp-elicit connect serve`.
"""

import asyncio
import base64
import contextlib
import json
import os
import secrets
import socket
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

from acp_elicitation.connect.asking import AccountConnecting
from acp_elicitation.connect.provider_file import read_providers
from acp_elicitation.connect.sealing import Sealer
from acp_elicitation.connect.vault import Vault
from acp_elicitation.stores.keeping import KeptStore
from acp_elicitation.stores.opening import store_at
from acp_elicitation.stores.records import Identity
from tests.connect.balancer import USER_HEADER, Balancer, balancing
from tests.connect.client import Client, talking
from tests.openid.provider import OpenIdClient, OpenIdProvider, openid_provider

__all__ = ["Setting", "Worker", "setting"]

_LIMIT = 30.0
_MAIN = "import sys; from acp_elicitation.cli import main; sys.exit(main())"
_SECRET = "a secret of the tests, with % and +"


class Worker:
    """A running web worker."""

    def __init__(self, process: asyncio.subprocess.Process, port: int) -> None:
        self.process, self.port = process, port

    async def kill(self) -> None:
        self.process.kill()
        await self.process.wait()


class Setting:
    """One hosted agent: `balancer.address` is the public address of its connect service."""

    def __init__(
        self, store_url: str, balancer: Balancer, provider: OpenIdProvider, providers: Path
    ) -> None:
        self.store_url, self.balancer, self.provider = store_url, balancer, provider
        self._providers = providers
        """The file that workers and agents share."""
        self.workers: list[Worker] = []
        self.errors: list[bytes] = []
        """All that workers and agents wrote to stderr."""
        self._key = secrets.token_bytes(32)
        self._environment = {
            "ACP_ELICIT_VAULT_KEY": base64.b64encode(self._key).decode(),
            "OPENID_SECRET": _SECRET,
        }
        self._reading: set[asyncio.Task[None]] = set()

    @property
    def base_url(self) -> str:
        return f"{self.balancer.address}/connect"

    def open_store(self) -> KeptStore:
        """Return the store, for the test to look into; not open yet."""
        return store_at(self.store_url)

    def open_vault(self, store: KeptStore) -> Vault:
        return Vault(store, Sealer([self._key]))

    def connecting(self, store: KeptStore, vault: Vault, user: str) -> AccountConnecting:
        """What an agent in this process needs, on whose connection `user` was verified."""
        return AccountConnecting(
            store,
            vault,
            read_providers(self._providers, self._environment),
            base_url=self.base_url,
            identity=Identity(user),
            agent="tester",
        )

    async def start_worker(self) -> Worker:
        """Start one more worker behind the balancer."""
        port = _free_port()
        options = {
            "--port": str(port),
            "--base-url": self.base_url,
            "--identity": f"header:{USER_HEADER}",
            "--store": self.store_url,
            "--providers": str(self._providers),
        }
        given = [part for option in options.items() for part in option]
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", _MAIN, "connect", "serve", *given),
            stdout=-1,
            stderr=-1,
            env={**os.environ, **self._environment},
        )
        assert process.stdout is not None
        self._reading.add(asyncio.create_task(self._read(process)))
        async with asyncio.timeout(_LIMIT):
            line = await process.stdout.readline()
        assert line.decode().strip() == self.base_url, b"".join(self.errors).decode()
        worker = Worker(process, port)
        self.workers.append(worker)
        self.balancer.workers.append(worker.port)
        return worker

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        assert process.stderr is not None
        async for line in process.stderr:
            self.errors.append(line)

    async def replace(self, dead: Worker) -> None:
        """Start another worker in place of one, which is killed if it was not."""
        if dead.process.returncode is None:
            await dead.kill()
        self.workers.remove(dead)
        self.balancer.workers.remove(dead.port)
        await self.start_worker()

    @contextlib.asynccontextmanager
    async def agent(self, user: str) -> AsyncIterator[Client]:
        """Run an agent on whose connection `user` was verified, and its client."""
        command = ("-m", "tests.connect.agent", self.store_url, self.base_url)
        given = [f"{name}={value}" for name, value in self._environment.items()]
        program = ("env", *given, sys.executable, *command, str(self._providers), user)
        async with talking(program, self.errors) as client:
            yield client

    async def stop(self) -> None:
        for worker in self.workers:
            if worker.process.returncode is None:
                worker.process.terminate()
        for worker in self.workers:
            async with asyncio.timeout(_LIMIT):
                await worker.process.wait()
        await asyncio.gather(*self._reading)


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return int(listening.getsockname()[1])


def _write_providers(folder: Path, issuer: str) -> Path:
    """Write what can be connected, as an operator does."""
    provider = {
        "name": "openid",
        "kind": "oauth",
        "client_id": "agent",
        "client_secret": "OPENID_SECRET",
        "issuer": issuer,
        "scopes": ["openid", "offline_access", "profile"],
        "parameters": {"prompt": "consent"},
    }
    path = folder / "providers.json"
    path.write_text(json.dumps([provider]))
    return path


@contextlib.asynccontextmanager
async def setting(store_url: str, *, host: str = "localhost") -> AsyncIterator[Setting]:
    """Run a provider and two workers on the store at `store_url` for the length of the block."""
    async with AsyncExitStack() as stack:
        balancer = await stack.enter_async_context(balancing())
        redirect_uri = f"{balancer.address}/connect/callback/openid"
        client = OpenIdClient(id="agent", secret=_SECRET, redirect_uris=(redirect_uri,))
        provider = await stack.enter_async_context(openid_provider(client, host=host))
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        here = Setting(store_url, balancer, provider, _write_providers(folder, provider.issuer))
        stack.push_async_callback(here.stop)
        async with asyncio.TaskGroup() as group:
            for _ in range(2):
                group.create_task(here.start_worker())
        yield here

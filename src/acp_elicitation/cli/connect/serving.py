"""`acp-elicit connect serve`: the connect service as a process of its own.

Owns: the socket, the server's life, and which way to know the user was chosen.
Knows nothing of: what is on the pages. Above it: `command`. Below it: `shop`, `connect.service`,
`connect.identities`, uvicorn.
"""

import asyncio
import contextlib
import signal
import socket
from collections.abc import Iterator

import httpx2
import msgspec
import uvicorn

from acp_elicitation.cli.connect.shop import Opened, Shop
from acp_elicitation.connect.identities.header import LOOPBACK, HeaderIdentity
from acp_elicitation.connect.identities.local import LocalUser
from acp_elicitation.connect.identities.oidc import OidcIdentity
from acp_elicitation.connect.identity import Identify
from acp_elicitation.connect.oauth.fetching import provider_http
from acp_elicitation.connect.providers import OAuthProvider
from acp_elicitation.connect.secret import Secret
from acp_elicitation.connect.service import ConnectService
from acp_elicitation.text.language import tr

__all__ = ["Serving", "serve"]

_MOST_CONNECTIONS = 1024
_LAST_WORDS = 10
"""Seconds in which an answer that is on its way may arrive after the end."""


class Serving(msgspec.Struct, frozen=True, kw_only=True):
    """Where to serve, and how users are known: `local`, `header:NAME` or `oidc:PROVIDER`.

    `proxies` are the addresses whose header is believed, those of this machine where there is none;
    `proxy_secret` is what they add to prove themselves.
    """

    host: str
    port: int
    base_url: str | None
    identity: str
    proxies: tuple[str, ...] = ()
    proxy_secret: Secret | None = None


class _Server(uvicorn.Server):
    """A server that says where it is once it takes requests, on stdout and in one line."""

    def __init__(self, config: uvicorn.Config, base_url: str) -> None:
        super().__init__(config)
        self._base_url = base_url

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals to the loop: their end is a good one, with the exit status 0."""
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=sockets)
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._end)
        print(self._base_url, flush=True)

    def _end(self) -> None:
        self.should_exit = True


async def serve(shop: Shop, serving: Serving) -> int:
    """Serve until SIGTERM or SIGINT; returns the exit status.

    Raises:
        NotSafeHere: users are not known for sure at this address (URL-13).
        ValueError: there is no such way to know them.
        StoreUnavailable: the store cannot be reached.
        OSError: the address cannot be listened on.
    """
    family = socket.AF_INET6 if ":" in serving.host else socket.AF_INET
    async with shop.open() as opened, provider_http() as http:
        with socket.socket(family, socket.SOCK_STREAM) as listening:
            identity = _identity(serving, opened, http)
            identity.check_address(serving.host)
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            host = f"[{serving.host}]" if family == socket.AF_INET6 else serving.host
            try:
                listening.bind((serving.host, serving.port))
            except OSError as error:
                raise OSError(error.errno, error.strerror, f"{host}:{serving.port}") from None
            port = listening.getsockname()[1]
            # Browsers leave 80 out, and the base URL has to be as they say it.
            base_url = serving.base_url or f"http://{host}" + (f":{port}" if port != 80 else "")
            service = ConnectService(
                opened.store,
                opened.vault,
                identity,
                opened.providers,
                base_url=base_url,
                http=http,
            )
            await _Server(_configure(service), base_url.rstrip("/")).serve([listening])
    return 0


def _identity(serving: Serving, opened: Opened, http: httpx2.AsyncClient) -> Identify:
    kind, _, name = serving.identity.partition(":")
    if serving.proxies and kind != "header":
        raise ValueError(tr("--proxy: only with --identity header:NAME"))
    match kind:
        case "local" if not name:
            return LocalUser(sealer=opened.vault.sealer)
        case "header" if name:
            return HeaderIdentity(
                name, trusted=serving.proxies or LOOPBACK, secret=serving.proxy_secret
            )
        case "oidc" if isinstance(provider := opened.providers.get(name), OAuthProvider):
            return OidcIdentity(provider, sealer=opened.vault.sealer, http=http)
        case _:
            raise ValueError(
                tr("--identity: local, header:NAME, or oidc:PROVIDER with one of the providers")
            )


def _configure(service: ConnectService) -> uvicorn.Config:
    return uvicorn.Config(
        service,
        ws="none",
        lifespan="off",
        access_log=False,  # an address may have a code in it
        log_config=None,
        log_level="critical",  # it logs what strangers send to the port
        proxy_headers=False,  # `HeaderIdentity` looks at who really connects
        server_header=False,
        date_header=False,
        limit_concurrency=_MOST_CONNECTIONS,
        timeout_graceful_shutdown=_LAST_WORDS,
    )

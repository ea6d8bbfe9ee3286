"""Asking a provider over HTTP, with a bound on everything that it can answer.

Owns: the client for it, the limits, and that no answer and no URL of a provider leads elsewhere:
redirects are not followed, and a host that the provider has named, not whoever set it up, is
reached at a public address only, which is looked up and then used (SSRF, with a name that changes
its address in between, too). Knows nothing of: OAuth. Above it: `metadata`, `client`.
Below it: `addresses`, httpx2.
"""

import asyncio
import logging
import socket
from collections.abc import Awaitable, Callable, Collection, Mapping
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any

import httpx2
import msgspec

from acp_elicitation.connect.errors import ProviderDown, ProviderFault
from acp_elicitation.connect.loopback import is_loopback
from acp_elicitation.connect.oauth.addresses import endpoint_fault, host_of, is_public

__all__ = ["MOST_BYTES", "Fetched", "Fetching", "provider_http"]

MOST_BYTES = 1_000_000
"""Of an answer."""

_TIMEOUT = httpx2.Timeout(10.0)
_WHOLE = 30.0
"""Seconds for one answer as a whole: a server may drip."""

_HEADERS = {
    "accept": "application/json",
    "accept-encoding": "identity",  # a packed answer can be larger than any limit on its bytes
    "user-agent": "acp-elicitation",
}
_Resolve = Callable[[str, int], Awaitable[list[str]]]


class Fetched(msgspec.Struct, frozen=True):
    """An answer: its status, and its JSON, or None where it is no JSON object."""

    status: int
    body: dict[str, Any] | None

    def __repr__(self) -> str:
        return f"<Fetched {self.status}>"  # the body may hold tokens


def provider_http() -> httpx2.AsyncClient:
    """Return what providers are spoken to with: no redirects, no cookies, nothing in the log."""
    # It logs each address at the level INFO, and headers of answers at DEBUG.
    logging.getLogger("httpx2").setLevel(logging.WARNING)
    logging.getLogger("httpcore2").setLevel(logging.WARNING)
    return httpx2.AsyncClient(
        timeout=_TIMEOUT,
        follow_redirects=False,
        # One client serves all users: what a provider sets for one is not for another.
        cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
        limits=httpx2.Limits(max_connections=100, max_keepalive_connections=20),
    )


async def _look_up(host: str, port: int) -> list[str]:
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(entry[4][0]) for entry in found]


class Fetching:
    """Requests to one provider.

    `trusted` are the hosts that whoever set up the provider has named: those may be anywhere, as a
    company's own provider is. `local` says that the provider runs on this machine, as in
    development, so that it may name others of this machine. `patience` is in seconds, for a whole
    answer.
    """

    def __init__(
        self,
        http: httpx2.AsyncClient,
        *,
        provider: str,
        local: bool,
        trusted: Collection[str] = (),
        patience: float = _WHOLE,
        look_up: _Resolve = _look_up,
    ) -> None:
        self._http = http
        self._provider = provider
        self._local = local
        self._trusted = frozenset(trusted)
        self._patience = patience
        self._look_up = look_up

    def check_endpoint(self, name: str, url: object) -> str:
        """Return a URL that is called `name`, if it may be asked.

        Raises:
            ProviderFault: it is no https URL (http is for this machine), or an unusual one.
        """
        if fault := endpoint_fault(url, local=self._local):
            raise self._fault(f"its {name} {fault}")
        return str(url)

    async def get(self, url: str, *, bearer: str | None = None) -> Fetched:
        """Return what is at `url`.

        Raises:
            ProviderDown: it cannot be reached, is too slow, or says that it cannot answer; or the
                client for it was closed.
            ProviderFault: it sends elsewhere, or too much, or is where nobody may be sent.
        """
        headers = {} if bearer is None else {"authorization": f"Bearer {bearer}"}
        return await self._fetch(self._http.build_request("GET", url, headers=_HEADERS | headers))

    async def post(
        self, url: str, form: Mapping[str, str], *, auth: httpx2.BasicAuth | None = None
    ) -> Fetched:
        """Return the answer to a form. Raises as `get`."""
        request = self._http.build_request("POST", url, data=dict(form), headers=_HEADERS)
        return await self._fetch(request, auth)

    async def _fetch(
        self, request: httpx2.Request, auth: httpx2.BasicAuth | None = None
    ) -> Fetched:
        try:
            async with asyncio.timeout(self._patience):
                await self._pin(request)
                if self._http.is_closed:
                    raise ProviderDown(self._provider, "the client to reach it with was closed")
                response = await self._http.send(
                    request, auth=auth, stream=True, follow_redirects=False
                )
                try:
                    body = await self._read(response)
                finally:
                    await response.aclose()
        except (httpx2.HTTPError, OSError) as error:  # a time limit is an OSError
            raise ProviderDown(
                self._provider, f"it cannot be reached ({type(error).__name__})"
            ) from None
        if response.status_code >= 500 or response.status_code == 429:
            raise ProviderDown(self._provider, f"it answers with status {response.status_code}")
        if 300 <= response.status_code < 400:
            raise self._fault("it sends elsewhere, which is not followed")
        try:
            found = msgspec.json.decode(body, type=dict[str, Any])
        except (msgspec.MsgspecError, ValueError, RecursionError):
            found = None
        return Fetched(response.status_code, found)

    async def _pin(self, request: httpx2.Request) -> None:
        """Have a request go to an address that was looked at, where the provider chose the host.

        To look at the address and then to leave it to the client to look it up again would leave
        time for it to become another.
        """
        host = host_of(str(request.url))
        if host in self._trusted or (self._local and is_loopback(host)):
            return
        try:
            addresses = await self._look_up(host, request.url.port or 443)
        except (OSError, UnicodeError):
            raise ProviderDown(self._provider, "the host of an endpoint has no address") from None
        if not addresses or not all(map(is_public, addresses)):
            raise self._fault("an endpoint of it leads into a private network")
        request.url = request.url.copy_with(host=addresses[0])
        # The name stays the one that is asked for, and the one that the certificate has to be for.
        request.extensions = {**request.extensions, "sni_hostname": host}
        # Its connection is of no use to another name at the same address.
        request.headers["connection"] = "close"

    async def _read(self, response: httpx2.Response) -> bytes:
        if response.headers.get("content-encoding", "identity").casefold() != "identity":
            raise self._fault("its answer is packed, which was not asked for")
        body = bytearray()
        async for chunk in response.aiter_raw():
            body += chunk
            if len(body) > MOST_BYTES:
                raise self._fault("its answer is larger than any such answer")
        return bytes(body)

    def _fault(self, what: str) -> ProviderFault:
        return ProviderFault(self._provider, what)

"""Talking to a provider's servers: bounded in time and size, JSON only, nowhere but where meant.

Owns: one request and the reading of its answer, and which addresses a provider may name (SSRF).
Knows nothing of: OAuth. Above it: `metadata`, `client`. Below it: httpx2.

No error quotes a URL, a body or a value: they hold codes and tokens.
"""

import asyncio
import ipaddress
import logging
import socket
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

import httpx2
import msgspec

from acp_elicitation.connect.errors import ProviderDown, ProviderFault
from acp_elicitation.connect.loopback import is_loopback

__all__ = ["MOST_BYTES", "Fetched", "Fetching", "provider_http"]

MOST_BYTES = 1_000_000
"""Of an answer."""

_TIMEOUT = httpx2.Timeout(10.0)
_WHOLE = 30.0
"""Seconds for one answer as a whole: a server may drip."""


class Fetched(msgspec.Struct, frozen=True):
    """An answer: its status, and its JSON, or None where it is no JSON object."""

    status: int
    body: dict[str, Any] | None


def provider_http() -> httpx2.AsyncClient:
    """Return what providers are spoken to with: no redirects, no cookies, nothing of the log."""
    # It logs each address at the level INFO: with codes in it, once a provider takes them so.
    logging.getLogger("httpx2").setLevel(logging.WARNING)
    logging.getLogger("httpcore2").setLevel(logging.WARNING)
    return httpx2.AsyncClient(
        timeout=_TIMEOUT,
        follow_redirects=False,
        headers={"accept": "application/json", "user-agent": "acp-elicitation"},
        limits=httpx2.Limits(max_connections=100, max_keepalive_connections=20),
    )


class Fetching:
    """Requests to one provider. `local` says that it runs on this machine, as in development."""

    def __init__(self, http: httpx2.AsyncClient, *, provider: str, local: bool) -> None:
        self._http = http
        self._provider = provider
        self._local = local

    async def check_endpoint(self, name: str, url: object) -> str:
        """Return an endpoint that a provider's metadata names, if it may be called.

        Raises:
            ProviderFault: it is no https URL, or leads to an address that is not public.
            ProviderDown: its host has no address.
        """
        try:
            parts = urlsplit(url if isinstance(url, str) else "")
            host, port = parts.hostname or "", parts.port
        except ValueError:
            raise self._fault(f"its {name} is no URL") from None
        if not host or parts.username is not None or parts.fragment:
            raise self._fault(f"its {name} is no absolute URL")
        if self._local and is_loopback(host) and parts.scheme in ("http", "https"):
            return str(url)
        if parts.scheme != "https":
            raise self._fault(f"its {name} is not https")
        for address in await self._addresses(host, port or 443):
            if not ipaddress.ip_address(address).is_global:
                raise self._fault(f"its {name} leads into a private network")
        return str(url)

    async def _addresses(self, host: str, port: int) -> list[str]:
        loop = asyncio.get_running_loop()
        try:
            found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except OSError:
            raise ProviderDown(self._provider, "the host of an endpoint has no address") from None
        return [str(entry[4][0]).partition("%")[0] for entry in found]

    async def get(self, url: str, *, bearer: str | None = None) -> Fetched:
        """Return what is at `url`.

        Raises:
            ProviderDown: it cannot be reached, is too slow, or says that it cannot answer.
            ProviderFault: it sends elsewhere, or too much.
        """
        headers = {} if bearer is None else {"authorization": f"Bearer {bearer}"}
        return await self._fetch(self._http.build_request("GET", url, headers=headers))

    async def post(
        self, url: str, form: Mapping[str, str], *, auth: httpx2.BasicAuth | None = None
    ) -> Fetched:
        """Return the answer to a form. Raises as `get`."""
        request = self._http.build_request("POST", url, data=dict(form))
        return await self._fetch(request, auth)

    async def _fetch(
        self, request: httpx2.Request, auth: httpx2.BasicAuth | None = None
    ) -> Fetched:
        try:
            async with asyncio.timeout(_WHOLE):
                response = await self._http.send(
                    request, auth=auth, stream=True, follow_redirects=False
                )
                try:
                    body = await self._read(response)
                finally:
                    await response.aclose()
        except (httpx2.HTTPError, TimeoutError) as error:
            raise ProviderDown(
                self._provider, f"it cannot be reached ({type(error).__name__})"
            ) from None
        if response.status_code >= 500 or response.status_code == 429:
            raise ProviderDown(self._provider, f"it answers with status {response.status_code}")
        if 300 <= response.status_code < 400:
            raise self._fault("it sends elsewhere, which is not followed")
        try:
            found = msgspec.json.decode(body, type=dict[str, Any])
        except (msgspec.MsgspecError, ValueError):
            found = None
        return Fetched(response.status_code, found)

    async def _read(self, response: httpx2.Response) -> bytes:
        body = bytearray()
        async for chunk in response.aiter_bytes():
            body += chunk
            if len(body) > MOST_BYTES:
                raise self._fault("its answer is larger than any such answer")
        return bytes(body)

    def _fault(self, what: str) -> ProviderFault:
        return ProviderFault(self._provider, what)

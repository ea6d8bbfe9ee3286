"""npm's strict `oidc-provider` as a process of its own, and what a test sees and wants of it.

Owns: starting it, its clients, the log of its token endpoint, how that endpoint behaves.
Knows nothing of: the connect service. Above it: the tests of connecting. Below it: `provider.mjs`.
"""

import asyncio
import contextlib
import json
import os
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

__all__ = ["OpenIdClient", "OpenIdProvider", "TokenAnswer", "openid_provider"]

_PROGRAM = Path(__file__).parent / "provider.mjs"
_LIMIT = 20.0


@dataclass(frozen=True, kw_only=True)
class OpenIdClient:
    """A client of the provider; without a secret it is a public one."""

    id: str
    redirect_uris: Sequence[str]
    secret: str | None = None

    def written(self) -> dict[str, Any]:
        own: dict[str, Any] = {"client_id": self.id, "redirect_uris": list(self.redirect_uris)}
        if self.secret is None:
            return {**own, "token_endpoint_auth_method": "none"}
        return {**own, "client_secret": self.secret}


@dataclass(frozen=True, kw_only=True)
class TokenAnswer:
    """How one request at the token endpoint was answered."""

    status: int
    grant: str | None = None
    client: str | None = None
    error: str | None = None
    tokens: Sequence[str] = field(default=(), compare=False, repr=False)
    """The secrets in it, for a test to look for them where they must not be."""


@dataclass(eq=False)
class OpenIdProvider:
    """The running provider. `answers` are all that its token endpoint gave, in their order."""

    process: asyncio.subprocess.Process
    issuer: str = ""
    arrived: int = 0
    answers: list[TokenAnswer] = field(default_factory=list)
    _done: int = 0
    _has_ended: bool = False
    _news: asyncio.Condition = field(default_factory=asyncio.Condition)

    async def behave(self, manner: str) -> None:
        """Have its token endpoint `serve`, be `down`, `hold` requests, or be `slow MILLISECONDS`.

        Requests that it held go on when it may do anything else.
        """
        assert self.process.stdin is not None
        before = self._done
        self.process.stdin.write(f"{manner}\n".encode())
        async with asyncio.timeout(_LIMIT), self._news:
            await self._news.wait_for(lambda: self._done > before)

    async def has_had(self, *, arrived: int = 0, answered: int = 0) -> None:
        """Return when so many token requests have arrived, and so many are answered."""
        async with asyncio.timeout(_LIMIT), self._news:
            await self._news.wait_for(
                lambda: self.arrived >= arrived and len(self.answers) >= answered
            )

    async def read(self) -> None:
        """Read what it says, until it ends."""
        assert self.process.stdout is not None
        async for line in self.process.stdout:
            if line.startswith(b"{"):
                async with self._news:
                    self._note(json.loads(line))
                    self._news.notify_all()
        async with self._news:
            self._has_ended = True
            self._news.notify_all()

    def _note(self, said: dict[str, Any]) -> None:
        match said.pop("token", None):
            case "arrived":
                self.arrived += 1
            case "answered":
                self.answers.append(TokenAnswer(**said))
            case "behaves":
                self._done += 1
            case _:
                self.issuer = said["issuer"]

    async def is_ready(self) -> None:
        async with asyncio.timeout(_LIMIT), self._news:
            await self._news.wait_for(lambda: self.issuer or self._has_ended)
        assert self.issuer, "the provider does not start: are the packages of tests/ installed?"


@contextlib.asynccontextmanager
async def openid_provider(
    *clients: OpenIdClient,
    host: str = "127.0.0.1",
    lifetimes: Mapping[str, int] | None = None,
    token: str = "serve",
) -> AsyncIterator[OpenIdProvider]:
    """Run a provider with these clients for the length of the block.

    Args:
        clients: each with its exact redirect URIs.
        host: of its issuer, `127.0.0.1` or `localhost`, which are different sites to a browser.
        lifetimes: seconds by oidc-provider's names, such as `{"AccessToken": 5}`.
        token: how its token endpoint begins, see `OpenIdProvider.behave`.
    """
    environment = {
        **os.environ,
        "OPENID_CLIENTS": json.dumps([client.written() for client in clients]),
        "OPENID_HOST": host,
        "OPENID_LIFETIMES": json.dumps(dict(lifetimes or {})),
        "OPENID_TOKEN": token,
    }
    process = await asyncio.create_subprocess_exec(
        "node", str(_PROGRAM), stdin=-1, stdout=-1, stderr=-3, env=environment
    )
    provider = OpenIdProvider(process)
    reading = asyncio.create_task(provider.read())
    try:
        await provider.is_ready()
        yield provider
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()
        await reading

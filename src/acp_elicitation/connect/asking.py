"""The agent's side: `elicitor.connect`, over links in a store and a vault that both sides share.

Owns: when the user is asked, what the link says, and which exception an end becomes.
Knows nothing of: pages, and how a provider is spoken to, but for refreshing and giving back.
Above it: agents. Below it: `agent.shared`, the vault, `oauth`.

The agent and the connect service may be processes on different machines. They share the store, the
keys of the vault and the list of providers, and nothing else.
"""

import asyncio
from collections import defaultdict
from collections.abc import Callable
from typing import Unpack

import httpx2

from acp_elicitation.agent.asking import Asking
from acp_elicitation.agent.connecting import Grant
from acp_elicitation.agent.elicitor import Elicitor
from acp_elicitation.agent.link import Link
from acp_elicitation.agent.shared import SharedLinks
from acp_elicitation.connect.credential import Credential
from acp_elicitation.connect.details import LinkDetails, write_details
from acp_elicitation.connect.errors import ConnectFailed, NoGrant, ProviderDenied, ProviderError
from acp_elicitation.connect.oauth.client import OAuthClient
from acp_elicitation.connect.oauth.fetching import provider_http
from acp_elicitation.connect.providers import OAuthProvider, Provider, Providers
from acp_elicitation.connect.reasons import reason_of
from acp_elicitation.connect.vault import Vault
from acp_elicitation.protocol.errors import InvalidQuestion
from acp_elicitation.stores.errors import LinkEnded
from acp_elicitation.stores.port import Store
from acp_elicitation.stores.records import Identity
from acp_elicitation.stores.settings import wall_clock

__all__ = ["AccountConnecting", "AccountConnector"]


class AccountConnecting:
    """What an agent needs to connect accounts: give it to `Agent(connecting=...)`."""

    def __init__(
        self,
        store: Store,
        vault: Vault,
        providers: Providers,
        *,
        base_url: str,
        identity: Identity,
        agent: str,
        lifetime: float = 600.0,
        http: httpx2.AsyncClient | None = None,
        clock: Callable[[], int] = wall_clock,
    ) -> None:
        """Take what is shared with the connect service.

        Args:
            store: where the links are; open.
            vault: what is granted; its leak guard looks at each message that the agent sends.
            providers: by name, as the service has them.
            base_url: of the service.
            identity: the user that was verified on the agent's connections, never one that a client
                merely claims (REQ-3, URL-13).
            agent: who asks, for the user to read on the connect page.
            lifetime: seconds that a user has to finish.
            http: what providers are spoken to with, which stays the caller's to close; by default
                one of its own, made when it is first needed.
            clock: the time in milliseconds since 1970.
        """
        self.store = store
        self.vault = vault
        self.providers = providers
        self.base_url = base_url.rstrip("/")
        self.identity = identity
        self.agent = agent
        self.lifetime = lifetime
        self._http = http
        self._own_http: httpx2.AsyncClient | None = None
        self._clock = clock
        self._clients: dict[str, OAuthClient] = {}

    def check_outgoing(self, message: bytes) -> None:
        """Let a message pass, or raise `CredentialLeak` (URL-2)."""
        self.vault.guard.check(message)

    def attach(self, elicitor: Elicitor) -> None:
        """Give this elicitor its connector; `Agent` does so for each of its clients."""
        elicitor.connector = AccountConnector(self, elicitor)

    async def credential(self, provider: str) -> Credential:
        """Return the user's credential, refreshed where it runs out, to be used on this side.

        What is in it never goes out over ACP: the leak guard knows it from here on (URL-2).

        Raises:
            NoGrant: the user has granted nothing for this provider: `connect` first.
            ProviderDenied: the provider has taken it back, and it is forgotten: `connect` asks the
                user.
            ProviderDown, ProviderFault: it could not be refreshed.
            VaultError, StoreUnavailable: it cannot be read.
        """
        client = self._client(provider)
        refresh = None if client is None else client.refresh
        return await self.vault.credential(self.identity, provider, refresh=refresh)

    async def revoke(self, provider: str) -> None:
        """Forget the user's credential, and tell the provider so.

        Raises:
            NoGrant: there is none.
            ProviderDown, ProviderFault: it is forgotten here, and the provider could not be told.
            VaultError, StoreUnavailable: it cannot be read.
        """
        client = self._client(provider)
        tell = None if client is None else client.revoke
        await self.vault.revoke(self.identity, provider, tell=tell)

    def now(self) -> int:
        """Return the time in milliseconds since 1970."""
        return self._clock()

    async def aclose(self) -> None:
        """Close the client of its own, if it has made one: not one that it was given.

        It may be called more than once, and whatever comes after it makes a new client.
        """
        own, self._own_http = self._own_http, None
        if own is not None:
            self._clients.clear()
            await own.aclose()

    def provider(self, name: str) -> Provider:
        """Return a provider.

        Raises:
            InvalidQuestion: there is none of that name; the message lists those that there are.
        """
        found = self.providers.get(name)
        if found is None:
            known = ", ".join(sorted(self.providers)) or "none"
            raise InvalidQuestion(
                where="provider",
                reason="the connect service was given none of that name",
                instead=f"give it one, or take one of those that it has: {known}",
            )
        return found

    def _client(self, name: str) -> OAuthClient | None:
        provider = self.provider(name)
        if not isinstance(provider, OAuthProvider):
            return None
        if name not in self._clients:
            http = self._http
            if http is None:
                http = self._own_http = self._own_http or provider_http()
            self._clients[name] = OAuthClient(provider, http=http, clock=self._clock)
        return self._clients[name]


class AccountConnector:
    """Connects accounts for the user of one connection."""

    def __init__(self, connecting: AccountConnecting, elicitor: Elicitor) -> None:
        self._with = connecting
        self._links = SharedLinks(
            elicitor,
            connecting.store,
            identity=connecting.identity,
            lifetime=connecting.lifetime,
        )
        self._asking: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def connect(
        self,
        provider: str,
        *,
        purpose: str = "",
        scopes: tuple[str, ...] = (),
        again: bool = False,
        wait: float | None = None,
        **asking: Unpack[Asking],
    ) -> Grant:
        """See `Connects.connect`."""
        kind = self._with.provider(provider)
        async with self._asking[provider]:  # who asks at the same time gets the same answer
            if not again and (before := await self._granted(kind)) is not None:
                if self._will_do(before, kind, scopes):
                    return before.grant(provider)
                scopes = _all_scopes(before, kind, scopes)
            link = await self._ask(kind, purpose, scopes, asking)
            link.answer.unwrap()
            try:
                await link.completed(timeout=wait)
            except LinkEnded as end:
                reason = reason_of(state=end.state, reason=end.reason)
                raise ConnectFailed(provider, reason) from None
            except BaseException:
                link.withdraw()  # nobody waits for it: what comes for it now is refused
                raise
            return (await self._with.vault.credential(self._with.identity, provider)).grant(
                provider
            )

    async def _ask(
        self, provider: Provider, purpose: str, scopes: tuple[str, ...], asking: Asking
    ) -> Link:
        details = LinkDetails(
            provider=provider.name, agent=self._with.agent, purpose=purpose, scopes=scopes
        )
        message = f"Connect your account: {provider.shown}."
        return await self._links.link(
            f"{message}\n{purpose}" if purpose else message,
            lambda link_id: f"{self._with.base_url}/link/{link_id}",  # URL-9: an opaque id alone
            details=write_details(details),
            **asking,
        )

    async def _granted(self, provider: Provider) -> Credential | None:
        """Return what was granted before, and whether it is of use still is looked at where it runs
        out: what the provider has taken back, the user is asked for anew.
        """
        try:
            return await self._with.credential(provider.name)
        except (NoGrant, ProviderDenied):
            return None
        except ProviderError:  # nobody can know now
            return await self._with.vault.credential(self._with.identity, provider.name)

    def _will_do(self, before: Credential, provider: Provider, scopes: tuple[str, ...]) -> bool:
        """Whether the user need not be asked again."""
        if before.refresh is None and before.runs_out_by(self._with.now()):
            return False
        if not isinstance(provider, OAuthProvider):  # what is typed or reported has no scopes
            return True
        # What was asked for and not granted is not asked for in circles: the answer is known.
        return set(scopes) <= {*before.scopes, *before.asked}

    async def close(self) -> None:
        """Stop following links; what is stored stays, and ends by its expiry at the latest."""
        await self._links.close()


def _all_scopes(before: Credential, provider: Provider, scopes: tuple[str, ...]) -> tuple[str, ...]:
    """Return what to ask for beyond what the provider is set up with.

    What was asked for before is asked for with it: the new grant takes the old one's place, and who
    needed the old one's scopes would have the user asked once more, and so on.
    """
    own = provider.scopes if isinstance(provider, OAuthProvider) else ()
    return tuple(dict.fromkeys((*(scope for scope in before.asked if scope not in own), *scopes)))

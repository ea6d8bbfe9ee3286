"""The vault: each grant for its user alone, refreshed once, and never in the clear on disk."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from acp_elicitation.agent.connecting import Grant
from acp_elicitation.connect.credential import Credential, write_credential
from acp_elicitation.connect.errors import CredentialLeak, NoGrant, VaultError
from acp_elicitation.connect.leaks import LeakGuard
from acp_elicitation.connect.sealing import KEY_BYTES, Sealer
from acp_elicitation.connect.secret import Secret
from acp_elicitation.connect.vault import Vault
from acp_elicitation.protocol.requests import ElicitationId
from acp_elicitation.stores.errors import StoreUnavailable
from acp_elicitation.stores.port import Store
from acp_elicitation.stores.records import ConnectionId, Identity, NewGrant
from acp_elicitation.stores.settings import wall_clock
from acp_elicitation.stores.sqlite import sqlite_store
from tests.tracebacks import with_variables

KEY, NEW_KEY = b"k" * KEY_BYTES, b"n" * KEY_BYTES
ADA, BOB = Identity("ada"), Identity("bob")
TOKEN, REFRESH = "gho_0123456789abcdef", "ghr_fedcba9876543210"
NOW = 1_000_000_000
GITHUB = Credential(
    secret=Secret(TOKEN),
    refresh=Secret(REFRESH),
    expires_at=NOW + 10_000,
    account="ada@github",
    scopes=("repo", "gist"),
    asked=("repo", "gist", "user"),
)


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    async with sqlite_store(tmp_path / "links.sqlite3") as opened:
        yield opened


def vault_in(store: Store, *keys: bytes, guard: LeakGuard | None = None) -> Vault:
    return Vault(store, Sealer(keys or (KEY,)), guard=guard, clock=lambda: NOW)


_links = iter(range(10_000))


async def keep(store: Store, grant: NewGrant) -> None:
    """Keep a grant in the way that they come: with the completion of a link."""
    link = ElicitationId(f"link-{next(_links)}")
    await store.create(link, connection=ConnectionId("c"), identity=grant.owner, lifetime=60)
    await store.complete(link, identity=grant.owner, grant=grant)


async def with_github(store: Store, owner: Identity = ADA) -> Vault:
    vault = vault_in(store)
    await keep(store, vault.seal(owner, "github", GITHUB))
    return vault


async def test_a_credential_comes_back_for_its_user(store: Store) -> None:
    vault = await with_github(store)
    assert await vault.credential(ADA, "github") == GITHUB


@pytest.mark.requirement("URL-2")
async def test_an_agent_may_know_the_account_and_the_scopes_and_no_more(store: Store) -> None:
    vault = await with_github(store)
    (grant,) = await vault.grants(ADA)
    assert grant == Grant(provider="github", account="ada@github", scopes=("repo", "gist"))
    assert TOKEN not in repr((grant, GITHUB))


@pytest.mark.parametrize(("owner", "provider"), [(BOB, "github"), (ADA, "gitlab")])
async def test_what_was_not_granted_is_not_there(
    store: Store, owner: Identity, provider: str
) -> None:
    vault = await with_github(store)
    with pytest.raises(NoGrant, match=provider):
        await vault.credential(owner, provider)


async def test_a_grant_that_was_moved_to_another_user_does_not_open(store: Store) -> None:
    vault = await with_github(store)
    stolen = await store.grant(ADA, "github")
    assert stolen is not None
    await keep(store, NewGrant(owner=BOB, name="github", sealed=stolen.sealed))
    with pytest.raises(VaultError, match="belongs elsewhere"):
        await vault.credential(BOB, "github")


async def test_no_token_is_in_plain_text_on_disk(store: Store, tmp_path: Path) -> None:
    await with_github(store)
    written = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert b"github" in written
    assert TOKEN.encode() not in written
    assert REFRESH.encode() not in written


@pytest.mark.requirement("URL-2")
async def test_what_was_in_the_vault_cannot_go_out(store: Store) -> None:
    guard = LeakGuard()
    vault = vault_in(store, guard=guard)
    await keep(store, vault.seal(ADA, "github", GITHUB))
    again = vault_in(store)  # another process, which has only read it
    await again.credential(ADA, "github")
    for learnt in (guard, again.guard):
        for secret in (TOKEN, REFRESH):
            with pytest.raises(CredentialLeak):
                learnt.check(secret.encode())


class Provider:
    """Refreshes: each refresh token works once."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.go_on = asyncio.Event()
        self.called = asyncio.Event()

    async def refresh(self, old: Credential) -> Credential:
        assert old.refresh is not None
        used = old.refresh.reveal()
        if used in self.calls:
            raise RuntimeError("invalid_grant")
        self.calls.append(used)
        self.called.set()
        await self.go_on.wait()
        number = len(self.calls)
        return Credential(
            secret=Secret(f"gho_fresh_token_{number}"),
            refresh=Secret(f"ghr_fresh_token_{number}"),
            expires_at=NOW + 3_600_000,
        )


async def test_a_token_is_refreshed_once_for_all_who_need_it(store: Store) -> None:
    vault, provider = await with_github(store), Provider()
    asking = [
        asyncio.create_task(vault.credential(ADA, "github", refresh=provider.refresh))
        for _ in range(20)
    ]
    await provider.called.wait()
    asking[0].cancel()  # one that gives up stops nobody else
    provider.go_on.set()
    found = await asyncio.gather(*asking[1:])
    assert {credential.secret.reveal() for credential in found} == {"gho_fresh_token_1"}
    assert provider.calls == [REFRESH]
    assert await vault.credential(ADA, "github", refresh=provider.refresh) == found[0]


async def test_a_token_that_lives_long_enough_is_not_refreshed(store: Store) -> None:
    vault, provider = vault_in(store), Provider()
    lasting = Credential(secret=Secret(TOKEN), expires_at=NOW + 3_600_000)
    await keep(store, vault.seal(ADA, "github", lasting))
    await keep(store, vault.seal(ADA, "other", Credential(secret=Secret(TOKEN))))
    assert await vault.credential(ADA, "github", refresh=provider.refresh) == lasting
    assert (await vault.credential(ADA, "other", refresh=provider.refresh)).expires_at is None
    assert provider.calls == []


async def test_a_refresh_that_fails_is_told_and_loses_nothing(store: Store) -> None:
    vault = await with_github(store)

    async def fail(old: Credential) -> Credential:
        raise RuntimeError("provider down")

    with pytest.raises(RuntimeError, match="provider down"):
        await vault.credential(ADA, "github", refresh=fail)
    assert await vault.credential(ADA, "github") == GITHUB


@pytest.mark.requirement("URL-2")
async def test_no_token_is_in_a_traceback_with_its_variables(tmp_path: Path) -> None:
    async def refresh(old: Credential) -> Credential:
        await opened.__aexit__(None, None, None)  # and what it gives can be kept nowhere
        return GITHUB

    opened = await sqlite_store(tmp_path / "links.sqlite3").__aenter__()
    vault = await with_github(opened)
    with pytest.raises(StoreUnavailable) as caught:
        await vault.credential(ADA, "github", refresh=refresh)
    shown = with_variables(caught.value)
    assert "not open" in shown
    assert TOKEN not in shown
    assert REFRESH not in shown


@pytest.mark.requirement("URL-2")
@pytest.mark.parametrize("do", ["grants", "revoke", "credential", "seal_anew"])
async def test_no_token_is_in_the_traceback_of_what_cannot_be_read_or_sealed(
    store: Store, do: str
) -> None:
    def no_numbers(count: int) -> bytes:
        raise VaultError("out of numbers")

    plain = write_credential(GITHUB) + b"!" * (do != "seal_anew")
    sealed = Sealer([NEW_KEY]).seal(plain, ADA, "github")
    await keep(store, NewGrant(owner=ADA, name="github", sealed=sealed))
    vault = Vault(store, Sealer([KEY, NEW_KEY], random=no_numbers))
    given = {"grants": (ADA,), "seal_anew": ()}.get(do, (ADA, "github"))
    with pytest.raises(VaultError, match=r"another version|out of numbers") as caught:
        await getattr(vault, do)(*given)
    assert TOKEN not in with_variables(caught.value)


async def test_what_is_revoked_is_gone_and_the_provider_is_told(store: Store) -> None:
    vault = await with_github(store)
    told: list[Credential] = []

    async def tell(credential: Credential) -> None:
        told.append(credential)

    await vault.revoke(ADA, "github", tell=tell)
    assert told == [GITHUB]
    assert await vault.grants(ADA) == ()
    vault.guard.check(TOKEN.encode())  # it is worth nothing any more
    with pytest.raises(NoGrant):
        await vault.revoke(ADA, "github")


async def test_what_is_revoked_is_gone_though_the_provider_cannot_be_told(store: Store) -> None:
    vault = await with_github(store)

    async def fail(credential: Credential) -> None:
        raise RuntimeError("provider down")

    with pytest.raises(RuntimeError):
        await vault.revoke(ADA, "github", tell=fail)
    assert await vault.grants(ADA) == ()
    with pytest.raises(CredentialLeak):
        vault.guard.check(TOKEN.encode())  # it may still be worth something


async def test_a_key_is_rotated_without_a_pause(store: Store) -> None:
    await with_github(store)
    rotating = vault_in(store, NEW_KEY, KEY)
    await keep(store, rotating.seal(BOB, "github", GITHUB))
    assert await rotating.seal_anew() == 1
    assert await rotating.seal_anew() == 0
    after = vault_in(store, NEW_KEY)
    for owner in (ADA, BOB):
        assert await after.credential(owner, "github") == GITHUB
    with pytest.raises(VaultError):
        await vault_in(store).credential(ADA, "github")


def test_the_clock_of_the_wall_counts_milliseconds() -> None:
    assert wall_clock() > 1_700_000_000_000

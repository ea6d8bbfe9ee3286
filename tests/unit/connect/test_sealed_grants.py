"""A grant opens for its user and provider alone, and is written anew by who has read it last."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from acp_elicitation.connect.credential import Credential
from acp_elicitation.connect.errors import CredentialLeak, NoGrant, VaultError
from acp_elicitation.connect.leaks import LeakGuard
from acp_elicitation.connect.sealed_grants import SealedGrants
from acp_elicitation.connect.sealing import Sealer
from acp_elicitation.connect.secret import Secret
from acp_elicitation.protocol.requests import ElicitationId
from acp_elicitation.stores.errors import GrantChanged
from acp_elicitation.stores.records import ConnectionId, Identity
from acp_elicitation.stores.sqlite import sqlite_store
from tests.connecting import ADA, KEY

TOKEN = Credential(secret=Secret("access-0123456789"), refresh=Secret("refresh-0123456789"))


@pytest.fixture
async def grants(tmp_path: Path) -> AsyncIterator[SealedGrants]:
    async with sqlite_store(tmp_path / "links.sqlite3") as store:
        grants = SealedGrants(store, Sealer([KEY]), LeakGuard())
        link = ElicitationId("link")
        await store.create(link, connection=ConnectionId("c"), identity=ADA, lifetime=60)
        await store.complete(link, identity=ADA, grant=grants.seal(ADA, "hub", TOKEN))
        yield grants


async def test_what_is_there_opens_and_what_is_not_says_so(grants: SealedGrants) -> None:
    assert grants.open(await grants.read(ADA, "hub")) == TOKEN
    for owner, provider in ((Identity("bob"), "hub"), (ADA, "wiki")):
        with pytest.raises(NoGrant, match=provider):
            await grants.read(owner, provider)


async def test_a_grant_is_written_anew_by_who_has_read_it_last(grants: SealedGrants) -> None:
    read = await grants.read(ADA, "hub")
    newer = Credential(secret=Secret("access-of-another"))
    written = await grants.rewrite(read, newer)
    with pytest.raises(GrantChanged):
        await grants.rewrite(read, TOKEN)
    assert grants.open(await grants.read(ADA, "hub")) == grants.open(written) == newer


async def test_a_grant_written_anew_is_sealed_to_its_own_place(grants: SealedGrants) -> None:
    written = await grants.rewrite(await grants.read(ADA, "hub"), TOKEN)
    assert b"access-0123456789" not in written.sealed
    with pytest.raises(VaultError):
        grants.sealer.open(written.sealed, ADA, "wiki")


@pytest.mark.requirement("URL-2")
async def test_the_guard_learns_what_is_read_and_what_is_written(grants: SealedGrants) -> None:
    reader = SealedGrants(grants.store, grants.sealer, LeakGuard())
    writer = SealedGrants(grants.store, grants.sealer, LeakGuard())
    read = await reader.read(ADA, "hub")
    reader.open(read)
    await writer.rewrite(read, TOKEN)
    for guard in (grants.guard, reader.guard, writer.guard):
        for secret in (b"access-0123456789", b"refresh-0123456789"):
            with pytest.raises(CredentialLeak):
                guard.check(secret)

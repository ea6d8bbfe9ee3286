"""Every store keeps every obligation of the port, and the contract finds those that do not."""

from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest

from acp_elicitation.protocol.requests import ElicitationId
from acp_elicitation.stores.contract import CHECKS, Check, check_obligation, check_store
from acp_elicitation.stores.errors import LinkClaimed, LinkEnded, WrongIdentity
from acp_elicitation.stores.keeping import KeptStore
from acp_elicitation.stores.port import Store
from acp_elicitation.stores.records import Identity, SealedGrant, StoredLink
from acp_elicitation.stores.settings import StoreSettings
from acp_elicitation.stores.trial import Clock
from tests.unit.stores.places import Place, SqlitePlace, make_in, settings_for


@pytest.mark.requirement("REQ-3", "URL-3", "URL-6", "URL-13")
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__.strip("_"))
async def test_a_store_keeps_this_obligation(check: Check, place: Place) -> None:
    await check_obligation(check, make_in(place))


async def test_a_store_that_keeps_all_passes_the_whole_contract(tmp_path: Path) -> None:
    await check_store(make_in(SqlitePlace(tmp_path)))


class EndsTwice(KeptStore):
    async def complete(self, link_id: ElicitationId, **options: Any) -> StoredLink:
        try:
            return await super().complete(link_id, **options)
        except LinkEnded:
            return await self.read(link_id)


class ClaimsTwice(KeptStore):
    async def claim(self, attempt_key: str) -> StoredLink:
        try:
            return await super().claim(attempt_key)
        except LinkClaimed as error:
            return await self.read(ElicitationId(error.elicitation_id))


class ListensForAnybody(KeptStore):
    async def wait(self, link_id: ElicitationId, **options: Any) -> StoredLink:
        link = await self.read(link_id)
        return await super().wait(link_id, connection=link.connection)


class BelievesAnybody(KeptStore):
    async def complete(self, link_id: ElicitationId, **options: Any) -> StoredLink:
        try:
            return await super().complete(link_id, **options)
        except WrongIdentity:
            options["identity"], options["grant"] = (await self.read(link_id)).identity, None
            return await super().complete(link_id, **options)


class LosesGrants(KeptStore):
    async def complete(self, link_id: ElicitationId, **options: Any) -> StoredLink:
        return await super().complete(link_id, **{**options, "grant": None})


class WritesOverChanges(KeptStore):
    async def replace_grant(self, grant: SealedGrant, *, sealed: bytes) -> SealedGrant:
        now = await self.grant(grant.owner, grant.name)
        return await super().replace_grant(now or grant, sealed=sealed)


class ShowsGrantsToAll(KeptStore):
    async def grants(self, owner: Identity | None = None) -> tuple[SealedGrant, ...]:
        return await super().grants()


class KeepsNoTime(KeptStore):
    def __init__(self, rows: Any, settings: StoreSettings) -> None:
        now = settings.clock()
        super().__init__(rows, StoreSettings(clock=lambda: now, scan_every=settings.scan_every))


@pytest.mark.parametrize(
    "broken",
    [
        EndsTwice,
        ClaimsTwice,
        ListensForAnybody,
        BelievesAnybody,
        LosesGrants,
        WritesOverChanges,
        ShowsGrantsToAll,
        KeepsNoTime,
    ],
)
async def test_the_contract_finds_a_store_that_breaks_an_obligation(
    broken: type[KeptStore], tmp_path: Path
) -> None:
    def make(clock: Clock) -> AbstractAsyncContextManager[Store]:
        return broken(SqlitePlace(tmp_path).rows(), settings_for(clock))

    with pytest.raises((AssertionError, TimeoutError)):
        await check_store(make, limit=1.0)

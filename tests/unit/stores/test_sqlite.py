"""The store in a file and in memory."""

from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from acp_elicitation.stores.contract import CHECKS, Check, check_obligation
from tests.unit.stores.places import SqlitePlace, make_in, make_in_memory

every_obligation = pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)


@pytest.mark.requirement("REQ-3", "URL-3", "URL-6", "URL-13")
@every_obligation
async def test_a_file_keeps_every_obligation_of_a_store(check: Check, tmp_path: Path) -> None:
    await check_obligation(check, make_in(SqlitePlace(tmp_path)))


@every_obligation
async def test_memory_keeps_every_obligation_of_a_store(check: Check) -> None:
    async with AsyncExitStack() as stack:
        await check_obligation(check, make_in_memory(stack))

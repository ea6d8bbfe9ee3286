"""Every store keeps every obligation of the port, against the real server."""

import pytest

from acp_elicitation.stores.contract import CHECKS, Check, check_obligation
from tests.unit.stores.places import Place, make_in


@pytest.mark.requirement("REQ-3", "URL-3", "URL-6", "URL-13")
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__.strip("_"))
async def test_a_store_keeps_this_obligation(check: Check, place: Place) -> None:
    await check_obligation(check, make_in(place))

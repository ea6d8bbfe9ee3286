"""A thousand users connect an account at the same time, over two workers and Redis."""

from collections import Counter

import pytest

from acp_elicitation.stores.records import Identity
from tests.connect.crowd import crowd, everybody_connects
from tests.connect.settings import Settings

_USERS = 1_000


@pytest.mark.timeout(600)
@pytest.mark.requirement("URL-5", "URL-6", "URL-13", "REQ-3")
async def test_a_thousand_users_connect_at_once_and_each_gets_what_is_theirs(
    settings: Settings,
) -> None:
    here = await settings.on("redis")
    served, said = Counter(here.balancer.served), len(here.errors)
    names = [f"user-{number}" for number in range(_USERS)]
    async with crowd(here, names) as users:
        await everybody_connects(users)
        assert Counter(user.last_page for user in users) == {"Connected": _USERS}
        assert [user.account for user in users] == names
        assert [user.completed for user in users] == [user.shown for user in users]
        assert len({link for user in users for link in user.completed}) == _USERS
    async with here.open_store() as store:
        for name in names:
            assert [grant.owner for grant in await store.grants(Identity(name))] == [name]
    workers = Counter(here.balancer.served) - served
    assert len(workers) == 2
    assert min(workers.values()) > _USERS
    assert here.errors[said:] == []

"""One Redis and one PostgreSQL for the tests with stores; each test has a place of its own."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.servers import PostgresServer, RedisServer

# The drivers of the databases are not everywhere that tests of this folder run.
if TYPE_CHECKING:
    from tests.unit.stores.places import Place, PostgresPlace, RedisPlace


@pytest.fixture(scope="session")
def redis_server() -> Iterator[RedisServer]:
    with RedisServer() as server:
        yield server


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    with PostgresServer() as server:
        yield server


@pytest.fixture
def redis_place(redis_server: RedisServer) -> "RedisPlace":
    from tests.unit.stores.places import RedisPlace

    return RedisPlace(redis_server)


@pytest.fixture
def postgres_place(postgres_server: PostgresServer) -> "PostgresPlace":
    from tests.unit.stores.places import PostgresPlace

    return PostgresPlace(postgres_server)


@pytest.fixture(params=["sqlite", "redis", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> "Place":
    """Each of the places that several processes can share."""
    from tests.unit.stores.places import SqlitePlace

    if request.param == "sqlite":
        return SqlitePlace(tmp_path)
    found: Place = request.getfixturevalue(f"{request.param}_place")
    return found

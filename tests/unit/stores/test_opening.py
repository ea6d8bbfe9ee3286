"""From the address of a store to the store."""

import sys
from pathlib import Path
from traceback import format_exception_only

import pytest

from acp_elicitation.stores.errors import StoreUnavailable
from acp_elicitation.stores.opening import store_at
from acp_elicitation.stores.settings import StoreSettings
from acp_elicitation.stores.sqlite import default_path
from acp_elicitation.stores.trial import ALICE, Clock, Two
from tests.unit.stores.places import Place


async def test_the_address_of_a_place_opens_the_same_store_in_every_process(place: Place) -> None:
    async with store_at(place.url) as agent, store_at(place.url) as worker:
        link = await Two(agent, worker, Clock()).link()
        assert await worker.read(link.id) == link


async def test_memory_is_a_store_too() -> None:
    async with store_at("sqlite::memory:") as store, store_at("sqlite::memory:") as other:
        link = await Two(store, other, Clock()).link()
        assert (await store.complete(link.id, identity=ALICE)).ended


async def test_without_a_path_the_file_is_in_the_users_state_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    async with store_at("sqlite:"):
        assert default_path().exists()
        assert default_path().is_relative_to(tmp_path)


@pytest.mark.parametrize("url", ["", "mysql://u:hunter2@h/", "links.sqlite3"])
def test_an_address_of_no_known_kind_is_refused_and_not_repeated(url: str) -> None:
    with pytest.raises(ValueError, match="begins with") as raised:
        store_at(url)
    assert "hunter2" not in str(raised.value)


@pytest.mark.parametrize(
    "url",
    [
        "redis://:hunter2/x@localhost:1",
        "redis://u:hunter2@localhost:99999",
        "redis://u:hunter2@localhost:1/?hunter2=1",
        "redis://u:hunter2\u2100@localhost:1",
        "redis://u:hunter2@[::1",
        "REDIS://u:hunter2@localhost:hunter2#prefix",
        "postgresql://u:hunter2/x@localhost",
        "postgresql://u:hunter2@localhost/?hunter2=1",
        "postgresql://u:hunter2\u2100@[::1",
    ],
)
async def test_an_address_that_is_none_is_refused_and_not_repeated(url: str) -> None:
    with pytest.raises((ValueError, StoreUnavailable)) as raised:
        await store_at(url, StoreSettings(patience=0.5)).__aenter__()
    assert "hunter2" not in "".join(format_exception_only(raised.value))
    assert raised.value.__suppress_context__


@pytest.mark.parametrize(
    ("url", "library", "module"),
    [("redis://localhost", "redis", "redis"), ("postgresql://localhost", "psycopg", "postgres")],
)
def test_a_missing_library_is_named_with_its_extra(
    url: str, library: str, module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, f"acp_elicitation.stores.{module}", raising=False)
    for name in [name for name in sys.modules if name.partition(".")[0] == library]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(StoreUnavailable, match=rf"acp-elicitation\[{module}\]"):
        store_at(url)

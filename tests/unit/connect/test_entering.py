"""What is typed goes into the vault of the user of its link, or comes back with a reason."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from acp_elicitation.connect.entering import LONGEST, enter
from acp_elicitation.connect.errors import NoGrant
from acp_elicitation.connect.providers import SecretEntry
from acp_elicitation.connect.secret import Secret
from acp_elicitation.connect.visiting import Place
from acp_elicitation.stores.errors import LinkEnded
from acp_elicitation.stores.records import StoredLink
from tests.connecting import ADA, BOB, LINK, NamedUser, Running, place_of, running

KEY = "wk-0123456789abcdef"
PLAIN = SecretEntry(name="wiki")


class Check:
    """Looks whether a typed secret works, and remembers which ones it was asked about."""

    def __init__(self, error: Exception | None = None) -> None:
        self.error = error
        self.asked: list[Secret] = []

    async def __call__(self, secret: Secret) -> str:
        self.asked.append(secret)
        if self.error is not None:
            raise self.error
        return "ada@wiki"


@pytest.fixture
async def run(tmp_path: Path) -> AsyncIterator[Running]:
    async with running(tmp_path, [PLAIN]) as run:
        await run.link()
        yield run


async def begun(run: Running) -> tuple[Place, StoredLink]:
    return place_of(run, NamedUser()), await run.store.read(LINK)


@pytest.mark.requirement("URL-2")
async def test_what_was_typed_is_kept_for_the_user_of_the_link_and_ends_it(run: Running) -> None:
    place, link = await begun(run)
    assert await enter(place, link, PLAIN, f" {KEY}\r\n") is None
    kept = await run.vault.credential(ADA, "wiki")
    assert (kept.secret, kept.account, kept.refresh) == (Secret(KEY), "", None)
    assert await run.state() == ("COMPLETED", "")
    with pytest.raises(NoGrant):
        await run.vault.credential(BOB, "wiki")


async def test_a_secret_that_works_has_the_account_that_was_found(run: Running) -> None:
    place, link = await begun(run)
    check = Check()
    provider = SecretEntry(name="wiki", check=check)
    assert await enter(place, link, provider, KEY) is None
    assert check.asked == [Secret(KEY)]
    assert (await run.vault.credential(ADA, "wiki")).account == "ada@wiki"


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("", "Type it in here."),
        (" \t\n", "Type it in here."),
        ("x" * (LONGEST + 1), "too long"),
        ("wk-\x00", "nobody can see"),
        ("wk-\u202e1", "nobody can see"),
        ("two\nlines", "nobody can see"),
    ],
    ids=["nothing", "blanks", "long", "nul", "override", "lines"],
)
async def test_what_cannot_be_right_is_said_before_anybody_is_asked(
    run: Running, typed: str, said: str
) -> None:
    place, link = await begun(run)
    check = Check()
    problem = await enter(place, link, SecretEntry(name="wiki", check=check), typed)
    assert problem is not None
    assert said in problem
    assert check.asked == []
    assert await run.state() == ("OPEN", "")


async def test_the_longest_secret_is_taken(run: Running) -> None:
    place, link = await begun(run)
    assert await enter(place, link, PLAIN, "x" * LONGEST) is None
    assert await run.state() == ("COMPLETED", "")


@pytest.mark.requirement("URL-2")
async def test_a_secret_that_does_not_work_is_neither_kept_nor_quoted(run: Running) -> None:
    place, link = await begun(run)
    provider = SecretEntry(name="wiki", check=Check(ValueError(f"not {KEY}")))
    problem = await enter(place, link, provider, KEY)
    assert problem is not None
    assert "does not work" in problem
    assert KEY not in problem
    assert await run.state() == ("OPEN", "")
    assert await run.vault.grants(ADA) == ()


async def test_a_check_that_fails_itself_leaves_the_link_open(run: Running) -> None:
    place, link = await begun(run)
    provider = SecretEntry(name="wiki", check=Check(OSError("the wiki is away")))
    with pytest.raises(OSError, match="away"):
        await enter(place, link, provider, KEY)
    assert await run.state() == ("OPEN", "")


async def test_what_is_typed_for_a_link_that_is_over_is_not_kept(run: Running) -> None:
    place, link = await begun(run)
    await run.store.fail(LINK, reason="denied")
    with pytest.raises(LinkEnded):
        await enter(place, link, PLAIN, KEY)
    assert await run.vault.grants(ADA) == ()

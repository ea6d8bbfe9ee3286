"""A link is shown to its own user alone; who else asks learns nothing of it."""

from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute

from acp_elicitation.connect.endings import COMPLETED, NO_STORE, REASONS
from acp_elicitation.connect.identity import Identified, SignIn
from acp_elicitation.connect.providers import SecretEntry
from acp_elicitation.connect.reasons import Reason
from acp_elicitation.connect.visiting import answer, ending_of, leave, visit
from acp_elicitation.stores.errors import StoreUnavailable
from acp_elicitation.stores.records import StoredLink
from tests.connecting import ADA, CONNECTION, LINK, NamedUser, Running, place_of, running


@pytest.fixture
async def run(tmp_path: Path) -> AsyncIterator[Running]:
    async with running(tmp_path, [SecretEntry(name="wiki")]) as run:
        await run.link()
        yield run


def request(link_id: str = LINK, *, user: str | None = "ada") -> Request:
    """A request for the page of a link, as the router hands it on."""
    headers = [] if user is None else [(b"x-user", user.encode())]
    path = f"/connect/link/{link_id}"
    return Request(
        {"type": "http", "method": "GET", "path": path, "headers": headers, "query_string": b"",
         "path_params": {"link_id": link_id}}
    )  # fmt: skip


def shown(response: StoredLink | Response) -> tuple[int, bytes]:
    assert isinstance(response, Response)
    return response.status_code, bytes(response.body)


@pytest.mark.requirement("URL-13")
async def test_its_own_user_gets_the_link(run: Running) -> None:
    link = await visit(place_of(run, NamedUser()), request())
    assert isinstance(link, StoredLink)
    assert (link.id, link.identity) == (LINK, ADA)


@pytest.mark.requirement("URL-13")
async def test_another_users_link_and_one_that_never_was_get_the_same_answer(run: Running) -> None:
    place = place_of(run, NamedUser())
    theirs = shown(await visit(place, request(user="bob")))
    assert theirs[0] == 404
    for none in ("never-was", "x" * 5000, "nul\0"):
        assert shown(await visit(place, request(none))) == theirs


@pytest.mark.requirement("URL-13")
async def test_who_can_be_no_user_is_told_of_the_browser_and_of_nothing_else(run: Running) -> None:
    status, page = shown(await visit(place_of(run, NamedUser()), request(user=None)))
    assert status == 403
    assert b"Not in this browser" in page
    assert b"Coder" not in page


class Door:
    """Sends everybody to sign in."""

    def check_address(self, host: str) -> None:
        assert host

    def routes(self, base: str) -> Sequence[BaseRoute]:
        return []

    async def identify(self, request: Request, link: StoredLink) -> Identified:
        return SignIn(RedirectResponse("/sign-in", 303))

    def remember(self, request: Request, link: StoredLink, response: Response) -> None:
        raise AssertionError("nobody has signed in")


async def test_who_has_to_sign_in_is_led_there(run: Running) -> None:
    response = await visit(place_of(run, Door()), request())
    assert isinstance(response, Response)
    assert (response.status_code, response.headers["location"]) == (303, "/sign-in")


async def test_a_store_that_is_away_is_no_missing_link(run: Running) -> None:
    await run.store.__aexit__(None, None, None)
    with pytest.raises(StoreUnavailable):
        await visit(place_of(run, NamedUser()), request())


async def test_how_a_link_ended_is_in_the_words_of_its_reason(run: Running) -> None:
    await run.store.fail(LINK, reason="wrong-user")
    assert ending_of(await run.store.read(LINK)) == REASONS[Reason.WRONG_USER]
    await run.link(link_id=type(LINK)("done"))
    done = await run.store.complete(type(LINK)("done"), identity=ADA)
    assert ending_of(done) == COMPLETED
    await run.link(link_id=type(LINK)("back"))
    back = await run.store.withdraw(type(LINK)("back"), connection=CONNECTION)
    assert ending_of(back) == REASONS[Reason.WITHDRAWN]


async def test_an_answer_is_the_page_of_an_ending_with_its_status(run: Running) -> None:
    response = answer(place_of(run, NamedUser()), NO_STORE)
    assert response.status_code == 503
    assert b"Please try again later" in bytes(response.body)
    assert b"/connect/static/style.css" in bytes(response.body)


@pytest.mark.parametrize(
    ("base_url", "path"),
    [("https://agent.example/connect", "/connect"), ("https://agent.example", "")],
)
async def test_a_browser_is_sent_on_to_the_end_below_the_path_of_the_service(
    run: Running, base_url: str, path: str
) -> None:
    place = place_of(run, NamedUser(), base_url=base_url)
    assert place.path == path
    assert place.here(LINK) == f"{path}/link/{LINK}"
    response = leave(place, LINK)
    assert response.status_code == 303  # a reload of what follows posts nothing again
    assert response.headers["location"] == f"{path}/link/{LINK}/end"

"""Signing in on the connect page, at a strict provider: who gets to a link, and who does not."""

import time
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest
from starlette.requests import Request

from acp_elicitation.connect.identities.oidc import OidcIdentity, oidc_identity
from acp_elicitation.connect.identities.visits import LONGEST_SIGN_IN
from acp_elicitation.connect.identity import SignIn
from acp_elicitation.connect.providers import OAuthProvider, SecretEntry
from acp_elicitation.connect.sealing import Sealer
from acp_elicitation.connect.secret import Secret
from acp_elicitation.protocol.requests import ElicitationId
from acp_elicitation.stores.records import Identity
from tests.connecting import BASE, KEY, LINK, Browser, Running, clients_made_by, running
from tests.openid.strict import Client, StrictProvider, strict_provider, visit
from tests.unit.connect.identities.asked import LINK as STORED
from tests.web_client import found

pytestmark = pytest.mark.requirement("URL-13")

USERS = Client(id="users", redirect_uris=(f"{BASE}/sign-in/callback",))
HUB = Client(id="hub", redirect_uris=(f"{BASE}/callback/hub",))
WIKI = SecretEntry(name="wiki", title="The Wiki")
PAGE = f"/connect/link/{LINK}"


class Clock:
    """The time, which a test may move on."""

    ahead = 0

    def __call__(self) -> int:
        return time.time_ns() // 1_000_000 + self.ahead


@pytest.fixture
async def provider() -> AsyncIterator[StrictProvider]:
    async with strict_provider(USERS, HUB) as provider:
        yield provider


@pytest.fixture
async def http() -> AsyncIterator[httpx2.AsyncClient]:
    async with httpx2.AsyncClient(verify=False) as http:
        yield http


def at(provider: StrictProvider, client: Client, name: str, **more: object) -> OAuthProvider:
    return OAuthProvider(
        name=name,
        issuer=provider.issuer,
        client_id=client.id,
        client_secret=Secret(client.secret),
        **more,  # type: ignore[arg-type]
    )


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def identity(provider: StrictProvider, http: httpx2.AsyncClient, clock: Clock) -> OidcIdentity:
    users = at(provider, USERS, "users", scopes=("openid", "write"))
    return OidcIdentity(users, sealer=Sealer([KEY]), http=http, clock=clock)


@pytest.fixture
async def run(
    tmp_path: Path, provider: StrictProvider, http: httpx2.AsyncClient, identity: OidcIdentity
) -> AsyncIterator[Running]:
    hub = at(provider, HUB, "hub", scopes=("read",))
    async with running(tmp_path, [WIKI, hub], identity=identity, http=http) as run:
        yield run


def user(provider: StrictProvider, name: str = "ada") -> Identity:
    return oidc_identity(provider.issuer, f"subject-{name}")


async def sign_in(browser: Browser, path: str = PAGE, *, name: str = "ada") -> httpx2.Response:
    """Open a page, sign in at the provider, and come back; the answer is not followed."""
    away = await browser.open(path)
    assert away.status_code == 303, away.text
    return await browser.open(await visit(away.headers["location"], user=name))


def target(page: httpx2.Response, selector: str) -> str:
    """Where a link of a page leads."""
    href = found(page.text, selector).attributes["href"]
    assert href is not None
    return href


async def test_a_user_signs_in_and_gets_to_the_link_that_was_made_for_that_user(
    run: Running, provider: StrictProvider
) -> None:
    path = await run.link(identity=user(provider))
    browser = Browser(run.service, user=None)
    back = await sign_in(browser)
    assert (back.status_code, back.headers["location"]) == (303, path)
    page = await browser.open(path)
    assert "The Wiki" in page.text
    done = await browser.answer(page, secret="wk-0123")
    assert "Connected" in (await browser.open(done.headers["location"])).text
    assert await run.state() == ("COMPLETED", "")
    # Only who the user is is asked there, not what may be done for the user.
    (asked,) = provider.asked
    assert asked["scope"] == "openid"


async def test_an_account_is_connected_by_the_user_who_signed_in(
    run: Running, provider: StrictProvider
) -> None:
    await run.link("hub", identity=user(provider))
    browser = Browser(run.service, user=None)
    await sign_in(browser)
    away = await browser.answer(await browser.open(PAGE))
    back = await browser.open(await visit(target(away, "#onward")))
    assert "Connected" in (await browser.open(back.headers["location"])).text
    assert await run.state() == ("COMPLETED", "")


async def test_another_user_gets_no_session_and_a_way_to_change(
    run: Running, provider: StrictProvider
) -> None:
    await run.link(identity=user(provider))
    browser = Browser(run.service, user=None)
    back = await sign_in(browser, name="eve")
    assert back.status_code == 403
    assert "Made for another user" in back.text
    assert "acp-user" not in str(back.headers.get_list("set-cookie"))
    assert (await sign_in(browser, target(back, "main a"))).headers["location"] == PAGE
    assert [asked.get("prompt") for asked in provider.asked] == [None, "login"]
    assert (await browser.open(PAGE)).status_code == 200


async def test_who_has_signed_in_for_one_link_gets_to_no_other_users(
    run: Running, provider: StrictProvider
) -> None:
    await run.link(identity=user(provider))
    other = await run.link(identity=user(provider, "eve"), link_id=ElicitationId("of-eve"))
    browser = Browser(run.service, user=None)
    await sign_in(browser)
    assert (await browser.open(PAGE)).status_code == 200
    page = await browser.open(other)
    unknown = await browser.open("/connect/link/of-nobody")
    assert (page.status_code, page.text) == (unknown.status_code, unknown.text)
    assert page.status_code == 404


async def test_what_was_begun_in_another_browser_signs_nobody_in(
    run: Running, provider: StrictProvider
) -> None:
    """Login CSRF: eve has ada's browser come back with what eve has begun."""
    await run.link(identity=user(provider, "eve"))
    eve, ada = Browser(run.service, user=None), Browser(run.service, user=None)
    away = await eve.open(PAGE)
    back = await visit(away.headers["location"], user="eve")
    await ada.open(PAGE)  # she has begun something of her own
    answer = await ada.open(back)
    assert answer.status_code == 403
    assert "was not begun in this browser" in answer.text
    assert not [name for name in ada.cookies if "user" in name]
    assert provider.token_requests == []


async def test_what_comes_back_counts_once(run: Running, provider: StrictProvider) -> None:
    await run.link(identity=user(provider))
    browser = Browser(run.service, user=None)
    back = await visit((await browser.open(PAGE)).headers["location"])
    assert (await browser.open(back)).status_code == 303
    assert (await browser.open(back)).status_code == 403
    assert len(provider.token_requests) == 1


async def test_who_only_looks_does_not_use_it_up(run: Running, provider: StrictProvider) -> None:
    await run.link(identity=user(provider))
    browser = Browser(run.service, user=None)
    back = await visit((await browser.open(PAGE)).headers["location"])
    looked = await browser.head(back)
    assert (looked.status_code, looked.headers.get("set-cookie")) == (403, None)
    assert provider.token_requests == []
    assert (await browser.open(back)).status_code == 303


async def test_a_session_is_short_and_sealed_and_for_no_script(
    run: Running, provider: StrictProvider, clock: Clock
) -> None:
    await run.link(identity=user(provider))
    browser = Browser(run.service, user=None)
    back = await sign_in(browser)
    (given,) = [text for text in back.headers.get_list("set-cookie") if "acp-user" in text]
    assert given.startswith("__Host-acp-user=")
    assert "subject-ada" not in given
    said = given.lower()
    assert all(word in said for word in ("httponly", "secure", "samesite=lax", "path=/;"))
    age = int(said.partition("max-age=")[2].partition(";")[0])
    assert 1790 <= age <= 1800
    clock.ahead = 1_801_000  # the browser would have dropped it; one that keeps it has no use of it
    assert (await browser.open(PAGE)).status_code == 303


async def test_signing_in_anew_gives_another_session(
    run: Running, provider: StrictProvider
) -> None:
    await run.link(identity=user(provider))
    browser = Browser(run.service, user=None)
    await sign_in(browser)
    before = browser.cookies["__Host-acp-user"]
    await sign_in(browser, f"{PAGE}?other")
    assert browser.cookies["__Host-acp-user"] != before


async def test_a_sign_in_that_takes_too_long_has_to_begin_again(
    run: Running, provider: StrictProvider, clock: Clock
) -> None:
    await run.link(identity=user(provider))
    browser = Browser(run.service, user=None)
    back = await visit((await browser.open(PAGE)).headers["location"])
    clock.ahead = LONGEST_SIGN_IN + 1000
    assert (await browser.open(back)).status_code == 403
    assert provider.token_requests == []


async def test_a_begun_link_keeps_its_user_until_it_is_over(
    tmp_path: Path, provider: StrictProvider, http: httpx2.AsyncClient, clock: Clock
) -> None:
    users = at(provider, USERS, "users")
    identity = OidcIdentity(users, sealer=Sealer([KEY]), session=10, http=http, clock=clock)
    hub = at(provider, HUB, "hub")
    async with running(tmp_path, [hub], identity=identity, http=http) as run:
        await run.link("hub", identity=user(provider))
        browser = Browser(run.service, user=None)
        await sign_in(browser)
        begun = await browser.answer(await browser.open(PAGE))
        assert begun.status_code == 200
        clock.ahead = 30_000
        assert (await browser.open(PAGE)).status_code == 200
        clock.ahead = 61_000
        assert (await browser.open(PAGE)).status_code == 303


@pytest.mark.parametrize("cookie", ["", "AAAA", "é", "A" * 200])
async def test_a_session_that_was_not_given_here_is_none(
    run: Running, provider: StrictProvider, cookie: str
) -> None:
    await run.link(identity=user(provider))
    browser = Browser(run.service, user=None)
    sent = {b"cookie": f"__Host-acp-user={cookie}".encode()}
    assert (await browser.get(PAGE, headers=sent)).status_code == 303


async def test_what_one_cookie_holds_is_of_no_use_in_the_other(
    run: Running, provider: StrictProvider
) -> None:
    await run.link(identity=user(provider))
    browser = Browser(run.service, user=None)
    await browser.open(PAGE)
    (name,) = browser.cookies
    browser.cookies.set("__Host-acp-user", browser.cookies[name])
    assert (await browser.open(PAGE)).status_code == 303


async def test_the_session_of_another_provider_or_client_is_none(
    run: Running, provider: StrictProvider, http: httpx2.AsyncClient
) -> None:
    await run.link(identity=user(provider))
    browser = Browser(run.service, user=None)
    await sign_in(browser)
    other = OidcIdentity(at(provider, HUB, "users"), sealer=Sealer([KEY]), http=http)
    other.routes(BASE)
    request = httpx2.Request("GET", BASE, cookies=browser.cookies)
    assert "acp-user" in request.headers["cookie"]
    assert await _answer_of(other, request) == 303


async def _answer_of(identity: OidcIdentity, request: httpx2.Request) -> int:
    raw = [(name.lower().encode(), value.encode()) for name, value in request.headers.items()]
    scope = {"type": "http", "method": "GET", "headers": raw, "query_string": b"", "path": "/"}
    answer = await identity.identify(Request(scope), STORED)
    assert isinstance(answer, SignIn)
    return answer.response.status_code


async def test_opening_a_page_changes_nothing_but_the_browsers_own_cookie(
    run: Running, provider: StrictProvider
) -> None:
    await run.link(identity=user(provider))
    for method in ("GET", "HEAD"):
        assert (await Browser(run.service, user=None).request(method, PAGE)).status_code == 303
    assert await run.state() == ("OPEN", "")


async def test_a_form_that_is_posted_after_the_session_leads_to_signing_in_by_a_page(
    run: Running, provider: StrictProvider, clock: Clock
) -> None:
    """Not by a redirect: browsers hold that against the form's `form-action`."""
    await run.link(identity=user(provider))
    browser = Browser(run.service, user=None)
    await sign_in(browser)
    page = await browser.open(PAGE)
    clock.ahead = 1_801_000
    away = await browser.answer(page, secret="wk-0123")
    assert away.status_code == 200
    clock.ahead = 0  # the provider's clock was not moved
    back = await browser.open(await visit(target(away, "#onward")))
    assert back.headers["location"] == PAGE
    assert await run.state() == ("OPEN", "")


@pytest.mark.parametrize("link_id", ["//evil.example", "https://evil.example", "a?b#c", "..\\x"])
async def test_the_way_back_leads_to_a_link_of_this_service_alone(
    identity: OidcIdentity, provider: StrictProvider, link_id: str
) -> None:
    identity.routes(BASE)
    place = identity._page_of(ElicitationId(link_id))
    assert place.startswith("/connect/link/")
    assert urlsplit(place).netloc == ""
    assert place.count("/") == 3
    assert not set(place) & set("\\?#:")


async def test_a_parameter_that_is_there_twice_counts_as_none(
    run: Running, provider: StrictProvider
) -> None:
    await run.link(identity=user(provider))
    browser = Browser(run.service, user=None)
    back = await visit((await browser.open(PAGE)).headers["location"])
    assert (await browser.open(f"{back}&code=another")).status_code == 403
    assert (await browser.open("/connect/sign-in/callback")).status_code == 403
    assert provider.token_requests == []


@pytest.mark.parametrize(
    ("change", "status", "words"),
    [
        (("iss", "https://another.example"), 403, "Stopped for your safety"),
        (("iss", None), 403, "Stopped for your safety"),
        (("error", "access_denied"), 403, "Not signed in"),
        (("error", "invalid_request"), 502, "does not work"),
        (("error", "server_error"), 502, "cannot be reached"),
        (("code", "another"), 502, "does not work"),
    ],
)
async def test_an_answer_that_is_not_the_providers_yes_signs_nobody_in(
    run: Running,
    provider: StrictProvider,
    change: tuple[str, str | None],
    status: int,
    words: str,
) -> None:
    await run.link(identity=user(provider))
    browser = Browser(run.service, user=None)
    back = await visit((await browser.open(PAGE)).headers["location"])
    params = {name: values[0] for name, values in parse_qs(urlsplit(back).query).items()}
    name, value = change
    if value is None:
        del params[name]
    else:
        params[name] = value
    answer = await browser.open(f"{BASE}/sign-in/callback?{httpx2.QueryParams(params)}")
    assert answer.status_code == status
    assert words in answer.text
    assert "__Host-acp-user" not in browser.cookies
    assert await run.state() == ("OPEN", "")


@pytest.mark.parametrize(
    "fault", ["id-nonce-other", "id-issuer-other", "id-audience-other", "id-unsigned", "id-expired"]
)
async def test_an_id_token_that_does_not_hold_signs_nobody_in(
    run: Running, provider: StrictProvider, fault: str
) -> None:
    await run.link(identity=user(provider))
    browser = Browser(run.service, user=None)
    provider.faults.add(fault)
    assert (await sign_in(browser)).status_code == 502
    assert "__Host-acp-user" not in browser.cookies


async def test_a_provider_that_is_down_is_said_to_be(
    run: Running, provider: StrictProvider
) -> None:
    await run.link(identity=user(provider))
    provider.faults.add("metadata-down")
    answer = await Browser(run.service, user=None).open(PAGE)
    assert answer.status_code == 502
    assert "cannot be reached" in answer.text
    assert await run.state() == ("OPEN", "")


def test_an_identity_is_of_one_issuer_and_one_subject() -> None:
    assert oidc_identity("https://id.example/a", "7#8") == "https://id.example/a#7#8"
    for issuer, subject in (("", "7"), ("https://id.example", ""), ("https://id.example#a", "7")):
        with pytest.raises(ValueError, match="issuer"):
            oidc_identity(issuer, subject)
    with pytest.raises(ValueError, match="1024"):
        oidc_identity("https://id.example", "7" * 1024)


async def test_users_sign_in_at_a_provider_that_says_who_they_are() -> None:
    nameless = OAuthProvider(
        name="hub",
        client_id="acp",
        authorization_endpoint="https://hub.example/authorize",
        token_endpoint="https://hub.example/token",
    )
    with pytest.raises(ValueError, match="issuer"):
        OidcIdentity(nameless, sealer=Sealer([KEY]))


async def test_an_identity_closes_the_client_that_it_made_and_no_service_does(
    tmp_path: Path, provider: StrictProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = clients_made_by("identities.oidc", monkeypatch)
    identity = OidcIdentity(at(provider, USERS, "users"), sealer=Sealer([KEY]))
    async with running(tmp_path, [WIKI], identity=identity) as run:
        await run.link(identity=user(provider))
        browser = Browser(run.service, user=None)
        await run.service.aclose()
        assert [client.is_closed for client in made] == [False]
        assert (await browser.open(PAGE)).status_code == 303
        for _ in range(2):
            await identity.aclose()
        assert [client.is_closed for client in made] == [True]


async def test_an_identity_leaves_the_client_open_that_it_was_given(
    provider: StrictProvider, http: httpx2.AsyncClient
) -> None:
    identity = OidcIdentity(at(provider, USERS, "users"), sealer=Sealer([KEY]), http=http)
    await identity.aclose()
    assert not http.is_closed

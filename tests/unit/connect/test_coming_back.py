"""The callback, with a strict provider: each step stops whoever fails it, and in its order."""

import logging
from collections.abc import AsyncIterator
from html import unescape
from pathlib import Path

import httpx2
import pytest

from acp_elicitation.agent.connecting import Grant
from acp_elicitation.connect.providers import OAuthProvider
from acp_elicitation.connect.secret import Secret
from acp_elicitation.protocol.requests import ElicitationId
from tests.connecting import ADA, BASE, CONNECTION, LINK, Browser, Running, running
from tests.openid.strict import Client, StrictProvider, strict_provider, visit

BACK = f"{BASE}/callback/hub"
KNOWN = Client(redirect_uris=(BACK,))
SCOPES = ("openid", "profile", "offline_access")


def provider_of(strict: StrictProvider, name: str = "hub") -> OAuthProvider:
    return OAuthProvider(
        name=name,
        client_id=KNOWN.id,
        client_secret=Secret(KNOWN.secret),
        issuer=strict.issuer,
        scopes=SCOPES,
    )


@pytest.fixture
async def strict() -> AsyncIterator[StrictProvider]:
    async with strict_provider(KNOWN) as strict:
        yield strict


@pytest.fixture
async def http() -> AsyncIterator[httpx2.AsyncClient]:
    async with httpx2.AsyncClient(verify=False) as http:
        yield http


@pytest.fixture
async def run(
    tmp_path: Path, strict: StrictProvider, http: httpx2.AsyncClient
) -> AsyncIterator[Running]:
    providers = [provider_of(strict), provider_of(strict, "other")]
    async with running(tmp_path, providers, http=http) as run:
        yield run


def onward(page: httpx2.Response) -> str:
    """Where the page leads that says to which provider it leads."""
    assert page.status_code == 200, page.text
    return unescape(page.text.partition('id="onward" href="')[2].partition('"')[0])


async def go_away(run: Running, browser: Browser, *, allow: bool = True) -> str:
    """Begin, and return the path to which the provider sends the browser back."""
    page = await browser.open(await run.link("hub"))
    address = await visit(onward(await browser.answer(page)), allow=allow)
    assert address.startswith(f"{BACK}?")
    return address.removeprefix("https://agent.example")


def tokens_asked_for(strict: StrictProvider) -> int:
    return strict.visits.count("/token")


async def test_a_user_who_allows_is_connected_and_the_grant_names_the_account(
    run: Running, strict: StrictProvider
) -> None:
    browser = Browser(run.service)
    done = await browser.open(await go_away(run, browser))
    assert (done.status_code, done.headers["location"]) == (303, f"/connect/link/{LINK}/end")
    assert "Connected" in (await browser.open(done.headers["location"])).text
    assert await run.state() == ("COMPLETED", "")
    assert await run.vault.grants(ADA) == (Grant(provider="hub", account="ada", scopes=SCOPES),)


@pytest.mark.parametrize("allow", [True, False])
async def test_what_comes_back_leads_to_the_link_and_nowhere_else(
    run: Running, strict: StrictProvider, allow: bool
) -> None:
    browser = Browser(run.service)
    path = await go_away(run, browser, allow=allow)
    done = await browser.open(f"{path}&return_to=https://evil.example&next=//evil.example")
    assert (done.status_code, done.headers["location"]) == (303, f"/connect/link/{LINK}/end")


async def test_the_code_and_the_state_are_on_no_page_and_in_no_log(
    run: Running, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG", logger="acp_elicitation")
    browser = Browser(run.service)
    path = await go_away(run, browser)
    done = await browser.open(path)
    end = await browser.open(done.headers["location"])
    for value in httpx2.URL(f"https://agent.example{path}").params.values():
        assert value not in end.text + caplog.text + str(done.headers)


async def test_what_comes_back_counts_once(run: Running, strict: StrictProvider) -> None:
    browser = Browser(run.service)
    path = await go_away(run, browser)
    await browser.open(path)
    again = await browser.open(path)
    assert again.status_code == 409
    assert tokens_asked_for(strict) == 1
    assert await run.state() == ("COMPLETED", "")


async def test_who_only_looks_does_not_use_it_up(run: Running, strict: StrictProvider) -> None:
    browser = Browser(run.service)
    path = await go_away(run, browser)
    assert (await browser.head(path)).status_code == 404
    assert await run.state() == ("STARTED", "")
    await browser.open(path)
    assert await run.state() == ("COMPLETED", "")


@pytest.mark.requirement("URL-13")
async def test_a_victim_does_not_finish_what_somebody_else_has_begun(
    run: Running, strict: StrictProvider
) -> None:
    path = await go_away(run, Browser(run.service))
    victim = await Browser(run.service).open(path)
    assert victim.status_code == 403
    assert await run.state() == ("FAILED", "other-browser")
    assert tokens_asked_for(strict) == 0


@pytest.mark.requirement("URL-13")
@pytest.mark.parametrize("user", ["bob", None])
async def test_the_same_browser_with_another_user_in_it_is_stopped(
    run: Running, strict: StrictProvider, user: str | None
) -> None:
    browser = Browser(run.service)
    path = await go_away(run, browser)
    del browser.headers["x-user"]
    answer = await browser.open(path, **({} if user is None else {"x-user": user}))
    assert answer.status_code == 403
    assert await run.state() == ("FAILED", "wrong-user")
    assert tokens_asked_for(strict) == 0


@pytest.mark.parametrize("fault", ["answer-issuer-missing", "answer-issuer-other"])
async def test_the_answer_of_another_provider_is_stopped(
    run: Running, strict: StrictProvider, fault: str
) -> None:
    strict.faults.add(fault)
    browser = Browser(run.service)
    done = await browser.open(await go_away(run, browser))
    assert await run.state() == ("FAILED", "wrong-issuer")
    assert tokens_asked_for(strict) == 0
    assert (await browser.open(done.headers["location"])).status_code == 403


async def test_each_provider_is_told_a_path_of_its_own(run: Running) -> None:
    told = set()
    for number, name in enumerate(("hub", "other")):
        browser = Browser(run.service)
        path = await run.link(name, link_id=ElicitationId(f"link-{number}"))
        away = onward(await browser.answer(await browser.open(path)))
        told.add(httpx2.URL(away).params["redirect_uri"])
    assert told == {f"{BASE}/callback/hub", f"{BASE}/callback/other"}


async def test_an_answer_at_the_path_of_another_provider_is_stopped(
    run: Running, strict: StrictProvider
) -> None:
    browser = Browser(run.service)
    path = await go_away(run, browser)
    await browser.open(path.replace("/callback/hub", "/callback/other"))
    assert await run.state() == ("FAILED", "wrong-issuer")
    assert tokens_asked_for(strict) == 0


async def test_the_issuer_is_judged_before_the_error_that_it_may_have_made_up(
    run: Running, strict: StrictProvider
) -> None:
    strict.faults.add("answer-issuer-other")
    browser = Browser(run.service)
    await browser.open(await go_away(run, browser, allow=False))
    assert await run.state() == ("FAILED", "wrong-issuer")


async def test_a_user_who_denies_is_not_connected(
    run: Running, strict: StrictProvider, caplog: pytest.LogCaptureFixture
) -> None:
    browser = Browser(run.service)
    done = await browser.open(await go_away(run, browser, allow=False))
    assert "Not connected" in (await browser.open(done.headers["location"])).text
    assert await run.state() == ("FAILED", "denied")
    assert [r for r in caplog.records if r.levelno >= logging.WARNING] == []  # nothing is wrong
    assert tokens_asked_for(strict) == 0


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ("token-down", "provider-down"),
        ("token-refused", "provider-error"),
        ("id-nonce-other", "provider-error"),
    ],
)
async def test_a_provider_that_gives_nothing_to_be_believed_connects_nobody(
    run: Running, strict: StrictProvider, fault: str, reason: str, caplog: pytest.LogCaptureFixture
) -> None:
    strict.faults.add(fault)
    browser = Browser(run.service)
    done = await browser.open(await go_away(run, browser))
    assert (await browser.open(done.headers["location"])).status_code == 502
    assert await run.state() == ("FAILED", reason)
    assert await run.vault.grants(ADA) == ()
    assert "provider 'hub'" in caplog.text  # the log says how, and quotes nothing
    assert "secret" not in caplog.text


async def test_a_provider_that_is_down_from_the_start_ends_the_link(
    run: Running, strict: StrictProvider
) -> None:
    strict.faults.add("metadata-down")
    browser = Browser(run.service)
    done = await browser.answer(await browser.open(await run.link("hub")))
    assert (done.status_code, await run.state()) == (303, ("FAILED", "provider-down"))


async def test_a_new_beginning_takes_the_place_of_the_one_before(
    run: Running, strict: StrictProvider
) -> None:
    browser = Browser(run.service)
    first = await go_away(run, browser)
    page = await browser.open(f"/connect/link/{LINK}")
    second = await visit(onward(await browser.answer(page)))
    assert (await browser.open(first)).status_code in (404, 409)
    assert tokens_asked_for(strict) == 0
    await browser.open(second.removeprefix("https://agent.example"))
    assert await run.state() == ("COMPLETED", "")


async def test_what_nobody_waits_for_any_more_is_not_asked_for(
    run: Running, strict: StrictProvider
) -> None:
    browser = Browser(run.service)
    path = await go_away(run, browser)
    await run.store.withdraw(LINK, connection=CONNECTION)
    assert (await browser.open(path)).status_code in (404, 409)
    assert tokens_asked_for(strict) == 0


async def test_what_the_provider_gave_while_the_link_was_taken_back_is_given_back(
    run: Running, strict: StrictProvider, http: httpx2.AsyncClient
) -> None:
    given: list[str] = []

    async def take_back(response: httpx2.Response) -> None:
        if response.url.path == "/token":
            given.extend(strict.access_tokens)
            await run.store.withdraw(LINK, connection=CONNECTION)

    browser = Browser(run.service)
    path = await go_away(run, browser)
    http.event_hooks = {"response": [take_back]}
    done = await browser.open(path)
    assert (await browser.open(done.headers["location"])).status_code == 410
    assert await run.vault.grants(ADA) == ()
    assert len(given) == 1
    assert strict.access_tokens == []


@pytest.mark.parametrize(
    "query",
    ["", "?state=", "?code=x", "?state=unknown&code=x", "?state=%ED%A0%80&code=x", "?state=%00"],
)
async def test_what_nobody_has_begun_is_nothing(run: Running, query: str) -> None:
    await run.link("hub")
    for name in ("hub", "wiki", "unknown"):
        answer = await Browser(run.service).open(f"/connect/callback/{name}{query}")
        assert answer.status_code == 404
    assert await run.state() == ("OPEN", "")


@pytest.mark.parametrize("name", ["state", "code", "iss", "error"])
async def test_a_parameter_that_comes_twice_is_not_chosen_from(
    run: Running, strict: StrictProvider, name: str
) -> None:
    browser = Browser(run.service)
    path = await go_away(run, browser)
    assert (await browser.open(f"{path}&{name}=x&{name}=y")).status_code == 404
    assert tokens_asked_for(strict) == 0
    await browser.open(path)  # and the right one still counts
    assert await run.state() == ("COMPLETED", "")

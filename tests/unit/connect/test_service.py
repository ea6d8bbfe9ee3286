"""The pages of a link over ASGI: what is shown, what is taken, and what changes nothing."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from acp_elicitation.connect.details import LinkDetails
from acp_elicitation.connect.errors import NotSafeHere
from acp_elicitation.connect.identities.local import LocalUser
from acp_elicitation.connect.oauth.fetching import provider_http
from acp_elicitation.connect.providers import Callback, OAuthProvider, Provider, SecretEntry
from acp_elicitation.connect.secret import Secret
from acp_elicitation.connect.service import ConnectService, check_base_url
from tests.connecting import ADA, LINK, Browser, NamedUser, Running, clients_made_by, running

KEY = "wk-0123456789abcdef"


async def check(secret: Secret) -> str:
    if not secret.reveal().startswith("wk-"):
        raise ValueError(f"not {secret.reveal()}")
    return "ada@wiki"


WIKI = SecretEntry(
    name="wiki", title="The <i>Wiki</i>", label="API key", hint="In your settings", check=check
)


@pytest.fixture
async def run(tmp_path: Path) -> AsyncIterator[Running]:
    async with running(tmp_path, [WIKI]) as run:
        yield run


@pytest.mark.requirement("URL-14")
async def test_the_page_says_who_asks_what_for_and_which_account(run: Running) -> None:
    page = await Browser(run.service).open(await run.link())
    assert page.status_code == 200
    assert "Coder" in page.text
    assert "To read the &lt;b&gt;wiki&lt;/b&gt;." in page.text
    assert "The &lt;i&gt;Wiki&lt;/i&gt;" in page.text
    assert "API key" in page.text


@pytest.mark.requirement("FORM-8")
@pytest.mark.parametrize("kind", ["secret", "oauth", "callback"])
async def test_no_text_of_anybody_becomes_markup(tmp_path: Path, kind: str) -> None:
    def marked(where: str) -> str:
        return f"<img src=//{where}.example>\"'&amp;<b>"

    kinds: dict[str, Provider] = {
        "secret": SecretEntry(
            name="wiki", title=marked("title"), label=marked("label"), hint=marked("hint")
        ),
        "oauth": OAuthProvider(
            name="wiki", title=marked("title"), client_id="acp", issuer="https://hub.example"
        ),
        "callback": Callback(
            name="wiki",
            title=marked("title"),
            page="https://shop.example/?a=b&c",
            reporter="shop",
            key=Secret("k" * 32),
        ),
    }
    details = LinkDetails(
        provider="wiki",
        agent=marked("agent"),
        purpose=marked("purpose"),
        scopes=(marked("scope"), "read"),
    )
    async with running(tmp_path, [kinds[kind]]) as run:
        browser = Browser(run.service)
        page = await browser.open(await run.link(details=details))
        pages = page.text
        if kind == "callback":
            pages += (await browser.answer(page)).text
    shown = {"title", "agent", "purpose", "scope", *{"secret": ("label", "hint")}.get(kind, ())}
    assert {where for where in shown if f"{where}.example" not in pages} == set()
    assert "<img" not in pages
    assert "<b>" not in pages
    assert "&amp;amp;" in pages


@pytest.mark.parametrize("method", ["GET", "HEAD"])
async def test_a_link_preview_changes_nothing(run: Running, method: str) -> None:
    path = await run.link()
    for place in (path, f"{path}/end", path):
        answer = await Browser(run.service, user="ada").request(method, place)
        assert answer.status_code == 200
        assert "x-remembered" not in answer.headers
    assert await run.state() == ("OPEN", "")


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize("do", ["begin", "refuse"])
async def test_no_get_begins_or_refuses_whatever_comes_with_it(
    run: Running, method: str, do: str
) -> None:
    browser = Browser(run.service)
    path = await run.link()
    page = await browser.open(path)
    token = page.text.partition('name="token" value="')[2].partition('"')[0]
    form = {"token": token, "secret": KEY}
    answer = await browser.request(method, f"{path}/{do}", params=form, data=form)
    assert answer.status_code == 405
    assert await run.state() == ("OPEN", "")


async def test_a_typed_secret_goes_into_the_vault_and_ends_the_link(run: Running) -> None:
    browser = Browser(run.service)
    page = await browser.open(await run.link())
    done = await browser.answer(page, secret=f" {KEY}\n")
    assert (done.status_code, done.headers["x-remembered"]) == (303, "yes")
    end = await browser.open(done.headers["location"])
    assert "Connected" in end.text
    assert KEY not in page.text + done.text + end.text
    assert await run.state() == ("COMPLETED", "")
    credential = await run.vault.credential(ADA, "wiki")
    assert (credential.secret, credential.account) == (Secret(KEY), "ada@wiki")


@pytest.mark.parametrize("typed", ["", "   ", "no-key", "wk-\u202ex", "wk-" + "x" * 9000])
async def test_what_does_not_work_is_asked_for_again(run: Running, typed: str) -> None:
    browser = Browser(run.service)
    page = await browser.open(await run.link())
    again = await browser.answer(page, secret=typed)
    assert again.status_code == 422
    assert 'role="alert"' in again.text
    assert "no-key" not in again.text
    assert await run.state() == ("OPEN", "")
    assert (await browser.answer(again, secret=KEY)).status_code == 303
    assert await run.state() == ("COMPLETED", "")


async def test_who_refuses_ends_the_link(run: Running) -> None:
    browser = Browser(run.service)
    page = await browser.open(await run.link())
    refused = await browser.answer(page, "refuse")
    assert await run.state() == ("FAILED", "denied")
    assert "Not connected" in (await browser.open(refused.headers["location"])).text
    late = await browser.answer(page, secret=KEY)
    assert (late.status_code, late.headers["location"]) == (303, f"/connect/link/{LINK}/end")
    assert await run.vault.grants(ADA) == ()


async def test_what_is_typed_too_late_is_shown_to_nobody(tmp_path: Path) -> None:
    async def look(secret: Secret) -> str:
        seen.append(secret)
        return ""

    seen: list[Secret] = []
    async with running(tmp_path, [SecretEntry(name="wiki", check=look)]) as run:
        browser = Browser(run.service)
        page = await browser.open(await run.link())
        await browser.answer(page, "refuse")
        assert (await browser.answer(page, secret=KEY)).status_code == 303
    assert seen == []


@pytest.mark.requirement("URL-13")
@pytest.mark.parametrize("user", ["bob", None])
async def test_a_link_is_its_own_users_alone(run: Running, user: str | None) -> None:
    path = await run.link()
    own = Browser(run.service)
    page = await own.open(path)
    other = Browser(run.service, user=user)
    other.cookies = own.cookies
    for place in (path, f"{path}/end"):
        shown = await other.open(place)
        assert "Coder" not in shown.text
        assert shown.status_code in (403, 404)
    assert (await other.answer(page, secret=KEY)).status_code in (403, 404)
    assert (await other.answer(page, "refuse")).status_code in (403, 404)
    assert await run.state() == ("OPEN", "")
    await own.answer(page, secret=KEY)
    for place in (path, f"{path}/end"):  # nor how it ended
        assert "Connected" in (await own.open(place)).text
        assert "Connected" not in (await other.open(place)).text


async def test_another_users_link_and_none_look_the_same(run: Running) -> None:
    other = Browser(run.service, user="bob")
    theirs = await other.open(await run.link())
    none = await other.open("/connect/link/never-was")
    assert (theirs.status_code, theirs.text) == (none.status_code, none.text)


@pytest.mark.parametrize("path", ["begin", "refuse"])
async def test_a_form_of_another_page_is_refused(run: Running, path: str) -> None:
    link = await run.link()
    browser = Browser(run.service)
    page = await browser.open(link)
    await run.link(link_id=type(LINK)("another"))
    other_page = await browser.open("/connect/link/another")
    token = other_page.text.partition('name="token" value="')[2].partition('"')[0]
    for stolen in (token, "", "x", "ä"):
        answer = await browser.send_form(f"{link}/{path}", token=stolen, secret=KEY)
        assert answer.status_code == 403
    stranger = Browser(run.service)
    assert (await stranger.answer(page, path, secret=KEY)).status_code == 403
    assert await run.state() == ("OPEN", "")


async def test_an_ended_link_says_how_it_ended(run: Running) -> None:
    browser = Browser(run.service)
    path = await run.link()
    await run.store.withdraw(LINK, connection=(await run.store.read(LINK)).connection)
    page = await browser.open(path)
    assert page.status_code == 410
    assert "Not needed any more" in page.text


async def test_the_end_of_an_open_link_is_its_page(run: Running) -> None:
    page = await Browser(run.service).open(await run.link() + "/end")
    assert "Continue" in page.text


async def test_too_many_fields_are_refused(run: Running) -> None:
    browser = Browser(run.service)
    path = await run.link()
    answer = await browser.send_form(f"{path}/begin", **{f"f{n}": "" for n in range(20)})
    assert answer.status_code == 413


async def test_the_pages_load_no_script(run: Running) -> None:
    browser = Browser(run.service)
    page = await browser.open(await run.link())
    assert "<script" not in page.text
    assert (await browser.open("/connect/static/style.css")).status_code == 200
    assert (await browser.open("/connect/static/page.js")).status_code == 404


async def test_a_link_has_an_address_with_nothing_in_it_but_its_id(run: Running) -> None:
    assert run.service.link_url(LINK) == f"https://agent.example/connect/link/{LINK}"


@pytest.mark.requirement("URL-13")
@pytest.mark.parametrize("url", ["http://agent.example", "https://agent.example"])
async def test_a_service_is_not_made_where_it_would_not_be_safe(run: Running, url: str) -> None:
    with pytest.raises(NotSafeHere):
        ConnectService(run.store, run.vault, LocalUser(), {}, base_url=url)
    safe = ConnectService(run.store, run.vault, LocalUser(), {}, base_url="http://127.0.0.1:1")
    assert safe.link_url(LINK).startswith("http://127.0.0.1:1/")
    await safe.aclose()


async def test_a_service_for_named_users_is_not_made_over_http(run: Running) -> None:
    with pytest.raises(NotSafeHere, match="serve it with https"):
        ConnectService(run.store, run.vault, NamedUser(), {}, base_url="http://agent.example")
    assert await run.store.grants() == ()


@pytest.mark.parametrize(
    "url",
    ["http://agent.example", "agent.example", "ftp://agent.example", "https://", "https://a/?b=c",
     "http://10.0.0.1", "http://127.0.0.1.evil.example", "https://a/#b", "https://A.example",
     "https://a.example:443/x", "http://127.0.0.1:80", "https://ada@a.example", "https://a/b;c",
     "https://a//b", "https://a/../b", "https://a/./b", "https://a/b/..", "https://a/%2e", "https://ä",
     "https://a.example:", "https://a.example:x", "https://a\\b", "https://a/b c", "https://a/ä"],
)  # fmt: skip
def test_a_base_url_that_others_can_read_is_refused(url: str) -> None:
    with pytest.raises(NotSafeHere, match="base URL"):
        check_base_url(url)


@pytest.mark.parametrize(
    "url",
    [
        "https://a.example/x",
        "http://127.0.0.1:8000",
        "http://[::1]:1",
        "https://a.example:4430/.x/y/",
        "https://xn--4ca.example/a..b/..c",
        "http://127.0.0.1:443",
        "https://a:80",
    ],
)
def test_https_and_this_machine_are_fine(url: str) -> None:
    check_base_url(url)
    assert url


HUB = OAuthProvider(name="hub", client_id="acp", issuer="https://hub.example")


async def test_a_service_closes_the_client_that_it_made_and_reaches_no_provider_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = clients_made_by("service", monkeypatch)
    async with running(tmp_path, [HUB]) as run:
        browser = Browser(run.service)
        page = await browser.open(await run.link("hub"))
        assert [client.is_closed for client in made] == [False]
        for _ in range(2):
            await run.service.aclose()
        assert [client.is_closed for client in made] == [True]
        end = await browser.answer(page)
        assert "cannot be reached" in (await browser.open(end.headers["location"])).text
        assert await run.state() == ("FAILED", "provider-down")


async def test_a_service_leaves_open_what_it_was_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = clients_made_by("service", monkeypatch)
    async with provider_http() as http, running(tmp_path, [HUB], http=http) as run:
        await run.service.aclose()
        assert not http.is_closed
        await run.link("hub")
        assert await run.state() == ("OPEN", "")  # nor has it closed the store
    assert made == []

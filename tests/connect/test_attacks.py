"""Attacks on the connect service by odd requests, and that the threat model names tests there are.

The attacks by other users, providers and pages are beside the modules that stop them; the threat
model, docs/security.md, says where.
"""

import re
from collections import defaultdict
from collections.abc import AsyncIterator
from html import unescape
from pathlib import Path
from urllib.parse import unquote

import httpx2
import pytest
from starlette.types import Message, Receive, Scope, Send

from acp_elicitation.agent.outstanding import new_link_id
from acp_elicitation.connect.providers import Callback, OAuthProvider, SecretEntry
from acp_elicitation.connect.secret import Secret
from tests.connecting import ADA, LINK, Browser, Running, running

ROOT = Path(__file__).parents[2]
NAMED = re.findall(r"`([\w/]+\.py)(?:::(\w+))?`", (ROOT / "docs/security.md").read_text("utf-8"))


@pytest.fixture
async def run(tmp_path: Path) -> AsyncIterator[Running]:
    async with running(tmp_path, [SecretEntry(name="wiki", label="Key")]) as run:
        yield run


def test_the_threat_model_names_tests() -> None:
    assert len(NAMED) > 20


@pytest.mark.parametrize(("path", "name"), NAMED)
def test_each_test_that_the_threat_model_names_is_there(path: str, name: str) -> None:
    text = (ROOT / "tests" / path).read_text("utf-8")
    assert f"def {name}(" in text if name else "def test_" in text


@pytest.mark.parametrize(
    "path",
    ["//connect/link/{}", "/connect//link/{}", "/connect/link//{}", "/connect/link/{}/",
     "/connect/x/../link/{}", "/connect/x/%2e%2e/link/{}", "/connect/link/%2e/{}",
     "/connect/link/x%2F{}", "/connect/link/{}%00", "/connect/link/{}%0d%0a", "/connect/link/{}%FF",
     "/connect/report/..%2Flink/{}", "/connect/connect/link/{}"],
)  # fmt: skip
async def test_no_crooked_path_leads_to_a_link(run: Running, path: str) -> None:
    await run.link()
    crooked = path.format(LINK)
    # Bytes as they are: a client of its own would straighten them.
    sent: list[int] = []
    shown = bytearray()
    for method in ("GET", "HEAD"):
        await run.service(_scope(method, crooked), _nothing, _keep(sent, shown))
    assert set(sent) == {404}
    assert b"Coder" not in shown


async def test_a_form_posted_by_way_of_the_reports_still_needs_its_origin(run: Running) -> None:
    path = await run.link()
    browser = Browser(run.service)
    page = await browser.open(path)
    token = page.text.partition('name="token" value="')[2].partition('"')[0]
    for crooked in ("/connect/report/../link/{}/begin", "/connect/report/%2e%2e/link/{}/begin",
                    "/report/../connect/link/{}/begin"):  # fmt: skip
        sent: list[int] = []
        scope = _scope("POST", crooked.format(LINK))
        cookie = f"__Host-acp-connect={browser.cookies['__Host-acp-connect']}".encode()
        form = (b"content-type", b"application/x-www-form-urlencoded")
        scope["headers"] += [form, (b"cookie", cookie), (b"origin", b"https://evil.example")]
        await run.service(scope, _posting(f"token={token}&secret=x"), _keep(sent, bytearray()))
        assert sent[0] >= 400
    assert await run.state() == ("OPEN", "")


@pytest.mark.parametrize("name", ["acp-connect", "__Host-acp-connect"])
async def test_a_huge_or_broken_cookie_opens_no_form(run: Running, name: str) -> None:
    path = await run.link()
    browser = Browser(run.service)
    page = await browser.open(path)
    token = page.text.partition('name="token" value="')[2].partition('"')[0]
    for value in ("x" * 60_000, "\xff\xfe", '"', "a=b=c", ""):
        stranger = Browser(run.service)
        stranger.headers = httpx2.Headers(
            [*stranger.headers.raw, (b"cookie", f"{name}={value}".encode("latin-1"))]
        )
        answer = await stranger.send_form(f"{path}/begin", token=token, secret="x")
        assert answer.status_code == 403
    assert await run.state() == ("OPEN", "")
    assert await run.vault.grants(ADA) == ()


async def test_nothing_that_stands_for_somebody_has_fewer_than_128_bits(tmp_path: Path) -> None:
    hub = OAuthProvider(
        name="hub",
        client_id="acp",
        scopes=("openid",),
        authorization_endpoint="https://hub.example/authorize",
        token_endpoint="https://hub.example/token",
    )
    shop = Callback(name="shop", page="https://shop.example", reporter="shop", key=Secret("k" * 32))
    made: dict[str, set[str]] = defaultdict(set)
    async with running(tmp_path, [hub, shop]) as run:
        for _ in range(8):
            browser = Browser(run.service)
            for name in ("hub", "shop"):
                link_id = new_link_id()
                made["link"].add(link_id)
                page = await browser.open(await run.link(name, link_id=link_id))
                away = await browser.answer(page)
                url = unescape(away.text.partition('id="onward" href="')[2].partition('"')[0])
                for parameter in ("state", "nonce", "code_challenge", "reference"):
                    made[parameter].update(httpx2.URL(url).params.get_list(parameter))
            for cookie in browser.cookies.jar:
                made[cookie.name.rpartition("-")[0]].add(str(cookie.value))
    assert {name: len(values) for name, values in made.items() if len(values) < 8} == {}
    assert {name for name, values in made.items() if min(map(len, values)) < 22} == set()
    assert len(made) == 7


def _scope(method: str, raw: str) -> Scope:
    return {
        "type": "http", "method": method, "scheme": "https", "http_version": "1.1",
        "path": unquote(raw, errors="replace"), "raw_path": raw.encode(), "query_string": b"",
        "root_path": "", "server": ("agent.example", 443), "client": ("127.0.0.1", 5),
        "headers": [(b"host", b"agent.example"), (b"x-user", b"ada")],
    }  # fmt: skip


async def _nothing() -> Message:
    return {"type": "http.request", "body": b"", "more_body": False}


def _posting(body: str) -> Receive:
    async def receive() -> Message:
        return {"type": "http.request", "body": body.encode(), "more_body": False}

    return receive


def _keep(sent: list[int], shown: bytearray) -> Send:
    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            sent.append(message["status"])
        else:
            shown.extend(message.get("body", b""))

    return send

"""What no page has to care for: foreign hosts and forms, headers, size, failures."""

import logging
from collections.abc import AsyncIterator
from pathlib import Path

import httpx2
import pytest
from starlette.types import Message, Receive, Scope, Send

from acp_elicitation.connect.gate import MOST_POSTED, Gate
from acp_elicitation.connect.providers import SecretEntry
from acp_elicitation.presenters.web.guard import HEADERS
from tests.connecting import BASE, Browser, Running, running

OURS = {"origin": "https://agent.example", "sec-fetch-site": "same-origin"}


@pytest.fixture
async def run(tmp_path: Path) -> AsyncIterator[Running]:
    async with running(tmp_path, [SecretEntry(name="wiki")]) as run:
        yield run


@pytest.mark.parametrize("path", ["", "/end", "/begin", "/nowhere"])
@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_every_answer_forbids_frames_scripts_and_keeping(
    run: Running, method: str, path: str
) -> None:
    answer = await Browser(run.service).request(method, await run.link() + path)
    assert {name: answer.headers[name] for name in HEADERS} == dict(HEADERS)
    forbids_much(answer)


def forbids_much(answer: httpx2.Response) -> None:
    policy = answer.headers["content-security-policy"].split("; ")
    assert {"default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'"} <= set(policy)
    assert not [rule for rule in policy if "unsafe" in rule or "*" in rule]
    assert answer.headers["x-frame-options"] == "DENY"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "same-origin"
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["strict-transport-security"] == "max-age=31536000"


@pytest.mark.parametrize(
    "host", ["evil.example", "agent.example:80", "agent.example.evil.example", "AGENT.example", ""]
)
async def test_another_host_is_refused(run: Running, host: str) -> None:
    path = await run.link()
    answer = await Browser(run.service).open(path, host=host)
    assert answer.status_code == 403
    assert "Coder" not in answer.text


@pytest.mark.parametrize("name", ["host", "origin", "sec-fetch-site", "content-type"])
async def test_what_is_said_twice_is_refused(run: Running, name: str) -> None:
    path = await run.link()
    said = [("host", "agent.example"), (name, "agent.example"), (name, "agent.example")]
    request = httpx2.Request("GET", f"https://agent.example{path}", headers=said)
    assert (await Browser(run.service).send(request)).status_code == 400


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({**OURS, "origin": "https://evil.example"}, 403),
        ({**OURS, "origin": "http://agent.example"}, 403),
        ({**OURS, "sec-fetch-site": "cross-site"}, 403),
        ({**OURS, "sec-fetch-site": "same-site"}, 403),
        ({"origin": "null"}, 403),
        ({**OURS, "content-type": "text/plain"}, 415),
        ({**OURS, "content-type": "application/json"}, 415),
    ],
)
@pytest.mark.parametrize("do", ["begin", "refuse"])
async def test_what_another_page_posts_is_refused(
    run: Running, do: str, headers: dict[str, str], status: int
) -> None:
    path = await run.link()
    browser = Browser(run.service)
    page = await browser.open(path)
    token = page.text.partition('name="token" value="')[2].partition('"')[0]
    answer = await browser.post(
        f"{path}/{do}", data={"token": token, "secret": "stolen-secret"}, headers=headers
    )
    assert answer.status_code == status
    assert await run.state() == ("OPEN", "")


async def test_a_page_elsewhere_may_lead_here_and_load_nothing(run: Running) -> None:
    path = await run.link()
    leading = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}
    loading = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors"}
    browser = Browser(run.service)
    assert (await browser.get(path, headers=leading)).status_code == 200
    assert (await browser.get(path, headers=loading)).status_code == 403


async def test_more_than_a_form_has_is_refused(run: Running) -> None:
    path = await run.link()
    answer = await Browser(run.service).send_form(f"{path}/begin", secret="x" * MOST_POSTED)
    assert answer.status_code == 413


@pytest.mark.parametrize("place", ["/begin", "/refuse", "/report"])
async def test_more_than_a_form_has_is_refused_though_its_length_is_not_said(
    run: Running, place: str
) -> None:
    async def chunks() -> AsyncIterator[bytes]:
        for _ in range(17):
            yield b"x" * (MOST_POSTED // 16)

    path = "/connect/report/wiki" if place == "/report" else await run.link() + place
    headers = {**OURS, "content-type": "application/x-www-form-urlencoded"}
    answer = await Browser(run.service).post(path, content=chunks(), headers=headers)
    assert answer.status_code == 413


async def willing(scope: Scope, receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"let through"})


@pytest.mark.parametrize("method", ["PUT", "PATCH", "OPTIONS", "TRACE", "CONNECT", "post"])
async def test_a_method_that_no_page_uses_gets_to_none(method: str) -> None:
    transport = httpx2.ASGITransport(Gate(willing, base_url=BASE))
    async with httpx2.AsyncClient(transport=transport, base_url="https://agent.example") as client:
        request = httpx2.Request(method, "https://agent.example/connect/")
        request.method = method  # as it stands here
        answer = await client.send(request)
        assert (await client.get("/connect/")).text == "let through"
    assert (answer.status_code, answer.text) == (405, "405\n")


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "TRACE"])
async def test_a_method_that_no_page_uses_is_refused(run: Running, method: str) -> None:
    assert (await Browser(run.service).request(method, await run.link())).status_code == 405


WAYS = {
    "return_to": "https://evil.example",
    "next": "//evil.example",
    "redirect_uri": "https://e.e",
}


@pytest.mark.parametrize("do", ["begin", "refuse"])
@pytest.mark.parametrize("name", WAYS)
async def test_no_parameter_leads_anywhere_else(run: Running, do: str, name: str) -> None:
    way = {name: WAYS[name]}
    browser = Browser(run.service)
    path = await run.link()
    page = await browser.get(path, params=way)
    assert WAYS[name] not in page.text
    token = page.text.partition('name="token" value="')[2].partition('"')[0]
    form = {"token": token, "secret": "wk-0123456789", **way}
    done = await browser.post(f"{path}/{do}", params=way, data=form, headers=OURS)
    assert (done.status_code, done.headers["location"]) == (303, f"{path}/end")
    assert WAYS[name] not in (await browser.get(f"{path}/end", params=way)).text


async def failing(scope: Scope, receive: Receive, send: Send) -> None:
    raise ValueError("the token is gho_secret")


async def test_a_failure_is_logged_by_its_kind_alone(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    transport = httpx2.ASGITransport(Gate(failing, base_url=BASE))
    async with httpx2.AsyncClient(transport=transport, base_url="https://agent.example") as client:
        answer = await client.get("/connect/")
    assert (answer.status_code, answer.text) == (500, "500\n")
    forbids_much(answer)
    assert "ValueError" in caplog.text
    assert "gho_secret" not in caplog.text


async def test_a_socket_for_messages_is_closed() -> None:
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        raise AssertionError

    await Gate(failing, base_url=BASE)({"type": "websocket", "path": "/"}, receive, send)
    await Gate(failing, base_url=BASE)({"type": "lifespan"}, receive, send)
    assert sent == [{"type": "websocket.close", "code": 1008}]

"""Every request that is not the user's own browser's, over a real socket."""

from urllib.parse import urlsplit

import pytest
from starlette.responses import PlainTextResponse
from starlette.types import Message, Receive, Scope, Send

from acp_elicitation.presenters.web.guard import HEADERS, MOST_POSTED, Guard
from acp_elicitation.presenters.web.presenter import WebPresenter
from acp_elicitation.text.html import Html
from tests.web_client import Client


@pytest.fixture
def presenter() -> WebPresenter:
    presenter = WebPresenter()
    presenter.desk.add_region("private", lambda: Html("what nobody else may read"))
    return presenter


SECRET = "what nobody else may read"


def port_of(address: str) -> int:
    port = urlsplit(address).port
    assert port is not None
    return port


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
async def test_this_machine_may_be_called_by_both_of_its_names(address: str, host: str) -> None:
    client = Client(address)
    answer = await client.get(Host=f"{host}:{port_of(address)}")
    assert answer.status == 200
    assert SECRET in answer.text


@pytest.mark.parametrize(
    "host",
    ["evil.example", "127.0.0.1", "localhost", "127.0.0.1:1", "127.0.0.2:{port}", "[::1]:{port}",
     "evil.example:{port}", "127.0.0.1.evil.example:{port}", "127.0.0.1:{port}.",
     "a@127.0.0.1:{port}", "LOCALHOST:{port}", "127.0.0.1:0{port}", "127.1:{port}",
     "2130706433:{port}"],
)  # fmt: skip
async def test_another_host_is_refused(browser: Client, host: str) -> None:
    answer = await browser.get(Host=host.format(port=port_of(browser.address)))
    assert answer.status == 403
    assert SECRET not in answer.text


async def test_two_hosts_are_refused(browser: Client) -> None:
    twice = f"GET {browser.base}/ HTTP/1.1\r\nHost: {browser.host}\r\nHost: {browser.host}\r\n"
    answer = await browser.raw(f"{twice}Cookie: {browser.cookie}\r\n\r\n".encode())
    assert answer.status == 400


@pytest.mark.parametrize(
    "header", ["Origin: http://{host}", "Sec-Fetch-Site: same-origin", "Content-Type: {form}"]
)
async def test_two_of_what_is_checked_are_refused(browser: Client, token: str, header: str) -> None:
    line = header.format(host=browser.host, form="application/x-www-form-urlencoded")
    head = (
        f"POST {browser.base}/waiting HTTP/1.1\r\nHost: {browser.host}\r\n"
        f"Cookie: {browser.cookie}\r\nOrigin: http://{browser.host}\r\n"
        "Sec-Fetch-Site: same-origin\r\nContent-Type: application/x-www-form-urlencoded\r\n"
        f"Content-Length: {len(token) + 6}\r\n"
    )
    rest = f"Connection: close\r\n\r\ntoken={token}"
    assert (await browser.raw((head + rest).encode())).status == 303
    assert (await browser.raw(f"{head}{line}\r\n{rest}".encode())).status == 400


async def test_no_host_is_refused(browser: Client) -> None:
    for version in ("1.0", "1.1"):
        head = f"GET {browser.base}/ HTTP/{version}\r\nCookie: {browser.cookie}\r\n\r\n"
        assert (await browser.raw(head.encode())).status in (400, 403)


async def test_another_path_is_not_found_and_tells_nothing(browser: Client) -> None:
    base = browser.base
    wrong = "/" + "A" * (len(base) - 1)
    for path in ("/", "", base, base[:-1] + "/", base + "x/", wrong + "/", base.swapcase() + "/",
                 "/x" + base + "/", f"/..{base}/", f"//{base}/", "/static/page.js",
                 f"http://evil.example{base}/", "*"):  # fmt: skip
        answer = await browser.request("GET", path or "/x", b"", {})
        assert answer.status in (404, 400), path
        assert answer.body in (b"404\n", b"400\n", b"Invalid HTTP request received.")


async def test_the_secret_of_the_path_cannot_be_guessed() -> None:
    secrets = {WebPresenter().desk.secret for _ in range(100)}
    assert len(secrets) == 100
    assert min(map(len, secrets)) >= 43  # 32 random bytes


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PROPFIND"])
async def test_another_method_is_refused(browser: Client, method: str) -> None:
    assert (await browser.request(method, f"{browser.base}/", b"", {})).status == 405


async def test_the_page_belongs_to_the_browser_that_came_first(browser: Client) -> None:
    other = Client(browser.address)
    for place in ("/", "/events", "/static/page.js", "/q/x"):
        answer = await other.get(place)
        assert answer.status == 403
        assert SECRET not in answer.text
        assert other.cookie == ""
    assert (await other.post("/waiting", {"token": "x"})).status == 403
    assert (await browser.get()).status == 200


async def test_a_second_browser_is_told_why(browser: Client) -> None:
    answer = await Client(browser.address).get()
    assert "opened in another browser first" in answer.text
    assert f'href="{browser.base}/"' in answer.text


async def test_a_wrong_cookie_is_none(browser: Client) -> None:
    name, _, value = browser.cookie.partition("=")
    for cookie in (f"{name}=", f"{name}={value[:-1]}", f"{name}={value}x", f"other={value}", "x"):
        assert (await browser.get(Cookie=cookie)).status == 403
    assert (await browser.get(Cookie=f"a=b; {name}=x; {name}={value}; c")).status == 200


async def test_the_cookie_is_for_this_page_alone(address: str) -> None:
    client = Client(address)
    given = (await client.get()).headers["set-cookie"]
    name, _, rest = given.partition("=")
    assert name.startswith("acp-elicit-")
    assert rest.partition("; ")[2] == f"Path={client.base}; HttpOnly; SameSite=Strict"
    assert "set-cookie" not in (await client.get()).headers


async def test_a_program_that_looks_at_the_address_does_not_take_it(address: str) -> None:
    assert (await Client(address, accept="*/*").get()).status == 403
    assert (await Client(address).get("/", Sec_Fetch_Site="cross-site",
                                      Sec_Fetch_Mode="no-cors")).status == 403  # fmt: skip
    assert (await Client(address).get()).status == 200


async def test_another_page_cannot_load_anything_from_here(browser: Client) -> None:
    for site in ("cross-site", "same-site"):
        for mode in ("no-cors", "cors", "same-origin", "websocket"):
            answer = await browser.get(Sec_Fetch_Site=site, Sec_Fetch_Mode=mode)
            assert answer.status == 403
    followed = await browser.get(Sec_Fetch_Site="cross-site", Sec_Fetch_Mode="navigate")
    assert followed.status == 200  # a link in another page, with the right address and the cookie


@pytest.fixture
def token(presenter: WebPresenter) -> str:
    return presenter.desk.token


@pytest.mark.parametrize(
    "origin",
    ["https://evil.example", "http://127.0.0.1", "http://127.0.0.1:1", "https://127.0.0.1:{port}",
     "http://evil.example:{port}", "http://127.0.0.1:{port}/", "HTTP://127.0.0.1:{port}"],
)  # fmt: skip
async def test_what_another_origin_posts_is_refused(
    browser: Client, token: str, origin: str
) -> None:
    foreign = origin.format(port=port_of(browser.address))
    answer = await browser.post("/waiting", {"token": token}, Origin=foreign)
    assert answer.status == 403
    assert (await browser.post("/waiting", {"token": token})).status == 303


@pytest.mark.parametrize("site", ["cross-site", "same-site", "none", "x"])
async def test_what_another_site_posts_is_refused(browser: Client, token: str, site: str) -> None:
    for origin in (f"http://{browser.host}", "null", ""):
        answer = await browser.post(
            "/waiting", {"token": token}, Sec_Fetch_Site=site, Origin=origin
        )
        assert answer.status == 403


async def test_a_hidden_origin_is_ours_only_where_the_browser_says_so(
    browser: Client, token: str
) -> None:
    data = {"token": token}
    assert (await browser.post("/waiting", data, Origin="null")).status == 303
    hidden = await browser.post("/waiting", data, Origin="null", Sec_Fetch_Site="")
    assert hidden.status == 403


async def test_a_browser_that_sends_neither_header_can_post(browser: Client, token: str) -> None:
    answer = await browser.post("/waiting", {"token": token}, Origin="", Sec_Fetch_Site="")
    assert answer.status == 303


@pytest.mark.parametrize(
    "headers",
    [
        {"Content_Type": "text/plain"},
        {"Content_Type": "multipart/form-data; boundary=x"},
        {"Content_Type": "application/json"},
        {"Content_Type": ""},
        {"Content_Encoding": "gzip"},
    ],
)
async def test_only_forms_can_be_posted(
    browser: Client, token: str, headers: dict[str, str]
) -> None:
    assert (await browser.post("/waiting", {"token": token}, **headers)).status == 415


async def test_a_type_may_name_its_encoding(browser: Client, token: str) -> None:
    kind = "application/x-www-form-urlencoded;charset=UTF-8"  # what `sendBeacon` says
    assert (await browser.post("/waiting", {"token": token}, Content_Type=kind)).status == 303


async def test_a_body_that_is_announced_as_too_large_is_not_read(browser: Client) -> None:
    answer = await browser.post_body("/waiting", b"", Content_Length=str(MOST_POSTED + 1))
    assert answer.status == 413
    assert answer.headers["connection"] == "close"


async def test_a_body_that_grows_too_large_is_not_read_to_its_end(browser: Client) -> None:
    head = (
        f"POST {browser.base}/waiting HTTP/1.1\r\nHost: {browser.host}\r\n"
        f"Cookie: {browser.cookie}\r\nOrigin: http://{browser.host}\r\n"
        "Content-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked\r\n\r\n"
    )
    chunk = b"10000\r\n" + b"a" * 0x10000 + b"\r\n"
    answer = await browser.raw(head.encode() + chunk * (MOST_POSTED // 0x10000 + 1))
    assert answer.status == 413


async def test_a_body_of_several_pieces_is_one(browser: Client, token: str) -> None:
    head = (
        f"POST {browser.base}/waiting HTTP/1.1\r\nHost: {browser.host}\r\n"
        f"Cookie: {browser.cookie}\r\nOrigin: http://{browser.host}\r\nConnection: close\r\n"
        "Content-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked\r\n\r\n"
    )
    body = f"6\r\ntoken=\r\n{len(token):x}\r\n{token}\r\n0\r\n\r\n"
    assert (await browser.raw((head + body).encode())).status == 303


@pytest.mark.parametrize(
    "lengths",
    ["Content-Length: 7\r\nContent-Length: 8\r\n", "Content-Length: -1\r\n",
     "Content-Length: 1_0\r\n", "Content-Length: 7\r\nTransfer-Encoding: identity\r\n",
     "Content-Length: 7\r\nTransfer-Encoding: chunked, identity\r\n",
     "Transfer-Encoding: gzip, chunked\r\n", "Content-Length : 7\r\n"],
)  # fmt: skip
async def test_a_length_that_can_be_read_in_two_ways_is_refused(
    browser: Client, lengths: str
) -> None:
    head = (
        f"POST {browser.base}/waiting HTTP/1.1\r\nHost: {browser.host}\r\n"
        f"Cookie: {browser.cookie}\r\nOrigin: http://{browser.host}\r\n"
        f"Content-Type: application/x-www-form-urlencoded\r\n{lengths}\r\n"
    )
    answer = await browser.raw(head.encode() + b"token=x")
    assert answer.status in (400, 501)


@pytest.mark.parametrize("length", ["x", "-1", "1_0", "٣", "+1"])
async def test_no_length_is_read_leniently_on_another_server_either(length: str) -> None:
    answered: list[int] = []

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            answered.append(message["status"])

    async def receive() -> Message:
        return {"type": "http.request", "body": b""}

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await PlainTextResponse("")(scope, receive, send)

    guard = Guard(app, base="/secret", origins=["http://a"], cookie="c")
    headers = {"host": "a", "content-type": "application/x-www-form-urlencoded",
               "content-length": length}  # fmt: skip
    encoded = [(name.encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "method": "POST", "path": "/secret/x", "headers": encoded}
    await guard(scope, receive, send)
    assert answered == [400]


async def test_a_websocket_is_refused(browser: Client) -> None:
    upgrade = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec_WebSocket_Version": "13",
               "Sec_WebSocket_Key": "AAAAAAAAAAAAAAAAAAAAAA=="}  # fmt: skip
    answer = await browser.get("/events-of-another-kind", **upgrade)
    assert answer.status == 404


@pytest.mark.requirement("URL-10")
async def test_every_answer_has_the_headers_that_keep_the_page_to_itself(browser: Client) -> None:
    stranger = Client(browser.address)
    answers = [
        await browser.get(),
        await browser.get("/static/page.js"),
        await browser.get("/nothing"),
        await browser.get(Host="evil.example"),
        await stranger.get(),
        await browser.post("/waiting", {}),
        await browser.request("GET", "/", b"", {}),
    ]
    assert [answer.status for answer in answers] == [200, 200, 404, 403, 403, 403, 404]
    for answer in answers:
        for name, value in HEADERS.items():
            assert answer.headers[name.lower()] == value
        assert "server" not in answer.headers


def test_a_page_may_load_run_and_be_framed_by_nothing_foreign() -> None:
    policy = dict(rule.split(" ", 1) for rule in HEADERS["Content-Security-Policy"].split("; "))
    assert policy.pop("default-src") == policy.pop("base-uri") == "'none'"
    assert policy.pop("frame-ancestors") == "'none'"
    assert set(policy.values()) == {"'self'"}

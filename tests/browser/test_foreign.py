"""What other web sites in the same browser can do to the page: nothing, though they know it.

Each attack is made twice: from another port of 127.0.0.1, which counts as the same *site*, so that
SameSite cookies are sent along; and from a name of its own. The foreign site knows what it cannot
guess: the whole address, that of the form, and the token in it.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from urllib.parse import urlsplit

import pytest
import pytest_asyncio
from playwright.async_api import Page, Request, Response

from tests.browser.chat import Meeting, button
from tests.browser.foreign import ForeignSite, foreign_site

HOSTS = ("127.0.0.1", "foreign.example")
FORM = {"sure": {"type": "boolean", "title": "Sure", "default": True}}


class Scene:
    """A question before its user, and a foreign site in the next tab."""

    def __init__(self, meeting: Meeting, site: ForeignSite) -> None:
        self.visit = meeting.visit
        self.chat = meeting.chat
        self.site = site
        self.asked = meeting.agent.form("Delete everything?", FORM)
        self.action = ""
        self.token = ""

    @property
    def origin(self) -> str:
        """The scheme, host and port of our page."""
        return "http://" + urlsplit(self.chat.address).netloc

    async def begin(self) -> None:
        """Show the question to its user."""
        self.page = await self.visit.open(self.chat.address)
        form = self.page.locator("article form.yes")
        self.action = await form.evaluate("form => form.action")
        self.token = await form.locator("input[name=token]").first.input_value()

    async def attack(self, markup: str, host: str) -> tuple[Page, list[int]]:
        """Open a foreign page, which sets `done` when it is; return the statuses that it met.

        A request that failed altogether counts as 0.
        """
        met: list[int] = []
        page = await self.visit.context.new_page()

        def answered(response: Response) -> None:
            if response.url.startswith(self.origin):
                met.append(response.status)

        def failed(request: Request) -> None:
            if request.url.startswith(self.origin):
                met.append(0)

        page.on("response", answered)
        page.on("requestfailed", failed)
        await page.goto(self.site.put(markup, host=host))
        await page.wait_for_function("window.done || document.title != 'A foreign page'")
        return page, met

    async def still_asks(self) -> bool:
        """Whether the question is unanswered, unchanged, and its user can answer it."""
        if self.asked.came.done():
            return False
        await self.page.reload()
        await button(self.page, "decline").click()
        return bool(await self.asked.result() == {"action": "decline"})


async def fetch_raw(address: str, *headers: str, host: str = "127.0.0.1") -> bytes:
    """Ask for an address as no browser would, and return the whole answer."""
    parts = urlsplit(address)
    reader, writer = await asyncio.open_connection("127.0.0.1", parts.port)
    head = (f"GET {parts.path} HTTP/1.1", f"Host: {host}:{parts.port}", *headers)
    writer.write("\r\n".join((*head, "Connection: close", "", "")).encode())
    answer = await reader.read()
    writer.close()
    await writer.wait_closed()
    return answer


@pytest_asyncio.fixture(loop_scope="session")
async def scene(meeting: Meeting) -> AsyncIterator[Scene]:
    async with foreign_site() as site:
        scene = Scene(meeting, site)
        await scene.begin()
        yield scene


@pytest.mark.parametrize("host", HOSTS)
async def test_a_form_of_a_foreign_page_answers_nothing(scene: Scene, host: str) -> None:
    for decision in ("submit", "decline", "cancel"):
        _, met = await scene.attack(
            f"<form method=post action='{scene.action}'><input name=do value={decision}>"
            f"<input name=token value='{scene.token}'>"
            "<input name=sure value=yes></form><script>document.forms[0].submit()</script>",
            host,
        )
        assert met[0] == 403
    assert await scene.still_asks()


@pytest.mark.parametrize("host", HOSTS)
async def test_a_script_of_a_foreign_page_answers_and_reads_nothing(
    scene: Scene, host: str
) -> None:
    calls = [
        (scene.action, {"method": "POST", "body": f"token={scene.token}&do=submit"}),
        (
            scene.action,
            {"method": "POST", "body": f"token={scene.token}&do=submit", "mode": "no-cors"},
        ),
        (
            scene.action + "/draft",
            {"method": "POST", "body": f"token={scene.token}&sure=no", "mode": "no-cors"},
        ),
        (scene.chat.address, {"method": "GET"}),
    ]
    for address, options in calls:
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        call = {**options, "credentials": "include", "headers": form}
        page, met = await scene.attack(
            f"<script>fetch({json.dumps(address)}, {json.dumps(call)})"
            ".then(async (answer) => { window.got = await answer.text(); }, () => {})"
            ".finally(() => { window.done = true; });</script>",
            host,
        )
        assert not await page.evaluate("window.got"), "it could read the answer"
        assert set(met) <= {0, 403}
        assert met
    assert await scene.still_asks()


@pytest.mark.parametrize("host", HOSTS)
async def test_a_foreign_page_cannot_listen_to_the_events(scene: Scene, host: str) -> None:
    events = scene.chat.address.rstrip("/") + "/events"
    page, met = await scene.attack(
        f"<script>const it = new EventSource('{events}', {{withCredentials: true}});"
        "window.heard = []; it.onmessage = it.onopen = (event) => heard.push(event.type);"
        "it.onerror = () => { window.done = true; };</script>",
        host,
    )
    assert await page.evaluate("heard") == []
    assert met == [0]  # without leave to read it, the browser tells no status


@pytest.mark.parametrize("site", ["same-site", "cross-site"])
async def test_nothing_is_read_by_a_script_of_another_origin(scene: Scene, site: str) -> None:
    (cookie,) = await scene.visit.context.cookies()
    for place in ("", "events", "static/page.js"):
        answer = await fetch_raw(
            scene.chat.address + place,
            f"Cookie: {cookie['name']}={cookie['value']}",
            f"Sec-Fetch-Site: {site}",
            "Sec-Fetch-Mode: cors",
        )
        assert answer.startswith(b"HTTP/1.1 403 ")
        assert b"Delete everything?" not in answer


@pytest.mark.parametrize("host", HOSTS)
async def test_a_foreign_page_cannot_show_the_page_within_itself(scene: Scene, host: str) -> None:
    page, _ = await scene.attack(
        f"<iframe src='{scene.chat.address}' onload='window.done = true'></iframe>", host
    )
    frame = page.frames[1]
    assert "Delete everything?" not in await frame.content()
    assert await frame.locator("button").count() == 0


@pytest.mark.parametrize("host", HOSTS)
async def test_a_foreign_page_that_opened_the_page_has_no_hold_of_it(
    scene: Scene, host: str
) -> None:
    async with scene.visit.context.expect_page() as opened:
        page, _ = await scene.attack(
            f"<script>window.it = window.open('{scene.chat.address}'); done = true;</script>",
            host,
        )
    await (await opened.value).wait_for_load_state()
    await page.wait_for_function("it.closed")  # it cannot be moved elsewhere
    assert await page.evaluate("it.length") == 0


async def test_the_page_answers_under_no_other_name(scene: Scene) -> None:
    (cookie,) = await scene.visit.context.cookies()
    kept = f"Cookie: {cookie['name']}={cookie['value']}"
    for name in ("rebound.example", "127.0.0.1.example", "127.0.0.2"):
        answer = await fetch_raw(scene.chat.address, kept, host=name)
        assert answer.startswith(b"HTTP/1.1 403 ")
        assert b"Delete everything?" not in answer


async def test_a_name_that_was_bound_to_this_machine_gets_nothing(scene: Scene) -> None:
    page = await scene.visit.context.new_page()
    answer = await page.goto(scene.chat.address.replace("127.0.0.1", "foreign.example"))
    assert answer is not None
    assert answer.status == 403
    assert "Delete everything?" not in await page.content()


async def test_what_was_set_for_the_page_goes_to_no_other_port(scene: Scene) -> None:
    await scene.attack("<script>window.done = true</script>", "127.0.0.1")
    assert scene.site.heads
    secret = urlsplit(scene.chat.address).path.strip("/")
    assert [head for head in scene.site.heads if "cookie:" in head.lower() or secret in head] == []


async def test_nothing_is_found_without_the_whole_address(scene: Scene) -> None:
    fresh = await scene.visit.context.browser.new_context()  # type: ignore[union-attr]
    try:
        page = await fresh.new_page()
        for path in ("", "x/", "favicon.ico", "static/style.css", "events", "q/1"):
            answer = await page.goto(f"{scene.origin}/{path}")
            assert answer is not None
            assert answer.status in (403, 404)
            assert "Delete everything?" not in await page.content()
    finally:
        await fresh.close()

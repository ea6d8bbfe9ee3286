"""The witnesses themselves: each sees what it is there for, on pages that do it."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.browser.axe import grave_violations
from tests.browser.chromium import eager_chromium, running_chromium
from tests.browser.foreign import foreign_site
from tests.browser.net_log import NetLog
from tests.browser.visit import Visit
from tests.network.packets import captured_packets
from tests.network.trap import listening_trap
from tests.serving import answer, serving

PAGE = b"<!doctype html><html lang=en><title>A page</title><main><h1>A page</h1><p>Text</main>"
POLICY = "default-src 'none'; require-trusted-types-for 'script'"


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Serve one page under a strict policy, whatever is asked."""
    await reader.readuntil(b"\r\n\r\n")
    await answer(writer, PAGE, f"Content-Security-Policy: {POLICY}")


@pytest_asyncio.fixture(loop_scope="session")
async def address() -> AsyncIterator[str]:
    async with serving(serve) as port:
        yield f"http://127.0.0.1:{port}/"


@pytest.mark.parametrize(
    ("markup", "seen"),
    [
        ("<img src='/x'>", "policy: img-src"),
        ("<b onclick='canary=1'>x</b>", "policy: script-src-attr inline"),
        ("<b style='color: red'>x</b>", "policy: style-src-attr inline"),
    ],
)
async def test_the_witness_sees_markup_even_where_the_policy_stops_it(
    visit: Visit, address: str, markup: str, seen: str
) -> None:
    page = await visit.open(address)
    await page.evaluate(
        """markup => {
            const policy = trustedTypes.createPolicy('p', { createHTML: (text) => text });
            const place = document.querySelector('main');
            place.setHTMLUnsafe(policy.createHTML(markup));
            place.querySelector('b')?.click();
        }""",
        markup,
    )
    assert [note for note in await visit.notes(page) if note.startswith(seen)]


async def test_the_witness_sees_what_runs(visit: Visit) -> None:
    async with foreign_site() as site:
        page = await visit.open(
            site.put("<script>canary = 1; alert('hello'); throw Error('x')</script>")
        )
        assert await visit.notes(page) == ["canary: 1", "dialog: hello", "script: x"]


async def test_axe_works_under_a_strict_policy_without_breaking_it(
    visit: Visit, address: str
) -> None:
    page = await visit.open(address)
    assert await grave_violations(page) == []
    await page.evaluate("document.documentElement.removeAttribute('lang')")
    assert [found.split(":")[0] for found in await grave_violations(page)] == [
        "html-has-lang (serious)"
    ]
    assert visit.noted == []


async def test_the_browser_has_nothing_to_say_itself(tmp_path: Path, address: str) -> None:
    async with eager_chromium(tmp_path) as context:
        await (await context.new_page()).goto(address)
    log = NetLog(tmp_path / "net.json")
    assert set(log.connected) == {address.removeprefix("http://").rstrip("/")}
    assert log.datagrams == 0


@pytest.mark.requirement("URL-10")
async def test_the_witnesses_see_whatever_is_done_ahead(tmp_path: Path) -> None:
    hints = [
        ("prefetch", "prefetched.example", "URL_REQUEST_START_JOB"),
        ("preconnect", "connected.example", "TCP_CLIENT_SOCKET_POOL_REQUESTED_SOCKETS"),
        ("preconnect", "unknown.invalid", "HOST_RESOLVER_MANAGER_REQUEST"),
        ("dns-prefetch", "looked-up.invalid", "HOST_RESOLVER_MANAGER_REQUEST"),
    ]
    looked_up = [host for _, host, _ in hints if host.endswith(".invalid")]
    async with foreign_site() as site, listening_trap() as trap:
        hosts = {host: trap.address for _, host, _ in hints if host not in looked_up}
        with captured_packets() as packets:
            async with eager_chromium(tmp_path, hosts=hosts, looked_up=looked_up) as context:
                page = await context.new_page()
                links = [f"<link rel={h} href='http://{o}:{trap.port}/'>" for h, o, _ in hints]
                await page.goto(site.put("".join(links)), wait_until="networkidle")
                await trap.connected(2)
            assert trap.requests == ["GET / HTTP/1.1"]
            if packets is not None:
                assert packets.connections_to(trap.address, trap.port) == 2
                assert all(packets.questions_for(host) for host in looked_up)
    log = NetLog(tmp_path / "net.json")
    for _, host, event in hints:
        assert event in log.dealt_with(host)


async def test_a_missing_browser_is_a_failure_that_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(pytest.fail.Exception, match="apt-get install chromium"):
        async with running_chromium():
            raise AssertionError("it ran")

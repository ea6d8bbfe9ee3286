"""The witnesses themselves: each sees what it is there for, on pages that do it."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.browser.axe import grave_violations
from tests.browser.chromium import running_chromium
from tests.browser.net_log import NetLog
from tests.browser.visit import Visit

POLICY = "default-src 'none'; require-trusted-types-for 'script'"


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Serve one page under a strict policy, whatever is asked."""
    await reader.readuntil(b"\r\n\r\n")
    body = b"<!doctype html><html lang=en><title>A page</title><main><h1>A page</h1><p>Text</main>"
    head = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Security-Policy: {POLICY}\r\n"
    writer.write(f"{head}Content-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode() + body)
    writer.close()


@pytest_asyncio.fixture(loop_scope="session")
async def address() -> AsyncIterator[str]:
    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"


@pytest.mark.parametrize(
    ("markup", "seen"),
    [
        ("<img src='/x'>", "policy: img-src"),
        ("<b onclick='canary(1)'>x</b>", "policy: script-src-attr inline"),
        ("<b style='color: red'>x</b>", "policy: style-src-attr inline"),
    ],
)
async def test_the_witness_sees_markup_even_where_the_policy_stops_it(
    visit: Visit, address: str, markup: str, seen: str
) -> None:
    page = await visit.open(address)
    async with page.expect_event("console"):
        await page.evaluate(
            "markup => document.querySelector('main').setHTMLUnsafe("
            "trustedTypes.createPolicy('p', {createHTML: (it) => it}).createHTML(markup))",
            markup,
        )
    await page.evaluate("0")
    assert [note for note in visit.noted if note.startswith(seen)]


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
    async with running_chromium(net_log=tmp_path / "net.json") as browser:
        page = await browser.new_page()
        await page.goto(address)
    log = NetLog(tmp_path / "net.json")
    assert set(log.connected) == {address.removeprefix("http://").rstrip("/")}
    assert log.datagrams == 0


async def test_a_missing_browser_is_a_failure_that_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(pytest.fail.Exception, match="apt-get install chromium"):
        async with running_chromium():
            raise AssertionError("it ran")

"""Chromium for the tests: Debian's, without a window, with nothing to say on the network itself.

A browser calls home when it starts: accounts, updates, field trials. Here every name but those that
a test maps itself is unknown to it, before anything is asked of a name server.
"""

import contextlib
import shutil
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path

import pytest
from playwright.async_api import Browser, BrowserContext, BrowserType, async_playwright

__all__ = ["eager_chromium", "running_chromium"]

_WHERE_TO_GET_IT = (
    "the browser tests need Chromium: `make test` installs it as root, otherwise install it "
    "yourself (Debian and Ubuntu: sudo apt-get install chromium)"
)


@contextlib.asynccontextmanager
async def running_chromium(*, hosts: Mapping[str, str] | None = None) -> AsyncIterator[Browser]:
    """Run a browser for the length of the block; `hosts` are the names that it can resolve."""
    async with _chromium() as (chromium, program):
        browser = await chromium.launch(executable_path=program, args=_flags(hosts or {}, ()))
        try:
            yield browser
        finally:
            await browser.close()


@contextlib.asynccontextmanager
async def eager_chromium(
    folder: Path, *, hosts: Mapping[str, str] | None = None, looked_up: Sequence[str] = ()
) -> AsyncIterator[BrowserContext]:
    """Run a browser with a profile of its own, as people do, for the length of the block.

    Without a profile, as in `running_chromium`, Chromium neither connects nor looks up ahead. It
    writes all that it does on the network to `folder / "net.json"`, which is whole at the end.

    Args:
        folder: an empty folder.
        hosts: names that it can resolve, each with its address.
        looked_up: names that it has to ask the system for.
    """
    log = [f"--log-net-log={folder / 'net.json'}", "--net-log-capture-mode=Everything"]
    async with _chromium() as (chromium, program):
        context = await chromium.launch_persistent_context(
            folder / "profile",
            executable_path=program,
            args=[*_flags(hosts or {}, looked_up), *log],
        )
        try:
            yield context
        finally:
            await context.close()


@contextlib.asynccontextmanager
async def _chromium() -> AsyncIterator[tuple[BrowserType, str]]:
    program = shutil.which("chromium")
    if program is None:
        pytest.fail(_WHERE_TO_GET_IT, pytrace=False)
    async with async_playwright() as playwright:
        yield playwright.chromium, program


def _flags(hosts: Mapping[str, str], looked_up: Sequence[str]) -> list[str]:
    mapped = [f"MAP {name} {address}" for name, address in hosts.items()]
    excluded = [f"EXCLUDE {name}" for name in ("127.*", "localhost", *looked_up)]
    rules = ", ".join([*mapped, "MAP * ~NOTFOUND", *excluded])
    return ["--disable-quic", f"--host-resolver-rules={rules}"]

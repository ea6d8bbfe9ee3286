"""Chromium for the tests: Debian's, without a window, with nothing to say on the network itself.

A browser calls home when it starts: accounts, updates, field trials. Here every name but those that
a test maps itself is unknown to it, before anything is asked of a name server.
"""

import contextlib
import shutil
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

import pytest
from playwright.async_api import Browser, async_playwright

__all__ = ["running_chromium"]

_WHERE_TO_GET_IT = (
    "the browser tests need Chromium: `make test` installs it as root, otherwise install it "
    "yourself (Debian and Ubuntu: sudo apt-get install chromium)"
)


def _flags(hosts: Mapping[str, str], net_log: Path | None) -> list[str]:
    mapped = [f"MAP {name} {address}" for name, address in hosts.items()]
    rules = ", ".join([*mapped, "MAP * ~NOTFOUND", "EXCLUDE 127.0.0.1", "EXCLUDE localhost"])
    flags = ["--disable-quic", f"--host-resolver-rules={rules}"]
    if net_log is not None:
        flags += [f"--log-net-log={net_log}", "--net-log-capture-mode=Everything"]
    return flags


@contextlib.asynccontextmanager
async def running_chromium(
    *, hosts: Mapping[str, str] | None = None, net_log: Path | None = None
) -> AsyncIterator[Browser]:
    """Run a browser of its own for the length of the block.

    Args:
        hosts: names that it can resolve, each with its address.
        net_log: the file to which it writes all that it does on the network, whole once it ended.
    """
    program = shutil.which("chromium")
    if program is None:
        pytest.fail(_WHERE_TO_GET_IT, pytrace=False)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=program, args=_flags(hosts or {}, net_log)
        )
        try:
            yield browser
        finally:
            await browser.close()

"""What is handed to the system browser. A real program stands in for it, chosen by `BROWSER`."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = (
    "import sys; from acp_elicitation.presenters.browser import open_in_browser;"
    "print(open_in_browser(sys.argv[1]))"
)


def opened(url: str, folder: Path, *, code: int = 0) -> tuple[str, list[str]]:
    """Return what `open_in_browser` said, and what the browser was given."""
    log = folder / "opened"
    browser = folder / "browser"
    browser.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" >>{log}\nexit {code}\n')
    browser.chmod(0o700)
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM, url],
        env={**os.environ, "BROWSER": f"{browser} %s", "PATH": "/nonexistent", "DISPLAY": ""},
        capture_output=True,
        text=True,
        check=True,
        timeout=30,
    )
    return ran.stdout.strip(), log.read_text().splitlines() if log.exists() else []


@pytest.mark.requirement("URL-10")
@pytest.mark.parametrize("url", ["https://example.com/a?b=c#d", "HTTP://127.0.0.1:80/x'y"])
def test_a_web_address_is_opened_exactly_as_it_is(url: str, tmp_path: Path) -> None:
    assert opened(url, tmp_path) == ("True", [url])


@pytest.mark.requirement("URL-10")
@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        "javascript:alert(1)",
        "-remote",
        " https://example.com",
        "https:example.com",
        "https://example.com/\nfile:///x",
        "https://example.com/a b",
        "https://exämple.com/",
        "https://",
        "",
    ],
)
def test_nothing_else_reaches_the_browser(url: str, tmp_path: Path) -> None:
    assert opened(url, tmp_path) == ("False", [])


def test_a_browser_that_fails_opened_nothing(tmp_path: Path) -> None:
    assert opened("https://example.com/", tmp_path, code=1)[0] == "False"

"""What is handed to the system browser. A real program stands in for it, chosen by `BROWSER`."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = "import sys; from acp_elicitation.presenters.browser import {0}; print({0}(sys.argv[1]))"
WAYS = ["open_in_browser", "open_beside_screen"]


def opened(
    url: str, folder: Path, *, code: int = 0, way: str = WAYS[0], name: str = "browser"
) -> tuple[str, list[str]]:
    """Return what was said, and what the browser was given."""
    log = folder / "opened"
    browser = folder / name
    browser.write_text(f'#!/bin/sh\necho noise\nprintf "%s\\n" "$@" >>{log}\nexit {code}\n')
    browser.chmod(0o700)
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(way), url],
        env={**os.environ, "BROWSER": f"{browser} %s", "PATH": "/nonexistent", "DISPLAY": ""},
        capture_output=True,
        text=True,
        check=True,
        timeout=30,
    )
    return ran.stdout.strip().removeprefix(
        "noise\n"
    ), log.read_text().splitlines() if log.exists() else []


@pytest.mark.requirement("URL-10")
@pytest.mark.parametrize("url", ["https://example.com/a?b=c#d", "HTTP://127.0.0.1:80/x'y"])
@pytest.mark.parametrize("way", WAYS)
def test_a_web_address_is_opened_exactly_as_it_is(way: str, url: str, tmp_path: Path) -> None:
    assert opened(url, tmp_path, way=way) == ("True", [url])


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
@pytest.mark.parametrize("way", WAYS)
def test_nothing_else_reaches_the_browser(way: str, url: str, tmp_path: Path) -> None:
    assert opened(url, tmp_path, way=way) == ("False", [])


@pytest.mark.parametrize("way", WAYS)
def test_a_browser_that_fails_opened_nothing(way: str, tmp_path: Path) -> None:
    assert opened("https://example.com/", tmp_path, code=1, way=way)[0] == "False"


def test_beside_a_screen_a_browser_of_the_terminal_opens_nothing(tmp_path: Path) -> None:
    url = "https://example.com/"
    assert opened(url, tmp_path, way="open_beside_screen", name="w3m") == ("False", [])
    assert opened(url, tmp_path, name="w3m") == ("True", [url])


def test_beside_a_screen_nothing_that_a_browser_writes_is_seen(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    browser = tmp_path / "browser"
    browser.write_text("#!/bin/sh\necho noise\necho noise >&2\n")
    browser.chmod(0o700)
    program = f"{PROGRAM.format('open_beside_screen')}"
    subprocess.run(
        [sys.executable, "-c", program, "https://example.com/"],
        env={**os.environ, "BROWSER": f"{browser} %s"},
        check=True,
        timeout=30,
    )
    seen = capfd.readouterr()
    assert (seen.out, seen.err) == ("True\n", "")

"""Opening a link in the system browser: the only way in which a page is ever reached from here.

Owns: which texts are handed to the browser. Knows nothing of: consent; whoever calls this has it.
Above it: the command line. Below it: the standard library's `webbrowser`.
"""

import os
import re
import subprocess
import sys

__all__ = ["open_beside_screen", "open_in_browser"]

# A browser's command line would take `-x` or `file:` for something else than a web page. Nothing
# outside of printable ASCII: what is opened has to be what was shown (URL-10).
_WEB_ADDRESS = re.compile(r"https?://[!-~]+", re.IGNORECASE)

_IN_THE_TERMINAL = frozenset(("browsh", "elinks", "links", "links2", "lynx", "w3m", "www-browser"))
_OPEN = "import sys, webbrowser; sys.exit(not webbrowser.open(sys.argv[1]))"
_SECONDS_TO_FAIL = 3.0
"""A browser that still runs after that is open."""


def open_in_browser(url: str) -> bool:
    """Open `url` in the system browser; False where there is none, or it is no plain web address.

    It may block for as long as a browser in the terminal runs.
    """
    if not _WEB_ADDRESS.fullmatch(url):
        return False
    import webbrowser  # 20 ms that nobody else has to wait for

    try:
        return webbrowser.open(url)
    except webbrowser.Error:
        return False


def open_beside_screen(url: str) -> bool:
    """Open `url` as `open_in_browser` does, for a caller that draws on the whole terminal.

    Nothing that the browser writes reaches the terminal; one that would run in it opens nothing,
    and False is returned. It does not block for longer than it takes to see that it works.
    """
    if not _WEB_ADDRESS.fullmatch(url) or _needs_the_terminal():
        return False
    process = subprocess.Popen(
        (sys.executable, "-c", _OPEN, url),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        return process.wait(_SECONDS_TO_FAIL) == 0
    except subprocess.TimeoutExpired:
        return True


def _needs_the_terminal() -> bool:
    """Whether the browser that would be taken, if there is any, runs in a terminal."""
    import webbrowser

    try:
        name = getattr(webbrowser.get(), "name", "")
    except webbrowser.Error:
        return True
    return os.path.basename(name) in _IN_THE_TERMINAL

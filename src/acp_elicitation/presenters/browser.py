"""Opening a link in the system browser: the only way in which a page is ever reached from here.

Owns: which texts are handed to the browser. Knows nothing of: consent; whoever calls this has it.
Above it: the command line. Below it: the standard library's `webbrowser`.
"""

import re

__all__ = ["open_in_browser"]

# A browser's command line would take `-x` or `file:` for something else than a web page. Nothing
# outside of printable ASCII: what is opened has to be what was shown (URL-10).
_WEB_ADDRESS = re.compile(r"https?://[!-~]+", re.IGNORECASE)


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

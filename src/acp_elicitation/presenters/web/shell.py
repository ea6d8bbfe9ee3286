"""The page around the questions: its head, its landmarks, and where the script puts what is new.

Owns: what every page has, and the names of the files that it loads. Knows nothing of: questions,
and how a page is served. Above it: the web presenter. Below it: `text.html`, `static/`.

A page holds no style, no script and no handler of its own, and loads nothing from elsewhere: it
works under `default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self';
connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`.
"""

import pkgutil
from collections.abc import Mapping
from types import MappingProxyType

from acp_elicitation.client.prompts import LinkPrompt
from acp_elicitation.text.html import Attributes, Html, element, join
from acp_elicitation.text.language import tr

__all__ = ["STATIC_FILES", "read_static", "render_page", "render_plain_page"]

STATIC_FILES: Mapping[str, str] = MappingProxyType(
    {
        "icon.svg": "image/svg+xml",
        "page.js": "text/javascript; charset=utf-8",
        "style.css": "text/css; charset=utf-8",
    }
)
"""What a page loads, by name, each with its media type. They are served under `static/`."""


def read_static(name: str) -> bytes:
    """Return one of `STATIC_FILES`. Raises KeyError for any other name."""
    if name not in STATIC_FILES:
        raise KeyError(name)
    found = pkgutil.get_data("acp_elicitation.presenters.web", f"static/{name}")
    assert found is not None  # the loader of any installed package reads data
    return found


def render_page(
    title: str,
    main: Html,
    *,
    base: str,
    language: str = "en",
    live: bool = True,
    after: int = 0,
    aside: Html | None = None,
    go_to: LinkPrompt | None = None,
) -> Html:
    """Return a whole page, from its doctype on.

    `title` is text. `base` is the path under which the page's `static/` files and, where it is
    `live`, its `events` are served; it has no slash at its end. `after` is the number of the latest
    event that is in the page already. `language` is the tag of the
    language that the page speaks. `aside` is what stands beside the main part. With `go_to`, the
    page leads to the address of a link by itself: only after the user's consent (URL-10).
    """
    go_on = None if go_to is None else go_to.url
    script = element("script", {"src": f"{base}/static/page.js", "defer": True})
    head = _head(title, base, go_on, script)
    header = element("header", {"class": "top"}, element("h1", {}, title), _connection(live=live))
    beside = Html() if aside is None else element("aside", {"aria-label": tr("About")}, aside)
    news = element("div", {"class": "unseen", "id": "news", "role": "status"})
    body: Attributes = {"data-base": base, "data-live": live, "data-after": after}
    content = element("main", {"id": "main", "tabindex": -1}, main)
    page = element(
        "html",
        {"lang": language},
        head,
        element("body", body, _skip(), header, content, beside, news),
    )
    return join(_DOCTYPE, page)


def render_plain_page(
    title: str, main: Html, *, base: str, language: str = "en", go_to: str | None = None
) -> Html:
    """Return a whole page without a script; otherwise as `render_page`.

    With `go_to` it leads on to that address by itself: one that the user has just agreed to.
    """
    header = element("header", {"class": "top"}, element("h1", {}, title))
    content = element("main", {"id": "main", "tabindex": -1}, main)
    page = element(
        "html",
        {"lang": language},
        _head(title, base, go_to),
        element("body", {}, _skip(), header, content),
    )
    return join(_DOCTYPE, page)


_DOCTYPE = Html("<!doctype html>\n")


def _skip() -> Html:
    return element("a", {"class": "skip", "href": "#main"}, tr("Skip to the content"))


def _head(title: str, base: str, go_to: str | None, *scripts: Html) -> Html:
    return element(
        "head",
        {},
        element("meta", {"charset": "utf-8"}),
        element("title", {}, title),
        element("meta", {"name": "viewport", "content": "width=device-width, initial-scale=1"}),
        element("meta", {"name": "color-scheme", "content": "light dark"}),
        # With `no-referrer`, browsers say `Origin: null` even where a page posts to its own server.
        element("meta", {"name": "referrer", "content": "same-origin"}),
        # A browser must not look up, or make clickable, what stands in the text (FORM-8, URL-10).
        element("meta", {"http-equiv": "x-dns-prefetch-control", "content": "off"}),
        element("meta", {"name": "format-detection", "content": _NOT_DETECTED}),
        _refresh(go_to),
        element(
            "link", {"rel": "icon", "type": "image/svg+xml", "href": f"{base}/static/icon.svg"}
        ),
        element("link", {"rel": "stylesheet", "href": f"{base}/static/style.css"}),
        *scripts,
    )


_NOT_DETECTED = "telephone=no, date=no, address=no, email=no, url=no"


def _refresh(go_to: str | None) -> Html:
    if go_to is None:
        return Html()
    return element("meta", {"http-equiv": "refresh", "content": f"0;url={go_to}"})


def _connection(*, live: bool) -> Html:
    """Return where the script says that the page no longer hears of what is new."""
    if not live:
        return Html()
    words = tr("The connection is lost. Trying again; reload the page if that goes on.")
    return element("p", {"class": "lost", "id": "lost", "role": "alert", "hidden": True}, words)

"""The page as a whole: the regions that it has, and everybody who may change one.

Owns: the secret path and the token of one run, the regions in their order, telling all tabs when
one has changed, and what the host of the page does with what is posted.
Knows nothing of: questions, and what is in a region; HTTP. Above it: `presenter`, `app`, the
command line. Below it: `events`, `shell`, `text.html`.
"""

import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TypeAlias

from acp_elicitation.client.prompts import LinkPrompt
from acp_elicitation.presenters.web.events import Change, Events
from acp_elicitation.presenters.web.shell import render_page
from acp_elicitation.text.html import Attributes, Html, element, join, place
from acp_elicitation.text.language import current_language, tr

__all__ = ["Action", "Desk"]

Action: TypeAlias = Callable[[Mapping[str, Sequence[str]]], Awaitable[None]]
"""Does something with what a form of the page posted; then the page is shown again."""

_NOTHING: Mapping[str, Html] = MappingProxyType({})


class Desk:
    """What one page shows, in any number of tabs."""

    def __init__(self, *, title: str = "acp-elicit", prefix: str = "") -> None:
        """Make an empty page.

        Args:
            title: stands on top of it.
            prefix: the path of the server under which the page is, without a slash at its end.
        """
        self.title = title
        self.secret = secrets.token_urlsafe(32)
        """The part of the path that nobody can guess."""
        self.base = f"{prefix}/{self.secret}"
        self.token = secrets.token_urlsafe(32)
        """Stands in every form of the page, and comes back with what is posted."""
        self.events = Events(self._whole)
        self.landing = ""
        """The id of the element that a browser shows first after something was posted."""
        self.actions: dict[str, Action] = {}
        """What is done with what is posted to `{base}/{name}`."""
        self._regions: dict[str, tuple[Attributes, Callable[[], Html]]] = {}

    def add_region(self, id: str, draw: Callable[[], Html], **attributes: str) -> None:
        """Add a region below the others; `draw` returns what is in it now."""
        self._regions[id] = ({"id": id, **attributes}, draw)

    def changed(self, *ids: str) -> None:
        """Tell all tabs that there is something else in these regions."""
        self.events.publish(Change(replace={id: self._regions[id][1]() for id in ids}))

    def page(self, drawn: Mapping[str, Html] = _NOTHING) -> Html:
        """Return the page as it is now, with `drawn` in some of its regions."""
        regions = [
            element("section", attributes, drawn[id] if id in drawn else draw())
            for id, (attributes, draw) in self._regions.items()
        ]
        return render_page(
            self.title,
            join(*regions),
            base=self.base,
            language=current_language(),
            after=self.events.number,
        )

    def page_beside(self, main: Html, *, go_to: LinkPrompt | None = None) -> Html:
        """Return a page of another tab, which shows `main` alone; `go_to` as in `render_page`."""
        return render_page(
            self.title, main, base=self.base, language=current_language(), live=False, go_to=go_to
        )

    def look_again(self) -> Html:
        """Return what a browser without scripts needs beside what may change at any time."""
        link = element("a", {"href": f"{self.base}/"}, tr("load the page again"))
        words = place(tr("Without scripts, {} to see what is new."), link)
        return element("noscript", {}, element("p", {"class": "hint"}, words))

    def _whole(self) -> Change:
        return Change(replace={id: draw() for id, (_, draw) in self._regions.items()})

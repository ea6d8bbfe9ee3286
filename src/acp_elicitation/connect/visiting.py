"""Whose link is this, and is it still open? Asked before anything is shown or done.

Owns: `Place`, what the pages of one service share, the look-up of a link for the user in front of
the browser (URL-13), and the answers where there is none.
Knows nothing of: what is on a page, providers. Above it: `service`, `coming_back`, `reporting`.
Below it: `identity`, `cookies`, `pages`, the store.

Another user's link and one that never was get the same answer.
"""

from collections.abc import Callable
from urllib.parse import urlsplit

import msgspec
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from acp_elicitation.connect.cookies import Cookies
from acp_elicitation.connect.endings import COMPLETED, NO_LINK, NOT_HERE, REASONS, Ending
from acp_elicitation.connect.identity import Identify, Known, NotKnown, SignIn
from acp_elicitation.connect.pages import render_ending
from acp_elicitation.connect.providers import Providers
from acp_elicitation.connect.reasons import reason_of
from acp_elicitation.connect.vault import Vault
from acp_elicitation.protocol.errors import UnknownLink
from acp_elicitation.protocol.requests import ElicitationId
from acp_elicitation.stores.lifecycle import LinkState
from acp_elicitation.stores.port import Store
from acp_elicitation.stores.records import StoredLink

__all__ = ["Place", "answer", "ending_of", "leave", "visit"]


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """One service: what it works with, and where it is."""

    store: Store
    vault: Vault
    identity: Identify
    providers: Providers
    cookies: Cookies
    base_url: str
    clock: Callable[[], int]

    @property
    def path(self) -> str:
        """The path of the service; "" at the root of its host."""
        return urlsplit(self.base_url).path

    def here(self, link_id: ElicitationId) -> str:
        """The path of the page of a link."""
        return f"{self.path}/link/{link_id}"


def answer(place: Place, ending: Ending) -> Response:
    """Return a page that says how it ended, or why it cannot go on."""
    return HTMLResponse(render_ending(place.path, ending), ending.status)


def leave(place: Place, link_id: ElicitationId) -> Response:
    """Send the browser on to read how the link ended, so that a reload posts nothing again."""
    return RedirectResponse(f"{place.here(link_id)}/end", 303)


def ending_of(link: StoredLink) -> Ending:
    """Return how a link ended, in words."""
    if link.state is LinkState.COMPLETED:
        return COMPLETED
    return REASONS[reason_of(state=link.state.name, reason=link.reason)]


async def visit(place: Place, request: Request) -> StoredLink | Response:
    """Return the link that the request is about, for its own user; or what to answer instead.

    Raises:
        StoreUnavailable: the store cannot be reached.
    """
    try:
        link = await place.store.read(ElicitationId(request.path_params["link_id"]))
    except (UnknownLink, ValueError):
        return answer(place, NO_LINK)
    match await place.identity.identify(request, link):
        case Known() as known if known.owns(link):  # URL-13
            return link
        case SignIn(response):
            return response
        case Known():
            return answer(place, NO_LINK)
        case NotKnown():
            return answer(place, NOT_HERE)

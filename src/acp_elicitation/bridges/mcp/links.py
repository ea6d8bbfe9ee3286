"""The pages of an MCP server that the user was asked to open, until they are finished.

Owns: which of our links stands for which of the server's, how many there are, and their ends.
Knows nothing of: MCP messages, and of asking. Above it: `pages`, `scopes`.
Below it: `agent`.

A server names its pages itself, and two servers may take the same name, so a name of theirs is
never one of ours: each link has a fresh id (URL-3), and no server reaches another's (URL-6).
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress

from acp_elicitation.agent.elicitor import Elicitor
from acp_elicitation.agent.link import Link
from acp_elicitation.agent.outstanding import new_link_id
from acp_elicitation.protocol.errors import ConnectionLost, UnknownLink

__all__ = ["ServerLinks", "ServerPage"]


class ServerPage:
    """One page of the server: its name there, its id here, and the link once it was consented."""

    __slots__ = ("link", "link_id", "name", "url")

    def __init__(self, url: str, name: str | None) -> None:
        self.url = url
        self.name = name
        self.link_id = new_link_id()
        self.link: Link | None = None


class ServerLinks:
    """The pages of one server that are not finished, the oldest first."""

    def __init__(self, elicitor: Elicitor, *, most: int) -> None:
        self._elicitor = elicitor
        self.most = most
        self._pages: list[ServerPage] = []

    def __len__(self) -> int:
        return len(self._pages)

    def __iter__(self) -> Iterator[ServerPage]:
        return iter(self._pages)

    def find(self, url: str, name: str | None) -> ServerPage | None:
        """Return the page that the server means, if its user has it open already."""
        return next(
            (one for one in self._pages if one.name == name and one.url == url and one.link), None
        )

    def is_taken(self, name: str | None) -> bool:
        """Whether the server uses this name for a page already."""
        return name is not None and any(one.name == name for one in self._pages)

    def add(self, page: ServerPage) -> None:
        """Keep a page that is about to be asked for; beyond the limit, the oldest is forgotten."""
        while len(self._pages) >= self.most:
            self.forget(self._pages[0])
        self._pages.append(page)

    def holds(self, page: ServerPage) -> bool:
        """Whether a page is neither finished nor forgotten."""
        return page in self._pages

    def forget(self, page: ServerPage) -> None:
        """Stop waiting for a page; a later completion of it is ignored."""
        if page in self._pages:
            self._pages.remove(page)
        if page.link is not None:
            page.link.withdraw()

    def complete(self, page: ServerPage) -> None:
        """Tell the ACP client that a page is finished (URL-5), before its consent or after."""
        if page in self._pages:
            self._pages.remove(page)
            with suppress(UnknownLink, ConnectionLost):  # withdrawn here, or nobody left to tell
                self._elicitor.complete(page.link_id)

    def complete_named(self, name: str) -> None:
        """Take a completion of the server; an unknown or finished name is ignored (URL-7)."""
        for page in [one for one in self._pages if one.name == name]:
            self.complete(page)

    def end(self, pages: Iterable[ServerPage], *, finished: bool) -> None:
        """End the pages of a call whose server has no completions to tell (2026-07-28)."""
        for page in pages:
            if page.name is None:
                (self.complete if finished else self.forget)(page)

    def close(self) -> None:
        """The server is gone: nothing completes any more."""
        for page in list(self._pages):
            self.forget(page)

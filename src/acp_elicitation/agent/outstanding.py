"""The elicitations an agent has asked on one connection and not finished with.

Owns: the ledger of one connection on the agent's side, and the uniqueness of link ids (URL-3).
Knows nothing of: messages and capabilities. Above it: `elicitor`, `link`. Below it:
`protocol.ledger`.
"""

import asyncio
import secrets
from dataclasses import dataclass, field

from acp_elicitation.protocol.errors import DuplicateLink, UnknownLink
from acp_elicitation.protocol.ledger import AGENT, Asked, AskedEvent, advance, is_final
from acp_elicitation.protocol.requests import ElicitationId

__all__ = ["AskedLink", "AskedLinks", "new_link_id"]


def new_link_id() -> ElicitationId:
    """Return a fresh id that nobody can guess (128 random bits)."""
    return ElicitationId(secrets.token_urlsafe(16))


@dataclass(slots=True, kw_only=True, eq=False)
class AskedLink:
    """One link of this connection: its state, and an event for the end of its outside part."""

    id: ElicitationId
    state: Asked = Asked.WAITING
    ended: asyncio.Event = field(default_factory=asyncio.Event)


class AskedLinks:
    """The outstanding links of one connection (REQ-3: a link lives and dies with it)."""

    def __init__(self) -> None:
        self._links: dict[ElicitationId, AskedLink] = {}

    def __len__(self) -> int:
        return len(self._links)

    def add(self, link_id: ElicitationId) -> AskedLink:
        """Return a new entry, or raise `DuplicateLink` when the id is outstanding (URL-3)."""
        if link_id in self._links:
            raise DuplicateLink(link_id)
        link = self._links[link_id] = AskedLink(id=link_id)
        return link

    def step(self, link: AskedLink, event: AskedEvent) -> None:
        """Move `link` on; one that is final is no longer outstanding."""
        link.state = advance(AGENT, link.state, event)
        if is_final(AGENT, link.state):
            self._links.pop(link.id, None)
            link.ended.set()

    def withdraw(self, link: AskedLink) -> None:
        """Forget a link that nobody waits for, in whatever state it is."""
        if not is_final(AGENT, link.state):
            self.step(link, AskedEvent.WITHDRAW)

    def complete(self, link_id: ElicitationId) -> None:
        """Note a completion.

        Raises:
            UnknownLink: the id is not outstanding here, or was completed before (URL-6).
        """
        link = self._links.get(link_id)
        if link is None or link.state is Asked.COMPLETED_EARLY:
            raise UnknownLink(link_id)
        self.step(link, AskedEvent.COMPLETE)

    def lose(self) -> None:
        """End every link: the connection is gone (RES-5)."""
        for link in list(self._links.values()):
            self.step(link, AskedEvent.LOSE)

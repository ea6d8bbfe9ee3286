"""The elicitations a client has been sent and not finished with, each in one state.

Owns: the ledger of one connection on the client's side: who waits, which links are open.
Knows nothing of: presenters and JSON-RPC. Above it: `responder`. Below it: `protocol.ledger`.
"""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from acp_elicitation.protocol.answers import Cancelled, Declined
from acp_elicitation.protocol.ledger import CLIENT, Received, ReceivedEvent, advance
from acp_elicitation.protocol.requests import ElicitationId
from acp_elicitation.protocol.responses import Reason
from acp_elicitation.protocol.scope import Scope

__all__ = ["Entry", "Outstanding"]


@dataclass(slots=True, kw_only=True, eq=False)
class Entry:
    """One elicitation of this connection."""

    scope: Scope
    task: asyncio.Task[Any]
    """The task that answers the request; cancelling it takes the prompt away."""
    link: ElicitationId | None = None
    completed: asyncio.Event | None = None
    state: Received = Received.QUEUED
    size: int = 0
    """Bytes of the question, while it is unanswered."""
    ended: Declined | Cancelled | None = None
    """What it was ended with from elsewhere: declined unseen, or withdrawn and why."""
    declined: bool = False
    """Whether the user said no to all while it was before them: nothing makes it a yes."""

    def advance(self, event: ReceivedEvent) -> None:
        """Step through the table, or raise `IllegalTransition`."""
        self.state = advance(CLIENT, self.state, event)


class Outstanding:
    """The elicitations of one connection."""

    def __init__(self, *, max_links: int) -> None:
        self._max_links = max_links
        self._asked: dict[int, Entry] = {}
        self.size = 0
        """Bytes of all questions without an answer."""
        self._links: dict[ElicitationId, Entry] = {}

    def __len__(self) -> int:
        return len(self._asked)

    @property
    def open_links(self) -> tuple[ElicitationId, ...]:
        """The links that were consented to and are not completed."""
        return tuple(
            link for link, entry in self._links.items() if entry.state is Received.OUTSTANDING
        )

    def add(self, entry: Entry) -> bool:
        """Take `entry` in; False when its link id is outstanding already (URL-3)."""
        if entry.link is not None:
            if entry.link in self._links:
                return False
            self._links[entry.link] = entry
        self._asked[id(entry)] = entry
        self.size += entry.size
        return True

    def settle(self, entry: Entry) -> None:
        """Note that `entry` is answered; an open link stays until it is completed."""
        if self._asked.pop(id(entry), None) is not None:
            self.size -= entry.size
        if entry.link is None:
            return
        if entry.state is not Received.OUTSTANDING:
            self._links.pop(entry.link, None)
        elif len(self._links) - len(self._asked) > self._max_links:
            self._forget_oldest_link()

    def _forget_oldest_link(self) -> None:
        for link, entry in self._links.items():
            if entry.state is Received.OUTSTANDING:
                del self._links[link]
                return

    def complete(self, link: ElicitationId) -> bool:
        """Note a completion; False for an unknown or already completed id (URL-7)."""
        entry = self._links.get(link)
        if entry is None or entry.completed is None or entry.completed.is_set():
            return False
        entry.advance(ReceivedEvent.COMPLETE)
        entry.completed.set()
        if entry.state is Received.COMPLETED:
            del self._links[link]
        return True

    def asked_in(self, scope: Scope | None) -> Iterator[Entry]:
        """Yield the unanswered elicitations of `scope`, or all for None."""
        for entry in list(self._asked.values()):
            if scope is None or entry.scope == scope:
                yield entry

    def withdraw(self, entry: Entry, reason: Reason) -> None:
        """Take an unanswered elicitation back: its task is cancelled, and nothing revives it."""
        self._end(entry, Cancelled(reason))

    def decline_all(self, shown: Entry) -> None:
        """Decline everything unanswered, where `shown` is before the user; else do nothing.

        The presenter's own reply ends `shown`. The others are never shown.
        """
        is_shown = shown.state in (Received.SHOWN, Received.SHOWN_COMPLETED)
        if not is_shown or id(shown) not in self._asked:
            return
        shown.declined = True
        for entry in self.asked_in(None):
            if entry is not shown:
                self._end(entry, Declined())

    def count_beside(self, shown: Entry) -> int:
        """Return how many others have no answer."""
        return len(self._asked) - (id(shown) in self._asked)

    def _end(self, entry: Entry, ended: Declined | Cancelled) -> None:
        if entry.ended is None:
            entry.ended = ended
            entry.task.cancel()

    def drop_links(self) -> None:
        """Forget every open link: the connection that they belong to is gone."""
        for link in self.open_links:
            del self._links[link]

"""What a store keeps: links, what was begun for them, and what was granted.

Owns: the data, and what a text in it may be. Knows nothing of: databases, steps.
Above it: `steps`, `rows`, `port`. Below it: `lifecycle`.

All times are whole milliseconds since 1970 in UTC, by the clock that the store was given.
"""

from typing import NewType

import msgspec

from acp_elicitation.protocol.ledger import is_final
from acp_elicitation.protocol.requests import ElicitationId
from acp_elicitation.stores.lifecycle import STORED, LinkState

__all__ = [
    "Attempt",
    "ConnectionId",
    "Identity",
    "NewGrant",
    "SealedGrant",
    "StoredLink",
    "check_text",
]

ConnectionId = NewType("ConnectionId", str)
"""One ACP connection. Never a session id: a session can be resumed by somebody else (REQ-3)."""

Identity = NewType("Identity", str)
"""The user verified on that connection, never one that the client merely claims (REQ-3)."""

_LONGEST = 1024


class Attempt(msgspec.Struct, frozen=True, kw_only=True):
    """One beginning of the outside part.

    `key` is what comes back and finds it again, as the hash of an OAuth state; no two links have
    the same. `data` is what the one who claims it needs then: opaque here, and sealed by its owner
    where it is secret.
    """

    key: str
    data: bytes = b""

    def __repr__(self) -> str:
        return "<Attempt>"  # whoever reads a log must not be able to come back with it


class StoredLink(msgspec.Struct, frozen=True, kw_only=True):
    """One link as the store has it.

    `details` is opaque here and not secret: what its page shows. `reason` says why it failed, as a
    code. `step` names its last change, by which a store knows a change of its own again.
    """

    id: ElicitationId
    connection: ConnectionId
    identity: Identity
    created_at: int
    expires_at: int
    details: bytes = b""
    state: LinkState = LinkState.OPEN
    reason: str = ""
    attempt: Attempt | None = None
    step: str = ""

    def __repr__(self) -> str:
        return f"<StoredLink {self.id} {self.state.name}>"

    @property
    def ended(self) -> bool:
        """Whether nothing more can happen to it."""
        return is_final(STORED, self.state)


class NewGrant(msgspec.Struct, frozen=True, kw_only=True):
    """What a completion brings for its user: encrypted before it gets here.

    It takes the place of what `owner` has under `name` so far.
    """

    owner: Identity
    name: str
    sealed: bytes

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}>"


class SealedGrant(NewGrant, frozen=True, kw_only=True):
    """A grant as the store has it; each time it is written it gets another `version`."""

    version: str


def check_text(**texts: str) -> None:
    """Refuse ids and names that some store could not keep as they are.

    Raises:
        ValueError: one is empty, longer than 1,024 characters, or holds a NUL or half a character.
    """
    for name, text in texts.items():
        if not 0 < len(text) <= _LONGEST or "\0" in text:
            raise ValueError(f"{name}: between 1 and {_LONGEST} characters, none of them NUL")
        if any("\ud800" <= character <= "\udfff" for character in text):
            raise ValueError(f"{name}: holds half of a character (a surrogate)")

"""What a store answers where a step cannot be taken: one branch of the error tree.

Owns: the exception classes. Knows nothing of: databases, who catches them.
Above it: everything in `stores`, and who uses a store. Below it: `protocol.errors`.

    StoreError                see `protocol.errors`
    ├── LinkEnded             the link was completed, failed, expired or withdrawn before (URL-6)
    ├── LinkClaimed           another holds what came back for it: it counts once
    ├── WrongIdentity         another user than the one it was made for (URL-13)
    ├── GrantChanged          another process has written or dropped it meanwhile
    └── StoreUnavailable      the store cannot be reached, or is none that we can use

No message names a user, or holds a key, a grant or the address of a store.
"""

from acp_elicitation.protocol.errors import StoreError

__all__ = ["GrantChanged", "LinkClaimed", "LinkEnded", "StoreUnavailable", "WrongIdentity"]


class LinkEnded(StoreError):
    """The link has ended before; `state` says how, `reason` is the code of a failure (URL-6)."""

    def __init__(self, elicitation_id: str, *, state: str, reason: str = "") -> None:
        self.elicitation_id = elicitation_id
        self.state = state
        self.reason = reason
        ending = f"{state} ({reason})" if reason else state
        super().__init__(f"link {elicitation_id!r} has ended: {ending}; make a new one")


class LinkClaimed(StoreError):
    """Somebody has claimed the link's attempt before: it counts once."""

    def __init__(self, elicitation_id: str) -> None:
        self.elicitation_id = elicitation_id
        super().__init__(f"link {elicitation_id!r} is in the hands of another; begin it again")


class WrongIdentity(StoreError):
    """The link, or what it grants, is another user's (URL-13). Neither user is named."""

    def __init__(self, elicitation_id: str) -> None:
        self.elicitation_id = elicitation_id
        super().__init__(f"link {elicitation_id!r} was made for another user")


class GrantChanged(StoreError):
    """Another process has written or dropped this grant since it was read; read it again."""

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(f"the grant {name!r} was changed by another process; read it again")


class StoreUnavailable(StoreError):
    """The store cannot be reached in time, is closed, or is of another version.

    Whether the step that was asked for has been taken is unknown.
    """

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(f"the store of links is not available: {reason}")

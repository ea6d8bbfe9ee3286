"""What an agent gets back from a person: accepted with a value, declined, or cancelled.

Owns: the three classes and the two ways to take a value out of them.
Knows nothing of: the wire form (see `responses`), or how the value was checked and built.
Above it: the agent side, the client side's presenters. Below it: `errors`.
"""

from typing import Generic, NoReturn, TypeAlias, TypeVar

import msgspec

from acp_elicitation.protocol.errors import NotAccepted
from acp_elicitation.protocol.responses import Reason

__all__ = ["Accepted", "Answer", "Cancelled", "Declined"]

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
D = TypeVar("D")


class Accepted(msgspec.Struct, Generic[T_co], frozen=True):
    """The user submitted the form (or consented to open the link) with this value (RES-1).

    `via` names the fallback that gave the answer; None means that it was asked as intended (CAP-5).
    """

    value: T_co
    via: str | None = None

    def __bool__(self) -> bool:
        """Whether the user accepted; the value plays no part."""
        return True

    def value_or(self, default: object) -> T_co:
        """Return the value."""
        return self.value

    def unwrap(self) -> T_co:
        """Return the value."""
        return self.value


class Declined(msgspec.Struct, frozen=True):
    """The user said no, explicitly (RES-1). `via` is as for `Accepted`."""

    via: str | None = None

    def __bool__(self) -> bool:
        """Whether the user accepted."""
        return False

    def value_or(self, default: D) -> D:
        """Return `default`, since there is no value."""
        return default

    def unwrap(self) -> NoReturn:
        """Raise `NotAccepted`, since there is no value."""
        raise NotAccepted("declined")


class Cancelled(msgspec.Struct, frozen=True):
    """The user dismissed the question, or never saw it; then `reason` says why (RES-1).

    `reason` is None for the user's own cancel, and for one whose cause the client did not tell.
    An action that this package does not know reads as a cancel too (RES-6); it stands in `action`.
    """

    reason: Reason | None = None
    action: str = "cancel"
    via: str | None = None

    def __bool__(self) -> bool:
        """Whether the user accepted."""
        return False

    def value_or(self, default: D) -> D:
        """Return `default`, since there is no value."""
        return default

    def unwrap(self) -> NoReturn:
        """Raise `NotAccepted`, since there is no value."""
        raise NotAccepted("cancelled" if self.reason is None else f"cancelled ({self.reason})")


Answer: TypeAlias = Accepted[T] | Declined | Cancelled
"""`Accepted[T] | Declined | Cancelled`: what every question of an agent comes to."""

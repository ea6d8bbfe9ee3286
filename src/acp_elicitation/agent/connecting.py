"""Connecting an account of the user's at some provider, as an agent asks for it.

Owns: `Grant`, which is all that an agent learns, and the port behind `elicitor.connect`.
Knows nothing of: OAuth, pages, vaults (see `acp_elicitation.connect`).
Above it: `elicitor`, `serve`, `connect.asking`. Below it: `asking`.
"""

from typing import TYPE_CHECKING, Protocol, Unpack

import msgspec

from acp_elicitation.agent.asking import Asking
from acp_elicitation.protocol.errors import NotPossible

if TYPE_CHECKING:
    from acp_elicitation.agent.elicitor import Elicitor

__all__ = ["Connecting", "Connector", "Connects", "Grant"]


class Grant(msgspec.Struct, frozen=True, kw_only=True):
    """What an agent may know, and tell, of what its user granted: never the credential (URL-2)."""

    provider: str
    account: str = ""
    """Whose it is at the provider, as its user reads it; empty where nobody said."""
    scopes: tuple[str, ...] = ()
    """What was granted, in the provider's words: it may be less than was asked for."""


class Connector(Protocol):
    """What connects accounts for the user of one connection; `connect.asking` has one."""

    async def connect(
        self,
        provider: str,
        *,
        purpose: str,
        scopes: tuple[str, ...],
        again: bool,
        wait: float | None,
        **asking: Unpack[Asking],
    ) -> Grant:
        """See `Connects.connect`."""


class Connecting(Protocol):
    """What gives each connection of an agent its `Connector`; `connect.asking` has one."""

    def check_outgoing(self, message: bytes) -> None:
        """Raise to stop a message that holds a credential (URL-2)."""

    def attach(self, elicitor: "Elicitor") -> None:
        """Give this elicitor its connector."""


class Connects:
    """The part of an `Elicitor` that connects accounts."""

    connector: Connector | None = None

    async def connect(
        self,
        provider: str,
        *,
        purpose: str = "",
        scopes: tuple[str, ...] = (),
        again: bool = False,
        wait: float | None = None,
        **asking: Unpack[Asking],
    ) -> Grant:
        """Have the user connect an account, by a link, and return what was granted.

        What was granted before is returned without asking, unless scopes are needed that it lacks
        and that were not asked for then. A user, or a provider, may grant fewer than were asked
        for: look at `Grant.scopes`, and ask once more with `again`, when the user wants it.

        Args:
            provider: the name of one that the connect service was given.
            purpose: what for, in plain text, for the user to read before deciding.
            scopes: what is needed beyond what the provider is set up with. Those of the grant
                before are asked for with it, since the new grant takes its place.
            again: ask in any case, and for no more than this, as when another account is wanted.
            wait: seconds to wait for the user to finish after the consent; None waits until the
                link expires.
            asking: as for `Elicitor.link`.

        Raises:
            NotPossible: this agent has no connect service.
            ModeNotAdvertised: the client has no url mode; there is no other way (FORM-6).
            NotAccepted: the user declined the link, or closed it.
            ConnectFailed: the user consented, and the account was not connected; `reason` says why.
            AnswerTimeout: the time is over; what the user still finishes is refused.
            ConnectionLost: the client is gone; what the user still finishes is kept, and returned
                by the next `connect` for the same user (URL-6, RES-5).
            StoreUnavailable, VaultError: the store or what it keeps cannot be used.
            ElicitationError: as for `Elicitor.link`.
        """
        if self.connector is None:
            raise NotPossible(
                way="connect",
                reason="this agent has no connect service: make it with Agent(connecting=...)",
            )
        return await self.connector.connect(
            provider, purpose=purpose, scopes=scopes, again=again, wait=wait, **asking
        )

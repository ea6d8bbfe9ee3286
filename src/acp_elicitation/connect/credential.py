"""What a user granted: the credential itself, and what may be said about it.

Owns: `Credential` and its written form, and that what may be said of it holds no secret (URL-2).
Knows nothing of: encryption, stores, how it was obtained. Above it: `vault`.
Below it: `secret`, msgspec.
"""

import msgspec

from acp_elicitation.agent.connecting import Grant
from acp_elicitation.connect.errors import VaultError
from acp_elicitation.connect.secret import Secret

__all__ = ["Credential", "read_credential", "write_credential"]


class Credential(msgspec.Struct, frozen=True, kw_only=True):
    """A token, or a secret that was typed. Times are milliseconds since 1970 in UTC."""

    secret: Secret
    refresh: Secret | None = None
    """Gets a new one when this has run out."""
    expires_at: int | None = None
    account: str = ""
    scopes: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    """The scopes that were asked for; the user, or the provider, may have granted fewer."""
    held_until: int = 0
    """While some process refreshes it: until when the others wait for that (`refreshing`)."""

    def runs_out_by(self, moment: int) -> bool:
        """Return whether it is of no use any more at `moment`."""
        return self.expires_at is not None and self.expires_at <= moment

    def grant(self, provider: str) -> Grant:
        """Return what may be said about it."""
        return Grant(provider=provider, account=self.account, scopes=self.scopes)


class _Written(msgspec.Struct, omit_defaults=True):
    secret: str
    refresh: str | None = None
    expires_at: int | None = None
    account: str = ""
    scopes: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    held_until: int = 0


def write_credential(credential: Credential) -> bytes:
    """Return the credential in the clear: only to be sealed at once."""
    refresh = credential.refresh
    return msgspec.msgpack.encode(
        _Written(
            secret=credential.secret.reveal(),
            refresh=None if refresh is None else refresh.reveal(),
            expires_at=credential.expires_at,
            account=credential.account,
            scopes=credential.scopes,
            asked=credential.asked,
            held_until=credential.held_until,
        )
    )


def read_credential(plain: bytes) -> Credential:
    """Return the credential that `write_credential` wrote.

    Raises:
        VaultError: it did not.
    """
    try:
        written = msgspec.msgpack.decode(plain, type=_Written)
    except msgspec.MsgspecError:
        raise VaultError("a value of the vault is of another version than this one") from None
    return Credential(
        secret=Secret(written.secret),
        refresh=None if written.refresh is None else Secret(written.refresh),
        expires_at=written.expires_at,
        account=written.account,
        scopes=written.scopes,
        asked=written.asked,
        held_until=written.held_until,
    )

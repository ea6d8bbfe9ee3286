"""What the vault and the connect service answer where they cannot do a thing, as one branch.

Owns: the exception classes. Knows nothing of: who catches them.
Above it: everything in `connect`, and who uses it. Below it: `protocol.errors`.

    ConnectError              see `protocol.errors`
    ├── CredentialLeak        a message that holds a secret of the vault (URL-2)
    ├── NoGrant               the user has granted nothing for this provider
    └── VaultError            a key or a sealed value that cannot be used

No message holds a credential, a key, or the name of a user.
"""

from acp_elicitation.protocol.errors import ConnectError

__all__ = ["CredentialLeak", "NoGrant", "VaultError"]


class CredentialLeak(ConnectError):
    """A message that holds a secret of the vault, so it was not sent (URL-2).

    It says neither which secret nor where it stands.
    """

    def __init__(self) -> None:
        super().__init__(
            "the message holds a credential that was obtained through a link; credentials never "
            "travel over ACP: name the account instead, and use the credential on this side"
        )


class NoGrant(ConnectError):
    """The user has granted nothing for `provider`, or has taken it back."""

    def __init__(self, provider: str) -> None:
        self.provider = provider
        super().__init__(
            f"nothing was granted for provider {provider!r}; ask the user with a link first"
        )


class VaultError(ConnectError):
    """A key of the vault, or a value sealed in it, that cannot be used. It quotes neither."""

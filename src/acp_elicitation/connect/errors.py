"""What the vault and the connect service answer where they cannot do a thing, as one branch.

Owns: the exception classes. Knows nothing of: who catches them.
Above it: everything in `connect`, and who uses it. Below it: `protocol.errors`.

    ConnectError              see `protocol.errors`
    ├── CredentialLeak        a message that holds a secret of the vault (URL-2)
    ├── ConnectFailed         the user did not connect the account; `reason` says why
    ├── NoGrant               the user has granted nothing for this provider
    ├── NotSafeHere           a way to know the user that does not hold at this address (URL-13)
    ├── ProviderError         what comes of talking to a provider
    │   ├── ProviderDown      it cannot be reached, or answers that it cannot
    │   ├── ProviderFault     it answered what it must not, or refused what was right
    │   ├── ProviderDenied    its user, or the provider itself, said no
    │   └── WrongIssuer       another provider has answered (RFC 9207)
    └── VaultError            a key or a sealed value that cannot be used

No message holds a credential, a key, or the name of a user.
"""

from acp_elicitation.connect.reasons import Reason
from acp_elicitation.protocol.errors import ConnectError

__all__ = [
    "ConnectFailed",
    "CredentialLeak",
    "NoGrant",
    "NotSafeHere",
    "ProviderDenied",
    "ProviderDown",
    "ProviderError",
    "ProviderFault",
    "VaultError",
    "WrongIssuer",
]


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


class NotSafeHere(ConnectError):
    """A way to know the user that does not hold at the address that is to be served (URL-13)."""


class ProviderError(ConnectError):
    """What comes of talking to a provider; `reason` is what the store keeps of it."""

    reason: Reason = Reason.PROVIDER_ERROR

    def __init__(self, provider: str, what: str) -> None:
        self.provider = provider
        super().__init__(f"provider {provider!r}: {what}")


class ProviderDown(ProviderError):
    """It cannot be reached, or answers that it cannot; the same may work later."""

    reason = Reason.PROVIDER_DOWN


class ProviderFault(ProviderError):
    """It answered what it must not, or refused what was right: look at how it is set up."""


class ProviderDenied(ProviderError):
    """Its user, or the provider for its user, said no."""

    reason = Reason.DENIED


class WrongIssuer(ProviderError):
    """The answer comes from another provider than was asked, or does not say from which."""

    reason = Reason.WRONG_ISSUER


class ConnectFailed(ConnectError):
    """The user consented to the link, and the account was not connected; `reason` says why."""

    def __init__(self, provider: str, reason: Reason) -> None:
        self.provider = provider
        self.reason = reason
        super().__init__(f"provider {provider!r} was not connected: {_WHY[reason]}")


_WHY = {
    Reason.DENIED: "the user said no; do without it, or ask again when the user wants it",
    Reason.OTHER_BROWSER: (
        "the answer came back in another browser than the one that began; ask again"
    ),
    Reason.WRONG_USER: (
        "another user than the one of this connection came to the page; ask again, and have the "
        "same user sign in"
    ),
    Reason.WRONG_ISSUER: "another provider answered, which is an attack or a wrong issuer",
    Reason.PROVIDER_ERROR: "the provider refused; the log of the connect service says how",
    Reason.PROVIDER_DOWN: "the provider could not be reached; try again later",
    Reason.REFUSED: "what the user typed was not accepted; ask again",
    Reason.EXPIRED: "the user did not finish in time; ask again",
    Reason.WITHDRAWN: "the link was taken back",
    Reason.UNKNOWN: "the connect service gave a reason that this version does not know",
}

"""Why a link ended without a grant: each reason once, as the code that the store keeps.

Owns: the codes. Knows nothing of: how a reason is worded on a page (`endings`) or raised at the
agent (`errors`). Above it: everything in `connect`. Below it: nothing.
"""

import enum

__all__ = ["Reason", "reason_of"]


class Reason(enum.Enum):
    """The value is what stands in the store; the text beside it says what happened."""

    DENIED = "denied"  # the user said no, here or at the provider
    OTHER_BROWSER = "other-browser"  # it came back in a browser that did not begin it
    WRONG_USER = "wrong-user"  # it came back from another user than it was made for (URL-13)
    WRONG_ISSUER = "wrong-issuer"  # another provider answered (RFC 9207)
    PROVIDER_ERROR = "provider-error"  # the provider refused, or answered what it must not
    PROVIDER_DOWN = "provider-down"  # the provider could not be reached
    REFUSED = "refused"  # what the user typed was not taken
    EXPIRED = "expired"  # the link's time was over
    WITHDRAWN = "withdrawn"  # nobody waits for it any more
    UNKNOWN = "unknown"  # a code of another version


def reason_of(*, state: str, reason: str) -> Reason:
    """Return why a link ended that a store says is in `state`, with its code `reason`."""
    match state:
        case "EXPIRED":
            return Reason.EXPIRED
        case "WITHDRAWN":
            return Reason.WITHDRAWN
        case _:
            try:
                return Reason(reason)
            except ValueError:
                return Reason.UNKNOWN

"""What the page of a link has to know: who asks, what for, and for which provider.

Owns: `LinkDetails` and its written form, which a store keeps with the link. None of it is secret,
and none of it is in the link's URL (URL-9).
Knows nothing of: stores, pages. Above it: `asking`, which writes it, `service`, which shows it.
Below it: msgspec.
"""

import msgspec

from acp_elicitation.connect.errors import VaultError

__all__ = ["LinkDetails", "read_details", "write_details"]


class LinkDetails(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is said on the connect page. Text of the agent: shown as text, never as markup.

    `provider` is the name of one that the service was given. `agent` says who asks, `purpose` what
    for. `scopes` are what is asked of the provider beyond what the provider is set up with.
    """

    provider: str
    agent: str = ""
    purpose: str = ""
    scopes: tuple[str, ...] = ()


def write_details(details: LinkDetails) -> bytes:
    """Return the bytes for `Store.create`."""
    return msgspec.json.encode(details)


def read_details(written: bytes) -> LinkDetails:
    """Return what `write_details` wrote.

    Raises:
        VaultError: it did not; the link was made by something else.
    """
    try:
        return msgspec.json.decode(written, type=LinkDetails)
    except msgspec.MsgspecError:
        raise VaultError("the details of a link are of another version than this one") from None

"""What has to be remembered between sending a user away and the user's coming back.

Owns: `Begun`, sealed into the attempt that a store keeps, and the attempt's key.
Knows nothing of: stores, pages, providers. Above it: `oauth`, `service`. Below it: `sealing`.

The state that travels is kept nowhere: its hash is the key by which the attempt is found again, so
that who can read the store cannot come back with it.
"""

import hashlib
import hmac

import msgspec

from acp_elicitation.connect.errors import VaultError
from acp_elicitation.connect.sealing import Sealer
from acp_elicitation.protocol.requests import ElicitationId

__all__ = ["Begun", "attempt_key", "binding_of", "open_begun", "seal_begun"]

_CONTEXT = "attempt"


class Begun(msgspec.Struct, frozen=True, kw_only=True):
    """One beginning. `binding` is the hash of the cookie of the browser that began it."""

    provider: str
    redirect_uri: str = ""
    verifier: str = ""
    nonce: str = ""
    binding: bytes = b""
    scopes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<Begun {self.provider}>"

    def is_bound_to(self, cookie: str) -> bool:
        """Whether `cookie` is that of the browser that began it."""
        return bool(self.binding) and hmac.compare_digest(self.binding, binding_of(cookie))


def binding_of(cookie: str) -> bytes:
    """Return what is kept of the cookie of a browser."""
    return hashlib.sha256(b"binding:" + cookie.encode("utf-8", "replace")).digest()


def attempt_key(state: str) -> str:
    """Return the key under which the attempt with this `state` is kept."""
    return hashlib.sha256(b"state:" + state.encode("utf-8", "replace")).hexdigest()


def seal_begun(sealer: Sealer, link_id: ElicitationId, begun: Begun) -> bytes:
    """Return `begun` for `Attempt.data`; it opens only for the same link."""
    return sealer.seal(msgspec.msgpack.encode(begun), _CONTEXT, link_id)


def open_begun(sealer: Sealer, link_id: ElicitationId, sealed: bytes) -> Begun:
    """Return what was sealed.

    Raises:
        VaultError: it belongs to another link, or was sealed with a key that is not given.
    """
    plain = sealer.open(sealed, _CONTEXT, link_id)
    try:
        return msgspec.msgpack.decode(plain, type=Begun)
    except msgspec.MsgspecError:
        raise VaultError("what was begun is of another version than this one") from None

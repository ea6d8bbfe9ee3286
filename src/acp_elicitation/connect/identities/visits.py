"""What a browser carries for signing in: who has signed in, and what a sign-in has begun with.

Owns: the two cookies and their contents. Both are sealed, so that any worker reads them, nobody
makes one, and the browser's owner reads neither.
Knows nothing of: providers, pages. Above it: `oidc`. Below it: `sealing`, `attempt`.

Both are `HttpOnly` and `SameSite=Lax`: a provider sends the user back from another site. Over https
they have the prefix `__Host-`, so that no other host of the same domain can plant one: a planted
session would have its victim finish what belongs to whoever planted it.
"""

import base64
import binascii
from collections.abc import Callable
from typing import TypeVar
from urllib.parse import urlsplit

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from acp_elicitation.connect.attempt import Begun, attempt_key
from acp_elicitation.connect.errors import VaultError
from acp_elicitation.connect.sealing import Sealer
from acp_elicitation.protocol.requests import ElicitationId
from acp_elicitation.stores.records import Identity

__all__ = ["LONGEST_SIGN_IN", "Visit", "Visitor", "Visits"]

LONGEST_SIGN_IN = 600_000
"""Milliseconds from being sent to the provider to coming back."""


class Visitor(msgspec.Struct, frozen=True, kw_only=True):
    """Who has signed in, and until when that counts."""

    identity: Identity
    until: int


class Visit(msgspec.Struct, frozen=True, kw_only=True):
    """One sign-in that was begun: for which link, whose that is, and until when it may end."""

    link: ElicitationId
    identity: Identity
    until: int
    begun: Begun


_T = TypeVar("_T", Visitor, Visit)


class Visits:
    """The cookies of one service, for users of one provider; `users` names that."""

    def __init__(
        self, sealer: Sealer, *, base_url: str, users: str, clock: Callable[[], int]
    ) -> None:
        self._sealer = sealer
        self._users = users
        self._clock = clock
        parts = urlsplit(base_url)
        self._is_secure = parts.scheme == "https"
        self._prefix = "__Host-" if self._is_secure else ""
        self._path = "/" if self._is_secure else (parts.path.rstrip("/") or "/")

    # --- who has signed in ------------------------------------------------------------------------

    def visitor(self, request: Request) -> Visitor | None:
        """Return who has signed in at this browser, where that still counts."""
        sent = request.cookies.get(self._prefix + _SESSION, "")
        found = self._open(sent, Visitor, "session", self._users)
        return found if found is not None and self._clock() < found.until else None

    def greet(self, response: Response, visitor: Visitor) -> None:
        """Have `response` tell the browser who it is from now on, whatever it was before."""
        left = max((visitor.until - self._clock()) // 1000, 0)
        self._set(response, _SESSION, self._seal(visitor, "session", self._users), left)

    # --- what has begun ---------------------------------------------------------------------------

    def leave(self, response: Response, state: str, visit: Visit) -> None:
        """Have `response` give the browser what it has to come back with, beside `state`."""
        sealed = self._seal(visit, "sign-in", self._users, state)
        self._set(response, _of(state), sealed, LONGEST_SIGN_IN // 1000)

    def come_back(self, request: Request, state: str) -> Visit | None:
        """Return what this browser has begun with `state`; None where it has not, or long ago."""
        sent = request.cookies.get(self._prefix + _of(state), "")
        found = self._open(sent, Visit, "sign-in", self._users, state)
        return found if found is not None and self._clock() < found.until else None

    def forget(self, response: Response, state: str) -> None:
        """Have `response` take it back: it counts once."""
        self._set(response, _of(state), "", 0)

    # --- both -------------------------------------------------------------------------------------

    def _seal(self, value: Visitor | Visit, *context: str) -> str:
        sealed = self._sealer.seal(msgspec.msgpack.encode(value), *context)
        return base64.urlsafe_b64encode(sealed).decode()

    def _open(self, sent: str, kind: type[_T], *context: str) -> _T | None:
        try:
            sealed = base64.urlsafe_b64decode(sent.encode("ascii", "replace"))
            return msgspec.msgpack.decode(self._sealer.open(sealed, *context), type=kind)
        except (binascii.Error, VaultError, msgspec.MsgspecError):
            return None

    def _set(self, response: Response, name: str, value: str, age: int) -> None:
        response.set_cookie(
            self._prefix + name,
            value,
            max_age=age,
            path=self._path,
            secure=self._is_secure,
            httponly=True,
            samesite="lax",
        )


_SESSION = "acp-user"


def _of(state: str) -> str:
    # One of sixteen, so that several tabs can be on their way, and no page elsewhere that leads
    # here again and again fills the browser's cookies.
    return f"acp-sign-in-{attempt_key(state)[0]}"

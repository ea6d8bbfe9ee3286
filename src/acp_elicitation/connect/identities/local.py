"""The user of this machine, where there are no accounts: for an agent that runs at home (URL-13).

Owns: what a browser has to be to count as that user's, and the cookie that binds a link to the one
that began it. Knows nothing of: pages, providers. Above it: the service, the command line.
Below it: `peers`, `sealing`, `loopback`.

Nothing that travels makes anybody that user, neither the link's address nor a code beside it: the
agent's message goes with the link, to whoever is sent it. What counts is where a browser is:

- it comes over loopback, straight, to a name of this machine (so no name of a stranger's leads
  here, and no tunnel makes the page public);
- on Linux its socket belongs to the agent's own user. Elsewhere the system does not tell, and
  other users of the machine are kept out by the cookie alone;
- it is the browser that began the link, if one has: that one got a cookie with the answer to its
  POST. A GET binds nobody, so that a prefetched page does not lock its user out.
"""

import asyncio
import base64
import binascii
import hashlib
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from acp_elicitation.connect.errors import NotSafeHere, VaultError
from acp_elicitation.connect.identities.peers import (
    PROC,
    is_forwarded,
    peer_of,
    sees_uids,
    uid_of,
)
from acp_elicitation.connect.identity import Identified, Known, NotKnown
from acp_elicitation.connect.loopback import is_loopback
from acp_elicitation.connect.sealing import Sealer, new_key
from acp_elicitation.protocol.requests import ElicitationId
from acp_elicitation.stores.records import Identity, StoredLink
from acp_elicitation.stores.settings import wall_clock

__all__ = ["LocalUser", "local_identity"]

_CONTEXT = "local"
_KEPT = 86_400
"""Seconds beyond a link's end for which its browser may read how it ended."""


def local_identity(uid: int | None = None) -> Identity:
    """Return the identity that an agent of this machine gives its links: `local:` and its user.

    Args:
        uid: whose; the user that this process runs as by default.
    """
    if uid is None:
        uid = _own_uid()
    return Identity("local" if uid is None else f"local:{uid}")


class LocalUser:
    """Knows the one user of an agent on this machine; see the module for what that takes.

    Its links are made for `local_identity()`.
    """

    def __init__(
        self,
        *,
        sealer: Sealer | None = None,
        uid: int | None = None,
        clock: Callable[[], int] = wall_clock,
        proc: Path = PROC,
    ) -> None:
        """Make it.

        Args:
            sealer: seals its cookies; with the vault's, a browser is known again after a restart
                and by every worker. Without, by this object alone.
            uid: the user that the browser runs as; the one of this process by default.
            clock: the time in milliseconds since 1970.
            proc: where the sockets are listed.
        """
        self._sealer = sealer or Sealer([new_key()])
        self._uid = _own_uid() if uid is None else uid
        self._clock = clock
        self._proc = proc

    def check_address(self, host: str) -> None:
        """Return where `host` is this machine.

        Raises:
            NotSafeHere: it is not: without accounts, everybody would be the user.
        """
        if not is_loopback(host):
            raise NotSafeHere(
                "a user without an account is known on this machine only: serve on 127.0.0.1, or "
                "set up how users are known (by an authenticating proxy, or by signing in)"
            )

    def routes(self, base: str) -> Sequence[BaseRoute]:
        """Return nothing: there is no page of its own."""
        return ()

    async def identify(self, request: Request, link: StoredLink) -> Identified:
        """Return the user of this machine, where the request is the user's."""
        if not _is_straight(request) or not await self._is_own(request):
            return NotKnown()
        # Before anybody has begun, any browser of the user may: then it is bound (`remember`).
        if link.attempt is not None and not self._began(request, link.id):
            return NotKnown()
        return Known(local_identity(self._uid))

    def remember(self, request: Request, link: StoredLink, response: Response) -> None:
        """Bind the link to this browser: it has begun."""
        sealed = self._sealer.seal(b"", _CONTEXT, link.id)
        left = max(link.expires_at - self._clock(), 0) // 1000
        response.set_cookie(
            _cookie_of(link.id),
            base64.urlsafe_b64encode(sealed).decode(),
            max_age=left + _KEPT,
            path=request.scope.get("root_path") or "/",
            secure=request.url.scheme == "https",
            httponly=True,
            samesite="lax",  # a provider sends the user back from another site
        )

    async def _is_own(self, request: Request) -> bool:
        """Whether the browser runs as the user, as far as this system tells."""
        if self._uid is None or not sees_uids(self._proc):
            return True
        return await asyncio.to_thread(uid_of, request, self._proc) == self._uid

    def _began(self, request: Request, link_id: ElicitationId) -> bool:
        sent = request.cookies.get(_cookie_of(link_id), "")
        try:
            sealed = base64.urlsafe_b64decode(sent.encode("ascii", "replace"))
            return self._sealer.open(sealed, _CONTEXT, link_id) == b""
        except (binascii.Error, VaultError):
            return False


def _is_straight(request: Request) -> bool:
    """Whether it comes from this machine, to this machine, with nothing between."""
    peer, hosts = peer_of(request), request.headers.getlist("host")
    if peer is None or not peer.address.is_loopback or is_forwarded(request) or len(hosts) != 1:
        return False
    try:
        name = urlsplit(f"//{hosts[0]}").hostname or ""
    except ValueError:
        return False
    return is_loopback(name)  # or a stranger's name leads here (DNS rebinding)


def _cookie_of(link_id: ElicitationId) -> str:
    return f"acp-local-{hashlib.sha256(link_id.encode()).hexdigest()[:16]}"


def _own_uid() -> int | None:
    return os.getuid() if hasattr(os, "getuid") else None

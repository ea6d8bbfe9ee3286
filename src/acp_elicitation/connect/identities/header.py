"""A user whom an authenticating proxy has signed in and names in a header (URL-13).

Owns: when such a header is believed. Knows nothing of: how the proxy knows the user.
Above it: the service, the command line. Below it: `peers`.

The proxy must take the header out of what clients send, and set it itself, once: a proxy that
passes on a client's own header lets everybody be anybody, and nothing here can tell. What can be
told here is that the request comes from the proxy: by its address, and by a secret that it adds,
which is needed where others can connect from that address too, such as other users of the machine
that the proxy shares with this service.

Serve with the server's own reading of forwarded headers off (`proxy_headers=False` of uvicorn):
the peer has to be the proxy itself.
"""

import hmac
import ipaddress
import re
from collections.abc import Iterable, Sequence

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from acp_elicitation.connect.errors import NotSafeHere
from acp_elicitation.connect.identities.peers import peer_of
from acp_elicitation.connect.identity import Identified, Known, NotKnown
from acp_elicitation.connect.loopback import is_loopback
from acp_elicitation.connect.secret import Secret
from acp_elicitation.stores.records import Identity, StoredLink, check_text

__all__ = ["LOOPBACK", "HeaderIdentity"]

LOOPBACK = ("127.0.0.0/8", "::1")
"""A proxy on the same machine."""

_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")


class HeaderIdentity:
    """Knows a user by the header of a proxy; the identity is the header's value, as UTF-8."""

    def __init__(
        self,
        header: str = "X-Remote-User",
        *,
        trusted: Iterable[str] = LOOPBACK,
        secret: Secret | None = None,
        secret_header: str = "X-Proxy-Secret",
    ) -> None:
        """Make it.

        Args:
            header: in which the proxy names the user.
            trusted: the addresses and networks (`10.0.0.0/24`) that the proxy connects from.
            secret: what the proxy adds in `secret_header` to prove itself.
            secret_header: where it adds that.

        Raises:
            ValueError: a header has no name that one can have, a network is none, none is trusted,
                or the secret is empty.
        """
        for name in (header, secret_header):
            if not _NAME.fullmatch(name):
                raise ValueError(f"a header cannot have the name {name!r}")
        self._header = header
        self._trusted = tuple(ipaddress.ip_network(network) for network in trusted)
        if not self._trusted:
            raise ValueError("trusted: name the address that the proxy connects from")
        if secret is not None and not secret:
            raise ValueError("secret: it is empty, so that everybody knows it")
        self._secret = secret
        self._secret_header = secret_header

    def check_address(self, host: str) -> None:
        """Return where the header can be believed.

        Raises:
            NotSafeHere: every address is trusted, and no secret tells the proxy from others.
        """
        is_open = any(network.prefixlen == 0 for network in self._trusted)
        if is_open and self._secret is None and not is_loopback(host):
            raise NotSafeHere(
                "every address is trusted to name the user: trust the proxy's own address only, "
                "or have it prove itself with a secret"
            )

    def routes(self, base: str) -> Sequence[BaseRoute]:
        """Return nothing: the proxy has users sign in."""
        return ()

    async def identify(self, request: Request, link: StoredLink) -> Identified:
        """Return the user that the proxy names; nobody where it may be another who does."""
        if not self._is_from_proxy(request):
            return NotKnown()
        name = _only(request, self._header)
        return NotKnown() if name is None else Known(Identity(name))

    def remember(self, request: Request, link: StoredLink, response: Response) -> None:
        """Set nothing: the proxy names the user with every request."""

    def _is_from_proxy(self, request: Request) -> bool:
        peer = peer_of(request)
        if peer is None or not any(peer.address in network for network in self._trusted):
            return False
        if self._secret is None:
            return True
        given = _only(request, self._secret_header) or ""
        return hmac.compare_digest(given.encode(), self._secret.reveal().encode())


def _only(request: Request, header: str) -> str | None:
    """Return the value of a header that is there once: of two, one is not the proxy's."""
    values = request.headers.getlist(header)
    if len(values) != 1:
        return None
    try:
        value = values[0].encode("latin-1").decode()  # ASGI's bytes, which are UTF-8
        value = value.strip(" \t")  # as in HTTP; other blanks may be what tells two users apart
        check_text(header=value)
    except ValueError:
        return None
    return value if value.isprintable() else None

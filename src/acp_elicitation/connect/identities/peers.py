"""Who is at the other end of a request's socket: its address, and on Linux the user it runs as.

Owns: reading that from the ASGI scope and from `/proc/net`. Knows nothing of: users, links.
Above it: `local`, `header`. Below it: Starlette's types, the kernel.

A server can be told to believe `X-Forwarded-For`, and uvicorn believes it from 127.0.0.1 unless it
is told not to. The peer in the scope is then whoever the header names, the port included, so such
a peer counts as none.
"""

import ipaddress
import sys
from pathlib import Path
from typing import TypeAlias

import msgspec
from starlette.requests import Request

__all__ = ["PROC", "Address", "Peer", "is_forwarded", "peer_of", "sees_uids", "uid_of"]

PROC = Path("/proc/net")
"""Where the kernel lists the sockets of this network namespace, each with its user."""

Address: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address

_FORWARDED = ("forwarded", "x-forwarded-", "x-real-ip", "via", "cf-connecting-ip")
_ESTABLISHED = "01"
_TRIES = 3
"""Looks at the list: one that is read while others come and go may leave out a line."""


class Peer(msgspec.Struct, frozen=True):
    """One end of a connection. An IPv4 address is never written as an IPv6 one."""

    address: Address
    port: int


def peer_of(request: Request) -> Peer | None:
    """Return the other end of the socket; None where it is no TCP, or others speak for it."""
    if request.client is None:
        return None
    host, port = request.client
    said = ",".join(request.headers.getlist("x-forwarded-for")).replace(" ", "").split(",")
    if port == 0 or f"{host}:{port}" in said or f"[{host}]:{port}" in said:
        return None  # no socket has port 0: the server has believed a header
    return _read(host, port)


def is_forwarded(request: Request) -> bool:
    """Whether something stands between the browser and this service, and says so."""
    return any(name.startswith(_FORWARDED) for name in request.headers)


def sees_uids(proc: Path = PROC) -> bool:
    """Whether this system tells the users of sockets in the way that `uid_of` reads."""
    return (proc / "tcp").is_file()


def uid_of(request: Request, proc: Path = PROC) -> int | None:
    """Return the user that the other end of the socket runs as; None where it is not to be seen.

    Blocks for as long as the kernel needs to list its sockets: call it in a thread.
    """
    here = request.scope.get("server")
    peer, own = peer_of(request), None if here is None else _read(here[0], here[1] or 0)
    if peer is None or own is None:
        return None
    for _ in range(_TRIES):
        for name, theirs, ours in _spellings(peer, own):
            uid = _find(proc / name, theirs, ours)
            if uid is not None:
                return uid
    return None


def _read(host: str, port: int) -> Peer | None:
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return None
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped  # one socket for both families
    return Peer(address, port)


def _spellings(peer: Peer, own: Peer) -> list[tuple[str, str, str]]:
    """In which file, and how, the kernel writes the two ends of a socket."""
    ends = peer.address, own.address
    wide = [_widen(address) for address in ends]
    found = [("tcp6", _write(wide[0], peer.port), _write(wide[1], own.port))]
    if all(address.version == 4 for address in ends):
        found.insert(0, ("tcp", _write(ends[0], peer.port), _write(ends[1], own.port)))
    return found


def _widen(address: Address) -> Address:
    if address.version == 6:
        return address
    return ipaddress.IPv6Address(b"\0" * 10 + b"\xff\xff" + address.packed)


def _write(address: Address, port: int) -> str:
    # Words of four bytes, each as the processor holds it.
    packed = address.packed
    words = (packed[start : start + 4] for start in range(0, len(packed), 4))
    return "".join(f"{int.from_bytes(word, sys.byteorder):08X}" for word in words) + f":{port:04X}"


def _find(listing: Path, theirs: str, ours: str) -> int | None:
    """Return the user of the socket whose own end is `theirs`.

    Only of one that is connected: what was closed already has no user, which reads as root.
    """
    try:
        lines = listing.read_text(encoding="ascii").splitlines()[1:]
    except OSError:
        return None
    for line in lines:
        fields = line.split()
        if len(fields) > 7 and fields[1:4] == [theirs, ours, _ESTABLISHED]:
            return int(fields[7])
    return None

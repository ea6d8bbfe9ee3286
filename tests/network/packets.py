"""Every packet that this machine sends, by whichever program: what nobody can do unseen.

It takes the right to capture (root, or CAP_NET_RAW) on Linux. Where that is missing there is no
record, and the tests have the listening trap and the programs' own logs alone.
"""

import asyncio
import contextlib
import socket
from collections.abc import Iterator
from ipaddress import ip_address

__all__ = ["Packets", "captured_packets"]

_ALL_PROTOCOLS = 0x0003
_IPV4, _IPV6 = 0x0800, 0x86DD
_OUTGOING = 4
_TCP = 6
_SYN, _ACK = 0x02, 0x10


class Packets:
    """What was sent since the capture began."""

    def __init__(self, captured: socket.socket) -> None:
        self._socket = captured
        self._sent: list[tuple[int, bytes]] = []

    def take(self) -> None:
        """Take what has arrived since."""
        with contextlib.suppress(BlockingIOError):
            while True:
                packet, (_, protocol, type, *_) = self._socket.recvfrom(65_536)
                if type == _OUTGOING and protocol in (_IPV4, _IPV6):
                    self._sent.append((protocol, packet))

    def connections_to(self, address: str, port: int) -> int:
        """How often anybody began to connect to the address and port with TCP."""
        self.take()
        wanted = (address, port)
        return sum(1 for protocol, packet in self._sent if _opens(protocol, packet) == wanted)

    def questions_for(self, name: str) -> int:
        """How many packets name the host as name servers are asked for it, whatever the port."""
        self.take()
        labels = b"".join(bytes([len(label)]) + label.encode() for label in name.split("."))
        return sum(1 for _, packet in self._sent if labels in packet.lower())


def _opens(protocol: int, packet: bytes) -> tuple[str, int] | None:
    """The address and port that this packet begins to connect to, if it is the first to do so."""
    if protocol == _IPV4:
        header, next_protocol, address = (packet[0] & 0x0F) * 4, packet[9], packet[16:20]
    else:
        header, next_protocol, address = 40, packet[6], packet[24:40]
    if next_protocol != _TCP or len(packet) < header + 14:
        return None
    if packet[header + 13] & (_SYN | _ACK) != _SYN:
        return None
    port = int.from_bytes(packet[header + 2 : header + 4], "big")
    return str(ip_address(address)), port


@contextlib.contextmanager
def captured_packets() -> Iterator[Packets | None]:
    """Capture for the length of the block; None where this user or system cannot."""
    try:
        # Without the header of the link layer: what comes first is the IP header.
        captured = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(_ALL_PROTOCOLS))
    except (AttributeError, PermissionError):
        yield None
        return
    with captured:
        captured.setblocking(False)
        captured.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8 << 20)
        packets = Packets(captured)
        loop = asyncio.get_running_loop()
        loop.add_reader(captured, packets.take)
        try:
            yield packets
        finally:
            loop.remove_reader(captured)

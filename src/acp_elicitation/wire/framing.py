"""Lines out of chunks of bytes, with a bound on what is kept of one line.

Owns: the splitting at newlines, the partial line, and the skipping of a line that is too long.
Knows nothing of: JSON, encodings, or who reads the lines.
Above it: `jsonrpc` reads messages with it, `stdio` an agent's stderr. Below it: nothing.
"""

from msgspec import Struct

__all__ = ["EDGE_BYTES", "LineFramer", "Oversized"]

EDGE_BYTES = 1024
"""How much of the beginning and of the end of an oversized line is kept."""


class Oversized(Struct, frozen=True, kw_only=True):
    """A line longer than the limit: its two ends (each at most EDGE_BYTES) and its length."""

    head: bytes
    tail: bytes
    size: int


class LineFramer:
    """Cuts a stream into lines of at most `limit` bytes, the newline not counted.

    `partial` tells whether an unfinished line is held. Memory is bounded by a small multiple of
    `limit`, whatever the chunks are.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.partial = False
        # One growing buffer: a list of chunks would cost far more than the line when a peer
        # sends it a byte or two at a time.
        self._kept = bytearray()
        self._tail = b""
        self._size = 0

    def feed(self, data: bytes) -> list[bytes | Oversized]:
        """The lines that `data` completes, in order and without their newline."""
        *ends, rest = data.split(b"\n")
        lines: list[bytes | Oversized] = []
        for end in ends:
            if self.partial:
                self._keep(end)
                lines.append(self._take())
            elif len(end) <= self.limit:
                lines.append(end)
            else:
                lines.append(
                    Oversized(head=end[:EDGE_BYTES], tail=end[-EDGE_BYTES:], size=len(end))
                )
        if rest:
            self._keep(rest)
        return lines

    def finish(self) -> bytes | Oversized | None:
        """The unfinished line that the end of the stream leaves, if there is one."""
        return self._take() if self.partial else None

    def _keep(self, part: bytes) -> None:
        self.partial = True
        before = self._size
        self._size += len(part)
        if self._size <= self.limit:
            self._kept += part
            return
        if before <= self.limit:
            # The limit is passed with this part: from here on only the two ends are kept.
            self._tail = bytes(self._kept[-EDGE_BYTES:])
            del self._kept[EDGE_BYTES:]
        self._kept += part[: EDGE_BYTES - len(self._kept)]
        self._tail = (self._tail + part[-EDGE_BYTES:])[-EDGE_BYTES:]

    def _take(self) -> bytes | Oversized:
        kept, self._kept = bytes(self._kept), bytearray()
        tail, self._tail = self._tail, b""
        size, self._size = self._size, 0
        self.partial = False
        return kept if size <= self.limit else Oversized(head=kept, tail=tail, size=size)

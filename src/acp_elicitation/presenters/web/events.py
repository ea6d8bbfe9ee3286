"""What has changed in the page, told to every tab that shows it: server-sent events.

Owns: the order and the numbers of changes, the latest of them for whoever comes back, and what a
tab gets that has missed too much: the page as it is now.
Knows nothing of: HTTP connections, and what the changes are. Above it: `desk`, `app`.
Below it: asyncio.

No tab has a buffer of its own. All read one bounded list at their own pace, so that a tab that
reads slowly, or never, costs nothing but its connection.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping

import msgspec

__all__ = ["Change", "Events"]

_MOST_KEPT = 200
_MOST_BYTES = 1_000_000
"""Of the changes that are kept; a page that has missed more of them is drawn anew."""

_MOST_STREAMS = 4
"""A browser opens no more than six connections to one server, and needs some to send answers."""

_KEEP_ALIVE = 15.0
"""Seconds of silence, until a comment shows that the connection still stands."""

_REPEAT = b"retry: 1000\n\n"
_COMMENT = b": still here\n\n"
_REST = b"event: rest\ndata:\n\n"
_OVER = b"event: over\ndata:\n\n"
_encode = msgspec.json.Encoder(enc_hook=str).encode  # `Html` is a class of its own


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """What is new in the page: HTML by the ids of the elements that it belongs to."""

    replace: Mapping[str, str] = {}
    """What stands in an element from now on."""
    append: Mapping[str, str] = {}
    """What is added at the end of an element."""
    remove: tuple[str, ...] = ()
    """The ids of elements that are gone."""


class Events:
    """Tells any number of tabs of the changes of one page."""

    def __init__(self, whole: Callable[[], Change], *, keep_alive: float = _KEEP_ALIVE) -> None:
        """`whole` returns the change that draws all of the page anew."""
        self._whole = whole
        self._keep_alive = keep_alive
        self._kept: deque[tuple[int, bytes]] = deque()
        self._size = 0
        self._number = 0
        self._news = asyncio.Event()
        self._streams: dict[object, asyncio.Event] = {}
        self._closed = False

    @property
    def number(self) -> int:
        """The number of the latest change; a page drawn now has all changes up to it."""
        return self._number

    def publish(self, change: Change) -> None:
        """Tell every tab."""
        data = _encode(change)
        self._number += 1
        self._kept.append((self._number, data))
        self._size += len(data)
        while len(self._kept) > _MOST_KEPT or self._size > _MOST_BYTES:
            _, dropped = self._kept.popleft()
            self._size -= len(dropped)
        self._wake()

    def close(self) -> None:
        """End all streams, and those that begin until `open`."""
        self._closed = True
        self._wake()

    def open(self) -> None:
        """Have streams last, as they do from the start."""
        self._closed = False

    def _wake(self) -> None:
        self._news.set()
        self._news = asyncio.Event()

    async def abandoned(self, seconds: float) -> None:
        """Return when for so many seconds nobody has read on."""
        while True:
            news = self._news
            try:
                async with asyncio.timeout(None if self._streams else seconds):
                    await news.wait()
            except TimeoutError:
                return

    async def stream(self, after: int | None) -> AsyncIterator[bytes]:
        """Yield what a tab has to read that has all changes up to `after`, until `close`.

        None, and a number that was never given, get the page as it is now. Of many tabs the oldest
        are told to rest until somebody looks at them again.
        """
        mine, resting = object(), asyncio.Event()
        self._streams[mine] = resting
        self._wake()
        while len(self._streams) > _MOST_STREAMS:
            self._streams.pop(next(iter(self._streams))).set()
            self._wake()
        try:
            yield _REPEAT
            async for piece in self._follow(after, resting):
                yield piece
        finally:
            self._streams.pop(mine, None)
            self._wake()

    async def _follow(self, after: int | None, resting: asyncio.Event) -> AsyncIterator[bytes]:
        while not resting.is_set():
            news = self._news  # taken before looking, so that nothing is missed
            for number, data in self._missed(after):
                after = number
                yield _written(number, data)
            if self._closed:
                yield _OVER
                return
            try:
                async with asyncio.timeout(self._keep_alive):
                    await news.wait()
            except TimeoutError:
                yield _COMMENT
        yield _REST

    def _missed(self, after: int | None) -> list[tuple[int, bytes]]:
        """Return the changes after `after`, or one that stands for all of them."""
        if after == self._number:
            return []
        oldest = self._kept[0][0] if self._kept else self._number + 1
        if after is None or not oldest - 1 <= after <= self._number:
            whole = _encode(self._whole())  # which may publish what it has kept back
            return [(self._number, whole)]
        return [(number, data) for number, data in self._kept if number > after]


def _written(number: int, data: bytes) -> bytes:
    return b"id: %d\nevent: changed\ndata: %b\n\n" % (number, data)

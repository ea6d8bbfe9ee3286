"""No credential goes out over ACP: the last look at each message before it is sent (URL-2).

Owns: in which disguises a secret is found, and the searching.
Knows nothing of: messages as objects, and where secrets are kept. It gets bytes as they are sent.
Above it: whoever makes a connection (`wire.Connection` takes `LeakGuard.check`).
Below it: `secret`, `ahocorasick-rs`, which finds any of thousands of texts in one pass.

A secret is looked for as it is, in base64 (at each of the three places that it can begin at, both
alphabets) and in hexadecimal; and in the message as it is, with its JSON escapes undone, and with
its percent-escapes undone, each up to three times over. That is against accidents: a tool that
prints a header, a URL with a token. Code that wants to smuggle a secret out has other ways.
"""

import base64
import re
from collections.abc import Iterator
from urllib.parse import unquote_to_bytes

from ahocorasick_rs import BytesAhoCorasick

from acp_elicitation.connect.errors import CredentialLeak
from acp_elicitation.connect.secret import Secret

__all__ = ["SHORTEST", "LeakGuard"]

SHORTEST = 8
"""Bytes: what is shorter stands in innocent text too often, and is not looked for."""

_LAYERS = 3
_UNICODE = re.compile(rb"\\u([0-9a-fA-F]{4})")
_SIMPLE = tuple(
    (b"\\" + bytes([sign]), bytes([plain]))
    for sign, plain in zip(b'"/bfnrt', b'"/\b\f\n\r\t', strict=True)
)
_BACKSLASH = b"\xff"
"""Stands for an escaped backslash meanwhile: a byte that no UTF-8 has."""


class LeakGuard:
    """Knows secrets, and stops messages that hold one.

    An agent of many users learns secrets one by one, between messages. So they are in heaps that
    each have a finder of its own: a new secret makes a small heap, and a heap that is not much
    larger than what was added since is made one with it. Each secret is then gone through as often
    as the number of secrets has binary digits, and not once for each that comes after it.
    """

    def __init__(self) -> None:
        self._secrets: set[Secret] = set()
        self._new: set[Secret] = set()
        """Those that are in no heap yet."""
        self._heaps: list[tuple[set[Secret], BytesAhoCorasick]] = []
        """The largest first."""

    def add(self, secret: Secret) -> None:
        """Look for `secret` from now on, unless it is shorter than `SHORTEST`."""
        if len(_bytes(secret)) >= SHORTEST and secret not in self._secrets:
            self._secrets.add(secret)
            self._new.add(secret)

    def remove(self, secret: Secret) -> None:
        """Look for it no more: it was revoked."""
        self._secrets.discard(secret)
        self._new.discard(secret)
        for place, (heap, _) in enumerate(self._heaps):
            if secret in heap:
                self._new |= heap - {secret}
                del self._heaps[place]
                return

    def check(self, message: bytes) -> None:
        """Let a message pass.

        Raises:
            CredentialLeak: it holds a secret. The exception does not.
        """
        if self._new:
            self._heap_up()
        if not self._heaps:
            return
        for view in _views(message):
            for _, finder in self._heaps:
                if finder.find_matches_as_indexes(view):
                    raise CredentialLeak

    def _heap_up(self) -> None:
        heap, self._new = self._new, set()
        while self._heaps and len(self._heaps[-1][0]) <= len(heap):
            heap |= self._heaps.pop()[0]
        looked_for = [found for secret in heap for found in _disguises(_bytes(secret))]
        self._heaps.append((heap, BytesAhoCorasick(looked_for)))


def _bytes(secret: Secret) -> bytes:
    return secret.reveal().encode("utf-8", "surrogatepass")


def _disguises(plain: bytes) -> Iterator[bytes]:
    yield plain
    yield plain.hex().encode()
    yield plain.hex().upper().encode()
    for before in range(3):
        # Of the first and the last characters some bits are those of the neighbours.
        encoded = base64.b64encode(b"\0" * before + plain)
        start = (before * 8 + 5) // 6
        core = encoded[start : (before + len(plain)) * 8 // 6]
        yield core
        yield core.replace(b"+", b"-").replace(b"/", b"_")


def _views(message: bytes) -> Iterator[bytes]:
    """Return the message, and what is read when its escapes are undone."""
    seen = {message}
    layer = [message]
    yield message
    for _ in range(_LAYERS):
        undone = [view for old in layer for view in (_unescaped(old), _unquoted(old))]
        layer = [view for view in dict.fromkeys(undone) if view not in seen]
        seen.update(layer)
        yield from layer


def _unescaped(text: bytes) -> bytes:
    if b"\\" not in text:
        return text
    text = text.replace(b"\\\\", _BACKSLASH)
    for escape, plain in _SIMPLE:
        text = text.replace(escape, plain)
    return _UNICODE.sub(_plain, text).replace(_BACKSLASH, b"\\")


def _plain(escape: re.Match[bytes]) -> bytes:
    return chr(int(escape[1], 16)).encode("utf-8", "surrogatepass")


def _unquoted(text: bytes) -> bytes:
    return unquote_to_bytes(text) if b"%" in text else text

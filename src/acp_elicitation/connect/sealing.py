"""Encryption at rest: what the vault keeps can be read only with its key, and only in its place.

Owns: the keys in use, the format of what is sealed, and the associated data. AES-256-GCM from
`cryptography`; a sealed value that is moved to another user, provider or kind does not open.
Knows nothing of: where keys and sealed values are kept. Above it: `keys`, `vault`.
Below it: `cryptography`.

The format: one byte of version, eight of the key's name, twelve of nonce, then the ciphertext with
its tag. The name is a hash of the key, so that a value says which key opens it and nothing else.
"""

import hashlib
import os
from collections.abc import Callable, Sequence

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from acp_elicitation.connect.errors import VaultError

__all__ = ["KEY_BYTES", "Sealer", "new_key"]

KEY_BYTES = 32
_VERSION = b"\x01"
_NAME_BYTES = 8
_NONCE_BYTES = 12
_HEAD_BYTES = len(_VERSION) + _NAME_BYTES + _NONCE_BYTES

_Random = Callable[[int], bytes]


def new_key(*, random: _Random = os.urandom) -> bytes:
    """Return a fresh key."""
    return random(KEY_BYTES)


class Sealer:
    """Seals with the first of its keys, and opens with any: that is how a key is rotated."""

    def __init__(self, keys: Sequence[bytes], *, random: _Random = os.urandom) -> None:
        """Take the keys, the one in use first.

        Raises:
            VaultError: there is none, or one is not 32 bytes long.
        """
        if not keys:
            raise VaultError("there is no key: give the vault at least one")
        for place, key in enumerate(keys, 1):
            if len(key) != KEY_BYTES:
                raise VaultError(f"key {place} has {len(key)} bytes, and must have {KEY_BYTES}")
        self._ciphers = {_name(key): AESGCM(key) for key in keys}
        self._current = _name(keys[0])
        self._random = random

    def seal(self, plain: bytes, *context: str) -> bytes:
        """Return `plain` encrypted. It opens only with the same `context`, in the same order."""
        nonce = self._random(_NONCE_BYTES)
        head = _VERSION + self._current + nonce
        cipher = self._ciphers[self._current]
        return head + cipher.encrypt(nonce, plain, _associated(head, context))

    def open(self, sealed: bytes, *context: str) -> bytes:
        """Return what was sealed.

        Raises:
            VaultError: it was sealed with another key or for another context, or is damaged.
        """
        head = sealed[:_HEAD_BYTES]
        if len(head) < _HEAD_BYTES or not head.startswith(_VERSION):
            raise VaultError("a sealed value is damaged, or of a newer version")
        name = head[len(_VERSION) :][:_NAME_BYTES]
        cipher = self._ciphers.get(name)
        if cipher is None:
            raise VaultError("a value was sealed with a key that is not given any more")
        try:
            return cipher.decrypt(
                head[-_NONCE_BYTES:], sealed[_HEAD_BYTES:], _associated(head, context)
            )
        except InvalidTag:
            raise VaultError("a sealed value is damaged, or belongs elsewhere") from None

    def is_current(self, sealed: bytes) -> bool:
        """Return whether a value was sealed with the key in use; others are to be sealed again."""
        return sealed[len(_VERSION) : len(_VERSION) + _NAME_BYTES] == self._current


def _name(key: bytes) -> bytes:
    return hashlib.blake2b(key, digest_size=_NAME_BYTES, person=b"acp-elicit key").digest()


def _associated(head: bytes, context: Sequence[str]) -> bytes:
    # With the lengths, ("a", "bc") and ("ab", "c") differ.
    parts = [part.encode() for part in context]
    return head + b"".join(len(part).to_bytes(4, "big") + part for part in parts)

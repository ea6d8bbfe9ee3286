"""Where the vault's keys come from: an environment variable, a file, or the keyring of the system.

Owns: the written form of keys, the order in which the sources are asked, and the file's mode.
Knows nothing of: what is sealed with them. Above it: `vault`, the command line.
Below it: `sealing`, `tracebacks`; `keyring` where it is asked for.

The written form: each key as base64 (of 32 bytes), the one in use first, with white space or commas
between them. To rotate, put a new key in front; drop the old one once everything is sealed anew.
"""

import base64
import binascii
import contextlib
import os
import stat
from collections.abc import Mapping, Sequence
from pathlib import Path

from acp_elicitation.connect.errors import VaultError
from acp_elicitation.connect.sealing import KEY_BYTES, new_key
from acp_elicitation.connect.tracebacks import keeps_to_itself

__all__ = [
    "VARIABLE",
    "default_key_file",
    "find_keys",
    "keys_from_environment",
    "keys_from_file",
    "keys_from_keyring",
    "read_keys",
]

VARIABLE = "ACP_ELICIT_VAULT_KEY"
"""The environment variable that holds keys."""

_SERVICE, _ENTRY = "acp-elicit", "vault key"


@keeps_to_itself
def read_keys(text: str, *, source: str) -> list[bytes]:
    """Return the keys that `text` holds.

    Raises:
        VaultError: one is not the base64 of 32 bytes; the message names the source and the place,
            never the text.
    """
    keys = []
    for place, word in enumerate(text.replace(",", " ").split(), 1):
        try:
            key = base64.b64decode(word.replace("-", "+").replace("_", "/") + "==")
        except (binascii.Error, ValueError):
            key = b""
        if len(key) != KEY_BYTES:
            raise VaultError(
                f"{source}: key {place} is not the base64 of {KEY_BYTES} bytes; "
                f"`openssl rand -base64 {KEY_BYTES}` makes one"
            )
        keys.append(key)
    if not keys:
        raise VaultError(f"{source}: there is no key in it")
    return keys


@keeps_to_itself
def find_keys(
    environment: Mapping[str, str], *, file: Path | None = None, keyring: bool = False
) -> list[bytes]:
    """Return the keys: of the environment where it has some, else of where the caller says.

    Every process that shares a vault has to find the same ones.

    Args:
        environment: its `ACP_ELICIT_VAULT_KEY` comes first.
        file: a file with keys; without it `default_key_file()`. It is made where it is missing.
        keyring: take those of the keyring instead of a file.

    Raises:
        VaultError, OSError: as for each of the sources.
    """
    keys = keys_from_environment(environment)
    if keys is not None:
        return keys
    return keys_from_keyring() if keyring else keys_from_file(file or default_key_file())


def default_key_file() -> Path:
    """Return where the keys are by default: beside the default store, in the user's state."""
    import platformdirs

    return platformdirs.user_state_path("acp-elicitation", appauthor=False) / "vault.key"


@keeps_to_itself
def keys_from_environment(environment: Mapping[str, str]) -> list[bytes] | None:
    """Return the keys of `ACP_ELICIT_VAULT_KEY`, or None where it is not set.

    Raises:
        VaultError: it holds no keys.
    """
    text = environment.get(VARIABLE)
    return None if text is None else read_keys(text, source=VARIABLE)


@keeps_to_itself
def keys_from_file(path: Path) -> list[bytes]:
    """Return the keys in a file that is its owner's alone. It is made, with a new key, if missing.

    Raises:
        VaultError: others may read or write it, or it holds no keys.
        OSError: it cannot be read or made.
    """
    with contextlib.suppress(FileExistsError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _write_new(path, [new_key()])
    # The file that was opened is the one that is judged: it cannot be exchanged in between.
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
    with os.fdopen(descriptor, encoding="ascii", errors="replace") as file:
        found = os.fstat(descriptor)
        if hasattr(os, "getuid"):
            if found.st_uid != os.getuid():
                raise VaultError(f"{path}: it belongs to another user; nobody else may have it")
            if stat.S_IMODE(found.st_mode) & 0o077:
                raise VaultError(f"{path}: others may read it; `chmod 600` it")
        return read_keys(file.read(), source=str(path))


def _write_new(path: Path, keys: Sequence[bytes]) -> None:
    # Written beside it and linked into place: whoever else starts now sees a whole file or none.
    draft = path.with_name(f".{path.name}.{os.getpid()}.{os.urandom(4).hex()}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.writelines(_written(key) + "\n" for key in keys)
            file.flush()
            os.fsync(descriptor)
        os.link(draft, path)
    finally:
        os.unlink(draft)


@keeps_to_itself
def keys_from_keyring() -> list[bytes]:
    """Return the keys in the keyring of the system. A new one is put there if there is none.

    Raises:
        VaultError: there is no keyring here, as on most servers, or the package is not installed.
    """
    try:
        import keyring
        import keyring.errors
    except ImportError:
        raise VaultError(
            "the package keyring is not installed: pip install keyring, or use a file"
        ) from None
    try:
        text = keyring.get_password(_SERVICE, _ENTRY)
        if text is None:
            text = _written(new_key())
            keyring.set_password(_SERVICE, _ENTRY, text)
    except keyring.errors.KeyringError as error:
        raise VaultError(
            f"the keyring of this system cannot be used ({type(error).__name__}); "
            f"use a file or {VARIABLE}"
        ) from None
    return read_keys(text, source="the keyring")


def _written(key: bytes) -> str:
    return base64.b64encode(key).decode("ascii")

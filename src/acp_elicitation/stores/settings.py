"""What can be set about a store: its clock, its randomness and its patience.

Owns: the settings and their defaults. Knows nothing of: what they are used for.
Above it: `keeping` and the databases. Below it: nothing.
"""

import secrets
import time
from collections.abc import Callable

import msgspec

__all__ = ["StoreSettings", "wall_clock"]


def wall_clock() -> int:
    """Return the time, in milliseconds since 1970 in UTC."""
    return time.time_ns() // 1_000_000


def _token() -> str:
    return secrets.token_hex(8)


class StoreSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The same for every process that shares a store.

    Args:
        clock: returns milliseconds since 1970 in UTC. Every process judges expiry by its own.
        new_token: returns a text that no other call returns; it names a change, and is no secret.
        scan_every: seconds between two looks at the links that are waited for, news or none.
        patience: seconds for which a step is tried again while the database is away.
        forget_after: seconds for which an ended link is kept beyond the time at which it expires.
    """

    clock: Callable[[], int] = wall_clock
    new_token: Callable[[], str] = _token
    scan_every: float = 2.0
    patience: float = 5.0
    forget_after: float = 86_400.0

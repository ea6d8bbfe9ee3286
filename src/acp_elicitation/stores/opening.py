"""From the address of a store to the store.

Owns: which address means which store, and what to say where its library is missing. Knows nothing
of: any database, beyond its name. Above it: the commands, and whoever lets a person choose.
Below it: `sqlite`, `redis`, `postgres`, each imported only where it is asked for.
"""

from acp_elicitation.stores.errors import StoreUnavailable
from acp_elicitation.stores.keeping import KeptStore
from acp_elicitation.stores.settings import StoreSettings

__all__ = ["store_at"]


def store_at(url: str, settings: StoreSettings | None = None) -> KeptStore:
    """Return the store at an address, not open yet.

    | address | store |
    |---|---|
    | `sqlite:` | the file `links.sqlite3` in the user's state folder |
    | `sqlite:PATH` | that file |
    | `sqlite::memory:` | nothing but this process |
    | `redis://...`, `rediss://...`, `unix://...` | Redis or Valkey; a `#prefix` begins every key |
    | `postgresql://...` | PostgreSQL |

    Raises:
        StoreUnavailable: the library that it needs is not installed.
        ValueError: an address of no kind that is known. The address, which may hold a password, is
            in no message.
    """
    scheme, _, rest = url.partition(":")
    match scheme.lower():
        case "sqlite":
            from acp_elicitation.stores.sqlite import sqlite_store

            return sqlite_store(rest or None, settings)
        case "redis" | "rediss" | "unix":
            return _on_redis(url, settings)
        case "postgresql" | "postgres":
            return _on_postgres(url, settings)
        case _:
            raise ValueError("the address of a store begins with sqlite:, redis: or postgresql:")


def _on_redis(url: str, settings: StoreSettings | None) -> KeptStore:
    try:
        from acp_elicitation.stores.redis import redis_store
    except ImportError:
        raise StoreUnavailable("install acp-elicitation[redis]") from None
    address, _, prefix = url.partition("#")
    return redis_store(address, settings, prefix=prefix or "acp-elicitation")


def _on_postgres(url: str, settings: StoreSettings | None) -> KeptStore:
    try:
        from acp_elicitation.stores.postgres import postgres_store
    except ImportError:
        raise StoreUnavailable("install acp-elicitation[postgres]") from None
    return postgres_store(url, settings)

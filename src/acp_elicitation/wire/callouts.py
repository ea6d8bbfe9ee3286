"""Calling out of the driver: what fails there is logged, and leaves the connection alone.

Owns: the one place where an exception of a handler becomes a log entry.
Knows nothing of: messages, or who is called.
Above it: `connection`, `tap`, `stdio`. Below it: `logging`, `protocol.errors`.

An entry has the type and the frames of each exception, never its values, and the message only of an
exception of this package: any other may hold what a user typed.
"""

import logging
from collections.abc import Callable, Iterator
from typing import ParamSpec

from acp_elicitation.protocol.errors import ElicitationError

__all__ = ["guarded", "log_failure", "warn_of_noise"]

_log = logging.getLogger(__name__)

P = ParamSpec("P")


def guarded(call: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> None:
    """Call a handler or a listener. Raises nothing but what ends the process."""
    try:
        call(*args, **kwargs)
    except Exception as error:
        log_failure(getattr(call, "__qualname__", type(call).__qualname__), error)


def log_failure(what: str, error: BaseException) -> None:
    """Log that `what` failed, and how it came to it."""
    told = "That came after ".join(_entries(error)).rstrip("\n")
    _log.error("%s failed with %s", what, told)


def _entries(error: BaseException | None) -> Iterator[str]:
    """Yield what may be told of an exception, then of those that it came from."""
    import traceback

    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        said = f": {error}" if isinstance(error, ElicitationError) else ""
        frames = "".join(traceback.format_tb(error.__traceback__))
        yield f"{type(error).__qualname__}{said}\n{frames}"
        hidden = error.__suppress_context__
        error = error.__cause__ or (None if hidden else error.__context__)


def warn_of_noise(text: bytes) -> None:
    """Log a line that is no message, such as what an agent printed by mistake."""
    _log.warning("skipped a line that is no message: %a", text)

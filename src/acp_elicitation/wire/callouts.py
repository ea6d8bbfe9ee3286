"""Calling out of the driver: what fails there is logged, and leaves the connection alone.

Owns: the one place where an exception of a handler becomes a log entry.
Knows nothing of: messages, or who is called.
Above it: `connection`, `tap`, `stdio`. Below it: `logging`.

An entry has the exception's type and its frames, never its message or its values: either may hold
what a user typed.
"""

import logging
from collections.abc import Callable
from typing import ParamSpec

__all__ = ["guarded", "log_failure", "warn_of_noise"]

_log = logging.getLogger(__name__)

P = ParamSpec("P")


def guarded(call: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> None:
    """Call a handler or a listener. Raises nothing but what ends the process."""
    try:
        call(*args, **kwargs)
    except Exception as error:
        log_failure(getattr(call, "__qualname__", type(call).__qualname__), error)


def log_failure(what: str, error: Exception) -> None:
    """Log that `what` failed."""
    import traceback

    frames = "".join(traceback.format_tb(error.__traceback__))
    _log.error("%s failed with %s\n%s", what, type(error).__qualname__, frames)


def warn_of_noise(text: bytes) -> None:
    """Log a line that is no message, such as what an agent printed by mistake."""
    _log.warning("skipped a line that is no message: %a", text)

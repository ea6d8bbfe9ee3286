"""No variable of a function that works with secrets gets into a traceback (URL-2).

Owns: cutting the frames off that hold such variables. Knows nothing of: secrets.
Above it: `vault`, `refreshing`, `keys`, `oauth.client`. Below it: `protocol.errors`.

A traceback keeps the variables of each function that an exception came through, and what collects
failures sends them along. A `Secret` shows nothing there, but what is written into a request or
opened from the store is plain for a moment. An exception of this package says in words what it is
about: what it came through is of no use to its reader.
"""

from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from acp_elicitation.protocol.errors import ElicitationError

__all__ = ["keeps_to_itself", "keeps_to_itself_async"]

P = ParamSpec("P")
T = TypeVar("T")


def keeps_to_itself(call: Callable[P, T]) -> Callable[P, T]:
    """Return a function whose exceptions of this package show none of its variables."""

    @wraps(call)
    def quiet(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return call(*args, **kwargs)
        except ElicitationError as error:
            del args, kwargs
            raise error.with_traceback(None) from error.__cause__

    return quiet


def keeps_to_itself_async(
    call: Callable[P, Coroutine[Any, Any, T]],
) -> Callable[P, Coroutine[Any, Any, T]]:
    """Return the same of an asynchronous function."""

    @wraps(call)
    async def quiet(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return await call(*args, **kwargs)
        except ElicitationError as error:
            del args, kwargs
            raise error.with_traceback(None) from error.__cause__

    return quiet

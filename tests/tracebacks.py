"""What a collector of failures would send along: tracebacks with their variables."""

from traceback import TracebackException

__all__ = ["with_variables"]


def with_variables(error: BaseException) -> str:
    """The traceback of what a test has caught, below the test itself, with all variables."""
    assert error.__traceback__ is not None
    below = error.with_traceback(error.__traceback__.tb_next)
    return "".join(TracebackException.from_exception(below, capture_locals=True).format())

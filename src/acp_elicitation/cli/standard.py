"""Standard input, output and error: that they exist, and what to do when nothing can be written.

Owns: the state of the process's own three streams. Knows nothing of: what travels on them.
Above it: the commands. Below it: the operating system.
"""

import errno
import os
import sys
from collections.abc import Callable

__all__ = ["NOBODY_READS", "NO_ROOM", "ensure_streams", "unless_nobody_reads"]

NOBODY_READS = 141
"""The exit code when the reader of stdout has left: what a shell says of SIGPIPE."""

NO_ROOM = 74
"""The exit code when stdout takes nothing more, such as a file on a full disk."""

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})


def ensure_streams() -> None:
    """Open the null device where a standard stream is closed.

    Otherwise the next file or pipe that is opened gets the number, and is taken for the stream.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # gets the lowest free number, which is this one
    # None where a stream was closed when Python started; typeshed does not know.
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(number, mode, closefd=False))


def unless_nobody_reads(run: Callable[[], int]) -> int:
    """Return what `run` returns, or `NOBODY_READS` or `NO_ROOM` when its output went nowhere."""
    try:
        try:
            code = run()
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        code = NOBODY_READS
    except OSError as error:
        if error.errno not in _FULL or error.filename is not None:
            raise
        from acp_elicitation.text.language import tr

        problem = tr("The output cannot be written: {why}.", why=error.strerror)
        print(f"acp-elicit: {problem}", file=sys.stderr)
        code = NO_ROOM
    if code in (NOBODY_READS, NO_ROOM):
        # Python flushes once more at its end, and would complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return code

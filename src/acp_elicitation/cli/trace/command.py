"""`acp-elicit trace`: what was asked and answered in a recorded conversation.

Owns: the command line of `trace`, and its exit codes.
Knows nothing of: what the lines mean. Above it: `cli`. Below it: `record`, `timeline`, `telling`.
"""

import argparse
import contextlib
import enum
import io
import sys
from collections.abc import Iterator, Sequence
from typing import BinaryIO

from acp_elicitation.cli.spoken import add_language_option, speak
from acp_elicitation.cli.trace.record import BrokenLine, read_record
from acp_elicitation.cli.trace.telling import Teller
from acp_elicitation.cli.trace.timeline import Timeline
from acp_elicitation.presenters.page import Page
from acp_elicitation.text.language import tr, tr_later
from acp_elicitation.text.terminal import one_line

__all__ = ["TraceExit", "run_trace"]

_EPILOG = tr_later(
    """\
exit codes: 0 every line was read, 1 some lines were skipped (each is named), 2 wrong usage or a
file that cannot be read, 130 interrupted, 74 the output cannot be written,
141 nobody reads it any more.
"""
)


class TraceExit(enum.IntEnum):
    """What the shell learns."""

    READ = 0
    SKIPPED = 1
    """Some lines are none of a record."""
    USAGE = 2
    """The command line is wrong, or the file cannot be read."""
    INTERRUPTED = 130


def run_trace(arguments: Sequence[str]) -> int:
    """Run `acp-elicit trace`; returns the exit code."""
    speak(arguments)
    options = _parse(arguments)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    page = Page(sys.stdout)
    try:
        with _opened(options.file) as file:
            return _trace(file, page, Teller(page, shows_answers=options.show_answers))
    except BrokenPipeError:
        raise  # nobody reads: said by whoever called
    except OSError as error:
        name = one_line(options.file)
        print(f"acp-elicit trace: error: {name}: {error.strerror}", file=sys.stderr)
        return TraceExit.USAGE
    except KeyboardInterrupt:
        return TraceExit.INTERRUPTED


def _trace(file: BinaryIO, page: Page, teller: Teller) -> TraceExit:
    timeline = Timeline()
    code = TraceExit.READ
    for number, entry in enumerate(read_record(file), 1):
        if isinstance(entry, BrokenLine):
            code = TraceExit.SKIPPED
            page.tell(tr("Line {number} was skipped: it is none of a record.", number=number))
            continue
        for event in timeline.take(entry):
            teller.tell(event)
    teller.end(timeline.unanswered)
    return code


@contextlib.contextmanager
def _opened(name: str) -> Iterator[BinaryIO]:
    if name == "-":
        yield sys.stdin.buffer
    else:
        with open(name, "rb") as file:
            yield file


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="acp-elicit trace",
        usage=tr("acp-elicit trace [options] FILE"),
        description=tr(
            "Show the questions and answers of a recorded conversation: what proxy --log or "
            "chat --transcript wrote. What users answered is hidden."
        ),
        epilog=tr(_EPILOG),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("file", metavar="FILE", help=tr("the record; - reads standard input"))
    parser.add_argument(
        "--show-answers",
        action="store_true",
        help=tr("show what users answered, and links in full"),
    )
    add_language_option(parser)
    return parser.parse_args(list(arguments))

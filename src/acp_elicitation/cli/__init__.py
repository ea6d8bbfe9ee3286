"""The command `acp-elicit`: which of its commands is meant.

Owns: the list of commands, the version, and the exit code for what is none of them.
Knows nothing of: what the commands do. Each is imported when it is called: `--version` loads
nothing else. Above it: the shell. Below it: one module per command.
"""

import sys
from collections.abc import Callable

from acp_elicitation import __version__

__all__ = ["main"]

_USAGE = "usage: acp-elicit [--version] [--help] COMMAND ..."
_USAGE_ERROR = 2


def main(arguments: list[str] | None = None) -> int:
    """Run the command that `arguments` name (by default those of the process); the exit code."""
    if arguments is None:
        arguments = sys.argv[1:]
    match arguments:
        case ["--version" | "-V", *_]:
            print(f"acp-elicit {__version__}")
            return 0
        case ["--help" | "-h" | "help", *_]:
            return _run(_print_help, [])
        case ["chat", *rest]:
            from acp_elicitation.cli.chat import run_chat

            return _run(run_chat, rest)
        case ["connect", *rest]:
            from acp_elicitation.cli.connect.command import run_connect

            return _run(run_connect, rest)
        case ["demo", *rest]:
            from acp_elicitation.cli.demo import run_demo

            return _run(run_demo, rest)
        case ["proxy", *rest]:
            from acp_elicitation.cli.proxy import run_proxy

            return _run(run_proxy, rest)
        case ["trace", *rest]:
            from acp_elicitation.cli.trace.command import run_trace

            return _run(run_trace, rest)
        case [other, *_]:
            print(f"acp-elicit: no such command: {other}\n{_USAGE}", file=sys.stderr)
        case _:
            print(_USAGE, file=sys.stderr)
    return _USAGE_ERROR


def _print_help(_: list[str]) -> int:
    from acp_elicitation.cli.spoken import speak
    from acp_elicitation.text.language import tr

    speak([])
    text = tr(
        """\
{usage}

Agents ask, people answer: elicitation of the Agent Client Protocol in this terminal.

commands:
  demo     talk to a demo agent that asks every kind of question
  chat     talk to any agent that speaks the Agent Client Protocol over stdio
  connect  serve the pages behind an agent's links, list and revoke accounts
  proxy    give elicitation to a client that has none
  trace    show the questions and answers of a recorded conversation

`acp-elicit COMMAND --help` tells more about each.
""",
        usage=_USAGE,
    )
    print(text, end="")
    return 0


def _run(command: Callable[[list[str]], int], arguments: list[str]) -> int:
    from acp_elicitation.cli.standard import ensure_streams, unless_nobody_reads

    ensure_streams()
    return unless_nobody_reads(lambda: command(arguments))

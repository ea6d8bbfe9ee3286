"""`acp-elicit chat`: a client for any agent, in this terminal.

Owns: the command line of `chat`.
Knows nothing of: how a conversation runs. Above it: `cli`. Below it: `faces`, `conversation`.
"""

import argparse
import asyncio
import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from acp_elicitation.cli.arguments import split_command
from acp_elicitation.cli.choosing import Terminal, WrongUi, add_ui_option, choose_ui
from acp_elicitation.cli.conversation import FIRST_WORD, Settings
from acp_elicitation.cli.face import ExitCode
from acp_elicitation.cli.faces import Meeting, converse
from acp_elicitation.cli.spoken import add_language_option, speak
from acp_elicitation.cli.transcript import Transcript
from acp_elicitation.presenters.answers import BadAnswers, read_answers
from acp_elicitation.presenters.browser import open_in_browser
from acp_elicitation.presenters.notice import NOTIFY
from acp_elicitation.text.language import tr, tr_later

__all__ = ["run_chat"]

_EPILOG = tr_later(
    """\
Without --prompt, prompts are read from standard input, one a line.

exit codes with --prompt: 0 the turns ended, 2 wrong usage, 3 the agent failed or left,
4 a question had no scripted answer, 130 interrupted, 74 the output cannot be written,
141 nobody reads it any more.

The answers file is a list of rules, in YAML, JSON or TOML by its name (in TOML each rule begins
with [[rules]]); the first unused one that fits answers:
  - when: {message: part of it, mode: form|url, property: name, permission: true}
    action: accept|decline|cancel
    content: {name: value}    the others take their defaults, null leaves one empty
    option: allow_once        for a permission: the kind or id of the option
    open: true                for a link: open it in the browser as well
    repeat: true              use the rule any number of times
"""
)


def run_chat(arguments: Sequence[str]) -> int:
    """Run `acp-elicit chat`; returns the exit code."""
    speak(arguments)
    options, command = _parse(arguments)
    settings = Settings(
        command=command,
        protocol=options.protocol,
        cwd=os.path.abspath(options.cwd),
        prompts=None if options.prompt is None else tuple(options.prompt),
        first_word=FIRST_WORD if sys.stderr.isatty() else None,
    )
    try:
        rules = () if options.answers is None else read_answers(options.answers)
        transcript = None if options.transcript is None else Transcript(options.transcript)
    except BadAnswers as error:
        return _refuse(str(error))
    except OSError as error:
        return _refuse(f"{options.transcript}: {error.strerror}")
    try:
        meeting = Meeting(
            settings=settings,
            rules=rules,
            tells_idle_rules=True,
            transcript=transcript,
            open_url=None if options.no_browser else open_in_browser,
            notify=options.notify,
        )
        return asyncio.run(converse(options.ui, meeting))
    finally:
        if transcript is not None:
            transcript.close()


def _parse(arguments: Sequence[str]) -> tuple[argparse.Namespace, tuple[str, ...]]:
    """Return the options before `--` and the command after it."""
    parser = argparse.ArgumentParser(
        prog="acp-elicit chat",
        usage=tr("acp-elicit chat [options] -- COMMAND ARGS..."),
        description=tr("Talk to an agent that speaks the Agent Client Protocol over stdio."),
        epilog=tr(_EPILOG),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("--protocol", choices=("auto", "1", "2"), default="auto",
        help=tr("which version to speak (default: 2, else 1)"))  # fmt: skip
    add_ui_option(parser)
    add("--answers", type=Path, metavar="FILE", help=tr("the rules that answer, for --ui script"))
    add("--prompt", nargs="+", action="extend", metavar="TEXT",
        help=tr("say this, then that, and exit"))  # fmt: skip
    add("--cwd", default=".", metavar="DIR", help=tr("the folder to work in (default: this one)"))
    add(
        "--transcript", type=Path, metavar="FILE.jsonl", help=tr("write every message to this file")
    )
    add("--no-browser", action="store_true", help=tr("print links instead of opening them"))
    add("--notify", choices=NOTIFY, default="off",
        help=tr("call you to a question by the terminal's bell or on the desktop"))  # fmt: skip
    add_language_option(parser)
    before, command = split_command(arguments)
    options, rest = parser.parse_known_args(before)
    if rest and not rest[0].startswith("-") and "--" not in arguments:
        words = shlex.join(rest)
        parser.error(tr("put -- before the agent's command, as in: -- {words}", words=words))
    if rest:
        parser.error(tr("unrecognized arguments: {words}", words=shlex.join(rest)))
    if not command:
        parser.error(tr("the agent's command is missing: put it after --"))
    try:
        options.ui = choose_ui(
            options.ui,
            has_answers=options.answers is not None,
            stays=options.prompt is None,
            terminal=Terminal.here(),
            environment=os.environ,
        )
    except WrongUi as error:
        parser.error(str(error))
    if any(not _is_text(prompt) for prompt in options.prompt or ()):
        parser.error(tr("--prompt: a text that the encoding of this terminal does not know"))
    if any(not prompt.strip() for prompt in options.prompt or ()):
        parser.error(tr("--prompt: a text without a word"))
    if os.path.exists(options.cwd) and not os.path.isdir(options.cwd):
        parser.error(tr("--cwd: no folder, but a file: {path}", path=options.cwd))
    if not os.path.isdir(options.cwd):
        parser.error(tr("--cwd: no such folder: {path}", path=options.cwd))
    return options, tuple(command)


def _is_text(argument: str) -> bool:
    try:
        argument.encode()
    except UnicodeEncodeError:
        return False
    return True


def _refuse(reason: str) -> int:
    print(f"acp-elicit chat: error: {reason}", file=sys.stderr)
    return ExitCode.USAGE

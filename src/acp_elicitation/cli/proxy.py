"""`acp-elicit proxy`: elicitation for a client that has none, between it and any agent.

Owns: the command line of `proxy`, and by which means questions are asked.
Knows nothing of: how lines pass. Above it: `cli`. Below it: `bridges.proxy`, the presenters.

Stdin and stdout belong to the client: what is said to the user goes to stderr.
"""

import argparse
import asyncio
import contextlib
import logging
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from acp_elicitation.bridges.proxy.calls import ClientCalls
from acp_elicitation.bridges.proxy.lines import LineReader, LineWriter
from acp_elicitation.bridges.proxy.means import Means, Way
from acp_elicitation.bridges.proxy.passing import question_id
from acp_elicitation.bridges.proxy.running import AgentProcess, run_between
from acp_elicitation.bridges.streams import open_stdio_streams
from acp_elicitation.cli.arguments import split_command
from acp_elicitation.cli.choosing import WrongUi, check_ui, is_installed
from acp_elicitation.cli.spoken import add_language_option, speak
from acp_elicitation.cli.transcript import Transcript
from acp_elicitation.client.prompts import Presenter
from acp_elicitation.client.responder import Responder
from acp_elicitation.presenters.answers import BadAnswers, Rule, read_answers
from acp_elicitation.presenters.browser import open_in_browser
from acp_elicitation.presenters.script import ScriptPresenter
from acp_elicitation.protocol.errors import ConnectionLost
from acp_elicitation.text.language import tr

__all__ = ["run_proxy"]

_USAGE_ERROR = 2
_NOT_STARTED = 127
_MEANS = ("native", "permission", "web")


def run_proxy(arguments: Sequence[str]) -> int:
    """Run `acp-elicit proxy`; returns the agent's exit status."""
    speak(arguments)
    options, command = _parse(arguments)
    handler = logging.StreamHandler()
    handler.setFormatter(_FirstLine("acp-elicit proxy: %(message)s"))
    logging.basicConfig(handlers=[handler], level=logging.WARNING)
    try:
        rules = None if options.answers is None else read_answers(options.answers)
        log = None if options.log is None else Transcript(options.log)
    except BadAnswers as error:
        return _refuse(str(error))
    except OSError as error:
        return _refuse(f"{options.log}: {error.strerror}")
    try:
        return asyncio.run(
            _proxy(command, via=options.via, rules=rules, log=log, opens_page=options.open_page)
        )
    finally:
        if log is not None:
            log.close()


async def _proxy(
    command: Sequence[str],
    *,
    via: Sequence[str],
    rules: Sequence[Rule] | None,
    log: Transcript | None,
    opens_page: bool,
) -> int:
    try:
        reader, writer = await open_stdio_streams()
    except ConnectionLost as error:
        return _refuse(str(error))
    to_client = LineWriter(writer)
    calls = ClientCalls(to_client)
    presenter: Presenter | None = None
    async with contextlib.AsyncExitStack() as stack:
        if rules is not None:
            presenter = ScriptPresenter(
                rules,
                out=sys.stderr,
                open_url=open_in_browser if opens_page else None,
                on_unanswered=lambda error: _say(str(error)),
            )
        elif "web" in via:
            from acp_elicitation.bridges.proxy.page import OnPage

            presenter = await stack.enter_async_context(
                OnPage(
                    tell=calls.tell,
                    version=lambda: responder.version,
                    word=_lead,
                    open_page=open_in_browser if opens_page else None,
                )
            )

        def note(way: Way) -> None:
            if log is not None:
                presented = "web" if rules is None else "script"
                by = presented if way == "presenter" else way
                log.note_asking(question_id.get(), by)

        means = Means(
            permission=calls.call if "permission" in via else None,
            presenter=presenter,
            version=lambda: responder.version,
            on_ask=note,
        )
        responder = Responder(means, modes=means.modes)
        return await _run(command, LineReader(reader), to_client, responder, calls, via, log)


def _lead(agent: str, address: str) -> str:
    asks = tr("{} has a question, which this client cannot show.").replace("{}", agent)
    return f"{asks}\n{tr('Answer it in your browser:')} {address}\n"


async def _run(
    command: Sequence[str],
    client: LineReader,
    to_client: LineWriter,
    responder: Responder,
    calls: ClientCalls,
    via: Sequence[str],
    log: Transcript | None,
) -> int:
    try:
        agent = await AgentProcess.start(command)
    except (OSError, ValueError) as error:
        return _refuse(
            tr(
                "could not start {program}: {why}",
                program=command[0],
                why=getattr(error, "strerror", None) or str(error),
            ),
            code=_NOT_STARTED,
        )
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, agent.signal, number)  # its end is the proxy's
    return await run_between(
        agent,
        client,
        to_client,
        responder=responder,
        calls=calls,
        command=command,
        use_native="native" in via,
        on_line=None if log is None else log.take,
    )


def _parse(arguments: Sequence[str]) -> tuple[argparse.Namespace, tuple[str, ...]]:
    """Return the options before `--` and the agent's command after it."""
    parser = argparse.ArgumentParser(
        prog="acp-elicit proxy",
        usage=tr("acp-elicit proxy [options] -- COMMAND ARGS..."),
        description=tr(
            "Stand between a client and an agent, and ask in the client's place what it cannot: "
            "put it in front of the agent's command where the client starts agents."
        ),
        allow_abbrev=False,
    )
    add = parser.add_argument
    add(
        "--ui",
        choices=("web", "script"),
        help=tr(
            "who answers what the client is not asked: you, on a web page, or the rules of "
            "--answers (default: script with --answers, else web)"
        ),
    )
    add(
        "--via",
        type=_means,
        metavar=",".join(_MEANS),
        help=tr(
            "how questions may be asked, in this order: by the client itself where it can, by "
            "its permission dialog, on a web page of this computer (default: all)"
        ),
    )
    add(
        "--answers",
        type=Path,
        metavar="FILE",
        help=tr("the rules that answer what is left, see chat --help"),
    )
    add("--log", type=Path, metavar="FILE.jsonl", help=tr("write every message to this file"))
    add(
        "--open-page",
        action="store_true",
        help=tr("open the web page, and links whose rule says so, in your browser as well"),
    )
    add_language_option(parser)
    before, command = split_command(arguments)
    options = parser.parse_args(before)
    if not command:
        parser.error(tr("the agent's command is missing: put it after --"))
    _choose_ui(parser, options)
    return options, tuple(command)


def _choose_ui(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    """Set by which means is asked, where that was left open; or exit, where it cannot be."""
    has_answers = options.answers is not None
    if options.ui is not None:
        try:
            check_ui(options.ui, has_answers=has_answers)
        except WrongUi as error:
            parser.error(str(error))
    has_web = is_installed("web")
    if options.via is None:
        options.via = _MEANS if has_web else _MEANS[:-1]
    elif "web" in options.via:
        if not (has_answers or has_web):
            install = "pip install 'acp-elicitation[web]'"
            parser.error(tr("--via web needs a package that is not installed: {how}", how=install))
    elif options.ui == "web":
        parser.error(tr("--ui web needs web among --via"))


def _means(text: str) -> tuple[str, ...]:
    chosen = tuple(part.strip() for part in text.split(","))
    for part in chosen:
        if part not in _MEANS:
            names = ", ".join(_MEANS)
            raise argparse.ArgumentTypeError(
                tr("no such means: {name}; there are {names}", name=part, names=names)
            )
    return chosen


def _refuse(reason: str, *, code: int = _USAGE_ERROR) -> int:
    _say(f"error: {reason}")
    return code


def _say(text: str) -> None:
    print(f"acp-elicit proxy: {text}", file=sys.stderr, flush=True)


class _FirstLine(logging.Formatter):
    """What follows on the first line is for developers: the frames of a failure."""

    def format(self, record: logging.LogRecord) -> str:
        return super().format(record).partition("\n")[0]

"""The faces of a conversation: what each is made of, and running a conversation in one.

Owns: putting a face, its presenter and the conversation together, one function per `--ui`.
Knows nothing of: command lines, and how one is chosen (see `choosing`).
Above it: `chat`, `demo`. Below it: `conversation`, the faces, `presenters`.
"""

import io
import logging
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeAlias

from acp_elicitation.cli.console import Console
from acp_elicitation.cli.conversation import Conversation, Settings
from acp_elicitation.cli.face import ExitCode
from acp_elicitation.cli.line_face import LineFace
from acp_elicitation.cli.transcript import Transcript
from acp_elicitation.presenters.answers import Rule
from acp_elicitation.presenters.lines import DescriptorLines
from acp_elicitation.presenters.notice import Notice, Notify
from acp_elicitation.presenters.plain import OpenUrl, PlainPresenter
from acp_elicitation.presenters.script import NoScriptedAnswer, ScriptPresenter
from acp_elicitation.text.language import tr_count

__all__ = ["FACES", "Meeting", "converse"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Meeting:
    """What a conversation is about, and what is done with it beside showing it."""

    settings: Settings
    rules: Sequence[Rule] = ()
    """The answers of `--ui script`."""
    tells_idle_rules: bool = False
    """Whether to say in the end which rules answered nothing."""
    transcript: Transcript | None = None
    open_url: OpenUrl | None = None
    """Opens a link after consent; None has the user open it."""
    notify: Notify = "off"
    """How its user is called to a question."""


async def converse(ui: str, meeting: Meeting) -> ExitCode:
    """Have one conversation on the process's own streams, in the face that `ui` names."""
    return await FACES[ui](meeting)


async def _plain(meeting: Meeting) -> ExitCode:
    console, lines = _streams()
    notice = Notice(meeting.notify, sys.stdout)
    plain = PlainPresenter(lines, sys.stdout, open_url=meeting.open_url, notice=notice)
    face = LineFace(console, plain, lines, before_reading=plain.settle)
    return await Conversation(meeting.settings, face, transcript=meeting.transcript).run()


async def _script(meeting: Meeting) -> ExitCode:
    console, lines = _streams()

    def unanswered(error: NoScriptedAnswer) -> None:
        console.release()
        console.complain("", str(error))
        logging.disable()  # whatever fails from here on has this reason
        conversation.leave(ExitCode.UNANSWERED)

    script = ScriptPresenter(
        meeting.rules, out=sys.stdout, open_url=meeting.open_url, on_unanswered=unanswered
    )
    face = LineFace(console, script, lines)
    conversation = Conversation(meeting.settings, face, transcript=meeting.transcript)
    code = await conversation.run()
    if meeting.tells_idle_rules and code == ExitCode.DONE and script.idle_rules:
        numbers = ", ".join(map(str, script.idle_rules))
        idle = tr_count(
            "rule {numbers} of the answers file answered nothing",
            "rules {numbers} of the answers file answered nothing",
            len(script.idle_rules),
            numbers=numbers,
        )
        console.complain(idle)
    return code


async def _tui(meeting: Meeting) -> ExitCode:
    from acp_elicitation.cli.tui.face import converse_on_screen

    return await converse_on_screen(meeting)


async def _web(meeting: Meeting) -> ExitCode:
    from acp_elicitation.cli.web.run import converse_in_page

    return await converse_in_page(meeting)


def _streams() -> tuple[Console, DescriptorLines]:
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    console = Console(sys.stdout, sys.stderr, dim=sys.stderr.isatty())
    logging.basicConfig(handlers=[console.log_handler()], level=logging.WARNING)
    return console, DescriptorLines(encoding=sys.stdin.encoding)


_Run: TypeAlias = Callable[[Meeting], Awaitable[ExitCode]]

FACES: Mapping[str, _Run] = MappingProxyType(
    {"plain": _plain, "script": _script, "tui": _tui, "web": _web}
)
"""By the names that `--ui` takes. What only one of them needs is imported by it alone."""

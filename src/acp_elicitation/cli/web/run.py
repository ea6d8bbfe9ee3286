"""Running a conversation whose place is a page: the server, the address, and the end.

Owns: what the terminal says meanwhile, and how long the page lasts when all is over.
Knows nothing of: how anything looks. Above it: `faces`. Below it: `face`, `conversation`,
`presenters.web.server`.
"""

import asyncio
import contextlib
import logging
import signal
import sys

from acp_elicitation.cli.conversation import Conversation
from acp_elicitation.cli.face import ExitCode
from acp_elicitation.cli.faces import Meeting
from acp_elicitation.cli.web.face import WebFace
from acp_elicitation.presenters.notice import Notice
from acp_elicitation.presenters.web.desk import Desk
from acp_elicitation.presenters.web.server import serving
from acp_elicitation.text.language import tr

__all__ = ["converse_in_page"]

_LAST_LOOK = 1.0
"""Seconds in which a browser gets the last page that it has asked for."""

_ABANDONED = 5.0
"""Seconds without a tab that listens, until a page whose conversation is over is nobody's."""


async def converse_in_page(meeting: Meeting) -> ExitCode:
    """Have one conversation in a page on this machine; returns when its user has left it."""
    desk = Desk()
    desk.landing = "notice"
    face = WebFace(desk, call_user=Notice(meeting.notify, sys.stdout).call)
    logging.basicConfig(handlers=[face.log_handler()], level=logging.WARNING)
    conversation = Conversation(meeting.settings, face, transcript=meeting.transcript)
    async with serving(face.questions) as address:
        opening = asyncio.create_task(_announce(address, meeting))
        try:
            code = await conversation.run()
            if code in (ExitCode.DONE, ExitCode.AGENT_FAILED):
                await _stay(desk, face)
        finally:
            opening.cancel()
    if code == ExitCode.AGENT_FAILED:
        for complaint in face.complaints:
            print(f"acp-elicit: {complaint}", file=sys.stderr)
    return code


async def _announce(address: str, meeting: Meeting) -> None:
    """Say where the page is, and open it."""
    print(
        tr(
            "The conversation is in a page of your browser. Ctrl-C here cancels a question or a "
            "turn, and otherwise ends it."
        )
    )
    opened = meeting.open_url is not None and await asyncio.to_thread(meeting.open_url, address)
    if opened:
        print(tr("Opened in the browser. The address, for that browser alone:"))
    else:
        print(tr("Open this address in your browser:"))
    print(f"  {address}", flush=True)


async def _stay(desk: Desk, face: WebFace) -> None:
    """Return when nobody reads the end any more."""
    if not face.is_read_on:
        await asyncio.sleep(_LAST_LOOK)
        return
    print(tr("The conversation is over. The page lasts until it is closed; Ctrl-C ends it."))
    leaving = asyncio.create_task(desk.events.abandoned(_ABANDONED))
    loop = asyncio.get_running_loop()
    with contextlib.suppress(NotImplementedError):  # Windows
        loop.add_signal_handler(signal.SIGINT, leaving.cancel)
    try:
        await asyncio.wait([leaving])
    finally:
        leaving.cancel()
        with contextlib.suppress(NotImplementedError):
            loop.remove_signal_handler(signal.SIGINT)

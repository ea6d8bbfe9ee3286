"""A chat on a full screen in a test: with a real agent, and a user who presses keys."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from textual.pilot import Pilot

from acp_elicitation.cli.conversation import Conversation, Settings
from acp_elicitation.cli.face import ExitCode
from acp_elicitation.cli.feed import Feed
from acp_elicitation.cli.tui.app import ChatApp
from acp_elicitation.cli.tui.face import TuiFace
from acp_elicitation.presenters.tui import TuiPresenter
from tests.unit.cli.test_chat import AGENT
from tests.unit.presenters.tui.shown import shown

__all__ = ["Talk", "talking"]

_LIMIT = 20.0


class Talk:
    """A conversation that runs on a screen."""

    def __init__(self, pilot: Pilot[None], app: ChatApp, face: TuiFace) -> None:
        self.pilot = pilot
        self.app = app
        self.face = face
        self.ended: asyncio.Task[ExitCode] | None = None

    @property
    def seen(self) -> str:
        """What stands on the screen, the frames beside it left out."""
        return " ".join(shown(self.app.screen).translate(dict.fromkeys(map(ord, "│▌▊▎"))).split())

    async def until(self, is_so: Callable[[], bool]) -> None:
        """Return when this is so."""
        try:
            async with asyncio.timeout(_LIMIT):
                while not is_so():
                    await self.pilot.pause()
        except TimeoutError:
            raise AssertionError(f"it never came to that, but:\n{shown(self.app.screen)}") from None

    async def expects(self, *texts: str) -> None:
        """Return when the texts stand on the screen."""
        await self.until(lambda: all(text in self.seen for text in texts))

    async def says(self, text: str) -> None:
        """Type a prompt, and send it."""
        await self.until(lambda: self.app.prompt.can_send and self.app.prompt.has_focus)
        self.app.prompt.text = text
        await self.pilot.press("enter")


@asynccontextmanager
async def talking(
    *,
    agent: tuple[str, ...] = AGENT,
    prompts: tuple[str, ...] | None = None,
    size: tuple[int, int] = (80, 24),
) -> AsyncIterator[Talk]:
    """Have a conversation with `agent` for the length of the block."""
    feed = Feed()
    app = ChatApp(feed)
    face = TuiFace(app, feed, TuiPresenter(app, open_url=None))
    settings = Settings(command=agent, cwd=os.getcwd(), prompts=prompts)
    conversation = Conversation(settings, face)
    async with app.run_test(size=size) as pilot:
        talk = Talk(pilot, app, face)
        talk.ended = asyncio.create_task(conversation.run())
        try:
            yield talk
        finally:
            if not talk.ended.done():
                conversation.leave(ExitCode.DONE)
            await asyncio.wait([talk.ended])

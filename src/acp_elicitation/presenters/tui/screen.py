"""The frame of every question on a full screen: who asks, what, and the ways out.

Owns: `ElicitationScreen`: the asker, the message, how many questions wait, and the row of controls
with Decline and Cancel. Knows nothing of: what a form, a link or a permission looks like (see
`body` and the bodies), and what becomes of a reply.
Above it: `presenter`, any Textual application. Below it: `body`, `said`, `client.prompts`.

The message and the body scroll, the asker and the controls never do. Escape cancels, ctrl+d
declines and ctrl+s goes on, from wherever the focus is (UI-3). Where a way out would lose what the
user has typed, it has to be taken twice: the first time only tells what would be lost. A question
that has just come up takes no answer for a moment, nor as long as keys keep coming in from then on:
what was meant for the question before, or is a key that is held down, answers nothing.
"""

import asyncio
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar, Literal, TypeAlias, assert_never

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding as Key
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.timer import Timer
from textual.widgets import Button

from acp_elicitation.client.prompts import FormPrompt, LinkPrompt, PermissionPrompt, Prompt, Reply
from acp_elicitation.presenters.tui.body import MAIN_KEY, Body, Control
from acp_elicitation.presenters.tui.controls import Controls, id_of, name_of
from acp_elicitation.presenters.tui.form_body import FormBody
from acp_elicitation.presenters.tui.link_body import LinkBody
from acp_elicitation.presenters.tui.permission_body import PermissionBody
from acp_elicitation.presenters.tui.said import Quote, Words, told
from acp_elicitation.protocol.answers import Cancelled, Declined
from acp_elicitation.text.language import tr, tr_count

__all__ = ["ElicitationScreen", "OpenUrl"]

OpenUrl: TypeAlias = Callable[[str], bool]
"""Opens a URL where the user can see it; returns whether that worked. It may block."""

_WayOut: TypeAlias = Literal["decline", "cancel", "decline-all"]

_WAYS = frozenset(("escape", "ctrl+d"))
_EVERY = 0.5
"""Seconds between two looks at how many questions wait."""


class ElicitationScreen(ModalScreen[Reply]):
    """Shows one question over any application, and is dismissed with the user's reply.

    `reply` gives it as well, and is `Cancelled()` when the screen goes away in any other way.
    """

    CSS_PATH = Path(__file__).with_name("style.tcss")  # for subclasses in other places too
    AUTO_FOCUS = ""
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (64, "-wide")]  # noqa: RUF012  # as the base class has it
    VERTICAL_BREAKPOINTS = [(0, "-low"), (22, "-high")]  # noqa: RUF012  # as the base class has it
    BINDINGS: ClassVar[list[BindingType]] = [
        Key("escape", "leave('cancel')", show=False),
        Key("ctrl+d", "leave('decline')", show=False, priority=True),
        Key(MAIN_KEY, "main", show=False, priority=True),
        Key("pagedown", "page(1)", show=False),
        Key("pageup", "page(-1)", show=False),
    ]
    settle_seconds: float = 0.4
    """Seconds without any answer, before the first one counts: keys on their way answer nothing."""

    def __init__(self, prompt: Prompt, *, open_url: OpenUrl | None = None) -> None:
        """Ask what `prompt` asks; None for `open_url` has the user open links."""
        super().__init__()
        self.prompt = prompt
        self.body = _body_of(prompt, open_url)
        self._reply: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._warned_of: _WayOut | None = None
        self._settling: Timer | None = None
        self.is_settled = False
        """Whether answers are taken, see `settle_seconds`."""

    async def reply(self) -> Reply:
        """Return what the user answered, once the screen is gone.

        It is `Cancelled()` where the screen was taken away, or the application ended (RES-1).
        """
        return await asyncio.shield(self._reply)

    def compose(self) -> ComposeResult:
        """Build the frame around the body."""
        asker = self.prompt.asker
        with Vertical(id="frame"):
            yield Words(told(self.body.opening, asker.name, style="bold"), id="asker")  # UI-1
            with VerticalScroll(id="question"):
                if asker.command:
                    command = told(tr("Started by the command: {}"), shlex.join(asker.command))
                    yield Words(command, id="command")
                yield Quote(self.body.message, id="message")  # UI-6
                yield self.body
            with Vertical(id="foot"):
                yield Words(id="notice")
                yield Controls(id="controls")
                with Horizontal(id="others"):
                    yield Words(id="waiting")
                    yield Button(id="decline-all", compact=True)

    async def on_mount(self) -> None:
        """Show the controls, and begin at the beginning."""
        await self._draw_controls()
        self.count()
        self.set_interval(_EVERY, self.count)
        self._settling = self.set_timer(max(self.settle_seconds, 0.001), self._take_answers)
        self.call_after_refresh(self._focus_first)

    def _take_answers(self) -> None:
        self.is_settled = True

    def on_resize(self) -> None:
        """Keep what has the focus in view."""
        self.call_after_refresh(self._show_focused)

    def _show_focused(self) -> None:
        if self.focused is not None:
            self.focused.scroll_visible(animate=False)

    def _comes_too_early(self) -> bool:
        """Whether no answer counts yet; one that comes all the same has the question wait on."""
        if not self.is_settled and self._settling is not None:
            self._settling.reset()
        return not self.is_settled

    def on_unmount(self) -> None:
        """A screen that is taken away was not answered: never an accept (RES-1)."""
        self._settle(Cancelled())

    @on(Body.Answered)
    def _take_answer(self, event: Body.Answered) -> None:
        event.stop()
        self._finish(event.reply)

    @on(Body.ControlsChanged)
    async def _change_controls(self, event: Body.ControlsChanged) -> None:
        event.stop()
        await self._draw_controls()
        if event.focus is not None:
            self.query_one(f"#{id_of(event.focus)}").focus()

    @on(Body.Edited)
    def _go_on(self, event: Body.Edited) -> None:
        event.stop()
        self._forget_warning()

    @on(Button.Pressed)
    async def _press(self, event: Button.Pressed) -> None:
        event.stop()
        if self._comes_too_early():
            return
        match event.button.id:
            case "decline" | "cancel" | "decline-all" as way:
                self.action_leave(way)
            case str() as id:
                await self.body.press(name_of(id))

    def action_leave(self, way: _WayOut) -> None:
        """Take a way out, unless something typed would be lost that the user was not told of."""
        if self._comes_too_early() or (way == "decline" and not self.body.can_decline):
            return
        if (way == "cancel" and self.body.step_back()) or self.holds_back(way):
            return
        if way == "decline-all" and self.prompt.decline_all is not None:
            self.prompt.decline_all()
        self._finish(Cancelled() if way == "cancel" else Declined())

    def holds_back(self, way: _WayOut) -> bool:
        """Tell what this way out would lose; False where that is nothing, or was told before."""
        if not self.body.is_touched or self._warned_of == way:
            return False
        self._warned_of = way
        self._say(_word_loss(way))
        return True

    async def action_main(self) -> None:
        """Press the control that has the main key."""
        for control in self.body.controls():
            if control.key == MAIN_KEY and not self._comes_too_early():
                await self.body.press(control.id)

    def on_key(self, event: events.Key) -> None:
        """Any other key goes on with the question: the next way out is the first one again."""
        self._comes_too_early()
        if event.key not in _WAYS:
            self._forget_warning()

    def _forget_warning(self) -> None:
        self._warned_of = None
        self._say("")

    def _finish(self, reply: Reply) -> None:
        if not self._reply.done():
            self._settle(reply)
            self.dismiss(reply)

    def _settle(self, reply: Reply) -> None:
        if not self._reply.done():
            self._reply.set_result(reply)

    def _say(self, words: str) -> None:
        notice = self.query_one("#notice", Words)
        notice.say(words)
        notice.display = bool(words)

    def _focus_first(self) -> None:
        if not self.body.focus_first():
            way = "decline" if self.body.can_decline else "cancel"
            self.query_one(f"#{way}", Button).focus()

    async def _draw_controls(self) -> None:
        controls = [*self.body.controls()]
        if self.body.can_decline:
            controls.append(Control("decline", tr("Decline"), key="ctrl+d"))
        controls.append(Control("cancel", tr("Cancel"), key="esc"))
        await self.query_one(Controls).draw(controls)

    def action_page(self, direction: int) -> None:
        """Scroll the question by a page."""
        scroll = self.query_one("#question", VerticalScroll)
        scroll.scroll_relative(y=direction * max(scroll.size.height - 1, 1), animate=False)

    def count(self) -> None:
        """Say how many questions wait, now, and offer to decline those of this agent."""
        count = self.prompt.waiting
        self.query_one("#waiting", Words).say(
            tr_count(
                "{count} more question waits after this one.",
                "{count} more questions wait after this one.",
                count,
            )
        )
        others = self.prompt.waiting_from_asker if self.prompt.decline_all else 0
        button = self.query_one("#decline-all", Button)
        button.display = others > 0
        button.label = Content(tr("Decline all {count}", count=others + 1))
        self.query_one("#others").display = count > 0 or others > 0


def _body_of(prompt: Prompt, open_url: OpenUrl | None) -> Body:
    match prompt:
        case FormPrompt():
            return FormBody(prompt)
        case LinkPrompt():
            return LinkBody(prompt, open_url=open_url)
        case PermissionPrompt():
            return PermissionBody(prompt)
        case _ as never:
            assert_never(never)


def _word_loss(way: _WayOut) -> str:
    match way:
        case "cancel":
            return tr("What you have typed would be lost. Cancel again to dismiss the question.")
        case "decline" | "decline-all":
            return tr("What you have typed would be lost. Decline again to say no.")
        case _ as never:
            assert_never(never)

"""The chat on a full screen: the conversation, the prompt and the status line, and their keys.

Owns: how the screen is laid out, and what its keys do. Knows nothing of: how a conversation runs,
and how questions are shown, which come over it. Above it: `face`. Below it: the widgets beside it.
"""

import os
from collections.abc import Callable
from typing import ClassVar

from textual import on
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import TextArea

from acp_elicitation.cli.feed import Feed
from acp_elicitation.cli.tui.log import ConversationLog
from acp_elicitation.cli.tui.prompt import PromptArea
from acp_elicitation.cli.tui.status import StatusLine
from acp_elicitation.presenters.lines import Line, Stop
from acp_elicitation.text.language import tr

__all__ = ["ChatApp"]

_DARK, _LIGHT = "textual-dark", "textual-light"
_LIGHT_BACKGROUNDS = frozenset(("7", "15"))
_FEW_ROWS = 16


class ChatApp(App[None]):
    """The screen of one conversation."""

    ENABLE_COMMAND_PALETTE = False
    TITLE = "acp-elicit"
    CSS = """
    Screen { layout: vertical; }
    PromptArea { display: none; margin-top: 1; }
    PromptArea.-open { display: block; }
    PromptArea.-short { margin-top: 0; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        # Before everything that has the focus: no widget may keep its user here.
        Binding("ctrl+c", "copy_or_interrupt", show=False, priority=True),
        Binding("ctrl+q", "leave", show=False, priority=True),
        Binding("ctrl+t", "change_theme", show=False),
        Binding("enter,escape,ctrl+d", "leave_when_over", show=False),
        Binding("pageup,up", "scroll_log(-1)", show=False),
        Binding("pagedown,down", "scroll_log(1)", show=False),
    ]

    def __init__(self, feed: Feed) -> None:
        super().__init__()
        self.log_view = ConversationLog(feed)
        self.prompt = PromptArea()
        self.prompt.disabled = True  # as it is not shown, it takes no keys either
        self.status = StatusLine()
        self.on_line: Callable[[Line], None] = lambda line: None
        """Takes what the user says at the prompt, or that there is nothing more."""
        self.on_interrupt: Callable[[], None] = lambda: None
        self.on_leave: Callable[[], None] = lambda: None
        self.on_ready: Callable[[], None] = lambda: None
        self.is_over = False
        """Whether nothing is left to do here but to leave."""
        if "TEXTUAL_THEME" not in os.environ:
            self.theme = _theme_of(os.environ.get("COLORFGBG", ""))

    def compose(self) -> ComposeResult:
        """Lay it out."""
        yield self.log_view
        yield self.prompt
        yield self.status

    def on_mount(self) -> None:
        """Begin."""
        self.on_ready()

    def on_resize(self) -> None:
        """Save rows where there are few."""
        self.prompt.set_class(self.size.height < _FEW_ROWS, "-short")

    def open_prompt(self) -> None:
        """Have the user type."""
        self.prompt.can_send = True
        self.prompt.disabled = False
        self.prompt.add_class("-open")
        if self.screen is self.screen_stack[0]:
            self.prompt.focus()

    def close_prompt(self) -> None:
        """Take the prompt away: what is typed now goes nowhere."""
        self.prompt.remove_class("-open")
        self.prompt.disabled = True

    @on(PromptArea.Sent)
    def _send(self, event: PromptArea.Sent) -> None:
        self.on_line(event.text)

    @on(PromptArea.Ended)
    def _end(self) -> None:
        self.on_line(Stop.END)

    @on(PromptArea.Scrolled)
    def _scroll(self, event: PromptArea.Scrolled) -> None:
        self.action_scroll_log(event.pages)

    @on(PromptArea.NotYet)
    def _say_not_yet(self) -> None:
        self.status.flash(tr("The agent is still working. Ctrl-C cancels its turn."))

    def action_scroll_log(self, pages: int) -> None:
        """Scroll the conversation, which never has the focus."""
        if pages < 0:
            self.log_view.scroll_page_up()
        else:
            self.log_view.scroll_page_down()

    def action_leave_when_over(self) -> None:
        """Leave, if there is nothing else to do."""
        if self.is_over:
            self.on_leave()

    def call_user(self, sequence: str) -> None:
        """Write what calls a user who looks elsewhere; between two drawings, never into one."""
        if sequence and self._driver is not None and not self.is_headless:
            self._driver.write(sequence)

    def action_copy_or_interrupt(self) -> None:
        """Copy what is selected; where nothing is, Ctrl-C is meant for the agent."""
        selected = self._take_selected()
        if selected:
            self.copy_to_clipboard(selected)
            self.status.flash(tr("Copied."))
        else:
            self.on_interrupt()

    def _take_selected(self) -> str:
        focused = self.screen.focused
        if isinstance(focused, TextArea) and focused.selected_text:
            text = focused.selected_text
            focused.selection = type(focused.selection).cursor(focused.cursor_location)
            return text
        text = self.screen.get_selected_text() or ""
        self.screen.clear_selection()
        return text

    def action_leave(self) -> None:
        """Leave the conversation."""
        self.on_leave()

    def action_change_theme(self) -> None:
        """Go from dark to light, or back."""
        self.theme = _LIGHT if self.current_theme.dark else _DARK


def _theme_of(colours: str) -> str:
    """Return the theme that fits the terminal's colours, which some name as "15;0"."""
    return _LIGHT if colours.rpartition(";")[2] in _LIGHT_BACKGROUNDS else _DARK

"""Where the user types what to say: one line that grows, with what was said before at hand.

Owns: which key sends, which breaks the line, and the history. Knows nothing of: conversations.
Above it: `app`. Below it: Textual.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import ClassVar

from textual import events
from textual.message import Message
from textual.widgets import TextArea

from acp_elicitation.text.language import tr

__all__ = ["PromptArea"]

_MOST_REMEMBERED = 100


class PromptArea(TextArea):
    """A text area that Enter sends."""

    DEFAULT_CSS: ClassVar[str] = """
    PromptArea {
        height: auto;
        max-height: 8;
        border: none;
        border-left: outer $success;
        padding: 0 1;
        &:focus { border: none; border-left: outer $success; }
    }
    PromptArea.-short { max-height: 3; }
    """

    class Sent(Message):
        """The user has said `text`."""

        def __init__(self, text: str) -> None:
            self.text = text
            super().__init__()

    class NotYet(Message):
        """The user has sent something while nobody takes it; it still stands here."""

    class Ended(Message):
        """The user has nothing more to say: Ctrl-D where nothing stands."""

    class Scrolled(Message):
        """The user wants to see more of the conversation: pages `up` are negative."""

        def __init__(self, pages: int) -> None:
            self.pages = pages
            super().__init__()

    def __init__(self) -> None:
        super().__init__(
            soft_wrap=True,
            show_line_numbers=False,
            highlight_cursor_line=False,
            tab_behavior="focus",
            placeholder=tr("Type a prompt, Enter sends it"),
        )
        self.can_send = False
        """Whether somebody takes what is said."""
        self._said: list[str] = []
        self._place = 0
        """Where in the history its user is; after its end stands what is being typed."""
        self._typed = ""

    async def _on_key(self, event: events.Key) -> None:
        """Act on keys in the order in which they are typed: a binding would overtake letters."""
        action = _ACTIONS.get(event.key)
        if action is None:
            await super()._on_key(event)
            return
        event.stop()
        event.prevent_default()
        action(self)

    def action_send(self) -> None:
        """Say what stands here."""
        text = self.text
        if not text.strip():
            return
        if not self.can_send:
            self.post_message(self.NotYet())
            return
        self.clear()
        if not self._said or self._said[-1] != text:
            self._said = [*self._said, text][-_MOST_REMEMBERED:]
        self._place = len(self._said)
        self.post_message(self.Sent(text))

    def action_break_line(self) -> None:
        """Go on in the next line."""
        self.insert("\n")

    def action_end_or_delete(self) -> None:
        """End the conversation, or delete what is to the right, as a shell does."""
        if self.text:
            self.action_delete_right()
        elif self.can_send:
            self.post_message(self.Ended())

    def action_scroll_up(self) -> None:
        """Scroll the conversation, which never has the focus."""
        self.post_message(self.Scrolled(-1))

    def action_scroll_down(self) -> None:
        """Scroll the conversation, which never has the focus."""
        self.post_message(self.Scrolled(1))

    def action_cursor_up(self, select: bool = False) -> None:
        """Go up a line, and from the first line back in the history."""
        if not select and self.cursor_at_first_line and self._place > 0:
            self._go_to(self._place - 1)
        else:
            super().action_cursor_up(select)

    def action_cursor_down(self, select: bool = False) -> None:
        """Go down a line, and from the last line forward in the history."""
        if not select and self.cursor_at_last_line and self._place < len(self._said):
            self._go_to(self._place + 1)
        else:
            super().action_cursor_down(select)

    def _go_to(self, place: int) -> None:
        if self._place == len(self._said):
            self._typed = self.text
        self._place = place
        self.text = self._typed if place == len(self._said) else self._said[place]
        self.move_cursor(self.document.end)

    async def _on_paste(self, event: events.Paste) -> None:
        """Take pasted lines as they are: none of them sends."""
        event.text = event.text.replace("\r\n", "\n").replace("\r", "\n")
        await super()._on_paste(event)


_ACTIONS: Mapping[str, Callable[[PromptArea], None]] = MappingProxyType(
    {
        "enter": PromptArea.action_send,
        "ctrl+j": PromptArea.action_break_line,
        "shift+enter": PromptArea.action_break_line,
        "alt+enter": PromptArea.action_break_line,
        "ctrl+d": PromptArea.action_end_or_delete,
        "pageup": PromptArea.action_scroll_up,
        "pagedown": PromptArea.action_scroll_down,
    }
)

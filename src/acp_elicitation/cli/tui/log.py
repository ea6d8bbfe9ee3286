"""The conversation so far, on the screen: it scrolls, follows its end, and can be selected.

Owns: how each kind of block looks, and when what has changed is drawn.
Knows nothing of: what is said (see `cli.feed`). Above it: `app`. Below it: `cli.feed`, Textual.

What the agent says stands behind a bar of its own, which nothing that it writes can draw (UI-1).
Nothing in it is markup, and no address can be clicked (FORM-8).
"""

from collections.abc import Mapping
from typing import ClassVar

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from acp_elicitation.cli.feed import Block, BlockKind, Feed
from acp_elicitation.text.language import tr, tr_later
from acp_elicitation.text.terminal import visible

__all__ = ["ConversationLog"]

_DRAWS_PER_SECOND = 15

_HEADS: Mapping[BlockKind, str] = {
    "you": tr_later("You:"),
    "agent": tr_later("Agent:"),
    "thought": tr_later("Thought:"),
    "tool": tr_later("Tool:"),
    "plan": tr_later("Plan:"),
    "bad": "!",
}
_BESIDE = frozenset(("tool", "bad"))
"""Kinds whose head stands on the same line as their text."""


class _Words(Static):
    """One block."""

    def __init__(self, block: Block, *, headed: bool) -> None:
        self._headed = headed
        super().__init__(self._content(block), markup=False, classes=f"-{block.kind}")

    def change(self, block: Block) -> None:
        """Draw the block as it is now."""
        self.update(self._content(block))

    def _content(self, block: Block) -> Content:
        text = Content(visible(block.text.removesuffix("\n")))
        head = _HEADS.get(block.kind)
        if head is None or not self._headed:
            return text
        between = " " if block.kind in _BESIDE else "\n"
        return Content.assemble((tr(head) if head != "!" else head, "bold"), between, text)


class ConversationLog(VerticalScroll):
    """Shows a `Feed`, and follows its end unless its user has scrolled away from it."""

    can_focus = False
    """It is scrolled by the mouse, and by keys that the prompt hands on."""

    DEFAULT_CSS: ClassVar[str] = """
    ConversationLog {
        height: 1fr;
        padding: 0 1;
        scrollbar-size-vertical: 1;
    }
    ConversationLog > _Words { height: auto; margin: 0; padding: 0 0 0 1; }
    ConversationLog > _Words.-spaced { margin-top: 1; }
    ConversationLog > _Words.-agent { border-left: outer $primary; }
    ConversationLog > _Words.-thought {
        border-left: outer $surface-lighten-2; color: $text-muted; text-style: italic;
    }
    ConversationLog > _Words.-tool, ConversationLog > _Words.-plan {
        border-left: outer $secondary;
    }
    ConversationLog > _Words.-you { border-left: outer $success; }
    ConversationLog > _Words.-own { color: $text-muted; padding: 0; }
    ConversationLog > _Words.-bad { color: $text-error; padding: 0; }
    ConversationLog > _Words.-noise { color: $text-disabled; padding: 0; }
    """

    def __init__(self, feed: Feed) -> None:
        super().__init__()
        self._feed = feed
        self._shown: dict[int, _Words] = {}
        self._last: Block | None = None

    def compose(self) -> ComposeResult:
        """Begin empty."""
        return ()

    def on_mount(self) -> None:
        """Look for changes from now on."""
        self.anchor()
        self.set_interval(1 / _DRAWS_PER_SECOND, self.draw)

    def draw(self) -> None:
        """Draw what has changed."""
        if not self._feed.has_changed:
            return
        blocks, changed = self._feed.take_changes()
        kept = {block.id for block in blocks}
        gone = [id for id in self._shown if id not in kept]
        if gone:
            self.app.batch_update()
            self.remove_children([self._shown.pop(id) for id in gone])
        new = []
        for block in blocks:
            words = self._shown.get(block.id)
            if words is None:
                new.append(self._first_drawn(block))
            elif block.id in changed:
                words.change(block)
            self._last = block
        if new:
            self.mount_all(new)

    def _first_drawn(self, block: Block) -> _Words:
        last = self._last
        same = last is not None and last.kind == block.kind
        goes_on = same and (block.goes_on or block.kind in ("thought", "agent"))
        words = _Words(block, headed=not goes_on)
        words.set_class(not same, "-spaced")
        self._shown[block.id] = words
        return words

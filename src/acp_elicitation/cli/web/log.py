"""The conversation so far, in the page: every tab follows it while it goes on.

Owns: how each kind of block looks as HTML, and when the tabs are told of what has changed.
Knows nothing of: what is said (see `cli.feed`), and what else is in the page.
Above it: `face`. Below it: `cli.feed`, `presenters.web.desk`, `text.html`.

All of it is text: nothing that the agent says is markup, and no address can be clicked (FORM-8).
"""

import asyncio
from collections.abc import Mapping
from types import MappingProxyType

from acp_elicitation.cli.feed import Block, BlockKind, Feed
from acp_elicitation.presenters.web.desk import Desk
from acp_elicitation.presenters.web.events import Change
from acp_elicitation.text.html import Html, element, join
from acp_elicitation.text.language import tr, tr_later

__all__ = ["PageLog"]

_REGION = "log"
_PAUSE = 0.2
"""Seconds between two changes: text that runs is not told word by word."""

_HEADS: Mapping[BlockKind, str] = MappingProxyType(
    {
        "you": tr_later("You:"),
        "agent": tr_later("Agent:"),
        "thought": tr_later("Thought:"),
        "tool": tr_later("Tool:"),
        "plan": tr_later("Plan:"),
    }
)


class PageLog:
    """Shows a `Feed` in a region of the page."""

    def __init__(self, feed: Feed, desk: Desk) -> None:
        """Add the region to `desk`, below those that it has by now."""
        self._feed = feed
        self._desk = desk
        self._shown: dict[int, bool] = {}
        """The ids of the blocks that the page has, and whether they have a head."""
        self._blocks: list[Block] = []
        self._next: asyncio.TimerHandle | None = None
        # Running text is not read out: what the agent does is told by the state below it.
        desk.add_region(_REGION, self._draw, role="log", **{"aria-live": "off"})

    def touch(self) -> None:
        """Something may have been said: tell the tabs soon."""
        if self._next is None and self._feed.has_changed:
            self._next = asyncio.get_running_loop().call_later(_PAUSE, self.tell)

    def tell(self) -> None:
        """Tell the tabs now."""
        if self._next is not None:
            self._next.cancel()
            self._next = None
        if not self._feed.has_changed:
            return
        blocks, changed = self._feed.take_changes()
        kept = {block.id for block in blocks}
        gone = [id for id in self._shown if id not in kept]
        for id in gone:
            del self._shown[id]
        replaced, added = {}, []
        last = self._blocks[-1] if self._blocks else None
        for block in blocks:
            if block.id not in self._shown:
                self._shown[block.id] = not _goes_on(block, last)
                added.append(self._draw_block(block))
            elif block.id in changed:
                replaced[_id(block)] = self._draw_content(block)
            last = block
        self._blocks = blocks
        self._desk.events.publish(
            Change(
                replace=replaced,
                append={_REGION: join(*added)} if added else {},
                remove=tuple(f"said-{id}" for id in gone),
            )
        )

    def _draw(self) -> Html:
        self.tell()  # so that a page which is drawn now has all of it, and every tab the same
        return join(*map(self._draw_block, self._blocks))

    def _draw_block(self, block: Block) -> Html:
        attributes = {"class": f"said {block.kind}", "id": _id(block)}
        return element("div", attributes, self._draw_content(block))

    def _draw_content(self, block: Block) -> Html:
        words = element("div", {"class": "words", "dir": "auto"}, block.text.removesuffix("\n"))
        head = _HEADS.get(block.kind)
        if head is None or not self._shown[block.id]:
            return words
        return join(element("p", {"class": "who"}, tr(head)), words)


def _id(block: Block) -> str:
    return f"said-{block.id}"


def _goes_on(block: Block, last: Block | None) -> bool:
    """Whether a block says more of what the one before it says, and so needs no head."""
    same = last is not None and last.kind == block.kind
    return same and (block.goes_on or block.kind in ("agent", "thought"))

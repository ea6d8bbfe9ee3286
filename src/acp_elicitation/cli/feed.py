"""What was said in a conversation so far, as a bounded list of blocks that a screen follows.

Owns: which words form one block, which block a later word changes, and how much is kept.
Knows nothing of: how a block looks, and when it is drawn. Above it: the faces with a screen.
Below it: `updates`, `text.terminal`.

An agent can say far more than a screen can draw: only the end of it is kept, and it is told how
much was left out.
"""

import itertools
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from acp_elicitation.cli.updates import Kind, Step, word_tool
from acp_elicitation.text.language import tr, tr_count
from acp_elicitation.text.terminal import one_line

__all__ = ["Block", "BlockKind", "Feed"]

BlockKind: TypeAlias = Literal["you", "agent", "thought", "tool", "plan", "own", "bad", "noise"]

_MOST_BLOCKS = 300
_MOST_AT_ONCE = 40
"""Blocks that came between two looks of the screen and are still worth drawing."""
_LONGEST_BLOCK = 4_000
"""Code points of one block; a text that is longer goes on in the next one."""
_LONGEST_LINE = 500
_NOISE_LINES = 20


@dataclass(slots=True, eq=False)
class Block:
    """Words of one kind that stand together. What the agent said in them is as it came: data."""

    id: int
    kind: BlockKind
    text: str
    key: str = ""
    """Which of the agent's messages, tools and plans it is."""
    goes_on: bool = False
    """Whether it goes on from the block before, which was full."""


class Feed:
    """What was said. It is a `Shows`."""

    def __init__(self) -> None:
        self._blocks: deque[Block] = deque()
        self._ids = itertools.count(1)
        self._changed: set[int] = set()
        self._seen = 0
        """The id of the newest block that the screen has taken."""
        self._left_out = 0

    def take_changes(self) -> tuple[list[Block], set[int]]:
        """Return all blocks that are kept, in order, and the ids of those new or changed since.

        Too many at once are reduced to the latest.
        """
        new = [block for block in self._blocks if block.id > self._seen]
        if len(new) > _MOST_AT_ONCE:
            gone = {block.id for block in new[:-_MOST_AT_ONCE]}
            self._blocks = deque(block for block in self._blocks if block.id not in gone)
            self._left_out += len(gone)
        if self._left_out:
            self._tell_what_is_left_out()
        changed, self._changed = self._changed, set()
        self._seen = self._blocks[-1].id if self._blocks else self._seen
        return list(self._blocks), changed

    @property
    def has_changed(self) -> bool:
        """Whether there is anything to take."""
        return bool(self._changed)

    def _tell_what_is_left_out(self) -> None:
        count, self._left_out = self._left_out, 0
        words = tr_count(
            "({count} block more was left out: it came faster than it could be shown)",
            "({count} blocks more were left out: they came faster than they could be shown)",
            count,
        )
        self._add("own", words)

    # --- what is said by others than the agent ----------------------------------------------------

    def say(self, prompt: str) -> None:
        """Add what the user said."""
        self._add("you", prompt[:_LONGEST_BLOCK])

    def tell(self, own: str, untrusted: str = "", *, bad: bool = False) -> None:
        """Add something of our own, with `untrusted` in the place of its `{}`."""
        before, _, after = own.partition("{}")
        text = before + one_line(untrusted, _LONGEST_BLOCK) + after
        self._add("bad" if bad else "own", text)

    def add_noise(self, own: str, line: bytes) -> None:
        """Add a line that the agent wrote where no messages belong; the latest few are kept."""
        text = own + one_line(line.decode("utf-8", "replace"), _LONGEST_LINE)
        last = self._last()
        if last is None or last.kind != "noise":
            self._add("noise", text)
            return
        lines = [*last.text.split("\n"), text]
        last.text = "\n".join(lines[-_NOISE_LINES:])
        self._changed.add(last.id)

    # --- what the agent does ----------------------------------------------------------------------

    def show_text(self, kind: Kind, message: str, text: str, *, anew: bool) -> None:
        """Let a message go on, or stand anew."""
        last = self._last()
        runs = last is not None and (last.kind, last.key) == (kind, message)
        if anew and runs:
            self._drop_message(kind, message)
            runs = False
        is_full = False
        while text:
            last = self._last()
            if last is None or not runs or is_full or len(last.text) >= _LONGEST_BLOCK:
                last = self._add(kind, "", key=message, goes_on=runs)
                runs = True
            end = _place_to_break(text, _LONGEST_BLOCK - len(last.text))
            last.text += text[:end]
            self._changed.add(last.id)
            text = text[end:]
            is_full = True

    def show_tool(self, id: str, title: str, status: str) -> None:
        """Add a tool call, or change it where it stands."""
        self._put("tool", id, one_line(word_tool(title, status)))

    def show_plan(self, id: str, steps: Sequence[Step]) -> None:
        """Add a plan in place of the one before, which is taken away: it is to be seen."""
        old = self._find("plan", id)
        if old is not None:
            self._blocks.remove(old)
        lines = (f"{one_line(status)}: {one_line(content)}" for status, content in steps)
        self._add("plan", "\n".join(lines), key=id)

    def show_failure(self, message: str) -> None:
        """Say why the agent failed."""
        self.tell(tr("The agent failed: {}"), message, bad=True)

    # --- the list ---------------------------------------------------------------------------------

    def _add(self, kind: BlockKind, text: str, *, key: str = "", goes_on: bool = False) -> Block:
        block = Block(id=next(self._ids), kind=kind, text=text, key=key, goes_on=goes_on)
        self._blocks.append(block)
        self._changed.add(block.id)
        while len(self._blocks) > _MOST_BLOCKS:
            self._blocks.popleft()
        return block

    def _put(self, kind: BlockKind, key: str, text: str) -> None:
        block = self._find(kind, key)
        if block is None:
            self._add(kind, text, key=key)
        else:
            block.text = text
            self._changed.add(block.id)

    def _last(self) -> Block | None:
        return self._blocks[-1] if self._blocks else None

    def _find(self, kind: BlockKind, key: str) -> Block | None:
        for block in reversed(self._blocks):
            if (block.kind, block.key) == (kind, key):
                return block
        return None

    def _drop_message(self, kind: Kind, message: str) -> None:
        while (last := self._last()) is not None and (last.kind, last.key) == (kind, message):
            self._blocks.pop()
        self._changed.add(0)  # that something is gone is a change as well


def _place_to_break(text: str, most: int) -> int:
    """Return how much of `text` goes into `most` characters, up to the end of a line if it can."""
    if len(text) <= most:
        return len(text)
    return text.rfind("\n", 0, most) + 1 or text.rfind(" ", 0, most) + 1 or most

"""What an agent does during a turn, as lines: its text, its thoughts, its tools and its plan.

Owns: reading `session/update` of both versions, leniently, and what of it is shown.
Knows nothing of: sessions and questions. Above it: `console`. Below it: `stream`,
`presenters.page`.

A kind of update that is not known here is not shown: agents send many that are for editors.
"""

import zlib
from collections.abc import Iterator, Mapping
from typing import Any

from acp_elicitation.cli.stream import QuotedStream
from acp_elicitation.presenters.page import Out, Page
from acp_elicitation.protocol.reading import JsonObject
from acp_elicitation.text.language import tr, tr_count, tr_later

__all__ = ["View"]

_REMEMBERED = 1_000
"""Tool calls and messages whose state is kept, for each session."""

_LONGEST_LABEL = 2_000
_LONGEST_TEXT = 100_000
"""Code points of one title, and of one piece of a message, that are shown."""

_MOST_ENTRIES = 200
"""Entries of a plan that are shown."""

_NOTHING = (0, 0)

_AGENT = tr_later("Agent:")
_THOUGHT = tr_later("Thought:")

_PLAN_WORDS = {
    "completed": tr_later("done"),
    "in_progress": tr_later("now"),
    "pending": tr_later("later"),
}
_TOOL_WORDS = {
    "completed": tr_later("completed"),
    "failed": tr_later("failed"),
    "in_progress": tr_later("in_progress"),
    "pending": tr_later("pending"),
}


class View:
    """Shows the updates of one agent."""

    def __init__(self, out: Out) -> None:
        self._page = Page(out)
        self._stream = QuotedStream(out)
        self._running: tuple[str, str] | None = None
        """The kind and the id of the message whose text runs."""
        self._said: dict[str, tuple[int, int]] = {}
        """Of each message, how many characters were said, and their checksum."""
        self._tools: dict[str, tuple[str, str]] = {}
        self._plans: dict[str, list[tuple[str, str]]] = {}

    def take(self, update: JsonObject) -> None:
        """Show one update. Never raises for what an agent sends."""
        match update.get("sessionUpdate"):
            case "agent_message_chunk":
                self._add(_AGENT, update, _texts(update.get("content")))
            case "agent_thought_chunk":
                self._add(_THOUGHT, update, _texts(update.get("content")))
            case "agent_message":
                self._replace(_AGENT, update)
            case "agent_thought":
                self._replace(_THOUGHT, update)
            case "tool_call" | "tool_call_update":
                self._show_tool(update)
            case "plan":
                self._show_plan("", update.get("entries"))
            case "plan_update":
                plan = update.get("plan")
                if isinstance(plan, dict):
                    self._show_plan(str(plan.get("planId", "")), plan.get("entries"))
            case "state_update":
                self._show_failure(update)

    def end(self) -> None:
        """End the running text: something else is about to be shown."""
        self._stream.end()
        self._running = None

    def _add(self, kind: str, update: JsonObject, text: str) -> None:
        message = _text_at(update, "messageId")
        length, checksum = self._said.get(message, _NOTHING)
        self._remember(message, length + len(text), _checksum(text, checksum))
        self._run(kind, message, text)

    def _replace(self, kind: str, update: JsonObject) -> None:
        """Show a message that stands as a whole, or what it adds to the pieces before it."""
        message, text = _text_at(update, "messageId"), _texts(update.get("content"))
        length, checksum = self._said.get(message, _NOTHING)
        self._remember(message, len(text), _checksum(text))
        if len(text) >= length and _checksum(text[:length]) == checksum:
            self._run(kind, message, text[length:])
        else:
            self.end()
            self._run(kind, message, text)

    def _remember(self, message: str, length: int, checksum: int) -> None:
        if message:
            self._said[message] = length, checksum
            _forget_oldest(self._said)

    def _run(self, kind: str, message: str, text: str) -> None:
        if not text:
            return
        if self._running != (kind, message):
            self.end()
            self._page.tell(tr(kind))
            self._running = (kind, message)
        self._stream.feed(text)

    def _show_tool(self, update: JsonObject) -> None:
        id = _text_at(update, "toolCallId")
        title, status = self._tools.get(id, ("", ""))
        shown = (_text_at(update, "title") or title, _text_at(update, "status") or status)
        if shown == (title, status):
            return
        self._tools[id] = shown
        _forget_oldest(self._tools)
        self.end()
        title, status = shown
        word = _word_status(_TOOL_WORDS, status or "pending")
        name = title or tr("unnamed")
        self._page.tell_about(tr("Tool: {}"), f"{name} ({word})", hang=6)

    def _show_plan(self, id: str, entries: object) -> None:
        plan = [
            (_text_at(entry, "status"), _text_at(entry, "content"))
            for entry in _objects(entries)
            if _text_at(entry, "content")
        ][:_MOST_ENTRIES]
        if plan == self._plans.get(id, []):
            return
        self._plans[id] = plan
        _forget_oldest(self._plans)
        self.end()
        self._page.tell(tr("Plan:"))
        for status, content in plan:
            self._page.tell("  ", f"{_word_status(_PLAN_WORDS, status)}: {content}", hang=4)

    def _show_failure(self, update: JsonObject) -> None:
        error = update.get("error")
        if isinstance(error, dict):
            self.end()
            self._page.tell_about(tr("The agent failed: {}"), _text_at(error, "message"), hang=2)


def _checksum(text: str, before: int = 0) -> int:
    return zlib.crc32(text.encode("utf-8", "surrogatepass"), before)


def _text_at(holder: JsonObject, key: str) -> str:
    value = holder.get(key)
    return _cut(value, _LONGEST_LABEL) if isinstance(value, str) else ""


def _cut(text: str, most: int) -> str:
    """Return `text`, shortened: nobody reads megabytes, and a hostile agent may send them."""
    if len(text) <= most:
        return text
    more = tr_count(
        "... ({count} character more)", "... ({count} characters more)", len(text) - most
    )
    return f"{text[:most]} {more}"


def _word_status(words: Mapping[str, str], status: str) -> str:
    """Return a known status in words; another is the agent's own, and stays as it is."""
    return tr(words[status]) if status in words else status


def _objects(value: object) -> Iterator[JsonObject]:
    if isinstance(value, list):
        yield from (member for member in value if isinstance(member, dict))


def _texts(content: object) -> str:
    """Return the text of a content block, or of a list of them; other kinds go by their type."""
    blocks = _objects(content if isinstance(content, list) else [content])
    return "".join(map(_text_of, blocks))


def _text_of(block: JsonObject) -> str:
    text = block.get("text")
    if block.get("type") == "text":
        return _cut(text, _LONGEST_TEXT) if isinstance(text, str) else ""
    words = [_text_at(block, "type") or "content", _text_at(block, "uri")]
    return f"[{' '.join(filter(None, words))}]"


def _forget_oldest(remembered: dict[str, Any]) -> None:
    while len(remembered) > _REMEMBERED:
        del remembered[next(iter(remembered))]

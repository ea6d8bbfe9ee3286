"""What an agent does during a turn: its text, its thoughts, its tools and its plan.

Owns: reading `session/update` of both versions, leniently, and how much of each is kept; and the
port to whatever shows it. Knows nothing of: how anything is shown, sessions and questions.
Above it: `view` and the other faces' logs. Below it: `text.language`.

A kind of update that is not known here is not shown: agents send many that are for editors.
"""

import zlib
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal, Protocol, TypeAlias

from acp_elicitation.protocol.reading import JsonObject
from acp_elicitation.text.language import tr, tr_count, tr_later

__all__ = ["SPEAKERS", "Kind", "Shows", "Step", "Updates", "word_tool"]

_REMEMBERED = 1_000
"""Tool calls and messages whose state is kept, for each session."""

_LONGEST_LABEL = 2_000
_LONGEST_TEXT = 100_000
"""Code points of one title, and of one piece of a message, that are shown."""

_MOST_ENTRIES = 200
"""Entries of a plan that are shown."""

_NOTHING = (0, 0)

Kind: TypeAlias = Literal["agent", "thought"]

SPEAKERS: Mapping[Kind, str] = MappingProxyType(
    {"agent": tr_later("Agent:"), "thought": tr_later("Thought:")}
)
"""What stands above a text of each kind; still to be translated."""

Step: TypeAlias = tuple[str, str]
"""One entry of a plan: how far it is, in words or in the agent's own, and what it is."""

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


class Shows(Protocol):
    """Where what an agent does is shown. Every text here is the agent's: data, never markup."""

    def show_text(self, kind: Kind, message: str, text: str, *, anew: bool) -> None:
        """Show how a message goes on; `anew` where it stands in place of what it said before."""
        ...

    def show_tool(self, id: str, title: str, status: str) -> None:
        """Show a tool call that began or changed; `status` is the agent's word."""
        ...

    def show_plan(self, id: str, steps: Sequence[Step]) -> None:
        """Show a plan in place of the one of the same id."""
        ...

    def show_failure(self, message: str) -> None:
        """Show why the agent failed."""
        ...


class Updates:
    """Reads the updates of one agent."""

    def __init__(self, shows: Shows) -> None:
        self._shows = shows
        self._said: dict[str, tuple[int, int]] = {}
        """Of each message, how many characters were said, and their checksum."""
        self._tools: dict[str, tuple[str, str]] = {}
        self._plans: dict[str, list[Step]] = {}

    def take(self, update: JsonObject) -> None:
        """Show one update. Never raises for what an agent sends."""
        match update.get("sessionUpdate"):
            case "agent_message_chunk":
                self._add("agent", update)
            case "agent_thought_chunk":
                self._add("thought", update)
            case "agent_message":
                self._replace("agent", update)
            case "agent_thought":
                self._replace("thought", update)
            case "tool_call" | "tool_call_update":
                self._take_tool(update)
            case "plan":
                self._take_plan("", update.get("entries"))
            case "plan_update":
                plan = update.get("plan")
                if isinstance(plan, dict):
                    self._take_plan(str(plan.get("planId", "")), plan.get("entries"))
            case "state_update":
                error = update.get("error")
                if isinstance(error, dict):
                    self._shows.show_failure(_text_at(error, "message"))

    def _add(self, kind: Kind, update: JsonObject) -> None:
        message, text = _text_at(update, "messageId"), _texts(update.get("content"))
        length, checksum = self._said.get(message, _NOTHING)
        self._remember(message, length + len(text), _checksum(text, checksum))
        self._say(kind, message, text)

    def _replace(self, kind: Kind, update: JsonObject) -> None:
        """Show a message that stands as a whole, or what it adds to the pieces before it."""
        message, text = _text_at(update, "messageId"), _texts(update.get("content"))
        length, checksum = self._said.get(message, _NOTHING)
        self._remember(message, len(text), _checksum(text))
        if len(text) >= length and _checksum(text[:length]) == checksum:
            self._say(kind, message, text[length:])
        else:
            self._say(kind, message, text, anew=True)

    def _remember(self, message: str, length: int, checksum: int) -> None:
        if message:
            self._said[message] = length, checksum
            _forget_oldest(self._said)

    def _say(self, kind: Kind, message: str, text: str, *, anew: bool = False) -> None:
        if text or anew:
            self._shows.show_text(kind, message, text, anew=anew)

    def _take_tool(self, update: JsonObject) -> None:
        id = _text_at(update, "toolCallId")
        title, status = self._tools.get(id, ("", ""))
        shown = (_text_at(update, "title") or title, _text_at(update, "status") or status)
        if shown == (title, status):
            return
        self._tools[id] = shown
        _forget_oldest(self._tools)
        title, status = shown
        self._shows.show_tool(id, title, status or "pending")

    def _take_plan(self, id: str, entries: object) -> None:
        plan = [
            (_word_status(_PLAN_WORDS, _text_at(entry, "status")), _text_at(entry, "content"))
            for entry in _objects(entries)
            if _text_at(entry, "content")
        ][:_MOST_ENTRIES]
        if plan == self._plans.get(id, []):
            return
        self._plans[id] = plan
        _forget_oldest(self._plans)
        self._shows.show_plan(id, plan)


def word_tool(title: str, status: str) -> str:
    """Return a tool call in words; what the agent said is in it as it is."""
    return f"{title or tr('unnamed')} ({_word_status(_TOOL_WORDS, status)})"


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

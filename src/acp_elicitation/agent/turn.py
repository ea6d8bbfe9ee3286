"""One turn of a session, as the agent's code sees it: what the user said, and how to answer.

Owns: the updates of a turn in the shapes of both versions (messages, thoughts, tool calls, plan).
Knows nothing of: `initialize`, and of who runs the turn. Above it: `serve`, agents.
Below it: `elicitor`, `protocol.version`.
"""

import uuid
from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

from acp_elicitation.agent.channel import Channel
from acp_elicitation.agent.elicitor import Elicitor
from acp_elicitation.protocol.reading import JsonObject
from acp_elicitation.protocol.version import Version

__all__ = ["StopReason", "ToolStatus", "Turn"]

StopReason: TypeAlias = Literal[
    "end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled"
]
ToolStatus: TypeAlias = Literal["pending", "in_progress", "completed", "failed"]


class Turn:
    """One prompt and the agent's work on it."""

    def __init__(
        self,
        *,
        session_id: str,
        blocks: object,
        elicitor: Elicitor,
        connection: Channel,
        version: Version,
    ) -> None:
        self.session_id = session_id
        self.blocks: Sequence[JsonObject] = _objects(blocks)
        self.elicitor = elicitor
        self._connection = connection
        self._version = version
        self.user_message_id = uuid.uuid4().hex
        self._message_id = uuid.uuid4().hex
        self._idle = True

    @property
    def text(self) -> str:
        """What the user said, in text; other kinds of content are left out."""
        return _text_of(self.blocks)

    def say(self, text: str) -> None:
        """Send a piece of the agent's message, in plain text or Markdown.

        Raises:
            ConnectionLost: the client is gone.
        """
        self._chunk("agent_message_chunk", text)

    def think(self, text: str) -> None:
        """Send a piece of the agent's reasoning. Raises as `say`."""
        self._chunk("agent_thought_chunk", text)

    def start_tool(self, title: str, *, kind: str = "other") -> str:
        """Announce a tool call and return its id. Raises as `say`."""
        tool_call_id = uuid.uuid4().hex
        name = "tool_call_update" if self._version.upserts_tool_calls else "tool_call"
        self.update(name, toolCallId=tool_call_id, title=title, kind=kind, status="in_progress")
        return tool_call_id

    def end_tool(self, tool_call_id: str, status: ToolStatus = "completed") -> None:
        """Say how a tool call ended. Raises as `say`."""
        self.update("tool_call_update", toolCallId=tool_call_id, status=status)

    def update(self, name: str, **members: Any) -> None:
        """Send any `session/update`. Raises as `say`."""
        self._connection.notify(
            "session/update",
            {"sessionId": self.session_id, "update": {"sessionUpdate": name, **members}},
        )

    def _chunk(self, name: str, text: str) -> None:
        content = {"type": "text", "text": text}
        if self._version.echoes_user_message:
            self.update(name, messageId=self._message_id, content=content)
        else:
            self.update(name, content=content)

    def begin(self) -> None:
        """Say that the turn runs. Called by the runtime."""
        self._begin(self.blocks)

    def go_on(self, blocks: object) -> str:
        """Say that the turn runs again, after a reply; returns its text. Called by the runtime."""
        replied = _objects(blocks)
        self.user_message_id = uuid.uuid4().hex
        self._message_id = uuid.uuid4().hex
        self._begin(replied)
        return _text_of(replied)

    def _begin(self, blocks: Sequence[JsonObject]) -> None:
        if self._version.echoes_user_message:
            self.update("user_message", messageId=self.user_message_id, content=list(blocks))
        self._idle = False
        if self._version.turn_ends_by_update:
            self.update("state_update", state="running")

    def end(self, reason: StopReason) -> None:
        """Say that the turn has ended, if that was not said yet. Called by the runtime."""
        was_idle, self._idle = self._idle, True
        # After a question in text it was; a second idle state would end the client's next turn.
        if self._version.turn_ends_by_update and not was_idle:
            self.update("state_update", state="idle", stopReason=reason)

    def fail(self, code: int, message: str) -> None:
        """Say that the turn has failed. Called by the runtime."""
        if self._version.turn_ends_by_update:
            error = {"code": code, "message": message}
            self.update("state_update", state="idle", stopReason="error", error=error)


def _objects(blocks: object) -> list[JsonObject]:
    return (
        [block for block in blocks if isinstance(block, dict)] if isinstance(blocks, list) else []
    )


def _text_of(blocks: Sequence[JsonObject]) -> str:
    return "\n".join(
        block["text"]
        for block in blocks
        if block.get("type") == "text" and isinstance(block.get("text"), str)
    )

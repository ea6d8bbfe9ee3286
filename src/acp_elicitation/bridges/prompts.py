"""The prompts that a client has sent and whose turns have not ended.

Owns: when a session's turn begins and ends, in either version.
Knows nothing of: questions, and of what a turn does. Above it: `asking`.
Below it: `protocol.version`.
"""

from msgspec import UNSET

from acp_elicitation.protocol.version import Version
from acp_elicitation.wire.events import RequestId
from acp_elicitation.wire.messages import read_id

__all__ = ["OpenPrompts"]


class OpenPrompts:
    """The `session/prompt` requests of one connection.

    A session has one turn at a time. A prompt that comes while it runs belongs to it: the SDK's
    agent may refuse it, or take it in.
    """

    def __init__(self, version: Version) -> None:
        self._version = version
        self._sessions: dict[RequestId, str] = {}

    def begin(self, request_id: object, session: str) -> bool:
        """Note a prompt; True when its session had no turn yet."""
        known = read_id(request_id)
        if known is UNSET:
            return False
        begins = session not in self._sessions.values()
        self._sessions[known] = session
        return begins

    def session_of(self, request_id: object) -> str | None:
        """The session of an open prompt."""
        known = read_id(request_id)
        return None if known is UNSET else self._sessions.get(known)

    def answered(self, request_id: object, *, failed: bool) -> str | None:
        """Note the response to a request; returns the session whose turn that ends, if one does."""
        session = self.session_of(request_id)
        if session is None or (self._version.turn_ends_by_update and not failed):
            return None
        del self._sessions[read_id(request_id)]  # type: ignore[arg-type]  # it was found
        return None if session in self._sessions.values() else session

    def idle(self, session: str) -> None:
        """The turn of a session has ended by an update."""
        self._sessions = {id: open for id, open in self._sessions.items() if open != session}

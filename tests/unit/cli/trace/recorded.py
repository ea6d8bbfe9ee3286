"""Records, written line by line as the transcript writes them."""

import json
from typing import Any

from acp_elicitation.cli.trace.record import Entry, read_entry
from acp_elicitation.cli.trace.timeline import Event, Timeline

__all__ = ["FORM", "LINK", "Recording"]

SESSION = {"sessionId": "s1"}
FORM = {
    **SESSION,
    "mode": "form",
    "message": "Which colour?",
    "requestedSchema": {
        "type": "object",
        "properties": {"colour": {"type": "string", "title": "Colour"}},
    },
}
LINK = {
    **SESSION,
    "mode": "url",
    "message": "Authorize",
    "url": "https://agent.example/connect?state=hunter2",
    "elicitationId": "e1",
}


class Recording:
    """A record in the making; each line is one second after the one before."""

    def __init__(self) -> None:
        self.lines: list[bytes] = []

    def add(self, sender: str, **members: Any) -> "Recording":
        second = len(self.lines)
        at = f"2026-12-02T10:{second // 60:02}:{second % 60:02}.250+00:00"
        self.lines.append(json.dumps({"at": at, "from": sender, **members}).encode() + b"\n")
        return self

    def agent(self, **message: Any) -> "Recording":
        return self.add("agent", message={"jsonrpc": "2.0", **message})

    def client(self, **message: Any) -> "Recording":
        return self.add("client", message={"jsonrpc": "2.0", **message})

    def asks(self, id: object = 7, **params: Any) -> "Recording":
        return self.agent(id=id, method="elicitation/create", params=params or FORM)

    def answers(self, id: object = 7, **result: Any) -> "Recording":
        return self.client(id=id, result=result)

    def entries(self) -> list[Entry]:
        return [read_entry(line) for line in self.lines]

    def events(self) -> list[Event]:
        timeline = Timeline()
        return [event for entry in self.entries() for event in timeline.take(entry)]

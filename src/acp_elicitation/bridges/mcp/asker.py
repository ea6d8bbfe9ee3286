"""Who asks, and where: an MCP server as the user of the ACP client knows it.

Owns: the name of the server that stands above each of its questions (MCP wants it to be clear which
server asks), and the session and tool call that they belong to (REQ-2).
Knows nothing of: what is asked. Above it: `forwarding`, `pages`. Below it: `scopes`, `agent`.
"""

from acp_elicitation.agent.asking import Asking
from acp_elicitation.agent.elicitor import Elicitor
from acp_elicitation.bridges.mcp.scopes import Calls
from acp_elicitation.protocol.capabilities import Mode
from acp_elicitation.text.language import tr
from acp_elicitation.text.terminal import one_line

__all__ = ["Asker"]

_LONGEST_NAME = 80


class Asker:
    """One MCP server, asking one user."""

    def __init__(
        self, elicitor: Elicitor, asking: Asking, *, tool_call: str | None, name: str | None
    ) -> None:
        self.elicitor = elicitor
        self.calls = Calls(tool_call)
        self._asking = asking
        self._name = name

    @property
    def modes(self) -> frozenset[Mode]:
        """What is advertised to the server: the modes of the ACP client, and never more (CAP-4)."""
        return self.elicitor.modes

    @property
    def asking(self) -> Asking:
        """Where a question of this moment belongs, and how it is put."""
        tool_call = self.calls.tool_call
        if tool_call is None or "session" not in self._asking:
            return self._asking  # a pending request has no tool calls
        return {**self._asking, "tool_call": tool_call}

    @property
    def name(self) -> str:
        """The server's name, as the user reads it: on one line, and not too long for one."""
        return one_line(self._name or tr("(without a name)"), _LONGEST_NAME)

    def learn_name(self, name: str | None) -> None:
        """Take the name that the server gives itself, unless the agent has given it one."""
        self._name = self._name or name

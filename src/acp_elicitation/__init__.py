"""The ask-the-user layer of the Agent Client Protocol for Python.

Owns: the public names of the package, each loaded when it is first used, so that importing the
package costs next to nothing.
Knows nothing of: anything else. Above it: the world. Below it: everything.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from acp_elicitation.agent.elicitor import Elicitor
    from acp_elicitation.agent.fallback import Ladder
    from acp_elicitation.agent.in_text import via_text
    from acp_elicitation.agent.link import Link
    from acp_elicitation.agent.permission import via_permission
    from acp_elicitation.agent.serve import Agent
    from acp_elicitation.agent.turn import Turn
    from acp_elicitation.client.prompts import FormPrompt, LinkPrompt, Presenter
    from acp_elicitation.client.responder import Responder
    from acp_elicitation.forms.draft import FormDraft
    from acp_elicitation.protocol.answers import Accepted, Answer, Cancelled, Declined
    from acp_elicitation.protocol.schema import FormSchema

__all__ = [
    "Accepted",
    "Agent",
    "Answer",
    "Cancelled",
    "Declined",
    "Elicitor",
    "FormDraft",
    "FormPrompt",
    "FormSchema",
    "Ladder",
    "Link",
    "LinkPrompt",
    "Presenter",
    "Responder",
    "Turn",
    "__version__",
    "via_permission",
    "via_text",
]

__version__ = "0.1.0"

_HOMES = {
    "Accepted": "protocol.answers",
    "Agent": "agent.serve",
    "Answer": "protocol.answers",
    "Cancelled": "protocol.answers",
    "Declined": "protocol.answers",
    "Elicitor": "agent.elicitor",
    "FormDraft": "forms.draft",
    "FormPrompt": "client.prompts",
    "FormSchema": "protocol.schema",
    "Ladder": "agent.fallback",
    "Link": "agent.link",
    "LinkPrompt": "client.prompts",
    "Presenter": "client.prompts",
    "Responder": "client.responder",
    "Turn": "agent.turn",
    "via_permission": "agent.permission",
    "via_text": "agent.in_text",
}


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value: object = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value

"""The ask-the-user layer of the Agent Client Protocol for Python.

Owns: the public names of the package, each loaded when it is first used, so that importing the
package costs next to nothing. What is not here is public where it is defined, such as
`acp_elicitation.client.launch` or `acp_elicitation.links`.
Knows nothing of: anything else. Above it: the world. Below it: everything.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from acp_elicitation.agent.elicitor import Elicitor
    from acp_elicitation.agent.fallback import Ladder
    from acp_elicitation.agent.in_text import via_text
    from acp_elicitation.agent.link import Link
    from acp_elicitation.agent.outstanding import new_link_id
    from acp_elicitation.agent.permission import via_permission
    from acp_elicitation.agent.serve import Agent
    from acp_elicitation.agent.turn import Turn
    from acp_elicitation.client.prompts import (
        FormPrompt,
        LinkPrompt,
        PermissionPrompt,
        Presenter,
        Reply,
    )
    from acp_elicitation.client.responder import Responder
    from acp_elicitation.forms.describe import describe
    from acp_elicitation.forms.draft import FormDraft
    from acp_elicitation.protocol.answers import Accepted, Answer, Cancelled, Declined
    from acp_elicitation.protocol.errors import (
        AnswerTimeout,
        ConnectionLost,
        DuplicateLink,
        ElicitationError,
        InvalidAnswer,
        InvalidQuestion,
        MalformedMessage,
        ModeNotAdvertised,
        NotAccepted,
        RemoteError,
        SecretInForm,
        UnknownLink,
        UnsafeLink,
        UnsupportedType,
    )
    from acp_elicitation.protocol.schema import FormSchema

__all__ = [
    "Accepted",
    "Agent",
    "Answer",
    "AnswerTimeout",
    "Cancelled",
    "ConnectionLost",
    "Declined",
    "DuplicateLink",
    "ElicitationError",
    "Elicitor",
    "FormDraft",
    "FormPrompt",
    "FormSchema",
    "InvalidAnswer",
    "InvalidQuestion",
    "Ladder",
    "Link",
    "LinkPrompt",
    "MalformedMessage",
    "ModeNotAdvertised",
    "NotAccepted",
    "PermissionPrompt",
    "Presenter",
    "RemoteError",
    "Reply",
    "Responder",
    "SecretInForm",
    "Turn",
    "UnknownLink",
    "UnsafeLink",
    "UnsupportedType",
    "__version__",
    "describe",
    "new_link_id",
    "via_permission",
    "via_text",
]

__version__ = "0.1.0"

_HOMES = {
    "Accepted": "protocol.answers",
    "Agent": "agent.serve",
    "Answer": "protocol.answers",
    "AnswerTimeout": "protocol.errors",
    "Cancelled": "protocol.answers",
    "ConnectionLost": "protocol.errors",
    "Declined": "protocol.answers",
    "DuplicateLink": "protocol.errors",
    "ElicitationError": "protocol.errors",
    "Elicitor": "agent.elicitor",
    "FormDraft": "forms.draft",
    "FormPrompt": "client.prompts",
    "FormSchema": "protocol.schema",
    "InvalidAnswer": "protocol.errors",
    "InvalidQuestion": "protocol.errors",
    "Ladder": "agent.fallback",
    "Link": "agent.link",
    "LinkPrompt": "client.prompts",
    "MalformedMessage": "protocol.errors",
    "ModeNotAdvertised": "protocol.errors",
    "NotAccepted": "protocol.errors",
    "PermissionPrompt": "client.prompts",
    "Presenter": "client.prompts",
    "RemoteError": "protocol.errors",
    "Reply": "client.prompts",
    "Responder": "client.responder",
    "SecretInForm": "protocol.errors",
    "Turn": "agent.turn",
    "UnknownLink": "protocol.errors",
    "UnsafeLink": "protocol.errors",
    "UnsupportedType": "protocol.errors",
    "describe": "forms.describe",
    "new_link_id": "agent.outstanding",
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


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

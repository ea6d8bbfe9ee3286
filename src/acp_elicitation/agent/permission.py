"""A question with few answers, asked as a permission: for clients without the form mode (CAP-5).

Owns: which forms a `session/request_permission` can carry, and the way back from its outcome.
Knows nothing of: when that is a good idea. Above it: agents, the bridges.
Below it: `fallback`, `protocol`.
"""

import uuid
from collections.abc import Mapping
from typing import Any

from acp_elicitation.agent.fallback import Unanswered
from acp_elicitation.protocol.answers import Accepted, Answer, Cancelled, Declined
from acp_elicitation.protocol.errors import MalformedMessage, NotPossible
from acp_elicitation.protocol.reading import JsonObject
from acp_elicitation.protocol.schema import BooleanProperty, FormSchema, SelectProperty
from acp_elicitation.protocol.version import Version

__all__ = ["PERMISSION", "FormAsPermission", "via_permission"]

PERMISSION = "session/request_permission"
_MOST_OPTIONS = 20
_DECLINE = "decline"


async def via_permission(unanswered: Unanswered) -> Answer[Any]:
    """Ask through `session/request_permission`; for use as `fallback=`.

    It can carry a confirmation (no fields), one boolean or one single choice of at most 20
    options, within a session. The user sees the title of each option, and "Decline".

    Raises:
        NotPossible: the form is more than that, or belongs to no session.
        MalformedMessage, RemoteError, ConnectionLost: as for a form.
    """
    session = unanswered.asking.get("session")
    if session is None:
        raise NotPossible(way="via_permission", reason="the question belongs to no session")
    asked = FormAsPermission(
        unanswered.form,
        message=unanswered.message,
        session=session,
        version=unanswered.version,
        tool_call=unanswered.asking.get("tool_call"),
    )
    answer = asked.read(await unanswered.call(PERMISSION, asked.params))
    match answer:
        case Accepted(value=content):
            return Accepted(await unanswered.receive(content))
        case _:
            return answer


class FormAsPermission:
    """A form as a permission request: its params, and what the client's result says of the form."""

    def __init__(
        self,
        form: FormSchema,
        *,
        message: str,
        session: str,
        version: Version,
        tool_call: str | None = None,
    ) -> None:
        """Write `form` as a request of `version`.

        Raises:
            NotPossible: it is more than one choice or a yes or no.
        """
        self._contents: dict[str, JsonObject] = {}
        options = []
        for index, (title, content) in enumerate(_answers(form)):
            self._contents[f"answer-{index}"] = content
            options.append({"optionId": f"answer-{index}", "name": title, "kind": "allow_once"})
        options.append({"optionId": _DECLINE, "name": "Decline", "kind": "reject_once"})
        self.params: JsonObject = {"sessionId": session, "options": options}
        if version.permission_has_title:
            self.params["title"] = message
        else:
            call = {"toolCallId": tool_call or uuid.uuid4().hex, "title": message}
            self.params["toolCall"] = call

    def read(self, result: object) -> Answer[JsonObject]:
        """Return the content that the chosen option stands for, or the decline or cancel.

        Raises:
            MalformedMessage: `result` is none of a permission request.
        """
        outcome = result.get("outcome") if isinstance(result, Mapping) else None
        if not isinstance(outcome, Mapping):
            raise MalformedMessage(path="/outcome", expected="an object")
        chosen = outcome.get("optionId")
        if outcome.get("outcome") != "selected" or not isinstance(chosen, str):
            return Cancelled()
        content = self._contents.get(chosen)
        return Declined() if content is None else Accepted(content)


def _answers(form: FormSchema) -> list[tuple[str, JsonObject]]:
    """Return each possible answer: its title, and the content that it stands for."""
    match list(form.properties.items()):
        case []:
            return [("Yes", {})]
        case [(name, BooleanProperty())]:
            return [("Yes", {name: True}), ("No", {name: False})]
        case [(name, SelectProperty(options=options))] if len(options) <= _MOST_OPTIONS:
            return [(option.title or option.value, {name: option.value}) for option in options]
        case _:
            raise NotPossible(
                way="via_permission",
                reason=f"it carries one choice of at most {_MOST_OPTIONS} options, or a yes or no",
            )

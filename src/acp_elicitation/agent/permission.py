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

__all__ = ["via_permission"]

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
    answers = _answers(unanswered.form)
    options = [
        {"optionId": f"answer-{index}", "name": title, "kind": "allow_once"}
        for index, (title, _) in enumerate(answers)
    ]
    options.append({"optionId": _DECLINE, "name": "Decline", "kind": "reject_once"})
    result = await unanswered.call(
        "session/request_permission", _params(unanswered, session, options)
    )
    chosen = _chosen(result)
    if chosen is None:
        return Cancelled()
    for option, (_, content) in zip(options, answers, strict=False):
        if option["optionId"] == chosen:
            return Accepted(await unanswered.receive(content))
    return Declined()


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


def _params(unanswered: Unanswered, session: str, options: list[JsonObject]) -> JsonObject:
    params: JsonObject = {"sessionId": session, "options": options}
    if unanswered.version.permission_has_title:
        return {**params, "title": unanswered.message}
    tool_call = unanswered.asking.get("tool_call") or uuid.uuid4().hex
    return {**params, "toolCall": {"toolCallId": tool_call, "title": unanswered.message}}


def _chosen(result: object) -> str | None:
    """Return the id of the chosen option, or None when the user chose none."""
    outcome = result.get("outcome") if isinstance(result, Mapping) else None
    if not isinstance(outcome, Mapping):
        raise MalformedMessage(path="/outcome", expected="an object")
    chosen = outcome.get("optionId")
    return chosen if outcome.get("outcome") == "selected" and isinstance(chosen, str) else None

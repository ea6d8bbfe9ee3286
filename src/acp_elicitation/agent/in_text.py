"""A form asked in the text of the conversation, and its answer in the user's next prompt (CAP-5).

Owns: how a form reads as text, and how the reply is read back.
Knows nothing of: turns; the runtime's `TextChannel` carries both. Never used for secrets (FORM-6).
Above it: agents. Below it: `fallback`, `forms.draft`, `text.wording`.
"""

from typing import Any

from acp_elicitation.agent.fallback import Unanswered
from acp_elicitation.forms.draft import FormDraft
from acp_elicitation.forms.draft_field import DraftField
from acp_elicitation.forms.problem import Problem
from acp_elicitation.protocol.answers import Accepted, Answer, Cancelled, Declined
from acp_elicitation.protocol.errors import NotPossible
from acp_elicitation.text.wording import word_constraints, word_problem

__all__ = ["via_text"]

_ATTEMPTS = 3


async def via_text(unanswered: Unanswered) -> Answer[Any]:
    """Ask in the agent's message and read the user's next prompt; for use as `fallback=`.

    A single field takes the whole reply; several take one line each, as "name: value". "decline"
    and "cancel" are answers too. A reply that does not fit is explained, and asked for again, up
    to three times.

    Raises:
        NotPossible: the runtime cannot ask in text, the question belongs to no session, or the
            form cannot be answered in text.
        InvalidAnswer: the third reply does not fit either.
        ConnectionLost: the client is gone.
    """
    session, channel = unanswered.asking.get("session"), unanswered.text_channel
    if session is None or channel is None:
        raise NotPossible(way="via_text", reason="no conversation to ask in")
    draft = FormDraft(unanswered.form)
    if draft.blocked:
        raise NotPossible(way="via_text", reason="the form has a field of unknown kind")
    text = _ask(unanswered.message, draft)
    for _ in range(_ATTEMPTS):
        reply = (await channel.ask_in_text(session, text)).strip()
        match reply.lower():
            case "decline":
                return Declined()
            case "cancel" | "":
                return Cancelled()
            case _:
                _enter(draft, reply)
        problems = draft.problems()
        if not problems:
            break
        text = _explain(draft, problems)
    return Accepted(await unanswered.receive(draft.content()))


def _ask(message: str, draft: FormDraft) -> str:
    lines = [message]
    if draft.is_confirmation:
        return f'{message}\n\nReply "yes", "decline" or "cancel".'
    lines.append("")
    lines.extend(f"- {_describe(draft, field)}" for field in draft.fields)
    how = "your answer" if len(draft.fields) == 1 else 'one line each, as "name: value"'
    lines += ["", f'Reply with {how}, or "decline" or "cancel".']
    return "\n".join(lines)


def _describe(draft: FormDraft, field: DraftField) -> str:
    parts = [field.label if field.label == field.name else f"{field.name} ({field.label})"]
    if field.description:
        parts.append(field.description)
    if field.options:
        parts.append("one of: " if field.kind == "select" else "any of: ")
        parts[-1] += ", ".join(option.title or option.value for option in field.options)
    else:
        parts.append(word_constraints(field.property))
    default = draft.shown_value(field.name)
    if default:
        parts.append(f"default: {default}")
    if not field.required:
        parts.append("optional")
    return "; ".join(part for part in parts if part)


def _enter(draft: FormDraft, reply: str) -> None:
    """Put a reply into the draft; a line that names no field is left out."""
    if draft.is_confirmation:
        return
    if len(draft.fields) == 1:
        draft.enter(draft.fields[0].name, reply)
        return
    names = {field.name.lower(): field.name for field in draft.fields}
    names |= {field.label.lower(): field.name for field in draft.fields}
    for line in reply.splitlines():
        name, colon, value = line.partition(":")
        known = names.get(name.strip(" -*").lower())
        if colon and known is not None:
            draft.enter(known, value.strip())


def _explain(draft: FormDraft, problems: list[Problem]) -> str:
    lines = ["That does not fit yet:"]
    lines.extend(f"- {draft.field(p.property).label}: {word_problem(p)}" for p in problems)
    lines += ["", 'Reply again, or "decline" or "cancel".']
    return "\n".join(lines)

"""What a presenter is given: one prompt per question, with all that its user needs to judge it.

Owns: the prompt types, who is asking, and the `Presenter` port.
Knows nothing of: JSON-RPC, the queue, or any way of showing something.
Above it: the presenters, `responder`. Below it: `forms.draft`, `protocol`.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, Protocol, TypeAlias, runtime_checkable

from acp_elicitation.client.permissions import PermissionRequest
from acp_elicitation.forms.draft import FormDraft
from acp_elicitation.forms.secrets import SecretFinding, find_secrets
from acp_elicitation.links import LinkReport, inspect_link
from acp_elicitation.protocol.answers import Accepted, Cancelled, Declined
from acp_elicitation.protocol.handshake import Implementation
from acp_elicitation.protocol.requests import FormRequest, UrlRequest

__all__ = [
    "Asker",
    "CompletionPresenter",
    "FormPrompt",
    "LinkPrompt",
    "PermissionPresenter",
    "PermissionPrompt",
    "Presenter",
    "Prompt",
    "Reply",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asker:
    """Which agent asks: in its own words, and by the command that started it (UI-1).

    The words are the agent's own and prove nothing; the command is what this machine ran.
    """

    info: Implementation = field(default_factory=Implementation)
    command: Sequence[str] = ()

    @property
    def name(self) -> str:
        """The title, else the name, else the command, with the version where there is one."""
        name = self.info.title or self.info.name
        if name is None:
            return " ".join(self.command) or "an unnamed agent"
        name, version = name[:_LONGEST_NAME], (self.info.version or "")[:_LONGEST_NAME]
        return f"{name} {version}" if version else name


_LONGEST_NAME = 60
"""Code points of a name or a version that are shown: the name stands above every question."""


def _nobody_waits() -> int:
    return 0


@dataclass(kw_only=True, eq=False)
class _Asked:
    """What every prompt has: who asks, and what else waits for the same user."""

    asker: Asker
    count_waiting: Callable[[], int] = _nobody_waits
    count_from_asker: Callable[[], int] = _nobody_waits
    decline_all: Callable[[], None] | None = None
    """Declines this question and all others of the same agent; None where that is not possible.

    Called when the user chose it, while the prompt is before them; the presenter returns
    `Declined()` next, as for any decline. Questions of the agent that wait are never shown:
    elicitations are declined, permission requests cancelled, since they know no decline. Worth
    offering while `waiting_from_asker` is not 0. Calling it at any other time does nothing.
    """

    @property
    def waiting(self) -> int:
        """How many other questions wait behind this one, now, whoever asks them."""
        return self.count_waiting()

    @property
    def waiting_from_asker(self) -> int:
        """How many other questions of the same agent have no answer, now."""
        return self.count_from_asker()


@dataclass(kw_only=True, eq=False)
class FormPrompt(_Asked):
    """A form to show."""

    request: FormRequest

    @cached_property
    def draft(self) -> FormDraft:
        """The form while the user fills it in: what a presenter draws (FORM-4, UI-4)."""
        return FormDraft(self.request.schema)

    @cached_property
    def secrets(self) -> list[SecretFinding]:
        """Where the form asks for a secret, which no form may (FORM-5).

        A presenter warns of each, and makes declining the easiest answer.
        """
        return find_secrets(self.request.message, self.request.schema)

    @property
    def message(self) -> str:
        """What the agent wants to know, in its own words: data, never markup (UI-6)."""
        return self.request.message


@dataclass(kw_only=True, eq=False)
class LinkPrompt(_Asked):
    """A link to ask consent for. Nothing may be fetched from it before, or but by it (URL-10)."""

    request: UrlRequest
    host: str
    """The host that a browser will go to, in ASCII (UI-5)."""
    completed: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the agent says that the outside part is finished, be it before the consent."""

    @cached_property
    def report(self) -> LinkReport:
        """What a browser would do with the URL, and what is odd about it (URL-12).

        A link that must not be opened never gets here. The rest of the warnings are to be shown.
        """
        return inspect_link(self.request.url)

    @property
    def message(self) -> str:
        """What the link is for, in the agent's words: data, never markup (UI-6)."""
        return self.request.message

    @property
    def url(self) -> str:
        """Exactly the string to show and to open (URL-10)."""
        return self.request.url


@dataclass(kw_only=True, eq=False)
class PermissionPrompt(_Asked):
    """A `session/request_permission`: not an elicitation, but the same user and the same queue."""

    request: PermissionRequest


Prompt: TypeAlias = FormPrompt | LinkPrompt | PermissionPrompt

Reply: TypeAlias = Accepted[Any] | Declined | Cancelled
"""A presenter's answer. For a form, `Accepted(prompt.draft.content())`; for a link,
`Accepted(None)` once the user consented; for a permission, `Accepted(option_id)`."""


class Presenter(Protocol):
    """Shows one prompt at a time and returns what the user decided.

    Obligations:
    - `form` and `link` return `Accepted` only for an explicit yes of the user; a dismissed prompt
      (Escape, closed window, end of input) is `Cancelled()`, an explicit no `Declined()` (RES-1).
      Anything else that comes back, and any exception, counts as "not shown".
    - Decline and cancel are two controls, both reachable by keyboard (UI-3).
    - `prompt.asker.name`, `prompt.message` and, for a link, the full url and host are shown
      (UI-1, UI-5, UI-6). All text of a prompt is the agent's: data, never markup.
    - What the user types stays in the presenter until `form` returns `Accepted` (UI-2).
    - `link` opens nothing before the user has consented (URL-10).
    - Cancelling the coroutine takes the prompt away; `withdraw` is awaited next, and tells the
      user why it went. An answer that comes later is not used.
    """

    async def form(self, prompt: FormPrompt) -> Reply:
        """Show a form until the user submits, declines or cancels."""
        ...

    async def link(self, prompt: LinkPrompt) -> Reply:
        """Ask whether to open a link, and open it on consent."""
        ...

    async def withdraw(self, prompt: Prompt, why: Literal["withdrawn", "expired"]) -> None:
        """Say that the question is gone. Called only for a prompt that was before the user."""
        ...


@runtime_checkable
class CompletionPresenter(Protocol):
    """A presenter that also shows that an opened link waits for its completion (URL-8)."""

    async def wait_for_completion(self, prompt: LinkPrompt) -> None:
        """Offer retry and done until `prompt.completed` is set or the user is done.

        Runs after the consent was sent, while no question is before the user; it is cancelled
        when one comes.
        """
        ...


@runtime_checkable
class PermissionPresenter(Protocol):
    """A presenter that also asks for permissions."""

    async def permission(self, prompt: PermissionPrompt) -> Reply:
        """Show the options; `Accepted(option_id)` names the chosen one."""
        ...

"""What the contract of presenters works with: prompts to show, and a presenter with its user.

Owns: the `Driven` port, and prompts as a client makes them, for the tests of presenters.
Knows nothing of: the obligations (see `contract`).
Above it: `contract`, the tests of presenters, also of other packages. Below it: `prompts`,
`protocol`.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, Protocol, TypeAlias

from acp_elicitation.client.permissions import PermissionOption, PermissionRequest
from acp_elicitation.client.prompts import (
    Asker,
    FormPrompt,
    LinkPrompt,
    PermissionPrompt,
    Presenter,
    Prompt,
)
from acp_elicitation.protocol.handshake import Implementation
from acp_elicitation.protocol.requests import ElicitationId, FormRequest, UrlRequest
from acp_elicitation.protocol.schema import FormSchema, Property
from acp_elicitation.protocol.scope import SessionId, SessionScope

__all__ = [
    "ASKER",
    "Decision",
    "Driven",
    "MakeDriven",
    "expect",
    "form_prompt",
    "link_prompt",
    "permission_prompt",
]

Decision: TypeAlias = Literal["accept", "decline", "cancel", "dismiss", "wait"]
"""What the user does.

`accept` submits a form as it comes, with its defaults, opens a link, takes the first option of a
permission. `dismiss` is the end of input, Escape or a closed window; `wait` is nothing.
"""

ASKER = Asker(
    info=Implementation(name="painter", title="House Painter", version="3.1"),
    command=("painter", "--acp"),
)
"""The agent that asks in these prompts."""

_SCOPE = SessionScope(session_id=SessionId("s1"))


class Driven(Protocol):
    """A presenter with a user at its other end, who decides as the maker was told."""

    @property
    def presenter(self) -> Presenter: ...

    @property
    def sees(self) -> str:
        """All that the user has been shown, as text; empty for a presenter that shows nothing."""
        ...

    @property
    def opened(self) -> Sequence[str]:
        """The addresses that were opened in a browser."""
        ...

    async def prompted(self) -> None:
        """Return when a prompt is before the user."""
        ...

    def close(self) -> None:
        """Let go of what the user's end needs."""
        ...


MakeDriven: TypeAlias = Callable[[Decision, Prompt], Driven]
"""Returns a fresh presenter whose user takes this decision about this prompt."""


def expect(holds: bool, obligation: str) -> None:
    """Raise `AssertionError` with the obligation that does not hold."""
    if not holds:
        raise AssertionError(obligation)


def form_prompt(
    properties: Mapping[str, Property] | None = None,
    *,
    required: tuple[str, ...] = (),
    message: str = "Which colour?",
    title: str | None = None,
    description: str | None = None,
    asker: Asker = ASKER,
    waiting: int = 0,
) -> FormPrompt:
    """Return the prompt of a form with these properties; `waiting` others wait behind it."""
    schema = FormSchema(
        properties=dict(properties or {}), required=required, title=title, description=description
    )
    return FormPrompt(
        request=FormRequest(message=message, schema=schema, scope=_SCOPE),
        asker=asker,
        count_waiting=lambda: waiting,
    )


def link_prompt(
    url: str = "https://example.com/connect?id=1",
    *,
    host: str = "example.com",
    message: str = "Please connect.",
    asker: Asker = ASKER,
    waiting: int = 0,
) -> LinkPrompt:
    """Return the prompt of a link; `waiting` others wait behind it."""
    return LinkPrompt(
        request=UrlRequest(
            message=message, url=url, elicitation_id=ElicitationId("e1"), scope=_SCOPE
        ),
        host=host,
        asker=asker,
        count_waiting=lambda: waiting,
    )


def permission_prompt(
    *options: PermissionOption,
    title: str = "Paint the wall",
    description: str | None = None,
    asker: Asker = ASKER,
) -> PermissionPrompt:
    """Return the prompt of a permission request, by default to allow or reject once."""
    default = (
        PermissionOption(option_id="yes", name="Allow", kind="allow_once"),
        PermissionOption(option_id="no", name="Reject", kind="reject_once"),
    )
    request = PermissionRequest(
        title=title, options=options or default, scope=_SCOPE, description=description
    )
    return PermissionPrompt(request=request, asker=asker)

"""By which means the proxy asks the user: the client's own permission dialog, or a presenter.

Owns: the order of means. Knows nothing of: lines and processes. Above it: the command line.
Below it: `agent.permission`, `client.prompts`.
"""

from collections.abc import Awaitable, Callable
from typing import Literal, TypeAlias

from acp_elicitation.agent.permission import PERMISSION, FormAsPermission
from acp_elicitation.client.prompts import (
    CompletionPresenter,
    FormPrompt,
    LinkPrompt,
    Presenter,
    Prompt,
    Reply,
)
from acp_elicitation.protocol.capabilities import Mode
from acp_elicitation.protocol.errors import NotPossible, RemoteError
from acp_elicitation.protocol.reading import JsonObject
from acp_elicitation.protocol.scope import SessionScope
from acp_elicitation.protocol.version import Version
from acp_elicitation.wire.events import METHOD_NOT_FOUND

__all__ = ["Call", "Means", "Way"]

Call: TypeAlias = Callable[[str, JsonObject], Awaitable[object]]
"""Calls a method of the client and returns its result."""

Way: TypeAlias = Literal["permission", "presenter"]


class Means:
    """A presenter that asks by the first of its means that can carry a question."""

    def __init__(
        self,
        *,
        permission: Call | None,
        presenter: Presenter | None,
        version: Callable[[], Version],
        on_ask: Callable[[Way], None] = lambda way: None,
    ) -> None:
        """Ask by these means.

        Args:
            permission: asks the client for a permission; None where that is no means.
            presenter: asks what is more than one choice or a yes or no; None where there is none.
            version: the version that the client speaks.
            on_ask: learns by which of the two a question is asked, right before it is.
        """
        self._permission = permission
        self._presenter = presenter
        self._version = version
        self._on_ask = on_ask
        self._shown: Prompt | None = None

    @property
    def modes(self) -> tuple[Mode, ...]:
        """The modes that can be answered: to be advertised, and no more (CAP-6)."""
        if self._presenter is not None:
            return ("form", "url")
        return () if self._permission is None else ("form",)

    async def form(self, prompt: FormPrompt) -> Reply:
        """Ask a form. Raises NotPossible where no means can carry it."""
        asked = self._as_permission(prompt)
        if asked is not None and self._permission is not None:
            self._on_ask("permission")
            try:
                return asked.read(await self._permission(PERMISSION, asked.params))
            except RemoteError as error:
                if error.code != METHOD_NOT_FOUND or self._presenter is None:
                    raise
                self._permission = None  # this client has no such dialog: it is no means
        return await self._present(prompt).form(prompt)

    async def link(self, prompt: LinkPrompt) -> Reply:
        """Ask for the consent to a link. Raises NotPossible where no means can carry it."""
        return await self._present(prompt).link(prompt)

    async def withdraw(self, prompt: Prompt, why: Literal["withdrawn", "expired"]) -> None:
        """Take the question away from where it is; a permission request was cancelled already."""
        if prompt is self._shown and self._presenter is not None:
            await self._presenter.withdraw(prompt, why)

    async def wait_for_completion(self, prompt: LinkPrompt) -> None:
        """As the presenter that showed the link, if it shows this."""
        presenter: object = self._presenter
        if isinstance(presenter, CompletionPresenter):
            await presenter.wait_for_completion(prompt)

    def _present(self, prompt: FormPrompt | LinkPrompt) -> Presenter:
        if self._presenter is None:
            raise NotPossible(way="permission", reason="it carries one choice, or a yes or no")
        self._shown = prompt  # one question at a time is before the user
        self._on_ask("presenter")
        return self._presenter

    def _as_permission(self, prompt: FormPrompt) -> FormAsPermission | None:
        scope = prompt.request.scope
        # What asks for a secret needs the warnings that a client's own dialog lacks (FORM-5).
        if self._permission is None or prompt.secrets or not isinstance(scope, SessionScope):
            return None
        try:
            return FormAsPermission(
                prompt.request.schema,
                message=prompt.message,
                session=scope.session_id,
                version=self._version(),
                tool_call=scope.tool_call_id,
            )
        except NotPossible:
            return None

"""The contract of presenters finds each fault that it is there for."""

import asyncio
from typing import Any, Literal, TypeAlias

import pytest

from acp_elicitation.client import contract
from acp_elicitation.client.contract import check_presenter
from acp_elicitation.client.prompts import (
    FormPrompt,
    LinkPrompt,
    PermissionPresenter,
    PermissionPrompt,
    Presenter,
    Prompt,
    Reply,
)
from acp_elicitation.client.trial import Decision, form_prompt
from acp_elicitation.protocol.answers import Accepted, Cancelled, Declined
from acp_elicitation.text.terminal import visible

Fault: TypeAlias = Literal[
    "takes silence for a yes",
    "takes no for a cancel",
    "sends what does not fit",
    "forgets the defaults",
    "gives a reason",
    "sends content with a consent",
    "opens first",
    "opens another",
    "never comes back",
    "fails",
    "permits by itself",
    "permits when dismissed",
    "hides who asks",
    "hides the host",
    "shows text raw",
    "survives",
    "says nothing of the end",
    "waits on",
    "none",
]


class Model:
    """A presenter and its user in one, good but for one fault."""

    def __init__(self, decision: Decision, prompt: Prompt, fault: Fault = "none") -> None:
        self.decision = decision
        self.fault = fault
        self.opened: list[str] = []
        self.shown: list[str] = []
        self._up = asyncio.Event()
        self.is_closed = False

    @property
    def presenter(self) -> Presenter:
        return self

    @property
    def sees(self) -> str:
        return "\n".join(self.shown)

    async def prompted(self) -> None:
        await self._up.wait()

    def close(self) -> None:
        self.is_closed = True

    async def form(self, prompt: FormPrompt) -> Reply:
        self._show(prompt, prompt.message)
        for field in prompt.draft.fields:
            self._show_text(" ".join([field.label, field.description or ""]))
        problems = prompt.draft.problems()
        if problems and self.decision == "accept":
            return Accepted({}) if self.fault == "sends what does not fit" else Cancelled()
        content = {} if problems else prompt.draft.content()
        if self.fault == "forgets the defaults" and "count" in content:
            del content["count"]
        return await self._decide(Accepted(content))

    async def link(self, prompt: LinkPrompt) -> Reply:
        self._show(prompt, prompt.message)
        self.shown.append(prompt.url)
        if self.fault != "hides the host":
            self.shown.append(prompt.host)
        if self.fault == "opens first":
            self.opened.append(prompt.url)
        elif self.decision == "accept":
            self.opened.append("x" if self.fault == "opens another" else prompt.url)
        extra = self.fault == "sends content with a consent"
        return await self._decide(Accepted({"name": "Ada"} if extra else None))

    async def permission(self, prompt: PermissionPrompt) -> Reply:
        if self.fault == "permits when dismissed" and self.decision == "dismiss":
            return Accepted("yes")
        return await self._decide(Accepted("no" if self.fault == "permits by itself" else "yes"))

    async def withdraw(self, prompt: Prompt, why: str) -> None:
        if self.fault != "says nothing of the end":
            self.shown.append(f"gone: {why}")

    async def wait_for_completion(self, prompt: LinkPrompt) -> None:
        if self.fault != "waits on":
            await prompt.completed.wait()
        else:
            await asyncio.Event().wait()

    def _show(self, prompt: FormPrompt | LinkPrompt, message: str) -> None:
        if self.fault != "hides who asks":
            self.shown.append(f"{prompt.asker.name} {' '.join(prompt.asker.command)}")
        self._show_text(message)

    def _show_text(self, text: str) -> None:
        self.shown.append(text if self.fault == "shows text raw" else visible(text))

    async def _decide(self, yes: Reply) -> Reply:
        self._up.set()
        if self.fault == "fails":
            raise RuntimeError
        match self.decision:
            case "accept":
                return yes
            case "decline":
                return Cancelled() if self.fault == "takes no for a cancel" else Declined()
            case "wait":
                return await self._wait(yes)
            case "dismiss" if self.fault == "takes silence for a yes":
                return yes
            case "cancel" if self.fault == "never comes back":
                await asyncio.Event().wait()
            case _:
                pass
        return Cancelled("not-shown" if self.fault == "gives a reason" else None)

    async def _wait(self, yes: Reply) -> Reply:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            if self.fault != "survives":
                raise
        return yes


async def test_a_good_presenter_passes_and_is_let_go_of() -> None:
    made: list[Model] = []

    def make(decision: Decision, prompt: Prompt) -> Model:
        made.append(Model(decision, prompt))
        return made[-1]

    await check_presenter(make)
    assert made
    assert all(model.is_closed for model in made)


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ("takes silence for a yes", "form, dismiss: Accepted"),
        ("takes no for a cancel", "form, decline: Cancelled"),
        ("sends what does not fit", "a form was accepted that lacks a required value"),
        ("forgets the defaults", "defaults that were left are sent"),
        ("gives a reason", "the user's own cancel has no reason"),
        ("sends content with a consent", "a consent carries no content"),
        ("opens first", "decline opened a link"),
        ("opens another", "something else than the link was opened"),
        ("never comes back", "did not come back with the decision"),
        ("fails", "form, accept: RuntimeError"),
        ("permits by itself", "the option taken is named"),
        ("permits when dismissed", "permission, dismiss: Accepted"),
        ("hides who asks", "'House Painter 3.1' is not shown"),
        ("hides the host", "the host does not stand by itself"),
        ("shows text raw", "text of the agent acts on the display"),
        ("survives", "the prompt survived its cancellation"),
        ("says nothing of the end", "the user was not told why the prompt went away"),
        ("waits on", "a link that is complete is still waited for"),
    ],
)
async def test_a_fault_is_found_and_named(
    fault: Fault, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contract, "_LIMIT", 0.2)
    with pytest.raises(AssertionError) as raised:
        await check_presenter(lambda decision, prompt: Model(decision, prompt, fault))
    assert told in str(raised.value)


async def test_a_presenter_that_asks_for_no_permissions_is_not_asked_for_them() -> None:
    class Modest(Model):
        permission: Any = None

    def make(decision: Decision, prompt: Prompt) -> Model:
        return Modest(decision, prompt)

    assert isinstance(Model("wait", form_prompt()), PermissionPresenter)
    await check_presenter(make)

"""Which means carries a question, and what becomes of one that a client turns out not to have."""

from typing import Any

import pytest

from acp_elicitation.bridges.proxy.means import Means, Way
from acp_elicitation.client.prompts import FormPrompt, LinkPrompt, Prompt
from acp_elicitation.client.trial import form_prompt, link_prompt
from acp_elicitation.protocol.answers import Accepted, Cancelled, Declined
from acp_elicitation.protocol.errors import NotPossible, RemoteError
from acp_elicitation.protocol.schema import BooleanProperty, Option, SelectProperty, StringProperty
from acp_elicitation.protocol.version import V1


class Presenter:
    """Declines everything, and notes it."""

    def __init__(self) -> None:
        self.asked: list[Prompt] = []
        self.withdrawn: list[Prompt] = []

    async def form(self, prompt: FormPrompt) -> Declined:
        self.asked.append(prompt)
        return Declined()

    async def link(self, prompt: LinkPrompt) -> Declined:
        self.asked.append(prompt)
        return Declined()

    async def withdraw(self, prompt: Prompt, why: Any) -> None:
        self.withdrawn.append(prompt)


class Dialog:
    """The client's permission dialog, with a user who takes the first option."""

    def __init__(self, *, fails_with: int | None = None) -> None:
        self.asked = 0
        self._fails_with = fails_with

    async def __call__(self, method: str, params: Any) -> object:
        self.asked += 1
        if self._fails_with is not None:
            raise RemoteError(code=self._fails_with, message="no", data=None)
        option = params["options"][0]["optionId"]
        return {"outcome": {"outcome": "selected", "optionId": option}}


def means(
    dialog: Dialog | None, presenter: Presenter | None, noted: list[Way] | None = None
) -> Means:
    return Means(
        permission=dialog,
        presenter=presenter,
        version=lambda: V1,
        on_ask=([] if noted is None else noted).append,
    )


CHOICE = form_prompt({"go": BooleanProperty()}, message="Go on?")
TEXT = form_prompt({"name": StringProperty()}, message="Who?")


async def test_the_first_means_that_can_carry_a_question_does_and_is_noted() -> None:
    dialog, presenter, noted = Dialog(), Presenter(), list[Way]()
    asking = means(dialog, presenter, noted)
    assert await asking.form(CHOICE) == Accepted({"go": True})
    assert await asking.form(TEXT) == Declined()
    assert await asking.link(link := link_prompt()) == Declined()
    assert presenter.asked == [TEXT, link]
    assert noted == ["permission", "presenter", "presenter"]


@pytest.mark.requirement("FORM-5")
async def test_what_asks_for_a_secret_needs_the_warnings_of_a_presenter() -> None:
    dialog, presenter = Dialog(), Presenter()
    options = (Option(value="hunter1"), Option(value="hunter2"))
    secret = form_prompt({"which": SelectProperty(options=options, meta={"isSecret": True})})
    assert secret.secrets
    assert await means(dialog, presenter).form(secret) == Declined()
    assert dialog.asked == 0


async def test_a_client_without_a_permission_dialog_is_asked_once_and_never_again() -> None:
    dialog, presenter = Dialog(fails_with=-32601), Presenter()
    asking = means(dialog, presenter)
    for _ in range(2):
        assert await asking.form(CHOICE) == Declined()
    assert dialog.asked == 1
    assert presenter.asked == [CHOICE, CHOICE]


@pytest.mark.parametrize(("code", "presenter"), [(-32601, None), (-32603, Presenter())])
async def test_any_other_failure_of_the_dialog_is_no_answer(
    code: int, presenter: Presenter | None
) -> None:
    with pytest.raises(RemoteError):
        await means(Dialog(fails_with=code), presenter).form(CHOICE)
    assert presenter is None or presenter.asked == []


async def test_a_question_that_no_means_can_carry_is_not_possible() -> None:
    with pytest.raises(NotPossible):
        await means(Dialog(), None).form(TEXT)
    with pytest.raises(NotPossible):
        await means(None, None).link(link_prompt())


async def test_only_what_the_presenter_shows_is_taken_away_from_it() -> None:
    presenter = Presenter()
    asking = means(Dialog(), presenter)
    await asking.form(TEXT)
    for prompt in (CHOICE, TEXT):
        await asking.withdraw(prompt, "withdrawn")
    assert presenter.withdrawn == [TEXT]


def test_the_modes_are_those_that_some_means_can_carry() -> None:
    assert means(Dialog(), None).modes == ("form",)
    assert means(None, Presenter()).modes == ("form", "url")
    assert means(None, None).modes == ()


async def test_a_dismissed_dialog_is_a_cancel() -> None:
    class Dismissed(Dialog):
        async def __call__(self, method: str, params: Any) -> object:
            return {"outcome": {"outcome": "cancelled"}}

    assert await means(Dismissed(), Presenter()).form(CHOICE) == Cancelled()

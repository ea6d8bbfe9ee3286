"""The obligations of the `Presenter` port as code: every presenter's tests run `check_presenter`.

Owns: one check for each obligation. Knows nothing of: which presenter it judges.
Above it: the tests of presenters, also of other packages. Below it: `trial`, `prompts`, `forms`.

The text of each obligation is the docstring of `acp_elicitation.client.prompts.Presenter`. A broken
one raises `AssertionError`.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeAlias

from acp_elicitation.client.prompts import (
    CompletionPresenter,
    FormPrompt,
    LinkPrompt,
    PermissionPresenter,
    Prompt,
    Reply,
)
from acp_elicitation.client.trial import (
    ASKER,
    Decision,
    Driven,
    MakeDriven,
    expect,
    form_prompt,
    link_prompt,
    permission_prompt,
)
from acp_elicitation.forms.check import check
from acp_elicitation.protocol.answers import Accepted, Cancelled, Declined
from acp_elicitation.protocol.schema import (
    IntegerProperty,
    Option,
    SelectProperty,
    StringProperty,
    UnknownProperty,
)

__all__ = ["CHECKS", "CHECKS_OF_SIGHT", "Check", "check_obligation", "check_presenter"]

Check: TypeAlias = Callable[[MakeDriven], Awaitable[None]]

_LIMIT = 20.0
_EXPECTED: Mapping[Decision, type] = {
    "accept": Accepted,
    "decline": Declined,
    "cancel": Cancelled,
    "dismiss": Cancelled,
}
_HOSTILE = "\x1b]0;owned\x07\x1b[2J\u202egnp.exe"
"""Sets the title of a terminal, clears it, and turns the rest around."""


async def check_presenter(make: MakeDriven, *, shows: bool = True) -> None:
    """Run every obligation of the port against presenters from `make`.

    Args:
        make: gives a fresh presenter and its user for each prompt.
        shows: whether the presenter has someone to show anything to, as a script has not.

    Raises:
        AssertionError: one does not hold; the text says which.
    """
    for obligation in CHECKS + (CHECKS_OF_SIGHT if shows else ()):
        await check_obligation(obligation, make)


async def check_obligation(obligation: Check, make: MakeDriven) -> None:
    """Run one of `CHECKS` or `CHECKS_OF_SIGHT`. Raises as `check_presenter`."""
    await obligation(make)


def _small_form() -> FormPrompt:
    return form_prompt(
        {
            "name": StringProperty(title="Name", default="Ada"),
            "count": IntegerProperty(title="Count", default=2, minimum=1),
        },
        required=("name",),
    )


async def _reply(driven: Driven, prompt: Prompt) -> object:
    """Return the reply, or the exception that stands for "not shown"."""
    try:
        async with asyncio.timeout(_LIMIT):
            return await _ask(driven, prompt)
    except TimeoutError:
        raise AssertionError("the presenter did not come back with the decision") from None
    except Exception as error:
        return error
    finally:
        driven.close()


async def _ask(driven: Driven, prompt: Prompt) -> Reply:
    presenter = driven.presenter
    if isinstance(prompt, FormPrompt):
        return await presenter.form(prompt)
    if isinstance(prompt, LinkPrompt):
        return await presenter.link(prompt)
    assert isinstance(presenter, PermissionPresenter), "asked only where it is one"
    return await presenter.permission(prompt)


async def _accepts_a_form_only_for_an_explicit_yes(make: MakeDriven) -> None:
    for decision, expected in _EXPECTED.items():
        for prompt in (_small_form(), form_prompt({})):
            reply = await _reply(make(decision, prompt), prompt)
            expect(isinstance(reply, expected), f"form, {decision}: {reply!r}")
            if isinstance(reply, Accepted):
                fits = not check(prompt.request.schema, reply.value)
                expect(fits, "content that does not fit was accepted")
            if isinstance(reply, Cancelled):
                expect(reply.reason is None, "the user's own cancel has no reason")


async def _sends_the_defaults_that_the_user_left(make: MakeDriven) -> None:
    prompt = _small_form()
    reply = await _reply(make("accept", prompt), prompt)
    sent = reply.value if isinstance(reply, Accepted) else reply
    expect(sent == {"name": "Ada", "count": 2}, f"defaults that were left are sent, not {sent!r}")


async def _accepts_a_link_only_for_an_explicit_yes(make: MakeDriven) -> None:
    for decision, expected in _EXPECTED.items():
        prompt = link_prompt()
        reply = await _reply(make(decision, prompt), prompt)
        expect(isinstance(reply, expected), f"link, {decision}: {reply!r}")
        if isinstance(reply, Accepted):
            expect(reply.value is None, "a consent carries no content")


async def _opens_a_link_only_after_the_consent(make: MakeDriven) -> None:
    for decision in ("decline", "cancel", "dismiss"):
        prompt = link_prompt()
        driven = make(decision, prompt)
        await _reply(driven, prompt)
        expect(list(driven.opened) == [], f"{decision} opened a link")
    prompt = link_prompt()
    driven = make("accept", prompt)
    await _reply(driven, prompt)
    expect(list(driven.opened) in ([], [prompt.url]), "something else than the link was opened")


async def _never_accepts_what_does_not_fit(make: MakeDriven) -> None:
    prompt = form_prompt({"name": StringProperty(title="Name", min_length=3)}, required=("name",))
    reply = await _reply(make("accept", prompt), prompt)  # with defaults only, of which none are
    accepted = isinstance(reply, Accepted)
    expect(not accepted, "a form was accepted that lacks a required value")


async def _never_accepts_a_form_with_a_required_unknown(make: MakeDriven) -> None:
    prompt = form_prompt({"blob": UnknownProperty(type="object")}, required=("blob",))
    reply = await _reply(make("accept", prompt), prompt)
    accepted = isinstance(reply, Accepted)
    expect(not accepted, "a required question of unknown kind was accepted")


async def _permits_only_by_an_option(make: MakeDriven) -> None:
    for decision in ("accept", "cancel", "dismiss"):
        prompt = permission_prompt()
        driven = make(decision, prompt)
        if not isinstance(driven.presenter, PermissionPresenter):
            driven.close()
            return
        reply = await _reply(driven, prompt)
        if decision == "accept":
            first = prompt.request.options[0].option_id
            expect(reply == Accepted(first), f"the option taken is named, not {reply!r}")
        else:
            expect(isinstance(reply, Cancelled), f"permission, {decision}: {reply!r}")


async def _shows_who_asks_and_what(make: MakeDriven) -> None:
    form = _small_form()
    driven = make("cancel", form)
    await _reply(driven, form)
    _contains(driven.sees, ASKER.name, "painter --acp", form.message)
    link = link_prompt()
    driven = make("cancel", link)
    await _reply(driven, link)
    _contains(driven.sees, ASKER.name, "painter --acp", link.message, link.url)
    by_itself = link.host in driven.sees.replace(link.url, "")
    expect(by_itself, "the host does not stand by itself")


def _contains(output: str, *texts: str) -> None:
    for text in texts:
        expect(text in output, f"{text!r} is not shown")


async def _shows_text_as_data(make: MakeDriven) -> None:
    option = Option(value="a", title=f"{_HOSTILE}option")
    form = form_prompt(
        {
            "a": StringProperty(title=f"{_HOSTILE}title", description=f"{_HOSTILE}description"),
            "b": SelectProperty(options=(option,), default="a"),
        },
        message=f"{_HOSTILE}message",
    )
    link = link_prompt(message=f"{_HOSTILE}message")
    for prompt in (form, link):
        driven = make("cancel", prompt)
        await _reply(driven, prompt)
        for harm in ("\x1b]0;owned", "\x1b[2J", "\u202e"):
            expect(harm not in driven.sees, f"text of the agent acts on the display: {harm!r}")


async def _goes_away_when_it_is_cancelled(make: MakeDriven) -> None:
    prompt = _small_form()
    driven = make("wait", prompt)
    asking = asyncio.ensure_future(driven.presenter.form(prompt))
    try:
        async with asyncio.timeout(_LIMIT):
            await driven.prompted()
            asking.cancel()
            await asyncio.wait([asking])
            expect(asking.cancelled(), "the prompt survived its cancellation")
            before = driven.sees
            await driven.presenter.withdraw(prompt, "withdrawn")
            expect(driven.sees != before, "the user was not told why the prompt went away")
    finally:
        driven.close()


async def _stops_waiting_when_the_link_is_complete(make: MakeDriven) -> None:
    prompt = link_prompt()
    driven = make("wait", prompt)
    presenter: Any = driven.presenter
    try:
        if isinstance(presenter, CompletionPresenter):
            waiting = asyncio.ensure_future(presenter.wait_for_completion(prompt))
            prompt.completed.set()
            async with asyncio.timeout(_LIMIT):
                await waiting
    except TimeoutError:
        raise AssertionError("a link that is complete is still waited for") from None
    finally:
        driven.close()


CHECKS: tuple[Check, ...] = (
    _accepts_a_form_only_for_an_explicit_yes,
    _sends_the_defaults_that_the_user_left,
    _accepts_a_link_only_for_an_explicit_yes,
    _opens_a_link_only_after_the_consent,
    _never_accepts_what_does_not_fit,
    _never_accepts_a_form_with_a_required_unknown,
    _permits_only_by_an_option,
)
"""What holds for every presenter."""

CHECKS_OF_SIGHT: tuple[Check, ...] = (
    _shows_who_asks_and_what,
    _shows_text_as_data,
    _goes_away_when_it_is_cancelled,
    _stops_waiting_when_the_link_is_complete,
)
"""What holds for a presenter that shows something to a person."""

"""The obligations of the `Presenter` port as code: every presenter's tests run `check_presenter`.

The text of each obligation is the docstring of `acp_elicitation.client.prompts.Presenter`.
"""

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Any, Literal, Protocol

from acp_elicitation.client.permissions import PermissionOption, PermissionRequest
from acp_elicitation.client.prompts import (
    Asker,
    FormPrompt,
    LinkPrompt,
    PermissionPrompt,
    Presenter,
    Prompt,
    Reply,
)
from acp_elicitation.forms.check import check
from acp_elicitation.protocol.answers import Accepted, Cancelled, Declined
from acp_elicitation.protocol.handshake import Implementation
from acp_elicitation.protocol.requests import ElicitationId, FormRequest, UrlRequest
from acp_elicitation.protocol.schema import (
    BooleanProperty,
    FormSchema,
    IntegerProperty,
    MultiSelectProperty,
    Option,
    Property,
    SelectProperty,
    StringProperty,
    UnknownProperty,
)
from acp_elicitation.protocol.scope import SessionId, SessionScope

__all__ = [
    "ASKER",
    "Decision",
    "Driven",
    "check_presenter",
    "form_full_of",
    "form_prompt",
    "link_prompt",
    "permission_prompt",
]

Decision = Literal["accept", "decline", "cancel", "dismiss", "wait"]
"""What the user does: `dismiss` is the end of input or a closed window, `wait` is nothing."""

ASKER = Asker(
    info=Implementation(name="painter", title="House Painter", version="3.1"),
    command=("painter", "--acp"),
)
_SCOPE = SessionScope(session_id=SessionId("s1"))
_LIMIT = 10.0


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
    """Return the prompt of a form with these properties."""
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
    """Return the prompt of a link."""
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


def form_full_of(text: str, *, pattern: str | None = None) -> FormSchema:
    """Return a form that has `text` in every place where an agent can put one."""
    options = (
        Option(value=text, title=text, description=text),
        Option(value=f"{text}2", title=f"2{text}", description=text),
    )
    words: dict[str, Any] = {"title": text, "description": text}
    return FormSchema(
        title=text,
        description=text,
        properties={
            f"{text}a": StringProperty(default=text, **words),
            f"{text}b": SelectProperty(options=options, default=text, **words),
            f"{text}c": MultiSelectProperty(options=options, default=(text,), **words),
            f"{text}d": StringProperty(pattern=pattern, format=text, **words),
            f"{text}e": UnknownProperty(type=text, items_type=text, **words),
            f"{text}f": BooleanProperty(default=True, **words),
            f"{text}g": StringProperty(),
        },
        required=(f"{text}d",),
    )


class Driven(Protocol):
    """A presenter with a user at its other end, who decides as the maker was told."""

    @property
    def presenter(self) -> Presenter: ...

    @property
    def sees(self) -> str:
        """What the user has been shown; empty for a presenter that shows nothing."""
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


MakePresenter = Callable[[Decision, Prompt], Driven]
"""Returns a presenter whose user takes this decision about this prompt."""


async def check_presenter(make: MakePresenter, *, shows: bool = True) -> None:
    """Run every obligation of the port against presenters from `make`.

    `shows` says whether the presenter has someone to show anything to, as a script has not.
    """
    await _accepts_a_form_only_for_an_explicit_yes(make)
    await _accepts_a_link_only_for_an_explicit_yes(make)
    await _opens_a_link_only_after_the_consent(make)
    await _never_accepts_what_does_not_fit(make)
    await _never_accepts_a_form_with_a_required_unknown(make)
    if shows:
        await _shows_who_asks_and_what(make)
        await _goes_away_when_it_is_cancelled(make)


async def _reply(driven: Driven, ask: Coroutine[Any, Any, Reply]) -> object:
    """Return the reply, or the exception that stands for "not shown"."""
    try:
        async with asyncio.timeout(_LIMIT):
            return await ask
    except TimeoutError:
        raise AssertionError("the presenter did not come back with the decision") from None
    except Exception as error:
        return error
    finally:
        driven.close()


def _small_form() -> FormPrompt:
    return form_prompt(
        {
            "name": StringProperty(title="Name", default="Ada"),
            "count": IntegerProperty(title="Count", default=2, minimum=1),
        },
        required=("name",),
    )


_EXPECTED: Mapping[Decision, type] = {
    "accept": Accepted,
    "decline": Declined,
    "cancel": Cancelled,
    "dismiss": Cancelled,
}


async def _accepts_a_form_only_for_an_explicit_yes(make: MakePresenter) -> None:
    for decision, expected in _EXPECTED.items():
        for prompt in (_small_form(), form_prompt({})):
            driven = make(decision, prompt)
            reply = await _reply(driven, driven.presenter.form(prompt))
            assert isinstance(reply, expected), f"form, {decision}: {reply!r}"
            if isinstance(reply, Accepted):
                assert not check(prompt.request.schema, reply.value), "content that does not fit"
            if isinstance(reply, Cancelled):
                assert reply.reason is None, "the user's own cancel has no reason"


async def _accepts_a_link_only_for_an_explicit_yes(make: MakePresenter) -> None:
    for decision, expected in _EXPECTED.items():
        prompt = link_prompt()
        driven = make(decision, prompt)
        reply = await _reply(driven, driven.presenter.link(prompt))
        assert isinstance(reply, expected), f"link, {decision}: {reply!r}"
        if isinstance(reply, Accepted):
            assert reply.value is None, "a consent carries no content"


async def _opens_a_link_only_after_the_consent(make: MakePresenter) -> None:
    for decision in ("decline", "cancel", "dismiss"):
        prompt = link_prompt()
        driven = make(decision, prompt)
        await _reply(driven, driven.presenter.link(prompt))
        assert list(driven.opened) == [], f"{decision} opened a link"
    prompt = link_prompt()
    driven = make("accept", prompt)
    await _reply(driven, driven.presenter.link(prompt))
    assert list(driven.opened) in ([], [prompt.url]), "something else than the link was opened"


async def _never_accepts_what_does_not_fit(make: MakePresenter) -> None:
    prompt = form_prompt({"name": StringProperty(title="Name", min_length=3)}, required=("name",))
    driven = make("accept", prompt)  # with defaults only, of which there are none
    reply = await _reply(driven, driven.presenter.form(prompt))
    assert not isinstance(reply, Accepted), "a form was accepted that lacks a required value"


async def _never_accepts_a_form_with_a_required_unknown(make: MakePresenter) -> None:
    prompt = form_prompt({"blob": UnknownProperty(type="object")}, required=("blob",))
    driven = make("accept", prompt)
    reply = await _reply(driven, driven.presenter.form(prompt))
    assert not isinstance(reply, Accepted), "a required question of unknown kind was accepted"


async def _shows_who_asks_and_what(make: MakePresenter) -> None:
    form = _small_form()
    driven = make("cancel", form)
    await _reply(driven, driven.presenter.form(form))
    _contains(driven.sees, ASKER.name, "painter --acp", form.message)
    link = link_prompt()
    driven = make("cancel", link)
    await _reply(driven, driven.presenter.link(link))
    _contains(driven.sees, ASKER.name, "painter --acp", link.message, link.url)
    assert link.host in driven.sees.replace(link.url, ""), "the host does not stand by itself"


def _contains(output: str, *texts: str) -> None:
    for text in texts:
        assert text in output, f"{text!r} is not shown"


async def _goes_away_when_it_is_cancelled(make: MakePresenter) -> None:
    prompt = _small_form()
    driven = make("wait", prompt)
    asking = asyncio.ensure_future(driven.presenter.form(prompt))
    async with asyncio.timeout(_LIMIT):
        await driven.prompted()
        asking.cancel()
        await asyncio.wait([asking])
        assert asking.cancelled(), "the prompt survived its cancellation"
        before = driven.sees
        await driven.presenter.withdraw(prompt, "withdrawn")
        assert driven.sees != before, "the user was not told why the prompt went away"
    driven.close()

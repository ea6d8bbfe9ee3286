"""Questions in line mode, typed at through a real pipe."""

import asyncio
import os
import pty

import pytest

from acp_elicitation.client.permissions import PermissionOption
from acp_elicitation.client.prompts import (
    Asker,
    CompletionPresenter,
    FormPrompt,
    LinkPrompt,
    PermissionPresenter,
    PermissionPrompt,
    Prompt,
    Reply,
)
from acp_elicitation.presenters.lines import DescriptorLines
from acp_elicitation.presenters.plain import PlainPresenter
from acp_elicitation.protocol.answers import Accepted, Cancelled, Declined
from acp_elicitation.protocol.handshake import Implementation
from acp_elicitation.protocol.schema import StringProperty, UnknownProperty
from tests.contract.presenters import (
    Decision,
    check_presenter,
    form_prompt,
    link_prompt,
    permission_prompt,
)
from tests.unit.presenters.dialogue import Person, Shown

NAME = {"name": StringProperty(title="Name")}


class DrivenPerson(Person):
    """A `Person` as `check_presenter` drives one."""

    def __init__(self, decision: Decision, prompt: Prompt) -> None:
        is_filled_in = isinstance(prompt, FormPrompt) and not (
            prompt.draft.is_confirmation or prompt.draft.blocked
        )
        match decision:
            case "dismiss" | "wait":
                lines: tuple[str, ...] = ()
            case "accept" if isinstance(prompt, FormPrompt) and is_filled_in:
                lines = ("",) * len(prompt.draft.fields) + ("submit",)
            case "accept":
                lines = ("yes",)
            case _:
                lines = (f"/{decision}",) if is_filled_in else (decision,)
        super().__init__(*lines, ends=decision != "wait")

    async def prompted(self) -> None:
        await self.shown.until("> ")


async def form(*lines: str, prompt: FormPrompt | None = None) -> tuple[Reply, str]:
    person = Person(*lines)
    return await person.answers(person.presenter.form(prompt or form_prompt(NAME))), person.sees


async def link(*lines: str, prompt: LinkPrompt | None = None) -> tuple[Reply, Person]:
    person = Person(*lines)
    return await person.answers(person.presenter.link(prompt or link_prompt())), person


async def permission(*lines: str, prompt: PermissionPrompt) -> tuple[Reply, str]:
    person = Person(*lines)
    return await person.answers(person.presenter.permission(prompt)), person.sees


@pytest.mark.requirement("UI-1", "UI-3", "UI-5", "UI-6", "RES-1", "URL-10")
async def test_it_keeps_the_obligations_of_a_presenter() -> None:
    await check_presenter(DrivenPerson)


def test_it_also_waits_for_completions_and_asks_for_permissions() -> None:
    person = Person()
    assert isinstance(person.presenter, CompletionPresenter)
    assert isinstance(person.presenter, PermissionPresenter)
    person.close()


# --- what a question opens with -------------------------------------------------------------------


@pytest.mark.requirement("UI-1", "UI-6")
async def test_a_form_opens_with_who_asks_and_what() -> None:
    prompt = form_prompt(
        NAME, message="Two\nlines", title="Details", description="All of them", waiting=2
    )
    _, sees = await form(prompt=prompt)
    assert sees.startswith(
        "\n"
        "Question from House Painter 3.1\n"
        "Started by the command: painter --acp\n"
        "2 more questions wait after this one.\n"
        "| Two\n"
        "| lines\n"
        "\n"
        "| Details\n"
        "| All of them\n"
    )


async def test_one_waiting_question_is_counted_in_the_singular() -> None:
    _, sees = await form(prompt=form_prompt(NAME, waiting=1))
    assert "\n1 more question waits after this one.\n" in sees


@pytest.mark.requirement("UI-1")
async def test_an_agent_without_a_name_goes_by_its_command() -> None:
    prompt = form_prompt(NAME, asker=Asker(command=("python", "my agent.py")))
    _, sees = await form(prompt=prompt)
    assert "Question from python my agent.py\nStarted by the command: python 'my agent.py'" in sees


async def test_an_agent_that_was_not_started_here_has_no_command() -> None:
    _, sees = await form(prompt=form_prompt(NAME, asker=Asker(info=Implementation(name="far"))))
    assert sees.startswith("\nQuestion from far\n| Which colour?\n")


@pytest.mark.requirement("UI-1")
async def test_text_of_the_agent_cannot_pass_for_a_line_of_the_presenter() -> None:
    forged = "Nice!\n\nQuestion from Your Bank 1.0\nStarted by the command: bank"
    prompt = form_prompt(
        {"a": StringProperty(title=f"A{forged}", description=forged)},
        message=forged,
        title=forged,
        description=forged,
    )
    _, sees = await form("", "cancel", prompt=prompt)
    assert "\nQuestion from House Painter" in sees
    assert "\nQuestion from Your Bank" not in sees
    assert "\nStarted by the command: bank" not in sees


# --- confirmations --------------------------------------------------------------------------------


@pytest.mark.requirement("UI-3", "RES-1")
@pytest.mark.parametrize(
    ("word", "reply"),
    [
        ("yes", Accepted({})),
        (" YES ", Accepted({})),
        ("decline", Declined()),
        ("/decline", Declined()),
        ("cancel", Cancelled()),
    ],
)
async def test_a_form_without_properties_is_a_plain_confirmation(word: str, reply: Reply) -> None:
    given, sees = await form("maybe", "", word, prompt=form_prompt({}))
    assert given == reply
    assert sees.count("yes, decline or cancel> ") == 3


# --- links ----------------------------------------------------------------------------------------


@pytest.mark.requirement("UI-5", "URL-10")
async def test_a_link_shows_its_full_address_and_host_before_it_asks() -> None:
    url = "https://login.example.com/" + "deep/" * 60 + "?id=1"
    _, person = await link("cancel", prompt=link_prompt(url, host="login.example.com", waiting=1))
    assert person.sees == (
        "\n"
        "Link from House Painter 3.1\n"
        "Started by the command: painter --acp\n"
        "1 more question waits after this one.\n"
        "| Please connect.\n"
        "\n"
        "It asks you to open this address:\n"
        f"{url}\n"
        "A page of the host:\n"
        "login.example.com\n"
        "It belongs to example.com.\n"
        "Open it in your browser? yes, decline or cancel> "
        "Cancelled. Nothing that you typed was sent.\n"
    )


@pytest.mark.requirement("UI-5", "URL-10")
async def test_a_link_opens_only_after_an_explicit_yes() -> None:
    reply, person = await link("", "y", "open", "yes")
    assert reply == Accepted(None)
    assert person.opened == ["https://example.com/connect?id=1"]
    assert person.sees.count("! Type one of the words: yes, decline or cancel.") == 3
    assert "Opened in the browser.\n" in person.sees


@pytest.mark.requirement("URL-10", "RES-1")
@pytest.mark.parametrize(
    ("line", "reply"), [("decline", Declined()), ("/cancel", Cancelled()), (None, Cancelled())]
)
async def test_a_link_that_is_not_consented_to_stays_closed(line: str | None, reply: Reply) -> None:
    given, person = await link(*([] if line is None else [line]))
    assert given == reply
    assert person.opened == []


async def test_without_a_browser_the_user_opens_the_address() -> None:
    person = Person("yes", browser=False)
    assert await person.answers(person.presenter.link(link_prompt())) == Accepted(None)
    assert "Do you agree to open it? yes, decline or cancel> " in person.sees
    assert "Open this address in your browser:\nhttps://example.com/connect?id=1\n" in person.sees
    assert person.opened == []


async def test_a_browser_that_does_not_start_leaves_the_address_to_the_user() -> None:
    person = Person("yes")
    person.browser_works = False
    assert await person.answers(person.presenter.link(link_prompt())) == Accepted(None)
    assert "Open this address in your browser:\nhttps://example.com/connect?id=1\n" in person.sees


# --- permissions ----------------------------------------------------------------------------------


@pytest.mark.parametrize("answer", ["2", "no", "Reject", "reject"])
async def test_a_permission_is_answered_by_number_id_or_name(answer: str) -> None:
    prompt = permission_prompt(description="With a brush.")
    reply, sees = await permission("perhaps", answer, prompt=prompt)
    assert reply == Accepted("no")
    assert "Permission request from House Painter 3.1\n" in sees
    assert "| Paint the wall\n| With a brush.\n  1) Allow\n  2) Reject\n" in sees
    assert "none of the choices" in sees


@pytest.mark.parametrize("lines", [(), ("cancel",), ("/cancel",)])
async def test_a_permission_can_be_cancelled(lines: tuple[str, ...]) -> None:
    reply, _ = await permission(*lines, prompt=permission_prompt())
    assert reply == Cancelled()


async def test_a_permission_option_called_cancel_goes_by_its_number() -> None:
    option = PermissionOption(option_id="x", name="Cancel", kind="reject_once")
    reply, _ = await permission("1", prompt=permission_prompt(option))
    assert reply == Accepted("x")


# --- what was typed before its question -----------------------------------------------------------


@pytest.mark.requirement("UI-2", "RES-1")
@pytest.mark.parametrize("mode", ["form", "link", "permission"])
async def test_what_was_typed_ahead_at_a_terminal_answers_no_question(mode: str) -> None:
    keys, device = pty.openpty()
    try:
        os.write(keys, b"yes\n1\n")
        shown = Shown()
        presenter = PlainPresenter(DescriptorLines(device), shown, open_url=None)
        prompts = {
            "form": lambda: presenter.form(form_prompt({})),
            "link": lambda: presenter.link(link_prompt()),
            "permission": lambda: presenter.permission(permission_prompt()),
        }
        asking: asyncio.Task[Reply] = asyncio.create_task(prompts[mode]())
        await shown.until("> ")
        os.write(keys, b"cancel\n")
        async with asyncio.timeout(10):
            assert await asking == Cancelled()
    finally:
        os.close(keys)
        os.close(device)


# --- questions that are withdrawn -----------------------------------------------------------------


async def withdrawn(person: Person, prompt: FormPrompt) -> None:
    asking = asyncio.create_task(person.presenter.form(prompt))
    await person.shown.until("> ")
    asking.cancel()
    await asyncio.wait([asking])
    await person.presenter.withdraw(prompt, "withdrawn")


@pytest.mark.requirement("UI-2", "REQ-6")
async def test_a_withdrawn_question_says_so_and_that_nothing_was_sent() -> None:
    person = Person(ends=False)
    await withdrawn(person, form_prompt(NAME))
    assert person.sees.endswith(
        "\n\nThis question was withdrawn. Nothing that you typed was sent.\n"
    )
    await person.presenter.withdraw(form_prompt(NAME), "expired")
    assert person.sees.endswith(
        "\n\nThe time for this question is over. Nothing that you typed was sent.\n"
    )
    person.close()


@pytest.mark.requirement("UI-2")
async def test_what_was_typed_for_a_withdrawn_question_answers_no_other() -> None:
    person = Person(ends=False)
    prompt = form_prompt({})
    asking = asyncio.create_task(person.presenter.form(prompt))
    await person.shown.until("> ")
    asking.cancel()
    await asyncio.wait([asking])
    person.types("yes", "yes")  # in flight while the question goes
    await person.presenter.withdraw(prompt, "withdrawn")
    second = asyncio.create_task(person.presenter.form(form_prompt({}, message="Sure?")))
    await person.shown.until("Press Enter to go on> ")
    person.types("yes")  # typed before its user has noticed
    await person.shown.until("yes, decline or cancel> ", count=2)
    assert not second.done()
    person.types("decline")
    assert await person.answers(second) == Declined()


@pytest.mark.parametrize("mode", ["form", "link", "permission"])
async def test_after_a_withdrawal_the_end_of_input_cancels_the_next_question(mode: str) -> None:
    person = Person(ends=False)
    await withdrawn(person, form_prompt(NAME))
    person.leaves()
    presenter = person.presenter
    ask = {
        "form": presenter.form(form_prompt({})),
        "link": presenter.link(link_prompt()),
        "permission": presenter.permission(permission_prompt()),
    }
    chosen = ask.pop(mode)
    for other in ask.values():
        other.close()
    assert await person.answers(chosen) == Cancelled()
    assert person.opened == []


async def test_the_note_of_a_withdrawal_is_given_once() -> None:
    person = Person(ends=False)
    await withdrawn(person, form_prompt(NAME))
    person.types("")
    assert await person.presenter.settle()
    assert await person.presenter.settle()
    assert person.sees.count("Press Enter") == 1
    person.close()


@pytest.mark.requirement("RES-1")
async def test_an_interrupt_cancels_the_question() -> None:
    person = Person(ends=False)
    asking = asyncio.create_task(person.presenter.form(form_prompt({})))
    await person.shown.until("> ")
    assert person.lines.interrupt()
    assert await person.answers(asking) == Cancelled()


KEY = {"api_key": StringProperty(title="API key"), "note": StringProperty()}


@pytest.mark.requirement("FORM-5", "UI-2")
@pytest.mark.parametrize(
    ("lines", "reply"),
    [
        (("",), Declined()),
        (("yes",), Declined()),
        (("decline",), Declined()),
        (("cancel",), Cancelled()),
        ((), Cancelled()),
    ],
)
async def test_a_form_that_asks_for_a_secret_is_declined_by_default(
    lines: tuple[str, ...], reply: Reply
) -> None:
    given, seen = await form(*lines, prompt=form_prompt(KEY))
    assert given == reply
    assert "  ! API key: " in seen
    assert "Enter declines" in seen
    assert "note" not in seen


@pytest.mark.requirement("FORM-5")
async def test_a_form_that_asks_for_a_secret_can_be_filled_in_all_the_same() -> None:
    given, _ = await form("continue", "none", "", "submit", prompt=form_prompt(KEY))
    assert given == Accepted({"api_key": "none"})


@pytest.mark.requirement("FORM-5")
async def test_a_message_that_asks_for_a_secret_is_warned_of() -> None:
    prompt = form_prompt(NAME, message="Please enter your password.")
    given, seen = await form("", prompt=prompt)
    assert given == Declined()
    assert "  ! " in seen


@pytest.mark.requirement("URL-12")
@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("http://example.com/", "enter anything secret"),
        ("https://xn--pple-43d.com/", "xn--pple-43d.com"),
        ("https://203.0.113.7/", "address"),
        ("https://github.com.evil.example/", "github"),
    ],
)
async def test_what_is_odd_about_a_link_is_spelled_out(url: str, said: str) -> None:
    reply, person = await link("decline", prompt=link_prompt(url=url))
    assert reply == Declined()
    warnings = [line for line in person.sees.splitlines() if line.startswith("  ! ")]
    assert warnings
    assert said in person.sees


@pytest.mark.requirement("URL-12")
async def test_an_ordinary_link_has_no_warning() -> None:
    _, person = await link("decline", prompt=link_prompt(url="https://example.com/a"))
    assert "  ! " not in person.sees
    assert "It belongs to" not in person.sees


# --- all questions of one agent -------------------------------------------------------------------


class Several:
    """What else an agent asks, and whether it was declined."""

    def __init__(self, prompt: Prompt, count: int = 2) -> None:
        self.declined = 0
        prompt.decline_all = self._decline
        prompt.count_from_asker = lambda: count

    def _decline(self) -> None:
        self.declined += 1


OFFER = "decline all says no to this and to 2 more questions of this agent.\n"
DONE = "2 more questions of this agent are declined with it.\nDeclined. Nothing that you typed"


@pytest.mark.requirement("UI-3")
@pytest.mark.parametrize(
    "lines", [("/decline all",), ("Ada", "decline all"), ("/review", " /Decline  ALL ")]
)
async def test_all_questions_of_an_agent_can_be_declined_within_a_form(
    lines: tuple[str, ...],
) -> None:
    prompt = form_prompt(NAME)
    several = Several(prompt)
    reply, sees = await form(*lines, prompt=prompt)
    assert (reply, several.declined) == (Declined(), 1)
    assert DONE in sees
    assert (OFFER in sees) is (len(lines) > 1)
    assert "\n/decline all says no to all questions of this agent that wait.\n" in sees


@pytest.mark.requirement("UI-3")
@pytest.mark.parametrize("kind", ["confirmation", "secret", "blocked"])
async def test_all_can_be_declined_where_no_field_is_asked_for(kind: str) -> None:
    prompt = {
        "confirmation": lambda: form_prompt({}),
        "secret": lambda: form_prompt({"password": StringProperty(title="Password")}),
        "blocked": lambda: form_prompt(
            {"blob": UnknownProperty(type="object")}, required=("blob",)
        ),
    }[kind]()
    several = Several(prompt)
    reply, sees = await form("decline all", prompt=prompt)
    assert (reply, several.declined) == (Declined(), 1)
    assert OFFER in sees


@pytest.mark.requirement("UI-3")
async def test_all_can_be_declined_at_a_link_and_at_a_permission() -> None:
    person, prompt = Person("decline all"), link_prompt()
    several = Several(prompt)
    assert await person.answers(person.presenter.link(prompt)) == Declined()
    assert (several.declined, person.opened) == (1, [])
    assert OFFER in person.sees
    person, asked = Person("decline all"), permission_prompt()
    several = Several(asked)
    assert await person.answers(person.presenter.permission(asked)) == Declined()
    assert several.declined == 1
    assert DONE in person.sees


async def test_declining_all_of_a_single_question_declines_it() -> None:
    reply, sees = await form("/decline all", prompt=form_prompt(NAME))
    assert reply == Declined()
    assert "more question" not in sees


@pytest.mark.requirement("FORM-5", "UI-2")
async def test_what_is_typed_where_a_secret_is_asked_for_is_not_shown_again() -> None:
    properties = {
        "pin": StringProperty(title="Code", meta={"isSecret": True}),
        "name": StringProperty(title="Name"),
    }
    prompt = form_prompt(properties)
    reply, sees = await form("continue", "sesame", "Ada", "submit", prompt=prompt)
    assert reply == Accepted({"pin": "sesame", "name": "Ada"})
    assert "  1. Code: ********\n  2. Name: Ada\n" in sees
    assert "sesame" not in sees


@pytest.mark.requirement("FORM-5")
async def test_the_same_warning_is_given_once() -> None:
    properties = {"password": StringProperty(title="Password"), "pin": StringProperty(title="PIN")}
    _, sees = await form("", prompt=form_prompt(properties))
    assert sees.count("  ! Password: This field seems to ask for a password.") == 1
    assert sees.count("  ! PIN: This field seems to ask for a PIN.") == 1

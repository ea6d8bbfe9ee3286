"""Answers from rules: which rule, what content, and what has none."""

import pytest

from acp_elicitation.client.prompts import (
    CompletionPresenter,
    FormPrompt,
    LinkPrompt,
    PermissionPresenter,
    PermissionPrompt,
    Prompt,
    Reply,
)
from acp_elicitation.presenters.answers import Rule, When, read_rules
from acp_elicitation.presenters.script import NoScriptedAnswer, ScriptPresenter
from acp_elicitation.protocol.answers import Accepted, Cancelled, Declined
from acp_elicitation.protocol.schema import (
    BooleanProperty,
    IntegerProperty,
    MultiSelectProperty,
    Option,
    SelectProperty,
    StringProperty,
    UnknownProperty,
)
from tests.contract.presenters import (
    Decision,
    check_presenter,
    form_prompt,
    link_prompt,
    permission_prompt,
)
from tests.unit.presenters.dialogue import Shown


class Scripted:
    """A `ScriptPresenter`, what it showed, what it opened, and what had no answer."""

    def __init__(self, *rules: object) -> None:
        self.shown = Shown()
        self.opened: list[str] = []
        self.unanswered: list[NoScriptedAnswer] = []
        self.presenter = ScriptPresenter(
            read_rules(list(rules)),
            out=self.shown,
            open_url=self._open,
            on_unanswered=self.unanswered.append,
        )

    def _open(self, url: str) -> bool:
        self.opened.append(url)
        return True

    @property
    def sees(self) -> str:
        return self.shown.getvalue()

    async def answers(self, prompt: Prompt) -> Reply:
        match prompt:
            case FormPrompt():
                return await self.presenter.form(prompt)
            case LinkPrompt():
                return await self.presenter.link(prompt)
            case PermissionPrompt():
                return await self.presenter.permission(prompt)

    async def fails(self, prompt: Prompt) -> str:
        """Return why `prompt` has no answer."""
        with pytest.raises(NoScriptedAnswer) as caught:
            await self.answers(prompt)
        assert self.unanswered == [caught.value]
        return str(caught.value)


class DrivenScript(Scripted):
    """A script as `check_presenter` drives one: its dismissal is the word cancel."""

    def __init__(self, decision: Decision, prompt: Prompt) -> None:
        rule: dict[str, object] = {"action": "cancel" if decision == "dismiss" else decision}
        if isinstance(prompt, PermissionPrompt):
            rule = {"option": "allow_once"} if decision == "accept" else rule
            rule["when"] = {"permission": True}
        super().__init__(rule)

    async def prompted(self) -> None:
        raise AssertionError("a script has nobody to show a prompt to")

    def close(self) -> None:
        pass


DOG = form_prompt(
    {
        "name": StringProperty(title="Name"),
        "age": IntegerProperty(title="Age", default=3),
        "tame": BooleanProperty(title="Tame", default=False),
        "colours": MultiSelectProperty(
            title="Colours", options=(Option(value="r", title="Red"),), default=("r",)
        ),
    },
    required=("name",),
    message="Which dog?",
)


@pytest.mark.requirement("RES-1", "URL-10")
async def test_it_keeps_the_obligations_of_a_presenter() -> None:
    await check_presenter(DrivenScript, shows=False)


def test_it_also_answers_permissions_and_shows_no_waiting() -> None:
    presenter = ScriptPresenter([])
    assert isinstance(presenter, PermissionPresenter)
    assert not isinstance(presenter, CompletionPresenter)


@pytest.mark.requirement("FORM-4", "FWD-9")
async def test_what_a_rule_leaves_out_takes_its_default_in_the_order_of_the_form() -> None:
    script = Scripted({"action": "accept", "content": {"tame": True, "name": "Rex"}})
    reply = await script.answers(DOG)
    assert reply == Accepted({"name": "Rex", "age": 3, "tame": True, "colours": ["r"]})
    assert list(reply.unwrap()) == ["name", "age", "tame", "colours"]


async def test_null_leaves_a_field_empty_its_default_too() -> None:
    script = Scripted({"action": "accept", "content": {"name": "Rex", "age": None}})
    reply = await script.answers(DOG)
    assert reply == Accepted({"name": "Rex", "tame": False, "colours": ["r"]})


@pytest.mark.parametrize(
    ("given", "content"),
    [
        ({"db_other": "DuckDB"}, {"db_other": "DuckDB"}),
        ({"db": "my"}, {"db": "my"}),
        ({"db": "my", "db_other": "DuckDB"}, {"db": "my", "db_other": "DuckDB"}),
        ({"db": None, "db_other": "DuckDB"}, {"db_other": "DuckDB"}),
        ({"db_other": None}, {"db": "pg"}),
        ({}, {"db": "pg"}),
    ],
)
async def test_a_rule_answers_either_half_of_a_choice_with_a_companion(
    given: dict[str, object], content: dict[str, object]
) -> None:
    options = (Option(value="pg"), Option(value="my"))
    choice = SelectProperty(options=options, default="pg")
    prompt = form_prompt({"db": choice, "db_other": StringProperty(title="Other")})
    scripted = Scripted({"action": "accept", "content": given})
    assert await scripted.answers(prompt) == Accepted(content)
    assert "Other: (left empty)" not in scripted.sees


async def test_a_rule_for_a_note_leaves_the_default_of_its_choice() -> None:
    choice = SelectProperty(options=(Option(value="pg"),), default="pg")
    prompt = form_prompt({"db": choice, "db_note": StringProperty()})
    scripted = Scripted({"action": "accept", "content": {"db_note": "Why not"}})
    assert await scripted.answers(prompt) == Accepted({"db": "pg", "db_note": "Why not"})


async def test_the_first_unused_rule_that_fits_answers() -> None:
    script = Scripted(
        {"when": {"message": "cat"}, "action": "cancel"},
        {"when": {"message": "dog"}, "action": "decline"},
        {"action": "accept", "content": {"name": "Rex"}},
    )
    assert await script.answers(DOG) == Declined()
    assert isinstance(await script.answers(DOG), Accepted)
    assert await script.fails(DOG) == "no unused rule answers the form 'Which dog?'"


async def test_a_rule_that_may_be_repeated_answers_again() -> None:
    script = Scripted({"action": "decline", "repeat": True})
    assert [await script.answers(DOG) for _ in range(3)] == [Declined()] * 3


async def test_equal_rules_are_used_one_by_one() -> None:
    script = Scripted({"action": "decline"}, {"action": "decline"})
    assert [await script.answers(DOG) for _ in range(2)] == [Declined()] * 2
    await script.fails(DOG)


@pytest.mark.requirement("RES-3")
@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ({}, "name: An answer is required here."),
        ({"name": 1}, "name: This has to be text."),
        ({"name": "Rex", "colours": ["blue"]}, "colours: Choose from the list"),
        ({"name": "Rex", "owner": "Ada"}, "owner: The form does not ask for this"),
    ],
)
async def test_content_that_does_not_fit_is_no_answer(
    content: dict[str, object], reason: str
) -> None:
    script = Scripted({"action": "decline"}, {"action": "accept", "content": content})
    await script.answers(DOG)
    failure = await script.fails(DOG)
    assert failure.startswith("rule 2: its content does not fit the form 'Which dog?': ")
    assert reason in failure


@pytest.mark.requirement("FWD-2")
@pytest.mark.parametrize("required", [(), ("blob",)])
async def test_no_answer_is_known_to_fit_a_question_of_unknown_kind(
    required: tuple[str, ...],
) -> None:
    prompt = form_prompt({"blob": UnknownProperty(type="object")}, required=required)
    script = Scripted({"action": "accept", "content": {"blob": {}}})
    assert "blob: This question is of a kind" in await script.fails(prompt)


@pytest.mark.requirement("FWD-2")
async def test_an_optional_question_of_unknown_kind_is_left_out() -> None:
    prompt = form_prompt({"blob": UnknownProperty(type="object")})
    assert await Scripted({"action": "accept"}).answers(prompt) == Accepted({})


async def test_the_question_without_an_answer_is_named_by_its_mode_and_message() -> None:
    assert (
        await Scripted().fails(link_prompt()) == "no unused rule answers the link 'Please connect.'"
    )
    failure = await Scripted({"action": "accept"}).fails(permission_prompt())
    assert failure == "no unused rule answers the permission 'Paint the wall'"


async def test_without_a_listener_the_exception_tells_it() -> None:
    with pytest.raises(NoScriptedAnswer):
        await ScriptPresenter([]).form(DOG)


# --- links ----------------------------------------------------------------------------------------


@pytest.mark.requirement("URL-10")
@pytest.mark.parametrize("open_it", [None, False, True])
async def test_a_link_is_opened_only_where_the_rule_says_so(open_it: bool | None) -> None:
    rule = Rule(action="accept", open=open_it)
    opened: list[str] = []

    def open_url(url: str) -> bool:
        opened.append(url)
        return True

    presenter = ScriptPresenter([rule], open_url=open_url)
    assert await presenter.link(link_prompt()) == Accepted(None)
    assert opened == (["https://example.com/connect?id=1"] if open_it else [])


@pytest.mark.requirement("URL-10")
@pytest.mark.parametrize(("action", "reply"), [("decline", Declined()), ("cancel", Cancelled())])
async def test_a_link_can_be_declined_and_cancelled(action: str, reply: Reply) -> None:
    script = Scripted({"action": action})
    assert await script.answers(link_prompt()) == reply
    assert script.opened == []


async def test_a_script_without_a_browser_consents_and_opens_nothing() -> None:
    presenter = ScriptPresenter([Rule(action="accept", open=True)])
    assert await presenter.link(link_prompt()) == Accepted(None)


# --- permissions ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("option", "chosen"), [("allow_once", "yes"), ("no", "no")])
async def test_a_permission_is_answered_by_the_kind_or_the_id_of_its_option(
    option: str, chosen: str
) -> None:
    script = Scripted({"when": {"permission": True}, "option": option})
    assert await script.answers(permission_prompt()) == Accepted(chosen)


async def test_a_permission_can_be_cancelled() -> None:
    script = Scripted({"when": {"permission": True}, "action": "cancel"})
    assert await script.answers(permission_prompt()) == Cancelled()


async def test_an_option_that_is_not_offered_is_no_answer() -> None:
    script = Scripted({"when": {"permission": True}, "option": "allow_always"})
    assert await script.fails(permission_prompt()) == (
        "rule 1: permission 'Paint the wall' has no option 'allow_always'; "
        "it has yes (allow_once), no (reject_once)"
    )


# --- the transcript -------------------------------------------------------------------------------


@pytest.mark.requirement("UI-1", "UI-6")
async def test_each_question_and_its_answer_can_be_read() -> None:
    script = Scripted(
        {"action": "accept", "content": {"name": "Rex", "age": None}},
        {"action": "accept"},
        {"when": {"permission": True}, "option": "yes"},
        {"action": "decline"},
        {"when": {"permission": True}, "action": "cancel"},
    )
    await script.answers(DOG)
    await script.answers(link_prompt())
    await script.answers(permission_prompt())
    await script.answers(form_prompt({}, message="Sure?"))
    await script.answers(permission_prompt())
    await script.presenter.withdraw(DOG, "withdrawn")
    opening = "from House Painter 3.1\nStarted by the command: painter --acp\n"
    assert script.sees == (
        f"\nQuestion {opening}| Which dog?\n"
        "  Name: Rex\n  Age: (left empty)\n  Tame: no\n  Colours: Red\n"
        "Answered by the script: accept\n"
        f"\nLink {opening}| Please connect.\n"
        "  host: example.com\n  address: https://example.com/connect?id=1\n"
        "Answered by the script: accept\n"
        f"\nPermission request {opening}| Paint the wall\n"
        "  Allow\n"
        "Answered by the script: accept\n"
        f"\nQuestion {opening}| Sure?\n"
        "Answered by the script: decline\n"
        f"\nPermission request {opening}| Paint the wall\n"
        "Answered by the script: cancel\n"
        "The question was withdrawn.\n"
    )


async def test_a_script_that_nobody_reads_shows_nothing() -> None:
    presenter = ScriptPresenter(
        [
            Rule(action="accept", content={"name": "Rex"}),
            Rule(when=When(permission=True), option="yes"),
        ]
    )
    assert isinstance(await presenter.form(DOG), Accepted)
    assert await presenter.permission(permission_prompt()) == Accepted("yes")
    await presenter.withdraw(DOG, "expired")


async def test_a_plain_select_takes_its_value() -> None:
    prompt = form_prompt({"db": SelectProperty(options=(Option(value="pg"), Option(value="lite")))})
    script = Scripted({"action": "accept", "content": {"db": "lite"}})
    assert await script.answers(prompt) == Accepted({"db": "lite"})


async def test_the_rules_that_answered_nothing_are_known_by_their_numbers() -> None:
    repeated = {"when": {"mode": "url"}, "action": "decline", "repeat": True}
    script = Scripted(repeated, {"action": "cancel"}, {"action": "cancel"}, repeated)
    assert script.presenter.idle_rules == [1, 2, 3, 4]
    await script.answers(link_prompt())
    await script.answers(form_prompt({}))
    assert script.presenter.idle_rules == [3, 4]

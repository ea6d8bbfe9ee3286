"""Text that would act on a terminal, in every place of every kind of question."""

import json
from pathlib import Path

import pytest

from acp_elicitation.client.permissions import PermissionOption
from acp_elicitation.client.prompts import Asker, FormPrompt, LinkPrompt, PermissionPrompt
from acp_elicitation.presenters.answers import Rule, When
from acp_elicitation.presenters.script import ScriptPresenter
from acp_elicitation.protocol.answers import Accepted
from acp_elicitation.protocol.handshake import Implementation
from acp_elicitation.text.terminal import visible
from tests.contract.presenters import form_full_of, form_prompt, link_prompt, permission_prompt
from tests.unit.presenters.dialogue import Person, Shown

CORPUS = Path(__file__).resolve().parents[2] / "cases" / "terminal.jsonl"
CASES = [json.loads(line) for line in CORPUS.read_text(encoding="utf-8").splitlines()]
hostile = pytest.mark.parametrize(
    "text", [c["text"] for c in CASES], ids=[c["case"] for c in CASES]
)


def asker(text: str) -> Asker:
    info = Implementation(name=text, title=text, version=text)
    return Asker(info=info, command=(text, text))


def form(text: str, *, pattern: str | None = None) -> FormPrompt:
    schema = form_full_of(text, pattern=pattern)
    return form_prompt(
        schema.properties,
        required=schema.required,
        message=text,
        title=schema.title,
        description=schema.description,
        asker=asker(text),
    )


def link(text: str) -> LinkPrompt:
    return link_prompt(text, host=text, message=text, asker=asker(text))


def permission(text: str) -> PermissionPrompt:
    option = PermissionOption(option_id=text, name=text, kind=text)
    return permission_prompt(option, title=text, description=text, asker=asker(text))


def assert_nothing_acts(output: str) -> None:
    assert visible(output) == output
    assert not {character for character in output if character < " "} - {"\n"}


@pytest.mark.requirement("UI-1", "FORM-8")
@hostile
async def test_no_form_acts_on_the_terminal(text: str) -> None:
    prompt = form(text, pattern=text)
    person = Person(
        *(["continue"] if prompt.secrets else []),
        *("", "/list", "/help", "1", "1,9", "1", "nothing like it", "/review"),
        *("submit", "/back", "change 1", '"""', "x", '"""', "decline"),
    )
    await person.answers(person.presenter.form(prompt))
    assert "Review." in person.sees
    assert_nothing_acts(person.sees)


@hostile
async def test_no_form_that_cannot_be_filled_in_acts_on_the_terminal(text: str) -> None:
    schema = form_full_of(text)
    prompt = form_prompt(schema.properties, required=(f"{text}e", f"{text}?"), message=text)
    person = Person(*(["continue"] if prompt.secrets else []), "decline")
    await person.answers(person.presenter.form(prompt))
    assert "cannot be filled in" in person.sees
    assert_nothing_acts(person.sees)


@pytest.mark.requirement("UI-5")
@hostile
async def test_no_link_and_no_permission_acts_on_the_terminal(text: str) -> None:
    person = Person("yes", browser=False)
    await person.answers(person.presenter.link(link(text)))
    assert_nothing_acts(person.sees)
    person = Person("r", browser=False)
    await person.answers(person.presenter.wait_for_completion(link(text)))
    assert_nothing_acts(person.sees)
    person = Person("?", "1")
    await person.answers(person.presenter.permission(permission(text)))
    assert_nothing_acts(person.sees)


@hostile
async def test_no_transcript_of_a_script_acts_on_the_terminal(text: str) -> None:
    shown = Shown()
    script = ScriptPresenter(
        [
            Rule(when=When(mode="form"), action="accept", content={f"{text}d": "x"}),
            Rule(when=When(mode="url"), action="accept"),
            Rule(when=When(permission=True), option=text),
        ],
        out=shown,
    )
    assert isinstance(await script.form(form(text)), Accepted)
    await script.link(link(text))
    await script.permission(permission(text))
    assert_nothing_acts(shown.getvalue())

"""Questions asked as permissions, of a client that shows permissions but no forms."""

import asyncio
from typing import Any

import pytest

from acp_elicitation.agent.permission import via_permission
from acp_elicitation.agent.turn import Turn
from acp_elicitation.protocol.answers import Accepted, Answer, Cancelled, Declined
from acp_elicitation.protocol.errors import ModeNotAdvertised
from acp_elicitation.protocol.schema import (
    BooleanProperty,
    FormSchema,
    MultiSelectProperty,
    Option,
    SelectProperty,
    StringProperty,
)
from acp_elicitation.protocol.version import V1, V2, Version
from tests.held import HeldPresenter
from tests.pair import joined

BOTH = pytest.mark.parametrize("version", [V1, V2], ids=["v1", "v2"])

DATABASE = SelectProperty(options=(Option(value="pg", title="PostgreSQL"), Option(value="lite")))


async def ask(
    version: Version, form: FormSchema, reply: object
) -> tuple[Any, asyncio.Future[Answer[dict[str, Any]]]]:
    """Return the permission that the user saw, and what the question came to."""
    user = HeldPresenter()
    outcome: asyncio.Future[Answer[dict[str, Any]]] = asyncio.get_running_loop().create_future()

    async def on_prompt(turn: Turn) -> None:
        try:
            answer = await turn.elicitor.form(
                "Which one?", form, session=turn.session_id, fallback=via_permission
            )
        except Exception as error:
            outcome.set_exception(error)
        else:
            outcome.set_result(answer)

    async with joined(on_prompt, user, version=version, modes=()) as pair:
        turn = asyncio.create_task((await pair.session()).prompt("go"))
        if reply is None:
            await turn
            return None, outcome
        prompt = await user.next_permission()
        user.reply(prompt, reply)
        await turn
        return prompt.request, outcome


@BOTH
@pytest.mark.requirement("CAP-5")
async def test_a_single_choice_is_one_permission_with_an_option_each(version: Version) -> None:
    form = FormSchema(properties={"db": DATABASE}, required=("db",))
    seen, outcome = await ask(version, form, Accepted("answer-1"))
    assert seen.title == "Which one?"
    assert [(option.name, option.kind) for option in seen.options] == [
        ("PostgreSQL", "allow_once"),
        ("lite", "allow_once"),
        ("Decline", "reject_once"),
    ]
    assert await outcome == Accepted({"db": "lite"}, via="via_permission")


@BOTH
@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        (Accepted("decline"), Declined(via="via_permission")),
        (Cancelled(), Cancelled(via="via_permission")),
    ],
)
async def test_the_users_no_comes_back(version: Version, reply: object, answer: object) -> None:
    _, outcome = await ask(version, FormSchema(properties={"db": DATABASE}), reply)
    assert await outcome == answer


@pytest.mark.parametrize(
    ("form", "names", "chosen", "content"),
    [
        (FormSchema(properties={}), ["Yes", "Decline"], "answer-0", {}),
        (
            FormSchema(properties={"ok": BooleanProperty()}),
            ["Yes", "No", "Decline"],
            "answer-1",
            {"ok": False},
        ),
    ],
)
async def test_a_yes_or_no_is_a_permission(
    form: FormSchema, names: list[str], chosen: str, content: object
) -> None:
    seen, outcome = await ask(V1, form, Accepted(chosen))
    assert [option.name for option in seen.options] == names
    assert await outcome == Accepted(content, via="via_permission")


@pytest.mark.parametrize(
    "form",
    [
        FormSchema(properties={"name": StringProperty()}),
        FormSchema(properties={"db": DATABASE, "ok": BooleanProperty()}),
        FormSchema(properties={"dbs": MultiSelectProperty(options=(Option(value="a"),))}),
        FormSchema(
            properties={"n": SelectProperty(options=tuple(Option(value=str(n)) for n in range(21)))}
        ),
    ],
)
async def test_what_a_permission_cannot_carry_stays_unanswered(form: FormSchema) -> None:
    _, outcome = await ask(V1, form, None)
    with pytest.raises(ModeNotAdvertised):
        await outcome

"""Questions asked in the text of the conversation, over several turns."""

import asyncio
from typing import Any

import pytest

from acp_elicitation.agent.in_text import via_text
from acp_elicitation.agent.turn import Turn
from acp_elicitation.protocol.answers import Accepted, Answer, Cancelled, Declined
from acp_elicitation.protocol.errors import ModeNotAdvertised, RemoteError
from acp_elicitation.protocol.schema import (
    BooleanProperty,
    FormSchema,
    IntegerProperty,
    MultiSelectProperty,
    Option,
    SelectProperty,
    StringProperty,
    UnknownProperty,
)
from acp_elicitation.protocol.version import V1, V2, Version
from tests.held import HeldPresenter
from tests.pair import joined

BOTH = pytest.mark.parametrize("version", [V1, V2], ids=["v1", "v2"])

PORT = FormSchema(
    properties={"port": IntegerProperty(title="Port", minimum=1024, default=8080)},
    required=("port",),
)
SERVICE = FormSchema(
    properties={
        "name": StringProperty(description="What it is called"),
        "db": SelectProperty(title="Database", options=(Option(value="pg", title="PostgreSQL"),)),
        "extras": MultiSelectProperty(options=(Option(value="a"), Option(value="b"))),
        "public": BooleanProperty(),
    },
    required=("name",),
)


async def converse(
    form: FormSchema, *replies: str, version: Version = V1
) -> tuple[list[str], asyncio.Future[Answer[dict[str, Any]]]]:
    """Return what the agent said in each turn, and what the question came to."""
    outcome: asyncio.Future[Answer[dict[str, Any]]] = asyncio.get_running_loop().create_future()

    async def on_prompt(turn: Turn) -> None:
        assert turn.text == "go"
        try:
            answer = await turn.elicitor.form(
                "What now?", form, session=turn.session_id, fallback=via_text
            )
        except Exception as error:
            outcome.set_exception(error)
        else:
            outcome.set_result(answer)
            turn.say("Thanks.")

    said: list[str] = []
    async with joined(on_prompt, HeldPresenter(), version=version, modes=()) as pair:
        session = await pair.session()
        for text in ("go", *replies):
            before = len(pair.said)
            assert await session.prompt(text) == "end_turn"
            said.append(pair.said[before:])
    return said, outcome


@BOTH
@pytest.mark.requirement("CAP-5")
async def test_a_single_field_takes_the_whole_next_prompt(version: Version) -> None:
    said, outcome = await converse(PORT, "2000", version=version)
    assert said == [
        "What now?\n\n- port (Port); 1024 or more; default: 8080\n\n"
        'Reply with your answer, or "decline" or "cancel".',
        "Thanks.",
    ]
    assert await outcome == Accepted({"port": 2000}, via="via_text")


async def test_several_fields_take_a_line_each() -> None:
    reply = "- Name: shop\ndatabase: PostgreSQL\n* extras: b, a\npublic: yes\nnonsense: 1\nplain"
    said, outcome = await converse(SERVICE, reply)
    assert "- name; What it is called\n" in said[0]
    assert "- db (Database); one of: PostgreSQL; optional\n" in said[0]
    assert "- extras; any of: a, b; optional\n" in said[0]
    answer = await outcome
    assert answer == Accepted(
        {"name": "shop", "db": "pg", "extras": ["a", "b"], "public": True}, via="via_text"
    )


@BOTH
async def test_a_reply_that_does_not_fit_is_explained_and_asked_for_again(
    version: Version,
) -> None:
    said, outcome = await converse(PORT, "80", "8081", version=version)
    assert said[1].startswith("That does not fit yet:\n- Port: ")
    assert await outcome == Accepted({"port": 8081}, via="via_text")


async def test_after_three_replies_it_ends() -> None:
    _, outcome = await converse(PORT, "1", "2", "3")
    with pytest.raises(ModeNotAdvertised):
        await outcome


@pytest.mark.requirement("RES-1")
@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("decline", Declined(via="via_text")),
        ("Cancel", Cancelled(via="via_text")),
        (" ", Cancelled(via="via_text")),
    ],
)
async def test_a_no_in_words_is_a_no(reply: str, answer: object) -> None:
    _, outcome = await converse(PORT, reply)
    assert await outcome == answer


async def test_a_confirmation_takes_a_yes() -> None:
    said, outcome = await converse(FormSchema(properties={}), "yes")
    assert said[0] == 'What now?\n\nReply "yes", "decline" or "cancel".'
    assert await outcome == Accepted({}, via="via_text")


@pytest.mark.requirement("FWD-2")
async def test_a_form_that_cannot_be_answered_is_not_asked_in_text() -> None:
    form = FormSchema(properties={"x": UnknownProperty(type="_new")}, required=("x",))
    said, outcome = await converse(form)
    assert said == [""]
    with pytest.raises(ModeNotAdvertised):
        await outcome


@BOTH
async def test_a_turn_can_be_cancelled_while_it_waits_for_a_reply(version: Version) -> None:
    ended = asyncio.Event()

    async def on_prompt(turn: Turn) -> None:
        try:
            await turn.elicitor.form("?", PORT, session=turn.session_id, fallback=via_text)
        finally:
            ended.set()

    async with joined(on_prompt, HeldPresenter(), version=version, modes=()) as pair:
        session = await pair.session()
        assert await session.prompt("go") == "end_turn"
        session.cancel()
        await ended.wait()


async def test_a_question_beside_the_turn_cannot_be_asked_twice_in_text() -> None:
    answers: list[object] = []

    async def on_prompt(turn: Turn) -> None:
        async def ask() -> None:
            answers.append(
                await turn.elicitor.form("?", PORT, session=turn.session_id, fallback=via_text)
            )

        first = asyncio.create_task(ask())
        await asyncio.sleep(0)
        with pytest.raises(ModeNotAdvertised):
            await ask()
        first.cancel()
        turn.say("only one")

    async with joined(on_prompt, HeldPresenter(), version=V1, modes=()) as pair:
        assert await (await pair.session()).prompt("go") == "end_turn"
    assert answers == []


@BOTH
async def test_a_second_prompt_right_behind_the_reply_is_refused(version: Version) -> None:
    gone_on = asyncio.Event()

    async def on_prompt(turn: Turn) -> None:
        await turn.elicitor.form("?", PORT, session=turn.session_id, fallback=via_text)
        await gone_on.wait()

    async with joined(on_prompt, HeldPresenter(), version=version, modes=()) as pair:
        session = await pair.session()
        assert await session.prompt("go") == "end_turn"
        params = {"sessionId": session.id, "prompt": [{"type": "text", "text": "2000"}]}
        reply = asyncio.create_task(pair.client_end.request("session/prompt", params))
        await asyncio.sleep(0)
        with pytest.raises(RemoteError) as raised:
            await pair.client_end.request("session/prompt", params)
        assert raised.value.code == -32600
        gone_on.set()
        assert await reply


async def test_a_question_in_text_that_is_given_up_can_be_asked_again() -> None:
    asked_again = asyncio.Event()

    async def on_prompt(turn: Turn) -> None:
        def ask() -> asyncio.Task[Any]:
            return asyncio.create_task(
                turn.elicitor.form("?", PORT, session=turn.session_id, fallback=via_text)
            )

        first = ask()
        await asyncio.sleep(0)
        first.cancel()
        await asyncio.wait([first])
        second = ask()
        await asyncio.sleep(0)
        asked_again.set()
        turn.say(f"Port {(await second).unwrap()['port']}.")

    async with joined(on_prompt, HeldPresenter(), version=V1, modes=()) as pair:
        session = await pair.session()
        assert await session.prompt("go") == "end_turn"
        await asked_again.wait()
        assert await session.prompt("2000") == "end_turn"
        assert pair.said.endswith("Port 2000.")


@BOTH
@pytest.mark.requirement("REQ-5")
async def test_a_prompt_right_behind_a_cancellation_begins_a_new_turn(version: Version) -> None:
    begun: list[str] = []

    async def on_prompt(turn: Turn) -> None:
        begun.append(turn.text)
        if turn.text == "go":
            await turn.elicitor.form("?", PORT, session=turn.session_id, fallback=via_text)
        turn.say(f"Did {turn.text}.")

    async with joined(on_prompt, HeldPresenter(), version=version, modes=()) as pair:
        session = await pair.session()
        assert await session.prompt("go") == "end_turn"
        session.cancel()
        assert await session.prompt("2000") in ("end_turn", "cancelled")
        assert begun == ["go", "2000"]
        assert pair.said.endswith("Did 2000.")


@BOTH
@pytest.mark.requirement("REQ-5")
async def test_a_turn_that_minds_no_cancellation_asks_nothing_more_in_text(
    version: Version,
) -> None:
    answers: list[object] = []

    async def ask(turn: Turn) -> None:
        answers.append(
            await turn.elicitor.form("?", PORT, session=turn.session_id, fallback=via_text)
        )

    async def on_prompt(turn: Turn) -> None:
        if turn.text == "go":
            try:
                await ask(turn)
            except asyncio.CancelledError:
                await ask(turn)

    async with joined(on_prompt, HeldPresenter(), version=version, modes=()) as pair:
        session = await pair.session()
        assert await session.prompt("go") == "end_turn"
        session.cancel()
        await session.prompt("next")
    assert answers == [Cancelled("withdrawn")]

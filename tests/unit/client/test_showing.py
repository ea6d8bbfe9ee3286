"""One "no" for all the questions of an agent: what it ends, and what it leaves alone."""

import asyncio
from typing import Any

import pytest

from acp_elicitation.client.prompts import FormPrompt
from acp_elicitation.client.queue import PromptQueue
from acp_elicitation.client.responder import Responder
from acp_elicitation.protocol.answers import Accepted, Declined
from tests.held import HeldPresenter

DECLINED = {"action": "decline"}
CANCELLED = {"outcome": {"outcome": "cancelled"}}


def form(message: str = "Who?", *, pattern: str | None = None) -> dict[str, Any]:
    name = {"type": "string"} if pattern is None else {"type": "string", "pattern": pattern}
    return {
        "sessionId": "s",
        "mode": "form",
        "message": message,
        "requestedSchema": {"type": "object", "properties": {"name": name}},
    }


LINK = {
    "sessionId": "s",
    "mode": "url",
    "message": "Connect",
    "elicitationId": "e1",
    "url": "https://example.com/connect",
}
PERMISSION = {
    "sessionId": "s",
    "toolCall": {"toolCallId": "t", "title": "Paint"},
    "options": [{"optionId": "yes", "name": "Yes", "kind": "allow_once"}],
}


async def until_waiting(responder: Responder, count: int) -> None:
    async with asyncio.timeout(10):
        while responder.queue.waiting != count:
            await responder.queue.waiting_changed()


def decline_all(prompt: Any) -> None:
    assert prompt.decline_all is not None
    prompt.decline_all()


@pytest.mark.requirement("UI-3", "RES-1")
async def test_declining_all_declines_what_is_shown_and_all_that_waits() -> None:
    user = HeldPresenter()
    responder = Responder(user)
    first = asyncio.create_task(responder.create(form()))
    prompt = await user.next_form()
    others = [
        asyncio.create_task(responder.create(form("Where?"))),
        asyncio.create_task(responder.create(LINK)),
        asyncio.create_task(responder.permit(PERMISSION)),
        asyncio.create_task(responder.create(form("When?", pattern="^a"))),
    ]
    await until_waiting(responder, 4)
    assert (prompt.waiting, prompt.waiting_from_asker) == (4, 4)
    decline_all(prompt)
    user.reply(prompt, Declined())
    assert await first == DECLINED
    assert await asyncio.gather(*others) == [DECLINED, DECLINED, CANCELLED, DECLINED]
    assert user.shown.empty()
    assert not user.withdrawn
    assert (responder.queue.waiting, responder.open_links) == (0, ())


@pytest.mark.requirement("RES-1")
async def test_a_permission_request_can_be_what_all_is_declined_from() -> None:
    user = HeldPresenter()
    responder = Responder(user)
    first = asyncio.create_task(responder.permit(PERMISSION))
    prompt = await user.next_permission()
    other = asyncio.create_task(responder.create(form()))
    await until_waiting(responder, 1)
    decline_all(prompt)
    user.reply(prompt, Declined())
    assert (await first, await other) == (CANCELLED, DECLINED)


@pytest.mark.requirement("RES-1")
@pytest.mark.parametrize("reply", [Accepted({"name": "Ada"}), None])
async def test_after_a_no_to_all_nothing_is_an_accept(reply: object) -> None:
    user = HeldPresenter()
    answer = asyncio.create_task(Responder(user).create(form()))
    prompt = await user.next_form()
    decline_all(prompt)
    user.reply(prompt, reply)
    assert await answer == DECLINED


async def test_a_question_that_comes_after_the_no_to_all_is_shown() -> None:
    user = HeldPresenter()
    responder = Responder(user)
    first = asyncio.create_task(responder.create(form()))
    prompt = await user.next_form()
    decline_all(prompt)
    later = asyncio.create_task(responder.create(form("Later?")))
    await until_waiting(responder, 1)
    user.reply(prompt, Declined())
    assert await first == DECLINED
    shown = await user.next_form()
    assert shown.message == "Later?"
    user.reply(shown, Accepted({"name": "Ada"}))
    assert (await later)["action"] == "accept"


async def test_the_questions_of_another_agent_are_left_alone() -> None:
    user, queue = HeldPresenter(), PromptQueue()
    ours, theirs = Responder(user, queue=queue), Responder(user, queue=queue)
    first = asyncio.create_task(ours.create(form()))
    prompt = await user.next_form()
    other = asyncio.create_task(theirs.create(form("Theirs?")))
    await until_waiting(ours, 1)
    assert (prompt.waiting, prompt.waiting_from_asker) == (1, 0)
    decline_all(prompt)
    user.reply(prompt, Declined())
    assert await first == DECLINED
    user.reply(await user.next_form(), Accepted({}))
    assert await other == {"action": "accept"}


@pytest.mark.parametrize("first_question", ["form", "permission"])
async def test_a_prompt_that_is_answered_declines_nothing_any_more(first_question: str) -> None:
    user = HeldPresenter()
    responder = Responder(user)
    asked = responder.create(form()) if first_question == "form" else responder.permit(PERMISSION)
    first = asyncio.create_task(asked)
    stale = await user.shown.get()
    second = asyncio.create_task(responder.create(form("Second?")))
    await until_waiting(responder, 1)
    user.reply(stale, Declined())
    await first
    shown = await user.next_form()
    decline_all(stale)
    user.reply(shown, Accepted({}))
    assert await second == {"action": "accept"}


@pytest.mark.requirement("REQ-6")
async def test_what_is_withdrawn_after_a_no_to_all_goes_away() -> None:
    user = HeldPresenter()
    responder = Responder(user)
    first = asyncio.create_task(responder.create(form()))
    prompt = await user.next_form()
    other = asyncio.create_task(responder.create(form()))
    await until_waiting(responder, 1)
    decline_all(prompt)
    responder.close()  # the presenter has not come back yet
    assert (await first)["action"] == "cancel"
    assert await other == DECLINED
    assert user.withdrawn == [(prompt, "withdrawn")]


@pytest.mark.requirement("REQ-6")
async def test_the_cancellation_of_a_waiting_question_outruns_no_to_all() -> None:
    user = HeldPresenter()
    responder = Responder(user)
    first = asyncio.create_task(responder.create(form()))
    prompt = await user.next_form()
    other = asyncio.create_task(responder.create(form()))
    await until_waiting(responder, 1)
    other.cancel()
    await asyncio.wait([other])
    assert other.cancelled()
    assert prompt.waiting_from_asker == 0
    decline_all(prompt)
    user.reply(prompt, Declined())
    assert await first == DECLINED


@pytest.mark.requirement("URL-7")
async def test_a_link_that_completed_while_it_waited_is_declined_with_the_rest() -> None:
    user = HeldPresenter()
    responder = Responder(user)
    first = asyncio.create_task(responder.create(form()))
    prompt = await user.next_form()
    other = asyncio.create_task(responder.create(LINK))
    await until_waiting(responder, 1)
    assert responder.complete({"elicitationId": "e1"})
    decline_all(prompt)
    user.reply(prompt, Declined())
    assert (await first, await other) == (DECLINED, DECLINED)
    assert not responder.complete({"elicitationId": "e1"})


async def test_many_that_arrive_in_the_moment_of_the_no_are_each_answered_once() -> None:
    user = HeldPresenter()
    responder = Responder(user)
    first = asyncio.create_task(responder.create(form()))
    prompt = await user.next_form()
    before = [asyncio.create_task(responder.create(form())) for _ in range(20)]
    await asyncio.sleep(0)  # they have arrived, and not all may have asked for their turn
    decline_all(prompt)
    decline_all(prompt)  # a double click
    after = [asyncio.create_task(responder.create(form("After?"))) for _ in range(3)]
    user.reply(prompt, Declined())
    assert await asyncio.gather(first, *before) == [DECLINED] * 21
    for _ in after:
        user.reply(await user.next_form(), Accepted({}))
    assert await asyncio.gather(*after) == [{"action": "accept"}] * 3


async def test_a_prompt_made_by_hand_offers_no_such_thing() -> None:
    user = HeldPresenter()
    asyncio.create_task(Responder(user).create(form())).add_done_callback(lambda _: None)
    prompt = await user.next_form()
    by_hand = FormPrompt(request=prompt.request, asker=prompt.asker)
    assert by_hand.decline_all is None
    assert (by_hand.waiting, by_hand.waiting_from_asker) == (0, 0)
    user.reply(prompt, Declined())

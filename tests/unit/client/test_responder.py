"""The answering side of one connection, with the test as its user."""

import asyncio
import logging
from typing import Any, ClassVar

import pytest

from acp_elicitation.client.limits import Limits
from acp_elicitation.client.prompts import Asker, FormPrompt, LinkPrompt, Reply
from acp_elicitation.client.responder import Responder
from acp_elicitation.protocol.answers import Accepted, Cancelled, Declined
from acp_elicitation.protocol.errors import ErrorReply
from acp_elicitation.protocol.handshake import Implementation
from acp_elicitation.protocol.version import V1
from tests.held import HeldPresenter

NAME = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
SECRET = "what the user typed"


def form(schema: object = NAME, *, session: str = "s", **members: Any) -> dict[str, Any]:
    return {
        "sessionId": session,
        "mode": "form",
        "message": "Who?",
        "requestedSchema": schema,
        **members,
    }


def link(
    link_id: str = "e1", url: str = "https://Example.com/connect", *, session: str = "s"
) -> dict[str, Any]:
    return {
        "sessionId": session,
        "mode": "url",
        "message": "Connect",
        "elicitationId": link_id,
        "url": url,
    }


def reason_of(result: dict[str, Any]) -> object:
    assert result["action"] == "cancel"
    return result.get("_meta", {}).get("acp-elicitation", {}).get("reason")


class TestForms:
    @pytest.mark.requirement("RES-1", "RES-3")
    async def test_a_submitted_form_is_an_accept_with_its_content(self) -> None:
        user = HeldPresenter()
        answer = asyncio.create_task(Responder(user).create(form()))
        prompt = await user.next_form()
        prompt.draft.enter("name", "Ada")
        user.reply(prompt, Accepted(prompt.draft.content()))
        assert await answer == {"action": "accept", "content": {"name": "Ada"}}

    @pytest.mark.requirement("UI-1", "UI-6")
    async def test_the_prompt_names_the_agent_and_carries_its_message(self) -> None:
        user = HeldPresenter()
        asker = Asker(info=Implementation(name="bot", title="The Bot", version="2"), command=("b",))
        answer = asyncio.create_task(Responder(user, asker=asker).create(form()))
        prompt = await user.next_form()
        assert (prompt.asker.name, prompt.message) == ("The Bot 2", "Who?")
        user.reply(prompt, Declined())
        await answer

    @pytest.mark.requirement("RES-1", "UI-2")
    @pytest.mark.parametrize(
        ("reply", "result"),
        [(Declined(), {"action": "decline"}), (Cancelled(), {"action": "cancel"})],
    )
    async def test_a_declined_or_cancelled_form_returns_no_content(
        self, reply: Reply, result: dict[str, Any]
    ) -> None:
        user = HeldPresenter()
        answer = asyncio.create_task(Responder(user).create(form()))
        prompt = await user.next_form()
        prompt.draft.enter("name", SECRET)
        user.reply(prompt, reply)
        assert await answer == result

    async def test_an_accepted_form_without_values_has_no_content(self) -> None:
        user = HeldPresenter()
        answer = asyncio.create_task(
            Responder(user).create(form({"type": "object", "properties": {}}))
        )
        user.reply(await user.next_form(), Accepted({}))
        assert await answer == {"action": "accept"}

    @pytest.mark.requirement("FORM-2", "RES-3")
    async def test_content_that_does_not_fit_is_never_sent(
        self, caplog: pytest.LogCaptureFixture
    ) -> None:
        user = HeldPresenter()
        answer = asyncio.create_task(Responder(user).create(form()))
        user.reply(await user.next_form(), Accepted({"name": 3, SECRET: "x"}))
        assert reason_of(await answer) == "not-shown"
        assert "name: type" in caplog.text

    @pytest.mark.requirement("FWD-2", "FWD-3")
    async def test_a_form_with_a_required_unknown_field_is_never_accepted(self) -> None:
        user = HeldPresenter()
        schema = {
            "type": "object",
            "properties": {"where": {"type": "_location"}},
            "required": ["where"],
        }
        answer = asyncio.create_task(Responder(user).create(form(schema)))
        user.reply(await user.next_form(), Accepted({"where": "here"}))
        assert reason_of(await answer) == "not-shown"

    @pytest.mark.requirement("FORM-9")
    async def test_patterns_are_checked_before_sending(self) -> None:
        user = HeldPresenter()
        responder = Responder(user)
        schema = {"type": "object", "properties": {"name": {"type": "string", "pattern": "^a"}}}
        for name, action in (("ada", "accept"), ("bob", "cancel")):
            answer = asyncio.create_task(responder.create(form(schema)))
            user.reply(await user.next_form(), Accepted({"name": name}))
            assert (await answer)["action"] == action

    @pytest.mark.requirement("RES-1")
    @pytest.mark.parametrize("reply", [None, True, {"name": "Ada"}, Accepted(None), "accept"])
    async def test_what_is_no_reply_is_no_accept(self, reply: object) -> None:
        user = HeldPresenter()
        answer = asyncio.create_task(Responder(user).create(form()))
        user.reply(await user.next_form(), reply)
        assert reason_of(await answer) == "not-shown"

    @pytest.mark.requirement("RES-1", "UI-2")
    async def test_a_failing_presenter_is_a_cancel_and_its_words_stay_here(
        self, caplog: pytest.LogCaptureFixture
    ) -> None:
        caplog.set_level(logging.DEBUG)
        user = HeldPresenter()
        answer = asyncio.create_task(Responder(user).create(form()))
        user.fail(await user.next_form(), RuntimeError(SECRET))
        assert reason_of(await answer) == "not-shown"
        assert "the presenter failed with RuntimeError\n  File " in caplog.text
        assert SECRET not in caplog.text


class TestRefusals:
    @pytest.mark.requirement("CAP-6")
    @pytest.mark.parametrize(
        ("modes", "params"), [(("url",), form()), (("form",), link()), ((), form())]
    )
    async def test_a_mode_that_was_not_advertised_is_invalid(
        self, modes: tuple[Any, ...], params: dict[str, Any]
    ) -> None:
        user = HeldPresenter()
        with pytest.raises(ErrorReply) as raised:
            await Responder(user, modes=modes).create(params)
        assert (raised.value.code, raised.value.data) == (
            -32602,
            {"path": "/mode", "reason": "expected a mode that the client advertised"},
        )
        assert user.shown.empty()

    @pytest.mark.requirement("FWD-1")
    async def test_an_unknown_mode_is_not_shown(self) -> None:
        user = HeldPresenter()
        params = {"sessionId": "s", "mode": "_voice", "message": "Speak"}
        with pytest.raises(ErrorReply) as raised:
            await Responder(user).create(params)
        assert raised.value.code == -32602
        assert user.shown.empty()

    @pytest.mark.requirement("FWD-5")
    async def test_malformed_params_are_answered_with_the_place(self) -> None:
        broken = form({"type": "object", "properties": {"p": {"type": "string", "minLength": "x"}}})
        with pytest.raises(ErrorReply) as raised:
            await Responder(HeldPresenter()).create(broken)
        assert raised.value.code == -32602
        assert raised.value.data == {
            "path": "/requestedSchema/properties/p/minLength",
            "reason": "expected an integer from 0 to 2**32 - 1",
        }

    async def test_what_is_over_the_limits_is_invalid_with_the_reason(self) -> None:
        user = HeldPresenter()
        many = {f"p{n}": {"type": "boolean"} for n in range(201)}
        with pytest.raises(ErrorReply) as raised:
            await Responder(user).create(form({"type": "object", "properties": many}))
        assert raised.value.data == {
            "path": "/requestedSchema/properties",
            "reason": "expected at most 200 properties",
        }
        assert user.shown.empty()

    @pytest.mark.requirement("FORM-9")
    async def test_a_bad_pattern_is_invalid_before_anybody_sees_it(self) -> None:
        user = HeldPresenter()
        responder = Responder(user)
        bad = {"type": "object", "properties": {"p": {"type": "string", "pattern": "("}}}
        with pytest.raises(ErrorReply) as raised:
            await responder.create(form(bad))
        assert raised.value.code == -32602
        assert raised.value.data["path"] == "/requestedSchema/properties/p/pattern"  # type: ignore[index]
        assert user.shown.empty()

    async def test_a_policy_refuses_unseen(self) -> None:
        user = HeldPresenter()
        assert reason_of(await Responder(user, allow=lambda _: False).create(form())) == "policy"
        assert user.shown.empty()

    async def test_a_queue_that_is_full_refuses_by_policy(self) -> None:
        user = HeldPresenter()
        responder = Responder(user, limits=Limits(waiting=1))
        tasks = [asyncio.create_task(responder.create(form())) for _ in range(2)]
        await user.next_form()
        assert reason_of(await responder.create(form())) == "policy"
        responder.close()
        assert [reason_of(result) for result in await asyncio.gather(*tasks)] == ["withdrawn"] * 2

    @pytest.mark.requirement("URL-12")
    @pytest.mark.parametrize(
        "url",
        [
            *("javascript:alert(1)", "file:///etc/passwd", "data:,x"),
            *("https://user@evil.example", "https://example.com\\@evil.test/", "https:a.example"),
            *("http://2130706433/", "https://a.example/\u202egnp.exe", "https://xn--a/"),
        ],
    )
    async def test_a_link_that_must_not_be_opened_is_refused_by_policy(self, url: str) -> None:
        user = HeldPresenter()
        assert reason_of(await Responder(user).create(link(url=url))) == "policy"
        assert user.shown.empty()

    async def test_a_question_that_is_too_large_is_invalid(self) -> None:
        user = HeldPresenter()
        with pytest.raises(ErrorReply) as raised:
            await Responder(user).create(form(_meta={"x": ["y" * 1_000] * 1_100}))
        assert raised.value.code == -32602
        assert user.shown.empty()

    async def test_the_bytes_of_all_questions_are_bounded(self) -> None:
        user = HeldPresenter()
        responder = Responder(user, limits=Limits(waiting_bytes=1_000))
        big = {"x": "y" * 1_000}
        first = asyncio.create_task(responder.create(form(_meta=big)))
        prompt = await user.next_form()
        assert reason_of(await responder.create(form())) == "policy"
        user.reply(prompt, Declined())
        await first
        again = asyncio.create_task(responder.create(form()))
        user.reply(await user.next_form(), Declined())
        assert await again == {"action": "decline"}

    @pytest.mark.requirement("FORM-9")
    async def test_questions_whose_patterns_are_tried_count_as_waiting(self) -> None:
        user = HeldPresenter()
        responder = Responder(user, limits=Limits(waiting=3))
        schema = {"type": "object", "properties": {"p": {"type": "string", "pattern": "^a"}}}
        tasks = [asyncio.create_task(responder.create(form(schema))) for _ in range(10)]
        await user.next_form()
        done = [task for task in tasks if task.done()]
        assert len(done) == 6
        assert {reason_of(task.result()) for task in done} == {"policy"}
        responder.close()
        await asyncio.gather(*tasks)


class TestTheQueue:
    async def test_questions_are_shown_one_at_a_time_in_order_of_arrival(self) -> None:
        user = HeldPresenter()
        responder = Responder(user)
        first, second, third = (
            asyncio.create_task(responder.create(form(message=name))) for name in "abc"
        )
        shown = []
        for waiting in (2, 1, 0):
            prompt = await user.next_form()
            shown.append(prompt.message)
            assert prompt.waiting == waiting
            assert user.shown.empty()
            user.reply(prompt, Declined())
        assert shown == ["a", "b", "c"]
        assert [await task for task in (first, second, third)] == [{"action": "decline"}] * 3

    @pytest.mark.requirement("REQ-6")
    async def test_a_cancelled_request_closes_its_prompt(self) -> None:
        user = HeldPresenter()
        answer = asyncio.create_task(Responder(user).create(form()))
        prompt = await user.next_form()
        answer.cancel()
        with pytest.raises(asyncio.CancelledError):
            await answer
        assert user.withdrawn == [(prompt, "withdrawn")]

    @pytest.mark.requirement("REQ-6")
    async def test_a_cancelled_request_that_waits_is_never_shown(self) -> None:
        user = HeldPresenter()
        responder = Responder(user)
        shown = asyncio.create_task(responder.create(form(message="first")))
        prompt = await user.next_form()
        waiting = asyncio.create_task(responder.create(form(message="second")))
        assert await responder.queue.waiting_changed() == 1
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        user.reply(prompt, Declined())
        assert await shown == {"action": "decline"}
        assert user.shown.empty()
        assert user.withdrawn == []

    async def test_a_session_that_is_cancelled_withdraws_only_its_own_questions(self) -> None:
        user = HeldPresenter()
        responder = Responder(user)
        mine = asyncio.create_task(responder.create(form(session="mine")))
        other = asyncio.create_task(responder.create(form(session="other")))
        prompt = await user.next_form()
        assert responder.withdraw_session("mine") == 1
        assert reason_of(await mine) == "withdrawn"
        assert user.withdrawn == [(prompt, "withdrawn")]
        user.reply(await user.next_form(), Declined())
        assert await other == {"action": "decline"}

    async def test_a_request_that_is_over_withdraws_its_question(self) -> None:
        user = HeldPresenter()
        responder = Responder(user)
        params = {**form(), "requestId": 7}
        del params["sessionId"]
        answer = asyncio.create_task(responder.create(params))
        await user.next_form()
        assert responder.withdraw_requests_but({7}) == 0
        assert responder.withdraw_requests_but({8}) == 1
        assert reason_of(await answer) == "withdrawn"

    async def test_an_answer_after_the_withdrawal_is_not_used(self) -> None:
        class Stubborn(HeldPresenter):
            async def form(self, prompt: FormPrompt) -> Reply:
                try:
                    return await super().form(prompt)
                except asyncio.CancelledError:
                    return Accepted({"name": SECRET})

        user = Stubborn()
        responder = Responder(user)
        answer = asyncio.create_task(responder.create(form()))
        prompt = await user.next_form()
        responder.withdraw_session("s")
        assert reason_of(await answer) == "withdrawn"
        assert user.withdrawn == [(prompt, "withdrawn")]

    async def test_withdrawing_twice_is_once(self) -> None:
        user = HeldPresenter()
        responder = Responder(user)
        answer = asyncio.create_task(responder.create(form()))
        await user.next_form()
        responder.withdraw_session("s")
        responder.close()
        assert reason_of(await answer) == "withdrawn"
        task = asyncio.current_task()
        assert task is not None
        assert task.cancelling() == 0

    async def test_a_question_can_expire(self) -> None:
        user = HeldPresenter()
        result = await Responder(user, expires_after=0).create(form())
        assert reason_of(result) == "expired"
        assert [why for _, why in user.withdrawn] == ["expired"]

    async def test_a_presenter_that_fails_to_withdraw_changes_nothing(
        self, caplog: pytest.LogCaptureFixture
    ) -> None:
        class Clumsy(HeldPresenter):
            async def withdraw(self, prompt: object, why: object) -> None:
                raise RuntimeError(SECRET)

        user = Clumsy()
        responder = Responder(user)
        answer = asyncio.create_task(responder.create(form()))
        await user.next_form()
        responder.close()
        assert reason_of(await answer) == "withdrawn"
        assert SECRET not in caplog.text


class TestLinks:
    @pytest.mark.requirement("URL-1", "RES-4", "UI-5")
    async def test_a_consent_is_an_accept_without_content(self) -> None:
        user = HeldPresenter()
        responder = Responder(user)
        answer = asyncio.create_task(responder.create(link()))
        prompt = await user.next_link()
        assert (prompt.url, prompt.host) == ("https://Example.com/connect", "example.com")
        user.reply(prompt, Accepted(None))
        assert await answer == {"action": "accept"}
        assert responder.open_links == ("e1",)
        assert not prompt.completed.is_set()

    @pytest.mark.requirement("URL-1", "RES-1")
    async def test_a_declined_link_is_not_outstanding(self) -> None:
        user = HeldPresenter()
        responder = Responder(user)
        answer = asyncio.create_task(responder.create(link()))
        user.reply(await user.next_link(), Declined())
        assert await answer == {"action": "decline"}
        assert responder.open_links == ()
        assert not responder.complete({"elicitationId": "e1"})

    @pytest.mark.requirement("URL-7")
    async def test_a_completion_counts_once(self) -> None:
        user = HeldPresenter()
        responder = Responder(user)
        answer = asyncio.create_task(responder.create(link()))
        prompt = await user.next_link()
        user.reply(prompt, Accepted(None))
        await answer
        assert responder.complete({"elicitationId": "e1"})
        assert prompt.completed.is_set()
        assert not responder.complete({"elicitationId": "e1"})
        assert responder.open_links == ()

    @pytest.mark.requirement("URL-7")
    @pytest.mark.parametrize("params", [{"elicitationId": "ghost"}, {}, None, {"elicitationId": 5}])
    async def test_an_unknown_completion_is_ignored(self, params: object) -> None:
        assert not Responder(HeldPresenter()).complete(params)

    @pytest.mark.requirement("URL-7")
    async def test_a_completion_may_come_before_the_consent(self) -> None:
        user = HeldPresenter()
        responder = Responder(user)
        answer = asyncio.create_task(responder.create(link()))
        prompt = await user.next_link()
        assert responder.complete({"elicitationId": "e1"})
        assert prompt.completed.is_set()
        assert not responder.complete({"elicitationId": "e1"})
        user.reply(prompt, Accepted(None))
        assert await answer == {"action": "accept"}
        assert responder.open_links == ()
        assert user.waiting_for == []

    @pytest.mark.requirement("URL-7")
    async def test_a_completion_may_come_while_the_link_waits_for_its_turn(self) -> None:
        user = HeldPresenter()
        responder = Responder(user)
        before = asyncio.create_task(responder.create(form()))
        first = await user.next_form()
        answer = asyncio.create_task(responder.create(link()))
        assert await responder.queue.waiting_changed() == 1
        assert responder.complete({"elicitationId": "e1"})
        user.reply(first, Declined())
        await before
        prompt = await user.next_link()
        assert prompt.completed.is_set()
        user.reply(prompt, Cancelled())
        assert await answer == {"action": "cancel"}

    @pytest.mark.requirement("URL-3")
    async def test_an_id_that_is_outstanding_is_refused(self) -> None:
        user = HeldPresenter()
        responder = Responder(user)
        answer = asyncio.create_task(responder.create(link()))
        prompt = await user.next_link()
        with pytest.raises(ErrorReply) as raised:
            await responder.create(link())
        assert raised.value.code == -32602
        user.reply(prompt, Accepted(None))
        assert await answer == {"action": "accept"}
        assert responder.open_links == ("e1",)

    async def test_an_id_can_be_used_again_when_it_is_over(self) -> None:
        user = HeldPresenter()
        responder = Responder(user)
        for _ in range(2):
            answer = asyncio.create_task(responder.create(link()))
            user.reply(await user.next_link(), Accepted(None))
            await answer
            assert responder.complete({"elicitationId": "e1"})

    @pytest.mark.requirement("URL-8")
    async def test_an_opened_link_is_shown_as_waiting_until_a_question_comes(self) -> None:
        user = HeldPresenter()
        responder = Responder(user)
        answer = asyncio.create_task(responder.create(link()))
        prompt = await user.next_link()
        user.reply(prompt, Accepted(None))
        await answer
        await user.waits.wait()
        assert user.waiting_for == [prompt]
        second = asyncio.create_task(responder.create(form()))
        question = await user.next_form()
        assert user.waiting_for == []
        user.reply(question, Declined())
        await second
        assert responder.open_links == ("e1",)

    @pytest.mark.requirement("URL-8")
    async def test_the_wait_ends_with_the_completion(self) -> None:
        user = HeldPresenter()
        responder = Responder(user)
        answer = asyncio.create_task(responder.create(link()))
        user.reply(await user.next_link(), Accepted(None))
        await answer
        responder.complete({"elicitationId": "e1"})
        await responder.queue.background_done()
        assert user.waiting_for == []

    async def test_the_oldest_open_link_is_forgotten_over_the_limit(self) -> None:
        user = HeldPresenter()
        responder = Responder(user, limits=Limits(outstanding_links=2))
        for number in range(4):
            answer = asyncio.create_task(responder.create(link(f"e{number}")))
            user.reply(await user.next_link(), Accepted(None))
            await answer
        assert responder.open_links == ("e2", "e3")

    async def test_a_lost_connection_forgets_its_links_and_withdraws_its_questions(self) -> None:
        user = HeldPresenter()
        responder = Responder(user)
        opened = asyncio.create_task(responder.create(link()))
        user.reply(await user.next_link(), Accepted(None))
        await opened
        asked = asyncio.create_task(responder.create(link("e2")))
        prompt = await user.next_link()
        assert responder.close() == 1
        assert reason_of(await asked) == "withdrawn"
        assert user.withdrawn == [(prompt, "withdrawn")]
        assert responder.open_links == ()
        assert not responder.complete({"elicitationId": "e1"})

    async def test_a_presenter_without_a_waiting_screen_will_do(self) -> None:
        class Plain:
            async def form(self, prompt: FormPrompt) -> Reply:
                return Declined()

            async def link(self, prompt: LinkPrompt) -> Reply:
                return Accepted(None)

            async def withdraw(self, prompt: object, why: object) -> None:
                raise AssertionError("nothing was withdrawn")

        responder = Responder(Plain())
        assert await responder.create(link()) == {"action": "accept"}
        with pytest.raises(ErrorReply) as raised:
            await responder.permit({})
        assert raised.value.code == -32601


class TestPermissions:
    REQUEST: ClassVar[dict[str, Any]] = {
        "sessionId": "s",
        "toolCall": {"toolCallId": "t", "title": "rm -rf build"},
        "options": [
            {"optionId": "yes", "name": "Allow", "kind": "allow_once"},
            {"optionId": "no", "name": "Reject", "kind": "reject_once"},
        ],
    }

    async def test_the_chosen_option_is_the_outcome(self) -> None:
        user = HeldPresenter()
        answer = asyncio.create_task(Responder(user).permit(self.REQUEST))
        prompt = await user.next_permission()
        assert prompt.request.title == "rm -rf build"
        assert [option.name for option in prompt.request.options] == ["Allow", "Reject"]
        user.reply(prompt, Accepted("no"))
        assert await answer == {"outcome": {"outcome": "selected", "optionId": "no"}}

    @pytest.mark.parametrize("reply", [Declined(), Cancelled(), Accepted("other"), None])
    async def test_anything_else_is_cancelled(self, reply: object) -> None:
        user = HeldPresenter()
        answer = asyncio.create_task(Responder(user).permit(self.REQUEST))
        user.reply(await user.next_permission(), reply)
        assert await answer == {"outcome": {"outcome": "cancelled"}}

    async def test_a_cancelled_session_withdraws_it(self) -> None:
        user = HeldPresenter()
        responder = Responder(user)
        answer = asyncio.create_task(responder.permit(self.REQUEST))
        prompt = await user.next_permission()
        responder.withdraw_session("s")
        assert await answer == {"outcome": {"outcome": "cancelled"}}
        assert user.withdrawn == [(prompt, "withdrawn")]

    async def test_malformed_params_are_answered(self) -> None:
        with pytest.raises(ErrorReply) as raised:
            await Responder(HeldPresenter(), version=V1).permit({"sessionId": "s", "options": []})
        assert (raised.value.code, raised.value.data) == (
            -32602,
            {"path": "/options", "reason": "expected a list of at least one option"},
        )

    @pytest.mark.parametrize(
        "members",
        [
            {"title": "x" * 70_000},
            {"title": "t", "description": "x" * 70_000},
            {"options": [{"optionId": "o", "name": "x" * 70_000, "kind": "allow_once"}]},
            {"options": [{"optionId": str(n), "name": "n", "kind": "k"} for n in range(2_001)]},
        ],
    )
    async def test_what_is_over_the_limits_is_invalid(self, members: dict[str, Any]) -> None:
        user = HeldPresenter()
        with pytest.raises(ErrorReply) as raised:
            await Responder(user).permit({**self.REQUEST, **members})
        assert raised.value.code == -32602
        assert user.shown.empty()

    async def test_a_queue_that_is_full_cancels_it(self) -> None:
        user = HeldPresenter()
        responder = Responder(user, limits=Limits(waiting=1))
        tasks = [asyncio.create_task(responder.permit(self.REQUEST)) for _ in range(2)]
        await user.next_permission()
        assert await responder.permit(self.REQUEST) == {"outcome": {"outcome": "cancelled"}}
        responder.close()
        await asyncio.gather(*tasks)

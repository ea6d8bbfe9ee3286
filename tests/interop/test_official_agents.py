"""Our client answers agents that are built on the official SDKs."""

from typing import Any

import pytest

from acp_elicitation.client.prompts import FormPrompt
from acp_elicitation.presenters.answers import Rule, When
from acp_elicitation.presenters.script import ScriptPresenter
from acp_elicitation.protocol.answers import Accepted, Cancelled, Declined
from acp_elicitation.protocol.errors import ConnectionLost
from acp_elicitation.protocol.schema import (
    BooleanProperty,
    IntegerProperty,
    MultiSelectProperty,
    NumberProperty,
    SelectProperty,
    StringProperty,
    UnknownProperty,
)
from acp_elicitation.protocol.scope import RequestScope, SessionScope
from acp_elicitation.protocol.version import V1, V2
from tests.interop.official import QUESTIONS, Peer, each_peer, meet, meet_held

pytestmark = each_peer

ACCEPT_SMALL = {"action": "accept", "content": {"branch": "main"}}
WITHDRAWN = {"action": "cancel", "_meta": {"acp-elicitation": {"reason": "withdrawn"}}}


def error_codes(report: dict[str, Any]) -> list[int | None]:
    """The code of each outcome, None for one that is no error."""
    return [outcome.get("error", {}).get("code") for outcome in report["outcomes"]]


def fill(prompt: FormPrompt, **texts: str) -> Accepted[dict[str, Any]]:
    """Type into the fields of a form, and submit it."""
    for name, text in texts.items():
        prompt.draft.enter(name, text)
    return Accepted(prompt.draft.content())


@pytest.mark.requirement("FORM-1", "FORM-4", "FWD-9", "REQ-2", "UI-1")
async def test_every_kind_of_property_is_read_in_the_agents_order_with_its_defaults(
    peer: Peer,
) -> None:
    async with meet_held(peer) as (meeting, presenter):
        turn = meeting.start("form")
        prompt = await presenter.next_form()
        properties = prompt.request.schema.properties
        asked = QUESTIONS["form"]["requestedSchema"]
        assert {name: type(member) for name, member in properties.items()} == {
            "name": StringProperty,
            "email": StringProperty,
            "start": StringProperty,
            "notes": StringProperty,
            "ratio": NumberProperty,
            "workers": IntegerProperty,
            "private": BooleanProperty,
            "license": SelectProperty,
            "database": SelectProperty,
            "extras": MultiSelectProperty,
            "regions": MultiSelectProperty,
        }
        assert list(properties) == list(asked["properties"])
        assert list(prompt.request.schema.required) == asked["required"]
        draft = prompt.draft
        assert {name: draft.shown_value(name) for name in properties if draft.is_set(name)} == {
            "ratio": "0.5",
            "workers": "4",
            "private": "yes",
            "license": "MIT",
            "extras": "tests",
        }
        scope = prompt.request.scope
        assert isinstance(scope, SessionScope)
        assert (scope.session_id, scope.tool_call_id) == (meeting.session.id, "call-1")
        assert prompt.message == QUESTIONS["form"]["message"]
        assert prompt.asker.name == peer.title
        presenter.reply(prompt, Declined())
        await turn


@pytest.mark.requirement("RES-1", "RES-3", "FORM-2")
async def test_a_form_of_every_kind_is_filled_in_and_arrives_as_it_was_entered(peer: Peer) -> None:
    async with meet_held(peer) as (meeting, presenter):
        turn = meeting.start("form")
        prompt = await presenter.next_form()
        prompt.draft.enter("ratio", "0.25")
        prompt.draft.enter("workers", "8")
        prompt.draft.enter("start", "2026-12-24")
        prompt.draft.enter("notes", "two lines\nzwei Zeilen, 二行 🙂")
        prompt.draft.enter("private", "no")
        prompt.draft.choose("license", ["Apache-2.0"])
        prompt.draft.choose("database", ["pg"])
        prompt.draft.choose("extras", ["docs", "ci"])
        prompt.draft.choose("regions", ["na"])
        presenter.reply(prompt, fill(prompt, name="demo-1", email="ada@example.com"))
        content = {
            "name": "demo-1",
            "email": "ada@example.com",
            "start": "2026-12-24",
            "notes": "two lines\nzwei Zeilen, 二行 🙂",
            "ratio": 0.25,
            "workers": 8,
            "private": False,
            "license": "Apache-2.0",
            "database": "pg",
            "extras": ["docs", "ci"],
            "regions": ["na"],
        }
        report = await turn
        assert report["outcomes"] == [{"action": "accept", "content": content}]
        assert report["stop"] == "end_turn"


@pytest.mark.requirement("RES-1")
async def test_a_script_answers_and_leaves_out_what_is_optional_and_empty(peer: Peer) -> None:
    given = {"name": "demo", "email": "ada@example.com", "regions": ["eu"]}
    rule = Rule(when=When(property="regions"), action="accept", content=given)
    async with meet(peer, ScriptPresenter([rule])) as meeting:
        report = await meeting.run("form")
    defaults = {
        "ratio": 0.5,
        "workers": 4,
        "private": True,
        "license": "MIT",
        "extras": ["tests"],
    }
    assert report["outcomes"] == [{"action": "accept", "content": {**given, **defaults}}]


@pytest.mark.requirement("RES-1", "UI-2")
async def test_a_declined_and_a_cancelled_form_return_no_content(peer: Peer) -> None:
    async with meet_held(peer) as (meeting, presenter):
        for reply, action in ((Declined(), "decline"), (Cancelled(), "cancel")):
            turn = meeting.start("small")
            prompt = await presenter.next_form()
            prompt.draft.enter("branch", "typed, but not submitted")
            presenter.reply(prompt, reply)
            assert (await turn)["outcomes"] == [{"action": action}]


async def test_a_form_without_properties_is_a_plain_confirmation(peer: Peer) -> None:
    async with meet_held(peer) as (meeting, presenter):
        turn = meeting.start("confirm")
        prompt = await presenter.next_form()
        assert prompt.draft.is_confirmation
        presenter.reply(prompt, fill(prompt))
        (outcome,) = (await turn)["outcomes"]
        assert outcome["action"] == "accept"
        assert not outcome.get("content")


@pytest.mark.requirement("FORM-2", "RES-3")
async def test_content_that_does_not_fit_is_never_sent(peer: Peer) -> None:
    async with meet_held(peer) as (meeting, presenter):
        turn = meeting.start("form")
        presenter.reply(await presenter.next_form(), Accepted({"name": "Not A Name"}))
        assert [outcome["action"] for outcome in (await turn)["outcomes"]] == ["cancel"]


@pytest.mark.requirement("URL-1", "URL-4", "RES-4", "UI-5")
async def test_consent_to_a_link_is_answered_at_once_and_completion_follows(peer: Peer) -> None:
    async with meet_held(peer) as (meeting, presenter):
        turn = meeting.start("url")
        prompt = await presenter.next_link()
        assert (prompt.url, prompt.host) == (QUESTIONS["url"]["url"], "agent.example")
        assert not prompt.completed.is_set()
        presenter.reply(prompt, Accepted(None))
        assert (await turn)["outcomes"] == [{"action": "accept"}]
        await prompt.completed.wait()
        assert meeting.responder.open_links == ()


@pytest.mark.requirement("URL-7")
async def test_a_completion_that_comes_before_the_consent_is_kept(peer: Peer) -> None:
    async with meet_held(peer) as (meeting, presenter):
        turn = meeting.start("url-early")
        prompt = await presenter.next_link()
        await prompt.completed.wait()
        presenter.reply(prompt, Accepted(None))
        assert (await turn)["outcomes"] == [{"action": "accept"}]
        assert meeting.responder.open_links == ()
        assert not presenter.waits.is_set()


@pytest.mark.requirement("URL-8")
async def test_a_link_that_never_completes_stays_open_for_the_user(peer: Peer) -> None:
    async with meet_held(peer) as (meeting, presenter):
        turn = meeting.start("url-silent")
        presenter.reply(await presenter.next_link(), Accepted(None))
        assert (await turn)["outcomes"] == [{"action": "accept"}]
        await presenter.waits.wait()
        assert meeting.responder.open_links == (QUESTIONS["url"]["elicitationId"],)


@pytest.mark.requirement("RES-1")
async def test_a_declined_link_is_over(peer: Peer) -> None:
    async with meet_held(peer) as (meeting, presenter):
        turn = meeting.start("url")
        presenter.reply(await presenter.next_link(), Declined())
        assert (await turn)["outcomes"] == [{"action": "decline"}]
        assert meeting.responder.open_links == ()


@pytest.mark.requirement("CAP-2", "CAP-3", "CAP-6")
@pytest.mark.parametrize("modes", [(), ("form",), ("url",)], ids=["none", "form", "url"])
async def test_a_mode_that_was_not_advertised_is_refused_unseen(peer: Peer, modes: Any) -> None:
    async with meet_held(peer, modes=modes) as (meeting, presenter):
        report = await meeting.run("unadvertised")
        assert error_codes(report) == [-32602] * (2 - len(modes))
        assert presenter.shown.empty()
        assert set(report.get("capabilities") or {}) == set(modes)


@pytest.mark.requirement("REQ-6")
async def test_a_question_on_the_screen_is_taken_away_when_the_agent_cancels_it(peer: Peer) -> None:
    async with meet_held(peer) as (meeting, presenter):
        turn = meeting.start("cancel-shown")
        prompt = await presenter.next_form()
        meeting.say_shown()
        assert error_codes(await turn) == [-32800]
        assert presenter.withdrawn == [(prompt, "withdrawn")]


@pytest.mark.requirement("REQ-6")
async def test_a_question_cancelled_right_behind_its_request_is_answered(peer: Peer) -> None:
    async with meet_held(peer) as (meeting, presenter):
        assert error_codes(await meeting.run("cancel-request")) == [-32800]
        while not presenter.shown.empty():
            presenter.shown.get_nowait()  # it may have been on the screen for a moment
        turn = meeting.start("small")
        presenter.reply(await presenter.next_form(), Declined())
        assert (await turn)["outcomes"] == [{"action": "decline"}]


@pytest.mark.requirement("REQ-6", "RES-5")
async def test_cancelling_the_turn_withdraws_its_question(peer: Peer) -> None:
    async with meet_held(peer) as (meeting, presenter):
        turn = meeting.start("cancel-turn")
        prompt = await presenter.next_form()
        meeting.session.cancel()
        report = await turn
        assert report["outcomes"] == [WITHDRAWN]
        assert report["stop"] == "cancelled"
        assert presenter.withdrawn == [(prompt, "withdrawn")]


async def test_of_two_questions_at_once_the_second_waits_visibly(peer: Peer) -> None:
    async with meet_held(peer) as (meeting, presenter):
        turn = meeting.start("two")
        first = await presenter.next_form()
        while first.waiting == 0:
            await meeting.responder.queue.waiting_changed()
        assert presenter.shown.empty()
        presenter.reply(first, fill(first, branch="main"))
        second = await presenter.next_form()
        assert second.waiting == 0
        presenter.reply(second, Declined())
        assert (await turn)["outcomes"] == [ACCEPT_SMALL, {"action": "decline"}]


@pytest.mark.requirement("FWD-1")
async def test_an_unknown_mode_is_refused_unseen(peer: Peer) -> None:
    async with meet_held(peer) as (meeting, presenter):
        assert error_codes(await meeting.run("unknown-mode")) == [-32602]
        assert presenter.shown.empty()


@pytest.mark.requirement("FWD-5")
async def test_malformed_questions_are_each_refused_and_the_connection_goes_on(peer: Peer) -> None:
    async with meet_held(peer) as (meeting, presenter):
        report = await meeting.run("malformed")
        assert error_codes(report) == [-32602] * (len(QUESTIONS["malformed"]) + 1)
        assert all(outcome["error"]["data"]["reason"] for outcome in report["outcomes"])
        assert presenter.shown.empty()
        turn = meeting.start("small")
        prompt = await presenter.next_form()
        presenter.reply(prompt, fill(prompt, branch="main"))
        assert (await turn)["outcomes"] == [ACCEPT_SMALL]


@pytest.mark.requirement("FWD-2")
async def test_an_optional_property_of_unknown_kind_is_left_out(peer: Peer) -> None:
    async with meet_held(peer) as (meeting, presenter):
        turn = meeting.start("unknown-property")
        prompt = await presenter.next_form()
        assert isinstance(prompt.request.schema.properties["place"], UnknownProperty)
        presenter.reply(prompt, fill(prompt, label="here"))
        assert (await turn)["outcomes"] == [{"action": "accept", "content": {"label": "here"}}]


@pytest.mark.requirement("FWD-2")
async def test_a_form_that_requires_an_unknown_kind_cannot_be_accepted(peer: Peer) -> None:
    async with meet_held(peer) as (meeting, presenter):
        turn = meeting.start("unknown-required")
        presenter.reply(await presenter.next_form(), Accepted({"place": "anywhere"}))
        assert [outcome["action"] for outcome in (await turn)["outcomes"]] == ["cancel"]
        turn = meeting.start("unknown-required")
        presenter.reply(await presenter.next_form(), Declined())
        assert (await turn)["outcomes"] == [{"action": "decline"}]


@pytest.mark.requirement("RES-5")
async def test_an_agent_that_dies_while_it_asks_ends_the_turn_and_the_question(peer: Peer) -> None:
    async with meet_held(peer) as (meeting, presenter):
        turn = meeting.start("die-shown")
        prompt = await presenter.next_form()
        meeting.say_shown()
        with pytest.raises(ConnectionLost):
            await turn
        await presenter.gone.wait()
        assert presenter.withdrawn == [(prompt, "withdrawn")]


@pytest.mark.requirement("RES-5")
async def test_an_agent_that_dies_right_behind_its_question_ends_the_turn(peer: Peer) -> None:
    async with meet_held(peer) as (meeting, _):
        with pytest.raises(ConnectionLost):
            await meeting.run("die")


@pytest.mark.requirement("REQ-2")
async def test_a_question_within_session_new_is_bound_to_that_request(peer: Peer) -> None:
    asking = peer._replace(agent=(*peer.agent, "ask-in-new-session"))
    prompts: list[FormPrompt] = []

    class Recording(ScriptPresenter):
        async def form(self, prompt: FormPrompt) -> Any:
            prompts.append(prompt)
            return await super().form(prompt)

    rule = Rule(action="accept", content={"branch": "main"})
    async with meet(asking, Recording([rule])) as meeting:
        assert (await meeting.run("request-scope"))["outcomes"] == [ACCEPT_SMALL]
    (prompt,) = prompts
    assert isinstance(prompt.request.scope, RequestScope)


@pytest.mark.requirement("CAP-2")
async def test_a_client_that_offers_both_versions_settles_on_the_agents_best(peer: Peer) -> None:
    async with meet(peer, ScriptPresenter([]), protocol="auto") as meeting:
        assert meeting.running.version is {"1": V1, "2": V2}[peer.protocol]
        report = await meeting.run("nothing to ask")
        assert report["capabilities"] == {"form": {}, "url": {}}

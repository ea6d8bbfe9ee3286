"""The asking side, against a client of this package whose user is the test."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Literal

import pytest
from pydantic import BaseModel

from acp_elicitation.agent.elicitor import Elicitor
from acp_elicitation.agent.link import Link
from acp_elicitation.agent.serve import NewSession
from acp_elicitation.agent.turn import Turn
from acp_elicitation.protocol.answers import Accepted, Cancelled, Declined
from acp_elicitation.protocol.capabilities import Capabilities
from acp_elicitation.protocol.errors import (
    AnswerTimeout,
    ConnectionLost,
    DuplicateLink,
    InvalidAnswer,
    MalformedMessage,
    ModeNotAdvertised,
    NotAccepted,
    RemoteError,
    UnknownLink,
    UnsafeLink,
)
from acp_elicitation.protocol.reading import JsonObject
from acp_elicitation.protocol.schema import FormSchema, IntegerProperty, StringProperty
from acp_elicitation.protocol.version import V1, V2, Version
from tests.held import HeldPresenter
from tests.pair import joined

BOTH = pytest.mark.parametrize("version", [V1, V2], ids=["v1", "v2"])
PORT = FormSchema(properties={"port": IntegerProperty(minimum=1024)}, required=("port",))


class Refactoring(BaseModel):
    strategy: Literal["conservative", "balanced"] = "balanced"
    dry_run: bool = True


class Client:
    """A client that answers whatever the test says, right or wrong, and records what it got."""

    def __init__(self, *results: object) -> None:
        self.sent: list[tuple[str, JsonObject]] = []
        self.told: list[tuple[str, JsonObject]] = []
        self._results = list(results)

    async def request(self, method: str, params: JsonObject) -> object:
        self.sent.append((method, params))
        result = self._results.pop(0)
        if isinstance(result, Exception):
            raise result
        return result

    def notify(self, method: str, params: JsonObject) -> None:
        self.told.append((method, params))


def elicitor(
    client: Client, *, form: bool = True, url: bool = True, version: Version = V1
) -> Elicitor:
    return Elicitor(client, capabilities=Capabilities(form=form, url=url), version=version)


def turn_that(
    ask: Callable[[Turn], Awaitable[Any]],
) -> tuple[Callable[[Turn], Any], asyncio.Future[Any]]:
    """Return a turn that runs `ask`, and what comes of it."""
    outcome: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

    async def on_prompt(turn: Turn) -> None:
        try:
            outcome.set_result(await ask(turn))
        except BaseException as error:
            outcome.set_exception(error)
            if isinstance(error, asyncio.CancelledError):
                raise

    return on_prompt, outcome


class TestForms:
    @BOTH
    @pytest.mark.requirement("REQ-1", "FORM-3", "RES-1")
    async def test_an_accepted_form_is_an_instance_of_the_model(self, version: Version) -> None:
        user = HeldPresenter()
        on_prompt, outcome = turn_that(
            lambda turn: turn.elicitor.form("How?", Refactoring, session=turn.session_id)
        )
        async with joined(on_prompt, user, version=version) as pair:
            turn = asyncio.create_task((await pair.session()).prompt("go"))
            prompt = await user.next_form()
            assert (prompt.message, prompt.asker.name) == ("How?", "Test Agent 1")
            prompt.draft.enter("strategy", "conservative")
            user.reply(prompt, Accepted(prompt.draft.content()))
            assert await outcome == Accepted(Refactoring(strategy="conservative", dry_run=True))
            assert await turn == "end_turn"

    @BOTH
    @pytest.mark.requirement("RES-1", "RES-2")
    @pytest.mark.parametrize("reply", [Declined(), Cancelled()])
    async def test_a_no_comes_back_as_it_was_given(
        self, version: Version, reply: Declined | Cancelled
    ) -> None:
        user = HeldPresenter()
        on_prompt, outcome = turn_that(
            lambda turn: turn.elicitor.form("Port?", PORT, session=turn.session_id)
        )
        async with joined(on_prompt, user, version=version) as pair:
            turn = asyncio.create_task((await pair.session()).prompt("go"))
            user.reply(await user.next_form(), reply)
            assert await outcome == reply
            await turn

    @pytest.mark.requirement("REQ-1", "REQ-2")
    async def test_the_request_names_its_mode_and_its_session(self) -> None:
        client = Client({"action": "accept", "content": {"port": 8080}})
        answer = await elicitor(client).form(
            "Port?", PORT, session="s", tool_call="t", meta={"x": 1}
        )
        assert answer == Accepted({"port": 8080})
        assert client.sent == [
            (
                "elicitation/create",
                {
                    "sessionId": "s",
                    "toolCallId": "t",
                    "mode": "form",
                    "message": "Port?",
                    "requestedSchema": {
                        "type": "object",
                        "properties": {"port": {"type": "integer", "minimum": 1024}},
                        "required": ["port"],
                    },
                    "_meta": {"x": 1},
                },
            )
        ]

    @BOTH
    @pytest.mark.requirement("REQ-2")
    async def test_a_question_can_belong_to_a_request_of_the_client(self, version: Version) -> None:
        user = HeldPresenter()
        answers: list[object] = []

        async def on_session(new: NewSession) -> None:
            answers.append(await new.elicitor.form("Port?", PORT, request=new.request_id))

        async def on_prompt(turn: Turn) -> None:
            raise AssertionError("no prompt is sent")

        async with joined(on_prompt, user, version=version, on_session=on_session) as pair:
            opening = asyncio.create_task(pair.session())
            prompt = await user.next_form()
            prompt.draft.enter("port", "8080")
            user.reply(prompt, Accepted(prompt.draft.content()))
            await opening
        assert answers == [Accepted({"port": 8080})]

    @pytest.mark.requirement("REQ-2")
    @pytest.mark.parametrize(
        "scope", [{}, {"session": "s", "request": 1}, {"request": 1, "tool_call": "t"}]
    )
    async def test_a_question_belongs_to_exactly_one_of_the_two(
        self, scope: dict[str, Any]
    ) -> None:
        client = Client()
        with pytest.raises(ValueError, match="REQ-2"):
            await elicitor(client).form("Port?", PORT, **scope)
        assert client.sent == []

    @pytest.mark.requirement("CAP-4")
    async def test_a_mode_that_was_not_advertised_is_never_sent(self) -> None:
        client = Client()
        asking = elicitor(client, form=False, url=False)
        assert asking.modes == frozenset()
        with pytest.raises(ModeNotAdvertised):
            await asking.form("Port?", PORT, session="s")
        with pytest.raises(ModeNotAdvertised):
            await asking.link("Go", "https://example.com", session="s")
        assert client.sent == []

    @BOTH
    @pytest.mark.requirement("CAP-1", "CAP-4")
    async def test_a_client_without_elicitation_is_not_asked(self, version: Version) -> None:
        on_prompt, outcome = turn_that(
            lambda turn: turn.elicitor.form("Port?", PORT, session=turn.session_id)
        )
        async with joined(on_prompt, HeldPresenter(), version=version, modes=()) as pair:
            await (await pair.session()).prompt("go")
            with pytest.raises(ModeNotAdvertised):
                await outcome

    @pytest.mark.requirement("FORM-3")
    async def test_content_that_does_not_fit_is_listed_without_its_values(self) -> None:
        schema = FormSchema(
            properties={"port": IntegerProperty(minimum=1024), "host": StringProperty()},
            required=("host",),
        )
        client = Client({"action": "accept", "content": {"port": "hunter2"}})
        with pytest.raises(InvalidAnswer) as raised:
            await elicitor(client).form("Where?", schema, session="s")
        problems = [(problem.property, problem.code) for problem in raised.value.problems]
        assert problems == [("port", "type"), ("host", "required")]
        assert "hunter2" not in str(raised.value)

    @pytest.mark.requirement("FORM-3", "FORM-9")
    async def test_patterns_are_checked_on_receipt(self) -> None:
        schema = FormSchema(properties={"name": StringProperty(pattern="^[a-z]+$")})
        client = Client(
            {"action": "accept", "content": {"name": "Ada"}},
            {"action": "accept", "content": {"name": "ada"}},
        )
        with pytest.raises(InvalidAnswer):
            await elicitor(client).form("Name?", schema, session="s")
        assert await elicitor(client).form("Name?", schema, session="s") == Accepted(
            {"name": "ada"}
        )

    @pytest.mark.requirement("FORM-3", "FWD-8")
    async def test_keys_that_were_not_asked_for_are_dropped(self) -> None:
        client = Client({"action": "accept", "content": {"evil": 1, "port": 8080}})
        answer = await elicitor(client).form("Port?", PORT, session="s")
        assert answer == Accepted({"port": 8080})

    @pytest.mark.requirement("RES-2")
    @pytest.mark.parametrize(
        "result", [{"action": "accept"}, {"action": "accept", "content": None}]
    )
    async def test_content_omitted_and_null_are_the_same(self, result: object) -> None:
        schema = FormSchema(properties={"note": StringProperty()})
        assert await elicitor(Client(result)).form("?", schema, session="s") == Accepted({})

    @pytest.mark.requirement("RES-6")
    async def test_an_unknown_action_is_a_cancel(self) -> None:
        client = Client({"action": "_defer", "content": {"port": 8080}})
        answer = await elicitor(client).form("Port?", PORT, session="s")
        assert answer == Cancelled(None, "_defer")

    async def test_the_reason_of_a_cancel_is_kept(self) -> None:
        meta = {"acp-elicitation": {"reason": "policy"}}
        client = Client({"action": "cancel", "_meta": meta})
        assert await elicitor(client).form("?", PORT, session="s") == Cancelled("policy")

    @pytest.mark.requirement("RES-5")
    @pytest.mark.parametrize(
        ("result", "error"),
        [
            (None, MalformedMessage),
            ({"action": 5}, MalformedMessage),
            ({"action": "accept", "content": []}, MalformedMessage),
            (RemoteError(code=-32602, message="Invalid params"), RemoteError),
            (ConnectionLost(), ConnectionLost),
        ],
    )
    async def test_what_is_no_answer_raises(self, result: object, error: type[Exception]) -> None:
        with pytest.raises(error):
            await elicitor(Client(result)).form("Port?", PORT, session="s")

    @BOTH
    @pytest.mark.requirement("RES-5", "REQ-6")
    async def test_a_time_limit_withdraws_the_question(self, version: Version) -> None:
        user = HeldPresenter()
        on_prompt, outcome = turn_that(
            lambda turn: turn.elicitor.form("?", PORT, session=turn.session_id, timeout=0.01)
        )
        async with joined(on_prompt, user, version=version) as pair:
            await (await pair.session()).prompt("go")
            with pytest.raises(AnswerTimeout):
                await outcome
            assert not len(pair.client.responder.open_links)

    @BOTH
    @pytest.mark.requirement("REQ-5", "REQ-6")
    async def test_cancelling_the_asking_task_closes_the_dialog(self, version: Version) -> None:
        user = HeldPresenter()
        asking: list[asyncio.Task[Any]] = []

        async def on_prompt(turn: Turn) -> None:
            task = asyncio.create_task(turn.elicitor.form("?", PORT, session=turn.session_id))
            asking.append(task)
            with pytest.raises(asyncio.CancelledError):
                await task

        async with joined(on_prompt, user, version=version) as pair:
            turn = asyncio.create_task((await pair.session()).prompt("go"))
            prompt = await user.next_form()
            asking[0].cancel()
            assert await turn == "end_turn"
        assert user.withdrawn == [(prompt, "withdrawn")]

    @BOTH
    @pytest.mark.requirement("RES-5")
    async def test_a_lost_client_ends_the_question(self, version: Version) -> None:
        user = HeldPresenter()
        on_prompt, outcome = turn_that(
            lambda turn: turn.elicitor.form("?", PORT, session=turn.session_id)
        )
        async with joined(on_prompt, user, version=version) as pair:
            turn = asyncio.create_task((await pair.session()).prompt("go"))
            await user.next_form()
            pair.client_end.close()
            with pytest.raises(ConnectionLost):
                await outcome
            with pytest.raises(ConnectionLost):
                await turn

    @BOTH
    @pytest.mark.requirement("REQ-5")
    async def test_a_cancelled_turn_takes_its_question_along(self, version: Version) -> None:
        user = HeldPresenter()
        on_prompt, outcome = turn_that(
            lambda turn: turn.elicitor.form("?", PORT, session=turn.session_id)
        )
        async with joined(on_prompt, user, version=version) as pair:
            session = await pair.session()
            turn = asyncio.create_task(session.prompt("go"))
            prompt = await user.next_form()
            session.cancel()
            assert await turn == "cancelled"
            with pytest.raises(asyncio.CancelledError):
                await outcome
            assert user.withdrawn == [(prompt, "withdrawn")]


class TestLinks:
    URL = "https://agent.example/connect/1"

    @BOTH
    @pytest.mark.requirement("URL-1", "URL-5", "URL-7")
    async def test_a_link_is_consented_to_and_then_completed(self, version: Version) -> None:
        user = HeldPresenter()
        links: asyncio.Queue[Link] = asyncio.Queue()

        async def on_prompt(turn: Turn) -> None:
            link = await turn.elicitor.link("Connect", self.URL, session=turn.session_id)
            links.put_nowait(link)
            await link.completed()

        async with joined(on_prompt, user, version=version) as pair:
            turn = asyncio.create_task((await pair.session()).prompt("go"))
            prompt = await user.next_link()
            assert (prompt.url, prompt.host) == (self.URL, "agent.example")
            user.reply(prompt, Accepted(None))
            link = await links.get()
            assert link.consented
            assert not turn.done()
            assert not prompt.completed.is_set()
            agent = pair.agent.elicitor
            assert agent is not None
            agent.complete(link.id)
            assert await turn == "end_turn"
            await prompt.completed.wait()

    @pytest.mark.requirement("URL-3", "URL-14", "REQ-1")
    async def test_ids_are_fresh_and_the_url_is_sent_as_written(self) -> None:
        client = Client({"action": "accept"}, {"action": "accept"})
        asking = elicitor(client)
        one = await asking.link("m", "https://EXAMPLE.com", session="s")
        two = await asking.link("m", "https://EXAMPLE.com", session="s")
        assert one.id != two.id
        assert min(len(one.id), len(two.id)) >= 16
        assert client.sent[0][1] == {
            "sessionId": "s",
            "mode": "url",
            "message": "m",
            "elicitationId": one.id,
            "url": "https://EXAMPLE.com",
        }

    @pytest.mark.requirement("URL-9", "URL-14")
    @pytest.mark.parametrize(
        "url",
        [
            *("http://agent.example/c", "/connect", "https://me:pw@agent.example/c"),
            *("https://agent.example/c?token=abc", "https://agent.example/c?email=a@b.example"),
            "https://idp.example/authorize?response_type=code&client_id=x&redirect_uri=y",
        ],
    )
    async def test_a_link_that_no_agent_may_send_is_not_sent(self, url: str) -> None:
        client = Client()
        with pytest.raises(UnsafeLink):
            await elicitor(client).link("m", url, session="s")
        assert client.sent == []

    @pytest.mark.requirement("URL-3")
    async def test_an_id_that_is_outstanding_is_not_used_again(self) -> None:
        client = Client({"action": "accept"})
        asking = elicitor(client)
        await asking.link("m", self.URL, session="s", link_id="mine")
        with pytest.raises(DuplicateLink):
            await asking.link("m", self.URL, session="s", link_id="mine")
        assert len(client.sent) == 1

    @pytest.mark.requirement("REQ-3", "URL-6")
    async def test_only_a_link_of_this_connection_is_completed_and_only_once(self) -> None:
        client, other = Client({"action": "accept"}), Client()
        asking = elicitor(client)
        link = await asking.link("m", self.URL, session="s")
        with pytest.raises(UnknownLink):
            elicitor(other).complete(link.id)
        asking.complete(link.id, meta={"x": 1})
        with pytest.raises(UnknownLink):
            asking.complete(link.id)
        assert other.told == []
        assert client.told == [
            ("elicitation/complete", {"elicitationId": link.id, "_meta": {"x": 1}})
        ]
        await link.completed()

    @pytest.mark.requirement("URL-1", "RES-1")
    @pytest.mark.parametrize("action", ["decline", "cancel", "_later"])
    async def test_without_consent_nothing_completes(self, action: str) -> None:
        asking = elicitor(Client({"action": action}))
        link = await asking.link("m", self.URL, session="s")
        assert not link.consented
        with pytest.raises(NotAccepted):
            await link.completed()
        with pytest.raises(UnknownLink):
            asking.complete(link.id)

    @pytest.mark.requirement("RES-4")
    async def test_content_of_a_consent_is_ignored(self) -> None:
        link = await elicitor(Client({"action": "accept", "content": {"token": "x"}})).link(
            "m", self.URL, session="s"
        )
        assert link.answer == Accepted(None)

    @pytest.mark.requirement("URL-5")
    async def test_the_outside_part_may_be_finished_before_the_answer(self) -> None:
        user = HeldPresenter()
        finished = asyncio.Event()

        async def on_prompt(turn: Turn) -> None:
            asking = asyncio.create_task(
                turn.elicitor.link("m", self.URL, session=turn.session_id, link_id="early")
            )
            await asyncio.sleep(0)
            turn.elicitor.complete("early")
            with pytest.raises(UnknownLink):
                turn.elicitor.complete("early")
            await (await asking).completed()
            finished.set()

        async with joined(on_prompt, user, version=V1) as pair:
            turn = asyncio.create_task((await pair.session()).prompt("go"))
            prompt = await user.next_link()
            await prompt.completed.wait()
            user.reply(prompt, Accepted(None))
            await turn
        assert finished.is_set()

    @pytest.mark.requirement("RES-5")
    async def test_a_failed_request_leaves_nothing_outstanding(self) -> None:
        asking = elicitor(Client(RemoteError(code=-32602, message="no"), {"action": "accept"}))
        with pytest.raises(RemoteError):
            await asking.link("m", self.URL, session="s", link_id="again")
        assert (await asking.link("m", self.URL, session="s", link_id="again")).consented

    @pytest.mark.requirement("RES-5")
    async def test_a_wait_for_completion_can_be_limited_and_taken_up_again(self) -> None:
        asking = elicitor(Client({"action": "accept"}))
        link = await asking.link("m", self.URL, session="s")
        with pytest.raises(AnswerTimeout, match="the consent stays"):
            await link.completed(timeout=0)
        asking.complete(link.id)
        await link.completed(timeout=0)

    @pytest.mark.requirement("RES-5")
    async def test_a_lost_connection_ends_the_wait_for_completion(self) -> None:
        asking = elicitor(Client({"action": "accept"}))
        link = await asking.link("m", self.URL, session="s")
        waiting = asyncio.create_task(link.completed())
        await asyncio.sleep(0)
        asking.connection_lost()
        with pytest.raises(ConnectionLost):
            await waiting
        with pytest.raises(ConnectionLost):
            asking.complete(link.id)

    async def test_a_withdrawn_link_does_not_complete(self) -> None:
        asking = elicitor(Client({"action": "accept"}))
        link = await asking.link("m", self.URL, session="s")
        link.withdraw()
        link.withdraw()
        with pytest.raises(NotAccepted):
            await link.completed()
        with pytest.raises(UnknownLink):
            asking.complete(link.id)
        assert "WITHDRAWN" in repr(link)

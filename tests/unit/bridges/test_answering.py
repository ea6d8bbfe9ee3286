"""A client's transport, tapped: what it advertises, answers and takes back, in raw messages."""

import asyncio
import contextlib
import copy
from collections.abc import AsyncIterator
from typing import Any

import pytest

from acp_elicitation.bridges.answering import RespondingTransport
from acp_elicitation.client.prompts import Asker
from acp_elicitation.client.responder import Responder
from acp_elicitation.protocol.answers import Accepted, Cancelled, Declined
from acp_elicitation.protocol.version import V1, V2
from tests.held import HeldPresenter
from tests.unit.bridges.raw import LIMIT, Message, RawEnd, pair

BOTH: Message = {"form": {}, "url": {}}
FORM: Message = {
    "sessionId": "s",
    "mode": "form",
    "message": "?",
    "requestedSchema": {"type": "object", "properties": {}},
}
LINK: Message = {
    "sessionId": "s",
    "mode": "url",
    "message": "?",
    "url": "https://agent.example/x",
    "elicitationId": "l",
}
WITHDRAWN = {"action": "cancel", "_meta": {"acp-elicitation": {"reason": "withdrawn"}}}


class Host:
    """A client on some SDK: its transport, its user, and what it has received."""

    def __init__(self, transport: RespondingTransport, user: HeldPresenter) -> None:
        self.transport = transport
        self.user = user
        self.received: asyncio.Queue[Any] = asyncio.Queue()
        self.loop = asyncio.create_task(self._receive())

    @property
    def responder(self) -> Responder:
        return self.transport.responder

    async def _receive(self) -> None:
        message: Any = ...
        while message is not None:
            message = await self.transport.receive()
            self.received.put_nowait(message)

    async def next(self) -> Any:
        async with asyncio.timeout(LIMIT):
            return await self.received.get()

    async def tell(self, raw: RawEnd, **members: Any) -> Message:
        """Send as the SDK does; returns what the agent heard."""
        await self.transport.send({"jsonrpc": "2.0", **members})
        return await raw.hear()


@contextlib.asynccontextmanager
async def hosted(responder: Responder, user: HeldPresenter) -> AsyncIterator[tuple[Host, RawEnd]]:
    ours, raw = pair()
    host = Host(RespondingTransport(ours, responder, command=("agent", "-x")), user)
    try:
        async with asyncio.timeout(LIMIT):
            yield host, raw
    finally:
        await host.transport.close()
        host.loop.cancel()
        await asyncio.wait([host.loop])


@contextlib.asynccontextmanager
async def ready(version: int = 1, **options: Any) -> AsyncIterator[tuple[Host, RawEnd]]:
    user = HeldPresenter()
    async with hosted(Responder(user, **options), user) as (host, raw):
        await host.tell(raw, id=0, method="initialize", params={"protocolVersion": version})
        await raw.tell(id=0, result={"protocolVersion": version})
        await host.next()
        yield host, raw


async def create(raw: RawEnd, id: object = 9, **changed: Any) -> None:
    await raw.tell(id=id, method="elicitation/create", params={**FORM, **changed})


# --- initialize ---


@pytest.mark.requirement("CAP-2", "CAP-6", "FWD-8")
@pytest.mark.parametrize(
    ("params", "modes", "sent"),
    [
        pytest.param(
            {"protocolVersion": 1},
            ("form", "url"),
            {"protocolVersion": 1, "clientCapabilities": {"elicitation": BOTH}},
            id="version-1",
        ),
        pytest.param(
            {"protocolVersion": 2, "info": {"name": "x"}, "capabilities": {"_x": None}},
            ("form",),
            {
                "protocolVersion": 2,
                "info": {"name": "x"},
                "capabilities": {"_x": None, "elicitation": {"form": {}}},
            },
            id="version-2",
        ),
        pytest.param(
            {"protocolVersion": 2, "clientCapabilities": {"fs": {}}, "capabilities": {}},
            ("url",),
            {
                "protocolVersion": 2,
                "clientCapabilities": {"fs": {}, "elicitation": {"url": {}}},
                "capabilities": {"elicitation": {"url": {}}},
            },
            id="for-agents-of-both",
        ),
        pytest.param(
            {"protocolVersion": 1, "clientCapabilities": {"fs": {}, "elicitation": BOTH}},
            (),
            {"protocolVersion": 1, "clientCapabilities": {"fs": {}}},
            id="not-what-the-host-says",
        ),
        pytest.param(
            {"protocolVersion": 1, "clientCapabilities": None},
            ("form",),
            {"protocolVersion": 1, "clientCapabilities": {"elicitation": {"form": {}}}},
            id="null",
        ),
    ],
)
async def test_what_the_responder_answers_is_advertised_and_nothing_else_is_changed(
    params: Message, modes: tuple[Any, ...], sent: Message
) -> None:
    user = HeldPresenter()
    before = copy.deepcopy(params)
    async with hosted(Responder(user, modes=modes), user) as (host, raw):
        assert await host.tell(raw, id=0, method="initialize", params=params, _x=1) == {
            "jsonrpc": "2.0",
            "id": 0,
            "method": "initialize",
            "params": sent,
            "_x": 1,
        }
        assert params == before  # the host's own object


@pytest.mark.parametrize("params", [None, [], {}, {"protocolVersion": "1"}])
async def test_an_initialize_that_names_no_version_is_left_to_the_agent(params: Any) -> None:
    user = HeldPresenter()
    async with hosted(Responder(user), user) as (host, raw):
        sent = await host.tell(raw, id=0, method="initialize", params=params)
        assert sent["params"] == params


@pytest.mark.requirement("UI-1")
@pytest.mark.parametrize(
    ("result", "version", "name"),
    [
        ({"protocolVersion": 1, "agentInfo": {"name": "a", "version": "2"}}, V1, "a 2"),
        ({"protocolVersion": 2, "info": {"name": "a", "title": "A", "version": "2"}}, V2, "A 2"),
        ({"protocolVersion": 1}, V1, "agent -x"),
    ],
)
async def test_the_user_learns_who_asks_and_what_was_started(
    result: Message, version: object, name: str
) -> None:
    user = HeldPresenter()
    async with hosted(Responder(user), user) as (host, raw):
        await host.tell(raw, id=0, method="initialize", params={"protocolVersion": 2})
        answer = await raw.tell(id=0, result=result)
        assert await host.next() is answer
        assert host.responder.version is version
        await create(raw)
        asker = (await user.next_form()).asker
        assert (asker.name, asker.command) == (name, ("agent", "-x"))


async def test_a_command_that_the_responder_knows_stays() -> None:
    user = HeldPresenter()
    ours, raw = pair()
    responder = Responder(user, asker=Asker(command=("mine",)))
    transport = RespondingTransport(ours, responder)
    await transport.send({"id": 0, "method": "initialize", "params": {"protocolVersion": 1}})
    await raw.tell(id=0, result={"protocolVersion": 1})
    await transport.receive()
    assert responder.asker.command == ("mine",)


@pytest.mark.parametrize("answer", [{"result": {"protocolVersion": 9}}, {"result": None}])
async def test_an_answer_in_no_version_of_ours_is_left_to_the_host(answer: Message) -> None:
    user = HeldPresenter()
    async with hosted(Responder(user, version=V1), user) as (host, raw):
        await host.tell(raw, id=0, method="initialize", params={"protocolVersion": 1})
        sent = await raw.tell(id=0, **answer)
        assert await host.next() is sent
        assert host.responder.version is V1


async def test_a_question_before_initialize_is_answered_is_refused() -> None:
    user = HeldPresenter()
    async with hosted(Responder(user), user) as (host, raw):
        await create(raw, 1)
        assert (await raw.hear())["error"]["code"] == -32600
        await host.tell(raw, id=0, method="initialize", params={"protocolVersion": 1})
        await raw.tell(id=0, error={"code": -32603, "message": "no"})
        await create(raw, 2)
        refused = await raw.hear()
        assert (refused["id"], refused["error"]["code"]) == (2, -32600)
        assert user.shown.empty()


# --- what passes ---


async def test_what_is_not_ours_passes_as_it_is_in_both_directions() -> None:
    async with ready() as (host, raw):
        for members in (
            {"id": 5, "method": "session/request_permission", "params": {"_x": None}},
            {"id": 0, "result": {}},
            {"id": 5, "error": None},
            {"method": "session/update", "params": {"sessionId": "s", "update": {}}},
            {"method": "$/cancel_request", "params": {"requestId": 77}},
            {"method": "$/cancel_request", "params": {"requestId": [1]}},
            {"method": "$/cancel_request"},
            {"id": 8, "method": "_ext/x", "params": [1, 2]},
            {"unknown": "member"},
        ):
            incoming = await raw.tell(**members)
            assert await host.next() is incoming
            outgoing = {"jsonrpc": "2.0", **members}
            await host.transport.send(outgoing)
            assert await raw.hear() is outgoing


@pytest.mark.parametrize("message", [[], [{"jsonrpc": "2.0", "id": 5, "method": "x"}], 5, "x"])
async def test_what_is_no_object_is_refused_and_the_connection_goes_on(message: Any) -> None:
    async with ready() as (host, raw):
        await raw.send(message)
        refused = await raw.hear()
        assert (refused["id"], refused["error"]["code"]) == (None, -32600)
        await create(raw)
        host.user.reply(await host.user.next_form(), Declined())
        assert (await raw.hear())["result"] == {"action": "decline"}


# --- questions ---


@pytest.mark.requirement("RES-1", "REQ-6")
async def test_questions_are_answered_and_the_host_never_sees_them() -> None:
    async with ready() as (host, raw):
        for id, reply, result in (
            (0, Accepted({}), {"action": "accept"}),
            ("0", Declined(), {"action": "decline"}),
            (2.0, Cancelled(), {"action": "cancel"}),
        ):
            await create(raw, id)
            host.user.reply(await host.user.next_form(), reply)
            assert await raw.hear() == {"jsonrpc": "2.0", "id": id, "result": result}
        assert host.received.empty()


@pytest.mark.requirement("FWD-5", "FWD-1", "CAP-6")
@pytest.mark.parametrize(
    "params",
    [
        None,
        [],
        "x",
        {},
        {**FORM, "mode": 5},
        {**FORM, "mode": "voice"},
        {**FORM, "message": None},
        {**FORM, "requestedSchema": {"properties": {"a": {"type": "string", "enum": 3}}}},
        {key: value for key, value in FORM.items() if key != "sessionId"},
        LINK,
    ],
)
async def test_a_question_that_is_not_shown_is_answered_all_the_same(params: object) -> None:
    async with ready(modes=("form",)) as (host, raw):
        await raw.tell(id=9, method="elicitation/create", params=params)
        answer = await raw.hear()
        assert (answer["id"], answer["error"]["code"]) == (9, -32602)
        assert host.user.shown.empty()


@pytest.mark.requirement("FWD-7")
async def test_meta_overwrites_nothing() -> None:
    async with ready() as (host, raw):
        meta = {"message": "evil", "mode": "url", "url": "https://evil.example", "sessionId": "x"}
        await create(raw, _meta=meta)
        prompt = await host.user.next_form()
        assert prompt.message == "?"
        assert prompt.request.raw == {**FORM, "_meta": meta}
        host.user.reply(prompt, Accepted({}))
        assert (await raw.hear())["result"] == {"action": "accept"}


@pytest.mark.requirement("URL-4", "URL-10", "FWD-8")
async def test_a_link_is_shown_as_the_agent_wrote_it() -> None:
    url = "https://agent.example"  # the SDK's models add a slash
    async with ready() as (host, raw):
        await create(raw, **{**LINK, "url": url})
        prompt = await host.user.next_link()
        assert prompt.url == url
        host.user.reply(prompt, Accepted(None))
        assert (await raw.hear())["result"] == {"action": "accept"}


@pytest.mark.parametrize("id", [None, True, 1.5, [1], {}])
async def test_an_id_that_is_none_is_refused(id: object) -> None:
    async with ready() as (host, raw):
        await create(raw, id)
        answer = await raw.hear()
        assert (answer["id"], answer["error"]["code"]) == (None, -32600)
        assert host.user.shown.empty()


async def test_an_id_in_use_is_refused_and_the_first_question_stays() -> None:
    async with ready() as (host, raw):
        await create(raw, 1)
        prompt = await host.user.next_form()
        await create(raw, 1)
        answer = await raw.hear()
        assert (answer["id"], answer["error"]["code"]) == (1, -32600)
        host.user.reply(prompt, Declined())
        assert (await raw.hear())["result"] == {"action": "decline"}


async def test_a_question_that_wants_no_answer_is_dropped() -> None:
    async with ready() as (host, raw):
        await raw.tell(method="elicitation/create", params=FORM)
        await create(raw)
        host.user.reply(await host.user.next_form(), Declined())
        assert (await raw.hear())["id"] == 9  # and nothing was said of the other
        assert (host.user.shown.empty(), host.received.empty()) == (True, True)


@pytest.mark.requirement("UI-2")
async def test_a_responder_that_fails_answers_without_details(
    caplog: pytest.LogCaptureFixture,
) -> None:
    secret = "-".join(("hunter", "2"))  # the source line of the failure may be logged

    def fails(_: object) -> bool:
        raise RuntimeError(secret)

    async with ready(allow=fails) as (_, raw):
        await create(raw)
        assert (await raw.hear())["error"] == {"code": -32603, "message": "internal error"}
    assert "RuntimeError" in caplog.text
    assert secret not in caplog.text


# --- taken back ---


@pytest.mark.requirement("REQ-6")
async def test_a_question_that_the_agent_cancels_is_answered_and_taken_away() -> None:
    async with ready() as (host, raw):
        await create(raw, 0)
        prompt = await host.user.next_form()
        await raw.tell(method="$/cancel_request", params={"requestId": 0})
        answer = await raw.hear()
        assert (answer["id"], answer["error"]["code"]) == (0, -32800)
        assert host.user.withdrawn == [(prompt, "withdrawn")]
        late = await raw.tell(method="$/cancel_request", params={"requestId": 0})
        assert await host.next() is late


@pytest.mark.requirement("REQ-6")
async def test_a_question_cancelled_right_behind_its_request_is_answered() -> None:
    async with ready() as (_, raw):
        await create(raw, 0)
        await raw.tell(method="$/cancel_request", params={"requestId": 0})
        assert (await raw.hear())["error"]["code"] == -32800


@pytest.mark.requirement("URL-7")
async def test_a_completion_right_behind_its_request_is_kept() -> None:
    async with ready() as (host, raw):
        await create(raw, **LINK)
        await raw.tell(method="elicitation/complete", params={"elicitationId": "l"})
        prompt = await host.user.next_link()
        await prompt.completed.wait()
        host.user.reply(prompt, Accepted(None))
        assert (await raw.hear())["result"] == {"action": "accept"}
        assert host.responder.open_links == ()


@pytest.mark.requirement("URL-7")
async def test_completions_go_to_the_responder_and_those_of_unknown_links_nowhere() -> None:
    async with ready() as (host, raw):
        await raw.tell(method="elicitation/complete", params={"elicitationId": "unknown"})
        await raw.tell(method="elicitation/complete", params=[])
        await create(raw, **LINK)
        host.user.reply(await host.user.next_link(), Accepted(None))
        await raw.hear()
        await host.user.waits.wait()
        (waiting,) = host.user.waiting_for
        assert not waiting.completed.is_set()
        await raw.tell(method="elicitation/complete", params={"elicitationId": "l"})
        await waiting.completed.wait()
        assert host.responder.open_links == ()
        assert host.received.empty()


async def test_a_completion_that_asks_for_an_answer_gets_one() -> None:
    async with ready() as (_, raw):
        await raw.tell(id=4, method="elicitation/complete", params={"elicitationId": "l"})
        answer = await raw.hear()
        assert (answer["id"], answer["error"]["code"]) == (4, -32601)


@pytest.mark.requirement("REQ-6")
@pytest.mark.parametrize(
    "sent",
    [
        {"method": "session/cancel", "params": {"sessionId": "s"}},
        {"id": 5, "method": "session/close", "params": {"sessionId": "s"}},
        {"method": "$/cancel_request", "params": {"requestId": 3}},
    ],
    ids=["turn", "session", "prompt"],
)
async def test_what_ends_the_turn_takes_its_question_back_after_the_agent_was_told(
    sent: Message,
) -> None:
    async with ready() as (host, raw):
        await host.tell(raw, id=3, method="session/prompt", params={"sessionId": "s"})
        await create(raw)
        prompt = await host.user.next_form()
        await create(raw, 10, sessionId="t")
        assert await host.tell(raw, **sent) == {"jsonrpc": "2.0", **sent}
        assert (await raw.hear())["result"] == WITHDRAWN
        assert host.user.withdrawn == [(prompt, "withdrawn")]
        host.user.reply(await host.user.next_form(), Declined())  # that of the other session
        assert (await raw.hear())["id"] == 10


@pytest.mark.requirement("REQ-2", "REQ-6")
@pytest.mark.parametrize("how", ["answered", "failed", "cancelled"])
async def test_a_question_of_a_request_ends_with_that_request(how: str) -> None:
    params = {key: value for key, value in FORM.items() if key != "sessionId"}
    async with ready() as (host, raw):
        await host.tell(raw, id=1, method="session/new", params={"cwd": "/"})
        await host.tell(raw, id=2, method="session/list", params={})
        for id in (1, 2):
            question = {**params, "requestId": id}
            await raw.tell(id=f"q{id}", method="elicitation/create", params=question)
        prompt = await host.user.next_form()
        match how:
            case "answered":
                await raw.tell(id=1, result={"sessionId": "s"})
            case "failed":
                await raw.tell(id=1, error={"code": -32603, "message": "no"})
            case _:
                await host.tell(raw, method="$/cancel_request", params={"requestId": 1})
        answer = await raw.hear()
        assert (answer["id"], answer["result"]) == ("q1", WITHDRAWN)
        assert host.user.withdrawn == [(prompt, "withdrawn")]
        host.user.reply(await host.user.next_form(), Declined())
        assert (await raw.hear())["id"] == "q2"


@pytest.mark.parametrize("id", [5, [1], None])
async def test_cancelling_what_was_never_asked_takes_nothing_back(id: object) -> None:
    async with ready() as (host, raw):
        await create(raw)
        prompt = await host.user.next_form()
        await host.tell(raw, method="$/cancel_request", params={"requestId": id})
        host.user.reply(prompt, Declined())
        assert (await raw.hear())["result"] == {"action": "decline"}


@pytest.mark.requirement("RES-5")
@pytest.mark.parametrize("how", ["the agent leaves", "the host closes", "the transport fails"])
async def test_the_end_takes_every_question_away(how: str) -> None:
    async with ready() as (host, raw):
        await create(raw)
        prompt = await host.user.next_form()
        match how:
            case "the agent leaves":
                await raw.close()
                assert await host.next() is None
            case "the host closes":
                await host.transport.close()
            case _:
                await raw.send(TimeoutError())
                with pytest.raises(TimeoutError):
                    await host.loop
        await host.user.gone.wait()
        assert host.user.withdrawn == [(prompt, "withdrawn")]

"""An agent's transport, tapped: what it learns, sends and takes, in raw messages."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

import pytest

from acp_elicitation.agent.elicitor import Elicitor
from acp_elicitation.bridges.asking import ElicitingTransport
from acp_elicitation.protocol.answers import Accepted, Cancelled
from acp_elicitation.protocol.errors import (
    ConnectionLost,
    InvalidAnswer,
    MalformedMessage,
    MisuseError,
    RemoteError,
    UnknownLink,
)
from acp_elicitation.protocol.schema import FormSchema, IntegerProperty
from tests.unit.bridges.raw import LIMIT, Message, RawEnd, pair, settle

PORT = FormSchema(properties={"port": IntegerProperty(minimum=1)}, required=("port",))
BOTH: Message = {"form": {}, "url": {}}
ACCEPT = {"action": "accept", "content": {"port": 1}}


class Host:
    """An agent on some SDK: its transport, and what it has received."""

    def __init__(self, transport: ElicitingTransport) -> None:
        self.transport = transport
        self.received: asyncio.Queue[Any] = asyncio.Queue()
        self.loop = asyncio.create_task(self._receive())

    @property
    def elicitor(self) -> Elicitor:
        return self.transport.elicitor

    async def _receive(self) -> None:
        message: Any = ...
        while message is not None:
            message = await self.transport.receive()
            self.received.put_nowait(message)

    async def next(self) -> Any:
        async with asyncio.timeout(LIMIT):
            return await self.received.get()

    def ask(self, **asking: Any) -> asyncio.Task[Any]:
        asking = asking or {"session": "s"}
        return asyncio.create_task(self.elicitor.form("Port?", PORT, **asking))


@contextlib.asynccontextmanager
async def hosted() -> AsyncIterator[tuple[Host, RawEnd]]:
    ours, raw = pair()
    host = Host(ElicitingTransport(ours))
    try:
        async with asyncio.timeout(LIMIT):
            yield host, raw
    finally:
        await host.transport.close()
        host.loop.cancel()
        await asyncio.wait([host.loop])


async def initialize(
    host: Host, raw: RawEnd, params: Message, result: Message | None = None
) -> None:
    sent = await raw.tell(id=0, method="initialize", params=params)
    assert await host.next() is sent
    number = params.get("protocolVersion")
    answer = {"jsonrpc": "2.0", "id": 0, "result": result or {"protocolVersion": number}}
    await host.transport.send(answer)
    assert await raw.hear() is answer


@contextlib.asynccontextmanager
async def ready(version: int = 1, capability: Any = BOTH) -> AsyncIterator[tuple[Host, RawEnd]]:
    key = {1: "clientCapabilities", 2: "capabilities"}[version]
    params = {"protocolVersion": version, key: {"elicitation": capability}}
    async with hosted() as (host, raw):
        await initialize(host, raw, params)
        yield host, raw


async def prompt(host: Host, raw: RawEnd, id: object = 1) -> None:
    await raw.tell(id=id, method="session/prompt", params={"sessionId": "s", "prompt": []})
    await host.next()


async def answer(host: Host, id: object = 1, **members: Any) -> None:
    await host.transport.send({"jsonrpc": "2.0", "id": id, **members})


async def say(host: Host, **update: Any) -> None:
    params = {"sessionId": "s", "update": {"sessionUpdate": "state_update", **update}}
    await host.transport.send({"jsonrpc": "2.0", "method": "session/update", "params": params})


# --- initialize ---


async def test_before_initialize_is_answered_there_is_nobody_to_ask() -> None:
    async with hosted() as (host, raw):
        await raw.tell(id=0, method="initialize", params={"protocolVersion": 1})
        await host.next()
        with pytest.raises(MisuseError, match="initialize"):
            _ = host.elicitor


@pytest.mark.requirement("CAP-1", "CAP-2", "CAP-3", "CAP-7")
@pytest.mark.parametrize(
    ("params", "result", "modes"),
    [
        ({"protocolVersion": 1, "clientCapabilities": {"elicitation": BOTH}}, 1, {"form", "url"}),
        ({"protocolVersion": 2, "capabilities": {"elicitation": BOTH}}, 2, {"form", "url"}),
        ({"protocolVersion": 2, "capabilities": {"elicitation": {"url": {}}}}, 1, {"url"}),
        ({"protocolVersion": 1, "capabilities": {"elicitation": BOTH}}, 1, set()),
        ({"protocolVersion": 1, "clientCapabilities": {"elicitation": {"form": 3}}}, 1, set()),
        ({"protocolVersion": 1, "clientCapabilities": {"elicitation": {}}}, 1, set()),
        ({"protocolVersion": 1, "clientCapabilities": None}, 1, set()),
        ({"protocolVersion": 1, "clientCapabilities": {"elicitation": BOTH}}, 2, set()),
        ({"protocolVersion": 1, "clientCapabilities": {"elicitation": BOTH}}, 9, set()),
        ({"protocolVersion": "x"}, 1, set()),
    ],
)
async def test_the_modes_are_those_of_initialize_in_the_version_of_its_answer(
    params: Message, result: int, modes: set[str]
) -> None:
    async with hosted() as (host, raw):
        await initialize(host, raw, params, {"protocolVersion": result})
        assert host.elicitor.modes == modes


async def test_an_initialize_that_fails_makes_no_elicitor_and_the_next_one_does() -> None:
    async with hosted() as (host, raw):
        await raw.tell(id=0, method="initialize", params={"protocolVersion": 1})
        await answer(host, 0, error={"code": -32600, "message": "no"})
        with pytest.raises(MisuseError):
            _ = host.elicitor
        await host.next()
        await raw.hear()
        params = {"protocolVersion": 1, "clientCapabilities": {"elicitation": BOTH}}
        await initialize(host, raw, params)
        assert host.elicitor.modes == {"form", "url"}


@pytest.mark.requirement("REQ-3")
async def test_a_second_initialize_does_not_change_who_is_asked() -> None:
    async with ready(capability={"form": {}}) as (host, raw):
        before = host.elicitor
        await initialize(host, raw, {"protocolVersion": 1})
        assert host.elicitor is before
        assert before.modes == {"form"}


# --- what passes ---


async def test_what_is_not_ours_passes_as_it_is_in_both_directions() -> None:
    async with ready() as (host, raw):
        for members in (
            {"id": 5, "method": "session/new", "params": {"cwd": "/", "_x": None, "more": [1]}},
            {"id": 0, "result": {"answers": "a call of the SDK"}},
            {"id": "ours-not", "result": None},
            {"method": "$/cancel_request", "params": {"requestId": 5}},
            {"method": "_ext/x", "params": [1, 2]},
            {"method": "session/prompt"},
            {"unknown": "member"},
        ):
            incoming = await raw.tell(**members)
            assert await host.next() is incoming
            outgoing = {"jsonrpc": "2.0", **members}
            await host.transport.send(outgoing)
            assert await raw.hear() is outgoing


@pytest.mark.parametrize(
    "message", [[], [{"jsonrpc": "2.0", "id": 5, "method": "x"}], 5, "x", True]
)
async def test_what_is_no_object_is_refused_and_the_connection_goes_on(message: Any) -> None:
    async with ready() as (host, raw):
        await raw.send(message)
        refused = await raw.hear()
        assert (refused["id"], refused["error"]["code"]) == (None, -32600)
        await prompt(host, raw)
        assert host.received.empty()


async def test_a_handler_can_name_the_request_that_it_serves() -> None:
    async with ready() as (host, raw):
        seen: list[object] = []

        async def handle() -> None:
            seen.append(host.transport.request_id)

        async def sdk_loop() -> None:
            for _ in range(3):
                await host.transport.receive()
                await asyncio.create_task(handle())

        host.loop.cancel()
        loop = asyncio.create_task(sdk_loop())
        await raw.tell(id="a", method="session/new", params={})
        await raw.tell(method="session/cancel", params={})
        await raw.tell(id=7, method="session/new", params={})
        await loop
        assert seen == ["a", None, 7]
        assert host.transport.request_id is None


@pytest.mark.requirement("REQ-3")
async def test_a_request_of_one_client_is_none_of_another() -> None:
    ours, raw = pair()
    outer, inner = ElicitingTransport(ours), ElicitingTransport(pair()[0])
    await raw.tell(id=7, method="session/new", params={})
    await outer.receive()
    assert (outer.request_id, inner.request_id) == (7, None)


# --- asking ---


@pytest.mark.requirement("REQ-1", "REQ-2", "FWD-8")
async def test_a_question_goes_out_as_it_was_built() -> None:
    async with ready() as (host, raw):
        asking = host.ask(session="s", tool_call="t", meta={"k": None})
        asked = await raw.hear()
        assert asked == {
            "jsonrpc": "2.0",
            "id": "acp-elicitation-0",
            "method": "elicitation/create",
            "params": {
                "sessionId": "s",
                "toolCallId": "t",
                "mode": "form",
                "message": "Port?",
                "requestedSchema": {
                    "type": "object",
                    "properties": {"port": {"type": "integer", "minimum": 1}},
                    "required": ["port"],
                },
                "_meta": {"k": None},
            },
        }
        await raw.tell(id=asked["id"], result=ACCEPT)
        assert await asking == Accepted({"port": 1})
        assert host.received.empty()


@pytest.mark.requirement("REQ-1", "FORM-1")
async def test_a_confirmation_keeps_its_type_and_its_empty_properties() -> None:
    async with ready() as (host, raw):
        asking = asyncio.create_task(host.elicitor.confirm("Sure?", session="s"))
        asked = await raw.hear()
        assert asked["params"]["requestedSchema"] == {"type": "object", "properties": {}}
        await raw.tell(id=asked["id"], result={"action": "accept"})
        assert await asking == Accepted(True)


@pytest.mark.requirement("URL-3", "URL-5", "URL-6")
async def test_a_link_is_sent_as_it_is_written_and_completed_once() -> None:
    url = "https://agent.example"  # the SDK's models add a slash
    async with ready() as (host, raw):
        asking = asyncio.create_task(host.elicitor.link("Go", url, session="s", link_id="l"))
        asked = await raw.hear()
        assert (asked["params"]["url"], asked["params"]["elicitationId"]) == (url, "l")
        await raw.tell(id=asked["id"], result={"action": "accept"})
        link = await asking
        host.elicitor.complete("l")
        assert await raw.hear() == {
            "jsonrpc": "2.0",
            "method": "elicitation/complete",
            "params": {"elicitationId": "l"},
        }
        await link.completed(timeout=LIMIT)
        with pytest.raises(UnknownLink):
            host.elicitor.complete("l")


@pytest.mark.requirement("FORM-3", "RES-5", "RES-6")
@pytest.mark.parametrize(
    ("response", "error", "code"),
    [
        ({"result": {}}, MalformedMessage, None),
        ({"result": None}, MalformedMessage, None),
        ({"result": {"action": "accept", "content": {"port": 0}}}, InvalidAnswer, None),
        ({"result": {"action": "accept"}}, InvalidAnswer, None),
        ({"error": {"code": -32602, "message": "no"}}, RemoteError, -32602),
        ({"error": {"code": "x"}}, RemoteError, -32600),
        ({"error": "x", "result": ACCEPT}, RemoteError, -32600),
        ({"error": None}, RemoteError, -32600),
        ({}, RemoteError, -32600),
    ],
)
async def test_what_is_no_accept_is_never_taken_for_one(
    response: Message, error: type[Exception], code: int | None
) -> None:
    async with ready() as (host, raw):
        asking = host.ask()
        await raw.tell(id=(await raw.hear())["id"], **response)
        with pytest.raises(error) as raised:
            await asking
        assert getattr(raised.value, "code", None) == code


async def test_a_null_error_beside_a_result_is_none() -> None:
    async with ready() as (host, raw):
        asking = host.ask()
        await raw.tell(id=(await raw.hear())["id"], result=ACCEPT, error=None)
        assert await asking == Accepted({"port": 1})


@pytest.mark.requirement("REQ-5")
async def test_a_cancelled_task_takes_its_question_back_and_a_late_answer_is_dropped() -> None:
    async with ready() as (host, raw):
        asking = host.ask()
        asked = await raw.hear()
        asking.cancel()
        assert await raw.hear() == {
            "jsonrpc": "2.0",
            "method": "$/cancel_request",
            "params": {"requestId": asked["id"]},
        }
        await raw.tell(id=asked["id"], result=ACCEPT)
        await raw.tell(id=asked["id"], result=ACCEPT)
        await prompt(host, raw)
        assert host.received.empty()
        assert asking.cancelled()


async def test_every_question_has_an_id_of_its_own() -> None:
    async with ready() as (host, raw):
        asking = [host.ask() for _ in range(3)]
        ids = [(await raw.hear())["id"] for _ in asking]
        assert len(set(ids)) == 3
        for id, port in zip(reversed(ids), (3, 2, 1), strict=True):
            await raw.tell(id=id, result={"action": "accept", "content": {"port": port}})
        answers = await asyncio.gather(*asking)
        assert answers == [Accepted({"port": port}) for port in (1, 2, 3)]


# --- turns ---


@pytest.mark.requirement("REQ-5")
async def test_a_cancelled_turn_takes_its_question_back() -> None:
    async with ready() as (host, raw):
        await prompt(host, raw)
        asking = host.ask()
        asked = await raw.hear()
        cancel = await raw.tell(method="session/cancel", params={"sessionId": "s"})
        assert await host.next() is cancel
        assert (await raw.hear())["params"] == {"requestId": asked["id"]}
        assert await asking == Cancelled("withdrawn")
        assert await host.ask() == Cancelled("withdrawn")  # and asks nothing more
        await answer(host, result={"stopReason": "cancelled"})
        await raw.hear()
        await prompt(host, raw, 2)
        host.ask()
        assert (await raw.hear())["method"] == "elicitation/create"


@pytest.mark.requirement("REQ-5")
async def test_an_answer_right_before_the_cancel_counts() -> None:
    async with ready() as (host, raw):
        await prompt(host, raw)
        asking = host.ask()
        await raw.tell(id=(await raw.hear())["id"], result=ACCEPT)
        await raw.tell(method="session/cancel", params={"sessionId": "s"})
        assert await asking == Accepted({"port": 1})


@pytest.mark.requirement("REQ-5")
async def test_a_prompt_whose_request_is_cancelled_takes_its_question_back() -> None:
    async with ready() as (host, raw):
        await prompt(host, raw)
        asking = host.ask()
        await raw.hear()
        other = await raw.tell(method="$/cancel_request", params={"requestId": 99})
        assert await host.next() is other
        assert not asking.done()
        cancel = await raw.tell(method="$/cancel_request", params={"requestId": 1})
        assert await host.next() is cancel
        assert await asking == Cancelled("withdrawn")


@pytest.mark.requirement("REQ-5")
async def test_a_closed_session_takes_its_questions_back_and_those_of_others_stay() -> None:
    async with ready() as (host, raw):
        closed, other = host.ask(session="s"), host.ask(session="t")
        ids = [(await raw.hear())["id"] for _ in range(2)]
        await raw.tell(id=3, method="session/close", params={"sessionId": "s"})
        assert await closed == Cancelled("withdrawn")
        assert (await raw.hear())["params"] == {"requestId": ids[0]}
        await raw.tell(id=ids[1], result=ACCEPT)
        assert await other == Accepted({"port": 1})


@pytest.mark.requirement("REQ-4")
async def test_in_version_2_a_turn_says_that_it_waits_and_goes_on_until_it_is_idle() -> None:
    async with ready(2) as (host, raw):
        await prompt(host, raw)
        await answer(host, result={"messageId": "m"})  # the turn runs on
        await raw.hear()
        asking = host.ask()
        states = [await raw.hear()]
        asked = await raw.hear()
        await raw.tell(id=asked["id"], result=ACCEPT)
        states.append(await raw.hear())
        await asking
        assert [message["params"]["update"]["state"] for message in states] == [
            "requires_action",
            "running",
        ]
        await say(host, state="running")
        await say(host, state="idle", stopReason="end_turn")
        assert [(await raw.hear())["params"]["update"]["state"] for _ in range(2)] == [
            "running",
            "idle",
        ]
        host.ask()
        assert (await raw.hear())["method"] == "elicitation/create"  # no turn waits


@pytest.mark.requirement("REQ-5")
async def test_a_prompt_in_a_cancelled_turn_does_not_let_it_ask_again() -> None:
    async with ready() as (host, raw):
        await prompt(host, raw, 1)
        await raw.tell(method="session/cancel", params={"sessionId": "s"})
        await host.next()
        await prompt(host, raw, 2)
        assert await host.ask() == Cancelled("withdrawn")


@pytest.mark.requirement("REQ-5")
async def test_in_version_2_the_turn_after_a_cancelled_one_may_ask() -> None:
    async with ready(2) as (host, raw):
        await prompt(host, raw, 1)
        await raw.tell(method="session/cancel", params={"sessionId": "s"})
        await host.next()
        await say(host, state="idle", stopReason="cancelled")
        await raw.hear()
        await prompt(host, raw, 2)
        host.ask()
        assert (await raw.hear())["params"]["update"]["state"] == "requires_action"


@pytest.mark.requirement("REQ-4")
async def test_in_version_2_a_refused_prompt_is_no_turn_that_waits() -> None:
    async with ready(2) as (host, raw):
        await prompt(host, raw, 1)
        await answer(host, 1, error={"code": -32603, "message": "no"})
        await raw.hear()
        host.ask()
        assert (await raw.hear())["method"] == "elicitation/create"


@pytest.mark.parametrize("params", [None, {}, {"sessionId": "s"}, {"sessionId": "s", "update": 5}])
async def test_an_update_that_says_nothing_of_a_turn_passes(params: object) -> None:
    async with ready(2) as (host, raw):
        await prompt(host, raw)
        update = {"jsonrpc": "2.0", "method": "session/update", "params": params}
        await host.transport.send(update)
        assert await raw.hear() is update
        host.ask()
        assert (await raw.hear())["params"]["update"]["state"] == "requires_action"


# --- the end ---


@pytest.mark.requirement("RES-5", "REQ-3")
@pytest.mark.parametrize("how", ["the client leaves", "the host closes", "the transport fails"])
async def test_the_end_ends_every_question_and_link(how: str) -> None:
    async with ready() as (host, raw):
        linking = asyncio.create_task(host.elicitor.link("Go", "https://a.example", session="s"))
        await raw.tell(id=(await raw.hear())["id"], result={"action": "accept"})
        link = await linking
        asking, completed = host.ask(), asyncio.create_task(link.completed())
        await raw.hear()
        match how:
            case "the client leaves":
                await raw.close()
            case "the host closes":
                await host.transport.close()
            case _:
                await raw.send(TimeoutError())
                with pytest.raises(TimeoutError):
                    await host.loop
        for task in (asking, completed):
            with pytest.raises(ConnectionLost):
                await task
        with pytest.raises(ConnectionLost):
            await host.ask()
        with pytest.raises(ConnectionLost):
            host.transport.notify("x", {})


@pytest.mark.requirement("RES-5")
async def test_a_question_that_cannot_be_sent_ends() -> None:
    ours, raw = pair()
    host = Host(ElicitingTransport(ours))
    params = {"protocolVersion": 1, "clientCapabilities": {"elicitation": BOTH}}
    await initialize(host, raw, params)
    await ours.close()  # behind our back, as when the output breaks and the input does not
    with pytest.raises(ConnectionLost, match="could not be sent"):
        await host.ask()
    await raw.close()
    await host.loop


@pytest.mark.requirement("RES-5")
async def test_a_task_that_is_cancelled_as_the_client_leaves_is_just_cancelled() -> None:
    async with ready() as (host, raw):
        asking = host.ask()
        await raw.hear()
        await raw.close()
        await settle(1)
        asking.cancel()
        with pytest.raises((asyncio.CancelledError, ConnectionLost)):
            await asking


async def test_after_the_client_has_left_the_host_may_still_send() -> None:
    async with ready() as (host, raw):
        await raw.close()
        assert await host.next() is None
        await answer(host, 5, result={})
        assert (await raw.hear())["id"] == 5


async def test_closing_twice_is_closing_once() -> None:
    async with ready() as (host, raw):
        await host.transport.close()
        await host.transport.close()
        assert await raw.receive() is None
        with pytest.raises(ConnectionError):
            await answer(host, 5, result={})

"""The smallest client of an agent, against raw agents that behave as agents in the wild do."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from acp_elicitation.client.responder import Responder
from acp_elicitation.client.session import ClientConnection
from acp_elicitation.protocol.answers import Accepted
from acp_elicitation.protocol.errors import (
    ConnectionLost,
    MalformedMessage,
    RemoteError,
    VersionNotSupported,
)
from acp_elicitation.protocol.handshake import Implementation
from acp_elicitation.protocol.version import V1, V2, Version
from acp_elicitation.wire.connection import Connection, IncomingRequest
from acp_elicitation.wire.sockets import open_pair
from tests.held import HeldPresenter

FORM = {
    "sessionId": "s",
    "mode": "form",
    "message": "?",
    "requestedSchema": {"type": "object", "properties": {}},
}


class RawAgent:
    """Answers each method with what the test says, a value or a function of the connection."""

    def __init__(self, **answers: Any) -> None:
        self.answers = answers
        self.asked: list[tuple[str, Any]] = []
        self.told: list[tuple[str, Any]] = []
        self.heard = asyncio.Event()
        self.connection: Connection

    async def on_request(self, request: IncomingRequest) -> object:
        self.asked.append((request.method, request.params))
        answer = self.answers[request.method.replace("/", "_")]
        return await answer(self) if callable(answer) else answer

    def on_notification(self, method: str, params: object) -> None:
        self.told.append((method, params))
        self.heard.set()

    def on_closed(self, error: ConnectionLost) -> None:
        self.heard.set()

    def update(self, **update: Any) -> None:
        self.connection.notify("session/update", {"sessionId": "s", "update": update})


async def connected(
    agent: RawAgent, presenter: HeldPresenter | None = None
) -> tuple[ClientConnection, list[Any]]:
    updates: list[Any] = []
    client = ClientConnection(
        Responder(presenter or HeldPresenter()),
        on_update=lambda session, update: updates.append((session, update)),
        info=Implementation(name="c", title="C", version="1"),
    )
    agent.connection, mine = await open_pair(agent, client)
    client.attach(mine)
    return client, updates


def agent_of(version: Version, **answers: Any) -> RawAgent:
    answered = {"protocolVersion": version.number}
    return RawAgent(**{"initialize": answered, "session_new": {"sessionId": "s"}, **answers})


@pytest.mark.requirement("CAP-2", "UI-1")
@pytest.mark.parametrize(
    ("version", "capabilities", "info"),
    [(V1, "clientCapabilities", "clientInfo"), (V2, "capabilities", "info")],
)
async def test_the_modes_are_advertised_where_the_version_has_them(
    version: Version, capabilities: str, info: str
) -> None:
    who = {"name": "bot", "title": "Bot", "version": "3"}
    answer = {"protocolVersion": version.number, version.agent_info_key: who}
    agent = agent_of(version, initialize=answer)
    client, _ = await connected(agent)
    hello = await client.initialize(version, command=("bot", "--acp"))
    assert agent.asked == [
        (
            "initialize",
            {
                "protocolVersion": version.number,
                capabilities: {"elicitation": {"form": {}, "url": {}}},
                info: {"name": "c", "title": "C", "version": "1"},
            },
        )
    ]
    assert hello.version is version
    assert client.responder.asker.name == "Bot 3"
    assert client.responder.asker.command == ("bot", "--acp")
    client.connection.close()


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (None, MalformedMessage),
        ({}, MalformedMessage),
        ({"protocolVersion": 9}, VersionNotSupported),
        ({"protocolVersion": "1"}, VersionNotSupported),
    ],
)
async def test_an_answer_in_no_known_version_is_refused(
    answer: object, error: type[Exception]
) -> None:
    client, _ = await connected(agent_of(V1, initialize=answer))
    with pytest.raises(error):
        await client.initialize(V1)
    client.connection.close()


@pytest.mark.parametrize("answer", [None, {}, {"sessionId": 5}])
async def test_a_session_without_an_id_is_refused(answer: object) -> None:
    client, _ = await connected(agent_of(V1, session_new=answer))
    await client.initialize(V1)
    with pytest.raises(MalformedMessage):
        await client.new_session("/")
    client.connection.close()


async def test_a_turn_of_version_1_ends_with_the_result() -> None:
    agent = agent_of(V1, session_prompt={"stopReason": "max_tokens"})
    client, _ = await connected(agent)
    await client.initialize(V1)
    session = await client.new_session("/tmp")
    assert await session.prompt("hi") == "max_tokens"
    assert agent.asked[1:] == [
        ("session/new", {"cwd": "/tmp", "mcpServers": []}),
        ("session/prompt", {"sessionId": "s", "prompt": [{"type": "text", "text": "hi"}]}),
    ]
    client.connection.close()


@pytest.mark.parametrize("answer", [None, [], {}, {"stopReason": 5}])
async def test_a_turn_of_version_1_without_a_stop_reason_is_refused(answer: object) -> None:
    client, _ = await connected(agent_of(V1, session_prompt=answer))
    await client.initialize(V1)
    session = await client.new_session("/")
    with pytest.raises(MalformedMessage):
        await session.prompt("hi")
    client.connection.close()


def _idle_before_the_result(agent: RawAgent) -> None:
    agent.update(sessionUpdate="state_update", state="running")
    agent.update(sessionUpdate="state_update", state="idle", stopReason="end_turn")


def _twice_idle(agent: RawAgent) -> None:
    _idle_before_the_result(agent)
    agent.update(sessionUpdate="state_update", state="idle", stopReason="refusal")


def _idle_without_a_reason_first(agent: RawAgent) -> None:
    agent.update(sessionUpdate="state_update", state="idle")
    agent.update(sessionUpdate="notice", _meta={})
    _idle_before_the_result(agent)


def _idle_without_a_reason_last(agent: RawAgent) -> None:
    agent.update(sessionUpdate="state_update", state="idle", stopReason=None)
    agent.update(sessionUpdate="state_update", state="running")
    agent.update(sessionUpdate="state_update", state="idle", stopReason=5)


@pytest.mark.parametrize(
    "act",
    [
        _idle_before_the_result,
        _twice_idle,
        _idle_without_a_reason_first,
        _idle_without_a_reason_last,
    ],
)
@pytest.mark.parametrize("result", [{}, {"messageId": "m"}, None])
async def test_a_turn_of_version_2_ends_with_the_first_stop_reason(
    act: Callable[[RawAgent], None], result: object
) -> None:
    async def answer(agent: RawAgent) -> object:
        act(agent)
        return result

    client, _ = await connected(agent_of(V2, session_prompt=answer))
    await client.initialize(V2)
    session = await client.new_session("/")
    assert await session.prompt("hi") == "end_turn"
    client.connection.close()


@pytest.mark.requirement("RES-5")
async def test_an_agent_that_leaves_ends_the_turn_of_version_2() -> None:
    async def answer(agent: RawAgent) -> object:
        asyncio.get_running_loop().call_soon(agent.connection.close)
        return {}

    client, _ = await connected(agent_of(V2, session_prompt=answer))
    await client.initialize(V2)
    session = await client.new_session("/")
    with pytest.raises(ConnectionLost):
        await session.prompt("hi")


async def test_updates_are_handed_on_and_malformed_ones_are_not() -> None:
    async def answer(agent: RawAgent) -> object:
        agent.update(sessionUpdate="agent_message_chunk", content={"type": "text", "text": "x"})
        agent.connection.notify("session/update", {"sessionId": "s"})
        agent.connection.notify("session/update", {"update": {}})
        agent.connection.notify("session/update", [])
        agent.connection.notify("_vendor/thing", {})
        agent.connection.notify("session/update", {"sessionId": "t", "update": {"a": 1}})
        return {"stopReason": "end_turn"}

    client, updates = await connected(agent_of(V1, session_prompt=answer))
    await client.initialize(V1)
    await (await client.new_session("/")).prompt("hi")
    assert [session for session, _ in updates] == ["s", "t"]
    client.connection.close()


async def test_a_question_before_initialize_is_answered_is_refused() -> None:
    errors: list[int] = []

    async def answer(agent: RawAgent) -> object:
        with pytest.raises(RemoteError) as raised:
            await agent.connection.request("elicitation/create", FORM)
        errors.append(raised.value.code)
        return {"protocolVersion": 1}

    client, _ = await connected(agent_of(V1, initialize=answer))
    await client.initialize(V1)
    assert errors == [-32600]
    client.connection.close()


async def test_an_unknown_request_is_not_found() -> None:
    client, _ = await connected(agent := agent_of(V1))
    await client.initialize(V1)
    with pytest.raises(RemoteError) as raised:
        await agent.connection.request("fs/read_text_file", {"path": "/etc/passwd"})
    assert raised.value.code == -32601
    client.connection.close()


async def test_questions_and_permissions_go_to_the_user() -> None:
    user = HeldPresenter()
    client, _ = await connected(agent := agent_of(V1), user)
    await client.initialize(V1)
    asked = asyncio.create_task(agent.connection.request("elicitation/create", FORM))
    user.reply(await user.next_form(), Accepted({}))
    assert await asked == {"action": "accept"}
    permission = {
        "sessionId": "s",
        "toolCall": {"toolCallId": "t"},
        "options": [{"optionId": "y", "name": "Yes", "kind": "allow_once"}],
    }
    asked = asyncio.create_task(agent.connection.request("session/request_permission", permission))
    user.reply(await user.next_permission(), Accepted("y"))
    assert await asked == {"outcome": {"outcome": "selected", "optionId": "y"}}
    client.connection.close()


async def test_cancelling_a_session_tells_the_agent_and_withdraws_its_questions() -> None:
    user = HeldPresenter()
    client, _ = await connected(agent := agent_of(V1), user)
    await client.initialize(V1)
    session = await client.new_session("/")
    asked = asyncio.create_task(agent.connection.request("elicitation/create", FORM))
    await user.next_form()
    session.cancel()
    meta = {"acp-elicitation": {"reason": "withdrawn"}}
    assert await asked == {"action": "cancel", "_meta": meta}
    await agent.heard.wait()
    assert agent.told == [("session/cancel", {"sessionId": "s"})]
    client.connection.close()


@pytest.mark.requirement("URL-7")
async def test_completions_reach_the_responder() -> None:
    user = HeldPresenter()
    client, _ = await connected(agent := agent_of(V1), user)
    await client.initialize(V1)
    link = {"sessionId": "s", "mode": "url", "message": "m", "elicitationId": "e"}
    params = {**link, "url": "https://example.com"}
    asked = asyncio.create_task(agent.connection.request("elicitation/create", params))
    prompt = await user.next_link()
    user.reply(prompt, Accepted(None))
    await asked
    agent.connection.notify("elicitation/complete", {"elicitationId": "e"})
    await prompt.completed.wait()
    assert client.responder.open_links == ()
    client.connection.close()


@pytest.mark.requirement("RES-5")
async def test_an_agent_that_leaves_takes_its_question_along() -> None:
    user = HeldPresenter()
    client, _ = await connected(agent := agent_of(V1), user)
    await client.initialize(V1)
    asked = asyncio.create_task(agent.connection.request("elicitation/create", FORM))
    prompt = await user.next_form()
    agent.connection.close()
    with pytest.raises(ConnectionLost):
        await asked
    await user.gone.wait()
    assert user.withdrawn == [(prompt, "withdrawn")]


async def test_a_question_of_a_request_ends_with_its_request() -> None:
    user = HeldPresenter()
    asked: list[asyncio.Task[object]] = []

    async def answer(agent: RawAgent) -> object:
        params = {**FORM, "requestId": 1}
        del params["sessionId"]
        question = agent.connection.request("elicitation/create", params)
        asked.append(asyncio.create_task(question))
        await user.shown.get()
        return {"sessionId": "s"}

    client, _ = await connected(agent_of(V1, session_new=answer), user)
    await client.initialize(V1)
    await client.new_session("/")
    meta = {"acp-elicitation": {"reason": "withdrawn"}}
    assert await asked[0] == {"action": "cancel", "_meta": meta}
    client.connection.close()

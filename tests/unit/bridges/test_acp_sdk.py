"""The official Python SDK as host of both sides, in each version that is installed."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

import acp
import pytest
from acp.agent.connection import AgentSideConnection
from acp.schema import (
    AgentCapabilities,
    AgentMessageChunk,
    ClientCapabilities,
    Implementation,
    InitializeResponse,
    NewSessionResponse,
    PromptResponse,
    TextContentBlock,
)

from acp_elicitation.bridges.acp_sdk import elicit_on, elicit_over, respond_on, respond_over
from acp_elicitation.bridges.answering import RespondingTransport
from acp_elicitation.bridges.asking import ElicitingTransport
from acp_elicitation.client.responder import Responder
from acp_elicitation.connect.errors import CredentialLeak
from acp_elicitation.protocol.answers import Accepted, Answer, Cancelled, Declined
from acp_elicitation.protocol.errors import (
    ConnectionLost,
    InvalidAnswer,
    MalformedMessage,
    MisuseError,
    ModeNotAdvertised,
)
from acp_elicitation.protocol.schema import FormSchema, IntegerProperty
from acp_elicitation.protocol.scope import RequestScope
from tests.held import HeldPresenter
from tests.unit.bridges.raw import LIMIT, RawEnd, pair

PORT = FormSchema(properties={"port": IntegerProperty(minimum=1)}, required=("port",))
ACCEPT = {"action": "accept", "content": {"port": 8080}}


class SdkAgent(acp.Agent):
    """An agent on the SDK: each prompt asks for a port, a session in /ask before it is there."""

    transport: ElicitingTransport

    def __init__(self) -> None:
        self.outcomes: list[object] = []
        self.answered = asyncio.Event()

    async def initialize(self, *_: Any, **__: Any) -> InitializeResponse:
        return InitializeResponse(
            protocol_version=1,
            agent_capabilities=AgentCapabilities(),
            agent_info=Implementation(name="sdk-agent", version="1"),
        )

    async def new_session(self, cwd: str, *_: Any, **__: Any) -> NewSessionResponse:
        if cwd == "/ask":
            await self._ask(request=self.transport.request_id)
        return NewSessionResponse(session_id="s")

    async def prompt(self, session_id: str, *_: Any, **__: Any) -> PromptResponse:
        await self._ask(session=session_id)
        return PromptResponse(stop_reason="end_turn")

    async def cancel(self, session_id: str, **_: Any) -> None:
        """Leave it to the transport."""

    async def _ask(self, **where: Any) -> None:
        try:
            self.outcomes.append(await self.transport.elicitor.form("Port?", PORT, **where))
        except Exception as error:
            self.outcomes.append(error)
        finally:
            self.answered.set()


class TransportlessAgent(SdkAgent):
    """One that takes the transport of its connection, whoever made it."""

    def on_connect(self, conn: Any) -> None:
        self.transport = elicit_on(conn)


class LeakyAgent(SdkAgent):
    """One that says what must not be said, over a connection with a check, and then goes on."""

    def on_connect(self, conn: Any) -> None:
        self.conn = conn
        self.transport = elicit_on(conn, check_outgoing=check)

    async def prompt(self, session_id: str, *_: Any, **__: Any) -> PromptResponse:
        for text in ("the secret", "no more"):
            content = TextContentBlock(type="text", text=text)
            update = AgentMessageChunk(session_update="agent_message_chunk", content=content)
            try:
                await self.conn.session_update(session_id=session_id, update=update)
            except Exception as error:
                self.outcomes.append(error)
        return PromptResponse(stop_reason="end_turn")


def check(message: bytes) -> None:
    if b"secret" in message:
        raise CredentialLeak


class SdkClient(acp.Client):
    """A client on the SDK that does nothing but talk."""

    async def session_update(self, session_id: str, update: Any, **_: Any) -> None:
        """Take no notice."""

    async def request_permission(self, *_: Any, **__: Any) -> Any:
        return {"outcome": {"outcome": "selected", "optionId": "mine"}}


def sdk_client() -> Any:
    return SdkClient()  # type: ignore[abstract]  # the SDK's optional methods


@contextlib.asynccontextmanager
async def served(
    *, over: bool = True, leaky: bool = False
) -> AsyncIterator[tuple[SdkAgent, RawEnd]]:
    """Our agent on the SDK, over a transport of ours, or over one that it takes."""
    ours, raw = pair()
    transport: Any = ours
    agent: SdkAgent = SdkAgent() if over else TransportlessAgent()  # type: ignore[abstract]
    if leaky:
        agent = LeakyAgent()  # type: ignore[abstract]
    if over:
        transport = agent.transport = elicit_over(ours, check_outgoing=check if leaky else None)
    running = asyncio.create_task(acp.run_agent(agent, transport))
    try:
        async with asyncio.timeout(LIMIT):
            yield agent, raw
            await raw.close()
            await running
    finally:
        running.cancel()
        await asyncio.wait([running])


@contextlib.asynccontextmanager
async def agent_host(
    *, over: bool = True, leaky: bool = False
) -> AsyncIterator[tuple[SdkAgent, RawEnd]]:
    """One whose client is the test, initialised."""
    async with served(over=over, leaky=leaky) as (agent, raw):
        params = {"protocolVersion": 1, "clientCapabilities": {"elicitation": {"form": {}}}}
        await raw.tell(id=0, method="initialize", params=params)
        assert (await raw.hear())["result"]["protocolVersion"] == 1
        yield agent, raw


@contextlib.asynccontextmanager
async def hosts(
    user: HeldPresenter, *, modes: tuple[Any, ...] = ("form", "url"), over: bool = True
) -> AsyncIterator[tuple[SdkAgent, Any, RespondingTransport]]:
    """Both ends on the SDK."""
    async with served(over=over) as (agent, other):
        responder = Responder(user, modes=modes)
        if over:
            responding = respond_over(other, responder)
            client = acp.connect_to_agent(sdk_client(), responding)
        else:
            client = acp.connect_to_agent(sdk_client(), other)
            responding = respond_on(client, responder)
        await client.initialize(
            protocol_version=1,
            client_capabilities=ClientCapabilities(),
            client_info=Implementation(name="sdk-client", version="1"),
        )
        yield agent, client, responding
        await client.close()


@contextlib.asynccontextmanager
async def client_host(user: HeldPresenter) -> AsyncIterator[tuple[Any, RawEnd]]:
    """Our client on the SDK, whose agent is the test, initialised."""
    ours, raw = pair()
    client: Any = acp.connect_to_agent(sdk_client(), respond_over(ours, Responder(user)))
    asking = asyncio.create_task(client.initialize(protocol_version=1))
    hello = await raw.hear()
    assert hello["params"]["clientCapabilities"]["elicitation"] == {"form": {}, "url": {}}
    await raw.tell(id=hello["id"], result={"protocolVersion": 1})
    await asking
    try:
        async with asyncio.timeout(LIMIT):
            yield client, raw
    finally:
        await client.close()


def prompting(client: Any) -> asyncio.Task[Any]:
    return asyncio.create_task(client.prompt(session_id="s", prompt=[]))


@pytest.mark.requirement("CAP-2", "FORM-3", "UI-1")
@pytest.mark.parametrize("over", [True, False], ids=["over-a-transport", "on-a-connection"])
async def test_a_question_goes_from_one_sdk_to_the_other(over: bool) -> None:
    user = HeldPresenter()
    async with hosts(user, over=over) as (agent, client, _):
        turn = prompting(client)
        prompt = await user.next_form()
        assert (prompt.message, prompt.asker.name) == ("Port?", "sdk-agent 1")
        prompt.draft.enter("port", "8080")
        user.reply(prompt, Accepted(prompt.draft.content()))
        assert (await turn).stop_reason == "end_turn"
        assert agent.outcomes == [Accepted({"port": 8080})]


@pytest.mark.requirement("URL-2")
@pytest.mark.parametrize("over", [True, False], ids=["over-a-transport", "on-a-connection"])
async def test_what_the_check_stops_is_not_sent_by_the_sdk_and_the_turn_goes_on(over: bool) -> None:
    async with agent_host(over=over, leaky=True) as (agent, raw):
        await raw.tell(id=1, method="session/prompt", params={"sessionId": "s", "prompt": []})
        said = await raw.hear()
        assert said["params"]["update"]["content"]["text"] == "no more"
        assert (await raw.hear())["result"]["stopReason"] == "end_turn"
        assert [type(outcome) for outcome in agent.outcomes] == [CredentialLeak]


@pytest.mark.requirement("RES-1")
@pytest.mark.parametrize("reply", [Declined(), Cancelled()])
async def test_a_no_comes_back(reply: Answer[Any]) -> None:
    user = HeldPresenter()
    async with hosts(user) as (agent, client, _):
        turn = prompting(client)
        user.reply(await user.next_form(), reply)
        await turn
        assert agent.outcomes == [reply]


@pytest.mark.requirement("REQ-2", "REQ-3")
async def test_a_question_within_session_new_names_that_request() -> None:
    user = HeldPresenter()
    async with hosts(user) as (agent, client, _):
        opening = asyncio.create_task(client.new_session(cwd="/ask", mcp_servers=[]))
        prompt = await user.next_form()
        assert prompt.request.scope == RequestScope(request_id=1)  # initialize was 0
        user.reply(prompt, Declined())
        assert (await opening).session_id == "s"
        assert agent.outcomes == [Declined()]


@pytest.mark.requirement("CAP-1", "CAP-4")
async def test_a_client_without_modes_advertises_nothing_and_is_not_asked() -> None:
    user = HeldPresenter()
    async with hosts(user, modes=()) as (agent, client, _):
        await prompting(client)
        assert isinstance(agent.outcomes[0], ModeNotAdvertised)
        assert user.shown.empty()


@pytest.mark.requirement("REQ-5")
async def test_a_cancelled_turn_withdraws_its_question() -> None:
    user = HeldPresenter()
    async with hosts(user) as (agent, client, _):
        turn = prompting(client)
        prompt = await user.next_form()
        await client.cancel(session_id="s")
        await turn
        assert agent.outcomes == [Cancelled("withdrawn")]
        assert user.withdrawn == [(prompt, "withdrawn")]


@pytest.mark.requirement("RES-5", "REQ-3")
async def test_a_client_that_leaves_ends_the_question() -> None:
    user = HeldPresenter()
    async with hosts(user) as (agent, client, responding):
        turn = prompting(client)
        await user.next_form()
        await responding.close()
        with pytest.raises(ConnectionError):
            await client.prompt(session_id="s", prompt=[])
        turn.cancel()
        await user.gone.wait()
        await agent.answered.wait()
        assert isinstance(agent.outcomes[0], ConnectionLost)


@pytest.mark.requirement("REQ-1", "FWD-8")
@pytest.mark.parametrize("over", [True, False], ids=["over-a-transport", "on-a-connection"])
async def test_what_the_agent_asks_is_on_the_wire_as_it_was_built(over: bool) -> None:
    async with agent_host(over=over) as (agent, raw):
        await raw.tell(id=1, method="session/prompt", params={"sessionId": "s", "prompt": []})
        asked = await raw.hear()
        assert asked["params"] == {
            "sessionId": "s",
            "mode": "form",
            "message": "Port?",
            "requestedSchema": {
                "type": "object",
                "properties": {"port": {"type": "integer", "minimum": 1}},
                "required": ["port"],
            },
        }
        await raw.tell(id=asked["id"], result=ACCEPT)
        assert (await raw.hear())["result"] == {"stopReason": "end_turn"}
        assert agent.outcomes == [Accepted({"port": 8080})]


@pytest.mark.requirement("FORM-3", "RES-5")
@pytest.mark.parametrize(
    ("result", "error"),
    [
        ({}, MalformedMessage),
        ({"action": "accept", "content": {"port": 0}}, InvalidAnswer),
        ({"action": "accept", "content": {"port": True}}, InvalidAnswer),
    ],
)
async def test_no_answer_is_taken_for_an_accept(result: Any, error: type[Exception]) -> None:
    async with agent_host() as (agent, raw):
        await raw.tell(id=1, method="session/prompt", params={"sessionId": "s", "prompt": []})
        await raw.tell(id=(await raw.hear())["id"], result=result)
        await raw.hear()
        assert isinstance(agent.outcomes[0], error)


async def test_a_list_ends_neither_side() -> None:
    for host in (agent_host(), client_host(HeldPresenter())):
        async with host as (_, raw):
            await raw.send([{"jsonrpc": "2.0", "id": 5, "method": "x"}])
            assert (await raw.hear())["error"]["code"] == -32600
            await raw.tell(id=6, method="no/such", params={})
            assert ((answer := await raw.hear())["id"], answer["error"]["code"]) == (6, -32601)


FORM = {"sessionId": "s", "mode": "form", "message": "?", "requestedSchema": {}}


@pytest.mark.requirement("FWD-5")
@pytest.mark.parametrize("params", [None, {}, {**FORM, "mode": 5}, {**FORM, "message": None}])
async def test_a_malformed_question_is_answered(params: object) -> None:
    async with client_host(HeldPresenter()) as (_, raw):
        await raw.tell(id=9, method="elicitation/create", params=params)
        answer = await raw.hear()
        assert (answer["id"], answer["error"]["code"]) == (9, -32602)


@pytest.mark.requirement("FWD-7")
async def test_meta_overwrites_nothing() -> None:
    user = HeldPresenter()
    async with client_host(user) as (_, raw):
        meta = {"message": "evil", "mode": "url", "url": "https://evil.example"}
        await raw.tell(id=9, method="elicitation/create", params={**FORM, "_meta": meta})
        prompt = await user.next_form()
        assert prompt.message == "?"
        user.reply(prompt, Accepted({}))
        assert (await raw.hear())["result"] == {"action": "accept"}


@pytest.mark.requirement("REQ-6")
async def test_a_cancelled_question_is_answered() -> None:
    user = HeldPresenter()
    async with client_host(user) as (_, raw):
        await raw.tell(id=0, method="elicitation/create", params=FORM)
        prompt = await user.next_form()
        await raw.tell(method="$/cancel_request", params={"requestId": 0})
        assert (await raw.hear())["error"]["code"] == -32800
        assert user.withdrawn == [(prompt, "withdrawn")]


async def test_permissions_stay_with_the_host() -> None:
    option = {"optionId": "mine", "name": "Yes", "kind": "allow_once"}
    params = {"sessionId": "s", "toolCall": {"toolCallId": "t"}, "options": [option]}
    async with client_host(HeldPresenter()) as (_, raw):
        await raw.tell(id=1, method="session/request_permission", params=params)
        assert (await raw.hear())["result"]["outcome"]["optionId"] == "mine"


async def test_a_connection_over_such_a_transport_gives_it_back() -> None:
    ours, _ = pair()
    transport = elicit_over(ours)
    agent = SdkAgent()  # type: ignore[abstract]  # the SDK's optional methods
    connection = AgentSideConnection(agent, transport, listening=False)
    assert elicit_on(connection) is transport
    await connection.close()


@pytest.mark.parametrize("thing", [None, object(), pair()[0]])
async def test_what_keeps_no_transport_is_misuse(thing: object) -> None:
    with pytest.raises(MisuseError, match="elicit_over"):
        elicit_on(thing)
    with pytest.raises(MisuseError, match="respond_over"):
        respond_on(thing, Responder(HeldPresenter()))

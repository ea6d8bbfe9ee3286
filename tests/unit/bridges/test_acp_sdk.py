"""The wrappers of the official Python SDK's transport, with the SDK on one end or on both."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

import acp
import pytest
from acp._transport import memory_transport_pair
from acp.schema import (
    AgentCapabilities,
    ClientCapabilities,
    Implementation,
    InitializeResponse,
    NewSessionResponse,
    PromptResponse,
    TextContentBlock,
)

from acp_elicitation.bridges.acp_sdk import elicit_over, respond_over
from acp_elicitation.bridges.answering import RespondingTransport
from acp_elicitation.bridges.asking import ElicitingTransport
from acp_elicitation.client.responder import Responder
from acp_elicitation.protocol.answers import Accepted, Answer, Cancelled, Declined
from acp_elicitation.protocol.errors import (
    ConnectionLost,
    InvalidAnswer,
    MalformedMessage,
    MisuseError,
    ModeNotAdvertised,
    RemoteError,
)
from acp_elicitation.protocol.schema import FormSchema, IntegerProperty
from tests.held import HeldPresenter

PORT = FormSchema(properties={"port": IntegerProperty(minimum=1)}, required=("port",))
LIMIT = 20


class SdkAgent(acp.Agent):
    """An agent on the SDK: the prompt asks for a port."""

    def __init__(self, transport: ElicitingTransport) -> None:
        self.transport = transport
        self.outcomes: list[object] = []
        self.answered = asyncio.Event()

    async def initialize(self, *_: Any, **__: Any) -> InitializeResponse:
        return InitializeResponse(
            protocol_version=1,
            agent_capabilities=AgentCapabilities(),
            agent_info=Implementation(name="sdk-agent", version="1"),
        )

    async def new_session(self, *_: Any, **__: Any) -> NewSessionResponse:
        return NewSessionResponse(session_id="s")

    async def prompt(self, session_id: str, prompt: Any, **_: Any) -> PromptResponse:
        try:
            self.outcomes.append(
                await self.transport.elicitor.form("Port?", PORT, session=session_id)
            )
        except Exception as error:
            self.outcomes.append(error)
        finally:
            self.answered.set()
        return PromptResponse(stop_reason="end_turn")

    async def cancel(self, session_id: str, **_: Any) -> None:
        """Leave it to the wrapper."""


class SdkClient(acp.Client):
    """A client on the SDK that does nothing but talk."""

    async def session_update(self, session_id: str, update: Any, **_: Any) -> None:
        """Take no notice."""


def sdk_client() -> acp.Client:
    return SdkClient()  # type: ignore[abstract]  # the SDK's optional methods


@contextlib.asynccontextmanager
async def hosts(
    user: HeldPresenter, *, modes: tuple[Any, ...] = ("form", "url")
) -> AsyncIterator[tuple[SdkAgent, Any, RespondingTransport]]:
    """Both ends on the SDK, each with our wrapper."""
    one, other = memory_transport_pair()
    eliciting = elicit_over(one)
    agent = SdkAgent(eliciting)  # type: ignore[abstract]  # the SDK's optional methods
    served = asyncio.create_task(acp.run_agent(agent, eliciting))
    responding = respond_over(other, Responder(user, modes=modes))
    client = acp.connect_to_agent(sdk_client(), responding)
    try:
        async with asyncio.timeout(LIMIT):
            await client.initialize(
                protocol_version=1,
                client_capabilities=ClientCapabilities(),
                client_info=Implementation(name="sdk-client", version="1"),
            )
            await client.new_session(cwd="/", mcp_servers=[])
            yield agent, client, responding
    finally:
        await client.close()
        served.cancel()
        await asyncio.wait([served])


def prompting(client: Any) -> asyncio.Task[Any]:
    return asyncio.create_task(
        client.prompt(session_id="s", prompt=[TextContentBlock(type="text", text="go")])
    )


@pytest.mark.requirement("CAP-2", "FORM-3", "UI-1")
async def test_a_question_goes_from_one_sdk_to_the_other() -> None:
    user = HeldPresenter()
    async with hosts(user) as (agent, client, _):
        turn = prompting(client)
        prompt = await user.next_form()
        assert (prompt.message, prompt.asker.name) == ("Port?", "sdk-agent 1")
        prompt.draft.enter("port", "8080")
        user.reply(prompt, Accepted(prompt.draft.content()))
        await turn
        assert agent.outcomes == [Accepted({"port": 8080})]


@pytest.mark.requirement("RES-1")
@pytest.mark.parametrize("reply", [Declined(), Cancelled()])
async def test_a_no_comes_back(reply: Answer[Any]) -> None:
    user = HeldPresenter()
    async with hosts(user) as (agent, client, _):
        turn = prompting(client)
        user.reply(await user.next_form(), reply)
        await turn
        assert agent.outcomes == [reply]


@pytest.mark.requirement("CAP-1", "CAP-4")
async def test_a_client_without_modes_advertises_nothing_and_is_not_asked() -> None:
    async with hosts(HeldPresenter(), modes=()) as (agent, client, _):
        await prompting(client)
        assert isinstance(agent.outcomes[0], ModeNotAdvertised)


@pytest.mark.requirement("REQ-5")
async def test_a_cancelled_session_withdraws_its_question() -> None:
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
        with pytest.raises(Exception, match="closed"):
            await client.prompt(session_id="s", prompt=[])
        turn.cancel()
        await user.gone.wait()
        await agent.answered.wait()
        assert isinstance(agent.outcomes[0], ConnectionLost)
        with pytest.raises(ConnectionLost):
            agent.transport.notify("x", {})
        with pytest.raises(ConnectionLost):
            await agent.transport.request("x", {})


class RawEnd:
    """The other end of a wrapped transport, in raw messages."""

    def __init__(self, transport: Any) -> None:
        self.transport = transport

    async def tell(self, **members: Any) -> None:
        await self.transport.send({"jsonrpc": "2.0", **members})

    async def hear(self) -> dict[str, Any]:
        async with asyncio.timeout(LIMIT):
            message = await self.transport.receive()
        assert isinstance(message, dict)
        return message


@contextlib.asynccontextmanager
async def agent_host() -> AsyncIterator[tuple[SdkAgent, RawEnd]]:
    one, other = memory_transport_pair()
    eliciting = elicit_over(one)
    agent = SdkAgent(eliciting)  # type: ignore[abstract]  # the SDK's optional methods
    served = asyncio.create_task(acp.run_agent(agent, eliciting))
    raw = RawEnd(other)
    params = {"protocolVersion": 1, "clientCapabilities": {"elicitation": {"form": {}}}}
    await raw.tell(id=0, method="initialize", params=params)
    assert (await raw.hear())["result"]["protocolVersion"] == 1
    try:
        yield agent, raw
    finally:
        await other.close()
        async with asyncio.timeout(LIMIT):
            await served


@pytest.mark.requirement("REQ-1", "FWD-8")
async def test_what_the_agent_sends_is_what_it_said() -> None:
    async with agent_host() as (_, raw):
        await raw.tell(id=1, method="session/prompt", params={"sessionId": "s", "prompt": []})
        asked = await raw.hear()
        assert asked["id"] == "acp-elicitation-0"
        assert asked["params"]["requestedSchema"] == {
            "type": "object",
            "properties": {"port": {"type": "integer", "minimum": 1}},
            "required": ["port"],
        }
        await raw.tell(id=asked["id"], result={"action": "accept", "content": {"port": 1}})
        assert (await raw.hear())["id"] == 1


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        ({"result": {}}, MalformedMessage),
        ({"result": {"action": "accept", "content": {"port": 0}}}, InvalidAnswer),
        ({"error": {"code": -32602, "message": "no"}}, RemoteError),
        ({"error": {"code": "x"}}, RemoteError),
    ],
)
async def test_no_answer_is_taken_for_an_accept(
    answer: dict[str, Any], error: type[Exception]
) -> None:
    async with agent_host() as (agent, raw):
        await raw.tell(id=1, method="session/prompt", params={"sessionId": "s", "prompt": []})
        asked = await raw.hear()
        await raw.tell(id=asked["id"], **answer)
        await raw.hear()
        assert isinstance(agent.outcomes[0], error)
        await raw.tell(id=asked["id"], result={"action": "accept"})  # late: dropped


async def test_a_list_does_not_end_the_agent() -> None:
    async with agent_host() as (_, raw):
        await raw.transport._outbox.put([{"jsonrpc": "2.0", "id": 5, "method": "x"}])
        assert await raw.hear() == {
            "jsonrpc": "2.0",
            "id": None,
            "error": {"code": -32600, "message": "Invalid Request"},
        }
        await raw.tell(id=6, method="session/new", params={"cwd": "/", "mcpServers": []})
        assert (await raw.hear())["id"] == 6


@pytest.mark.requirement("REQ-5")
async def test_an_asking_task_that_is_cancelled_tells_the_client() -> None:
    async with agent_host() as (agent, raw):
        task = asyncio.create_task(agent.transport.elicitor.form("?", PORT, session="s"))
        asked = await raw.hear()
        task.cancel()
        assert await raw.hear() == {
            "jsonrpc": "2.0",
            "method": "$/cancel_request",
            "params": {"requestId": asked["id"]},
        }


def test_before_initialize_there_is_nobody_to_ask() -> None:
    one, _ = memory_transport_pair()
    with pytest.raises(MisuseError):
        _ = elicit_over(one).elicitor


@contextlib.asynccontextmanager
async def client_host(user: HeldPresenter) -> AsyncIterator[RawEnd]:
    one, other = memory_transport_pair()
    client = acp.connect_to_agent(sdk_client(), respond_over(other, Responder(user)))
    raw = RawEnd(one)
    params = ClientCapabilities()
    asking = asyncio.create_task(client.initialize(protocol_version=1, client_capabilities=params))
    hello = await raw.hear()
    assert hello["params"]["clientCapabilities"]["elicitation"] == {"form": {}, "url": {}}
    await raw.tell(id=hello["id"], result={"protocolVersion": 1})
    await asking
    try:
        yield raw
    finally:
        await client.close()


SCHEMA = {"type": "object", "properties": {}}
FORM = {"sessionId": "s", "mode": "form", "message": "?", "requestedSchema": SCHEMA}


@pytest.mark.requirement("FWD-5")
@pytest.mark.parametrize("params", [None, {}, {**FORM, "mode": 5}, {**FORM, "message": None}])
async def test_a_malformed_question_is_answered(params: object) -> None:
    async with client_host(HeldPresenter()) as raw:
        await raw.tell(id=9, method="elicitation/create", params=params)
        answer = await raw.hear()
        assert (answer["id"], answer["error"]["code"]) == (9, -32602)


@pytest.mark.requirement("FWD-7")
async def test_meta_overwrites_nothing() -> None:
    user = HeldPresenter()
    async with client_host(user) as raw:
        meta = {"message": "evil", "mode": "url", "url": "https://evil.example"}
        await raw.tell(id=9, method="elicitation/create", params={**FORM, "_meta": meta})
        prompt = await user.next_form()
        assert prompt.message == "?"
        user.reply(prompt, Accepted({}))
        assert (await raw.hear())["result"] == {"action": "accept"}


@pytest.mark.requirement("REQ-6")
async def test_a_cancelled_question_is_answered() -> None:
    user = HeldPresenter()
    async with client_host(user) as raw:
        await raw.tell(id=0, method="elicitation/create", params=FORM)
        prompt = await user.next_form()
        await raw.tell(method="$/cancel_request", params={"requestId": 0})
        answer = await raw.hear()
        assert (answer["id"], answer["error"]["code"]) == (0, -32800)
        assert user.withdrawn == [(prompt, "withdrawn")]


@pytest.mark.requirement("URL-7")
async def test_completions_reach_the_responder() -> None:
    user = HeldPresenter()
    async with client_host(user) as raw:
        link = {"sessionId": "s", "mode": "url", "message": "m", "elicitationId": "e"}
        params = {**link, "url": "https://a.example"}
        await raw.tell(id=1, method="elicitation/create", params=params)
        prompt = await user.next_link()
        user.reply(prompt, Accepted(None))
        assert (await raw.hear())["result"] == {"action": "accept"}
        await raw.tell(method="elicitation/complete", params={"elicitationId": "e"})
        await prompt.completed.wait()
        assert prompt.completed.is_set()


@pytest.mark.parametrize("request_id", [None, True, 1.5, "same"])
async def test_an_id_that_is_none_or_in_use_is_refused(request_id: object) -> None:
    user = HeldPresenter()
    async with client_host(user) as raw:
        await raw.tell(id="same", method="elicitation/create", params=FORM)
        prompt = await user.next_form()
        await raw.tell(id=request_id, method="elicitation/create", params=FORM)
        answer = await raw.hear()
        assert (answer["id"], answer["error"]["code"]) == (None, -32600)
        user.reply(prompt, Declined())
        assert (await raw.hear())["result"] == {"action": "decline"}


async def test_a_question_of_a_request_ends_with_its_request() -> None:
    user = HeldPresenter()
    one, other = memory_transport_pair()
    responding = respond_over(other, Responder(user))
    client = acp.connect_to_agent(sdk_client(), responding)
    raw = RawEnd(one)
    opening = asyncio.create_task(client.new_session(cwd="/", mcp_servers=[]))
    call = await raw.hear()
    params = {key: value for key, value in FORM.items() if key != "sessionId"}
    params["requestId"] = call["id"]
    await raw.tell(id=1, method="elicitation/create", params=params)
    await user.next_form()
    await raw.tell(id=call["id"], result={"sessionId": "s"})
    await opening
    answer = await raw.hear()
    assert answer["result"]["_meta"] == {"acp-elicitation": {"reason": "withdrawn"}}
    await client.close()

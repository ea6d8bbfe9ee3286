"""The official Python SDK as host of both sides, over its WebSocket and its HTTP, on loopback."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any

import acp
import pytest
from acp.http import create_http_stream
from acp.schema import (
    AgentCapabilities,
    ClientCapabilities,
    Implementation,
    InitializeResponse,
    NewSessionResponse,
    PromptResponse,
    TextContentBlock,
)
from acp.ws import create_websocket_stream

from acp_elicitation.agent.elicitor import Elicitor
from acp_elicitation.bridges.acp_sdk import elicit_on, respond_over
from acp_elicitation.bridges.asking import ElicitingTransport
from acp_elicitation.client.responder import Responder
from acp_elicitation.protocol.answers import Accepted, Answer, Cancelled, Declined
from acp_elicitation.protocol.schema import FormSchema, IntegerProperty
from tests.held import HeldPresenter
from tests.unit.bridges.serving import serving

LIMIT = 20
PORT = FormSchema(properties={"port": IntegerProperty(minimum=1)}, required=("port",))
Open = Callable[[str], Coroutine[Any, Any, Any]]


class RemoteAgent(acp.Agent):
    """An agent whose transport the SDK's server makes. A prompt says what it asks."""

    transport: ElicitingTransport

    def __init__(self) -> None:
        self.outcomes: list[object] = []
        self.answered = asyncio.Event()

    def on_connect(self, conn: Any) -> None:
        self.transport = elicit_on(conn)

    async def initialize(self, *_: Any, **__: Any) -> InitializeResponse:
        return InitializeResponse(
            protocol_version=1,
            agent_capabilities=AgentCapabilities(),
            agent_info=Implementation(name="remote-agent", version="1"),
        )

    async def new_session(self, *_: Any, **__: Any) -> NewSessionResponse:
        return NewSessionResponse(session_id="s")

    async def prompt(self, session_id: str, prompt: Any, **_: Any) -> PromptResponse:
        try:
            await self._ask(prompt[0].text, self.transport.elicitor, session_id)
        finally:
            self.answered.set()
        return PromptResponse(stop_reason="end_turn")

    async def _ask(self, what: str, elicitor: Elicitor, session: str) -> None:
        if what == "form":
            self.outcomes.append(await elicitor.form("Port?", PORT, session=session))
            return
        link = await elicitor.link("Sign in", "https://a.example/in", session=session)
        self.outcomes.append(link.answer)
        if link.consented:
            elicitor.complete(link.id)

    async def cancel(self, session_id: str, **_: Any) -> None:
        """Leave it to the transport."""


class RemoteClient(acp.Client):
    """A client on the SDK that does nothing but talk."""

    async def session_update(self, session_id: str, update: Any, **_: Any) -> None:
        """Take no notice."""


async def over_websocket(place: str) -> Any:
    return await create_websocket_stream(f"ws://{place}")


async def over_http(place: str) -> Any:
    return create_http_stream(f"http://{place}")


@pytest.fixture(params=[over_websocket, over_http])
def opening(request: pytest.FixtureRequest) -> Open:
    opening: Open = request.param
    return opening


@contextlib.asynccontextmanager
async def remote(opening: Open, user: HeldPresenter) -> AsyncIterator[tuple[RemoteAgent, Any]]:
    agents: list[RemoteAgent] = []

    def new_agent(_: object) -> RemoteAgent:
        agents.append(RemoteAgent())  # type: ignore[abstract]  # the SDK's optional methods
        return agents[-1]

    async with asyncio.timeout(LIMIT), serving(new_agent) as place:
        client: Any = acp.connect_to_agent(
            RemoteClient(),  # type: ignore[abstract]  # the SDK's optional methods
            respond_over(await opening(place), Responder(user)),
        )
        try:
            await client.initialize(protocol_version=1, client_capabilities=ClientCapabilities())
            await client.new_session(cwd="/", mcp_servers=[])
            yield agents[0], client
        finally:
            await client.close()


def prompting(client: Any, what: str) -> asyncio.Task[Any]:
    prompt = [TextContentBlock(type="text", text=what)]
    return asyncio.create_task(client.prompt(session_id="s", prompt=prompt))


@pytest.mark.requirement("CAP-2", "FORM-3", "UI-1")
async def test_a_form_is_filled_in_from_afar(opening: Open) -> None:
    user = HeldPresenter()
    async with remote(opening, user) as (agent, client):
        turn = prompting(client, "form")
        prompt = await user.next_form()
        assert (prompt.message, prompt.asker.name) == ("Port?", "remote-agent 1")
        prompt.draft.enter("port", "8080")
        user.reply(prompt, Accepted(prompt.draft.content()))
        assert (await turn).stop_reason == "end_turn"
        assert agent.outcomes == [Accepted({"port": 8080})]


@pytest.mark.requirement("RES-1")
@pytest.mark.parametrize("reply", [Declined(), Cancelled()])
async def test_a_no_comes_back_from_afar(opening: Open, reply: Answer[Any]) -> None:
    user = HeldPresenter()
    async with remote(opening, user) as (agent, client):
        turn = prompting(client, "form")
        user.reply(await user.next_form(), reply)
        await turn
        assert agent.outcomes == [reply]


@pytest.mark.requirement("URL-1", "URL-5", "URL-7")
async def test_a_link_is_consented_to_and_completed(opening: Open) -> None:
    user = HeldPresenter()
    async with remote(opening, user) as (agent, client):
        turn = prompting(client, "link")
        prompt = await user.next_link()
        assert prompt.request.url == "https://a.example/in"
        assert not prompt.completed.is_set()
        user.reply(prompt, Accepted(None))
        await turn
        assert agent.outcomes == [Accepted(None)]
        await prompt.completed.wait()


@pytest.mark.requirement("REQ-5")
async def test_a_cancelled_turn_withdraws_its_question_from_afar(opening: Open) -> None:
    user = HeldPresenter()
    async with remote(opening, user) as (agent, client):
        turn = prompting(client, "form")
        prompt = await user.next_form()
        await client.cancel(session_id="s")
        await turn
        assert agent.outcomes == [Cancelled("withdrawn")]
        assert user.withdrawn == [(prompt, "withdrawn")]


@pytest.mark.requirement("RES-5")
async def test_a_client_that_hangs_up_is_waited_for_no_longer(opening: Open) -> None:
    user = HeldPresenter()
    async with remote(opening, user) as (agent, client):
        turn = prompting(client, "form")
        prompt = await user.next_form()
        await client.close()
        with pytest.raises(ConnectionError):
            await turn
        await agent.answered.wait()
        assert agent.outcomes == []
        assert user.withdrawn == [(prompt, "withdrawn")]

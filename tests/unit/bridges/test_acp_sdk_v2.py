"""The experimental v2 of the official Python SDK as host of both sides: with 1.0 only."""

import asyncio
import contextlib
import importlib
from collections.abc import AsyncIterator
from typing import Any

import pytest

from acp_elicitation.bridges.acp_sdk import elicit_on, elicit_over, respond_over
from acp_elicitation.bridges.asking import ElicitingTransport
from acp_elicitation.client.responder import Responder
from acp_elicitation.protocol.answers import Accepted, Answer, Cancelled, Declined
from acp_elicitation.protocol.errors import ModeNotAdvertised
from acp_elicitation.protocol.schema import FormSchema, IntegerProperty
from acp_elicitation.protocol.version import V2
from tests.held import HeldPresenter
from tests.unit.bridges.serving import serving

# By its name, since the version that the types are checked with does not have it.
v2: Any = importlib.import_module("acp.experimental.v2")
experimental: Any = importlib.import_module("acp.experimental")
transports: Any = importlib.import_module("acp._transport")
http: Any = importlib.import_module("acp.http")
ws: Any = importlib.import_module("acp.ws")

LIMIT = 20
PORT = FormSchema(properties={"port": IntegerProperty(minimum=1)}, required=("port",))


class V2Agent:
    """An agent of v2: a prompt is answered at once, and the turn asks behind it."""

    transport: ElicitingTransport

    def __init__(self) -> None:
        self.capabilities: Any = None
        self.outcomes: list[object] = []
        self._connection: Any = None
        self._turn: asyncio.Task[None] | None = None

    def on_connect(self, connection: Any) -> None:
        self._connection = connection
        self.transport = elicit_on(connection)

    async def initialize(self, capabilities: Any = None, **_: Any) -> Any:
        self.capabilities = capabilities
        return v2.schema.InitializeResponse(
            protocol_version=2,
            info=v2.schema.Implementation(name="v2-agent", version="1"),
            capabilities=v2.schema.AgentCapabilities(session=v2.schema.SessionCapabilities()),
        )

    async def new_session(self, **_: Any) -> Any:
        return v2.schema.NewSessionResponse(session_id="s")

    async def prompt(self, session_id: str, prompt: list[Any], **_: Any) -> Any:
        self._turn = asyncio.create_task(self._take_turn(session_id, prompt[0].text))
        return v2.schema.PromptResponse(message_id="m")

    async def cancel_session(self, session_id: str, **_: Any) -> None:
        """Leave it to the transport."""

    async def _take_turn(self, session: str, what: str) -> None:
        elicitor = self.transport.elicitor
        schema = v2.schema
        await self._connection.session_update(
            session_id=session, update=schema.RunningSessionStateUpdate()
        )
        try:
            if what == "form":
                self.outcomes.append(await elicitor.form("Port?", PORT, session=session))
            else:
                link = await elicitor.link("Sign in", "https://a.example/in", session=session)
                self.outcomes.append(link.answer)
                elicitor.complete(link.id)
        except Exception as error:
            self.outcomes.append(error)
        await self._connection.session_update(
            session_id=session, update=schema.IdleSessionStateUpdate(stop_reason="end_turn")
        )


class V2Client:
    """A client of v2 that keeps the states of its session."""

    def __init__(self) -> None:
        self.states: list[str] = []
        self.idle = asyncio.Event()

    async def session_update(self, session_id: str, update: Any, **_: Any) -> None:
        assert session_id == "s"
        self.states.append(update.state)
        if update.state == "idle":
            self.idle.set()


class ElicitingRouter(experimental.AgentProtocolRouter):  # type: ignore[misc]  # it is Any
    """The SDK's choice of a version: it makes the agent when `initialize` is there already."""

    def connect(self, transport: Any, *rest: Any, **options: Any) -> Any:
        return super().connect(elicit_over(transport), *rest, **options)


class Hosts:
    """Both ends, with what they have in hand."""

    def __init__(self, agents: list[V2Agent], user: HeldPresenter, modes: tuple[Any, ...]) -> None:
        self._agents = agents
        self.client = V2Client()
        self.responder = Responder(user, modes=modes)
        self.connection: Any = None

    @property
    def agent(self) -> V2Agent:
        return self._agents[0]

    async def connect(self, transport: Any) -> None:
        responding = respond_over(transport, self.responder)
        self.connection = v2.connect_to_agent(self.client, responding)
        info = v2.schema.Implementation(name="v2-client", version="1")
        await self.connection.initialize(protocol_version=2, info=info)
        await self.connection.new_session(cwd="/")

    async def prompt(self, what: str) -> Any:
        text = v2.schema.TextContentBlock(text=what)
        return await self.connection.prompt(session_id="s", prompt=[text])


@contextlib.asynccontextmanager
async def hosts(
    user: HeldPresenter, *, modes: tuple[Any, ...] = ("form", "url"), routed: bool = False
) -> AsyncIterator[Hosts]:
    """Both in one process, the agent alone or behind the SDK's choice of a version."""
    one, other = transports.memory_transport_pair()
    agents = [V2Agent()]
    router = experimental.AgentProtocolRouter(v2=lambda _: agents[0])
    run = router.run(elicit_over(one)) if routed else v2.run_agent(agents[0], elicit_over(one))
    running = asyncio.create_task(run)
    both = Hosts(agents, user, modes)
    try:
        async with asyncio.timeout(LIMIT):
            await both.connect(other)
            yield both
            await both.connection.close()
            await running
    finally:
        running.cancel()
        await asyncio.wait([running])


@contextlib.asynccontextmanager
async def remote(user: HeldPresenter, kind: str) -> AsyncIterator[Hosts]:
    """The agent behind the SDK's server."""
    agents: list[V2Agent] = []

    def new_agent(_: object) -> V2Agent:
        agents.append(V2Agent())
        return agents[-1]

    both = Hosts(agents, user, ("form", "url"))
    async with asyncio.timeout(LIMIT), serving(ElicitingRouter(v2=new_agent)) as place:
        if kind == "http":
            await both.connect(http.create_http_stream(f"http://{place}"))
        else:
            await both.connect(await ws.create_websocket_stream(f"ws://{place}"))
        try:
            yield both
        finally:
            await both.connection.close()


async def fill_in(both: Hosts, user: HeldPresenter) -> None:
    assert (await both.prompt("form")).message_id == "m"
    prompt = await user.next_form()
    assert (prompt.message, prompt.asker.name) == ("Port?", "v2-agent 1")
    prompt.draft.enter("port", "8080")
    user.reply(prompt, Accepted(prompt.draft.content()))
    await both.client.idle.wait()
    assert both.agent.outcomes == [Accepted({"port": 8080})]
    assert both.client.states == ["running", "requires_action", "running", "idle"]
    assert both.responder.version is V2


@pytest.mark.requirement("CAP-2", "FORM-3", "REQ-4", "UI-1")
@pytest.mark.parametrize("routed", [False, True], ids=["agent", "router"])
async def test_a_form_is_filled_in_while_the_session_requires_action(routed: bool) -> None:
    user = HeldPresenter()
    async with hosts(user, routed=routed) as both:
        await fill_in(both, user)


@pytest.mark.requirement("CAP-2", "FORM-3", "REQ-4")
@pytest.mark.parametrize("kind", ["ws", "http"])
async def test_a_form_is_filled_in_from_afar_in_v2(kind: str) -> None:
    user = HeldPresenter()
    async with remote(user, kind) as both:
        await fill_in(both, user)


@pytest.mark.requirement("CAP-2")
async def test_the_modes_are_advertised_where_v2_has_them() -> None:
    async with hosts(HeldPresenter()) as both:
        advertised = both.agent.capabilities.elicitation
        assert (advertised.form, advertised.url) != (None, None)


@pytest.mark.requirement("CAP-1", "CAP-4")
async def test_a_client_of_v2_without_modes_is_not_asked() -> None:
    async with hosts(HeldPresenter(), modes=()) as both:
        assert both.agent.capabilities.elicitation is None
        await both.prompt("form")
        await both.client.idle.wait()
        assert isinstance(both.agent.outcomes[0], ModeNotAdvertised)
        assert both.client.states == ["running", "idle"]


@pytest.mark.requirement("RES-1")
@pytest.mark.parametrize("reply", [Declined(), Cancelled()])
async def test_a_no_comes_back_in_v2(reply: Answer[Any]) -> None:
    user = HeldPresenter()
    async with hosts(user) as both:
        await both.prompt("form")
        user.reply(await user.next_form(), reply)
        await both.client.idle.wait()
        assert both.agent.outcomes == [reply]


@pytest.mark.requirement("URL-1", "URL-5", "URL-7")
async def test_a_link_is_consented_to_and_completed_in_v2() -> None:
    user = HeldPresenter()
    async with hosts(user) as both:
        await both.prompt("link")
        prompt = await user.next_link()
        assert not prompt.completed.is_set()
        user.reply(prompt, Accepted(None))
        await prompt.completed.wait()
        await both.client.idle.wait()
        assert both.agent.outcomes == [Accepted(None)]


@pytest.mark.requirement("REQ-5")
async def test_a_cancelled_session_of_v2_withdraws_its_question() -> None:
    user = HeldPresenter()
    async with hosts(user) as both:
        await both.prompt("form")
        prompt = await user.next_form()
        await both.connection.cancel_session(session_id="s")
        await both.client.idle.wait()
        assert both.agent.outcomes == [Cancelled("withdrawn")]
        assert user.withdrawn == [(prompt, "withdrawn")]

"""The smallest agent runtime, spoken to in raw JSON-RPC and by a client of this package."""

import asyncio
import contextlib
import logging
import sys
from typing import Any

import pytest

from acp_elicitation.agent.serve import Agent, AgentConnection
from acp_elicitation.agent.turn import StopReason, Turn
from acp_elicitation.protocol.errors import (
    ConnectionLost,
    ErrorReply,
    NotAccepted,
    RemoteError,
)
from acp_elicitation.protocol.version import V1, V2, Version
from acp_elicitation.wire.connection import Connection, IncomingRequest, method_not_found
from acp_elicitation.wire.sockets import open_pair
from acp_elicitation.wire.stdio import spawn
from tests.held import HeldPresenter
from tests.pair import joined

BOTH = pytest.mark.parametrize("version", [V1, V2], ids=["v1", "v2"])


class Raw:
    """A client that only records what it is told."""

    def __init__(self) -> None:
        self.told: list[dict[str, Any]] = []
        self.idle = asyncio.Event()

    async def on_request(self, request: IncomingRequest) -> object:
        raise method_not_found(request.method)

    def on_notification(self, method: str, params: object) -> None:
        assert method == "session/update"
        assert isinstance(params, dict)
        self.told.append(params["update"])
        if params["update"].get("state") == "idle":
            self.idle.set()

    def on_closed(self, error: ConnectionLost) -> None:
        self.idle.set()


async def silent(turn: Turn) -> None:
    """Do nothing."""


async def connect(
    agent: Agent, client: Raw | None = None
) -> tuple[Connection, AgentConnection, Connection]:
    served = AgentConnection(agent)
    agent_end, client_end = await open_pair(served, client or Raw())
    served.attach(agent_end)
    return client_end, served, agent_end


def hello(version: int, **members: Any) -> dict[str, Any]:
    return {"protocolVersion": version, **members}


@pytest.mark.parametrize(
    ("offered", "supported", "answered"),
    [(1, (V1, V2), 1), (2, (V1, V2), 2), (7, (V1, V2), 2), (2, (V1,), 1)],
)
async def test_the_highest_version_at_or_below_the_offer_is_answered(
    offered: int, supported: tuple[Version, ...], answered: int
) -> None:
    client, _, _ = await connect(Agent(silent, name="a", supported=supported))
    result = await client.request("initialize", hello(offered))
    assert isinstance(result, dict)
    assert result["protocolVersion"] == answered
    client.close()


@pytest.mark.parametrize("offered", [0, -1])
async def test_no_version_in_common_is_an_error_that_says_which_there_are(offered: int) -> None:
    client, _, _ = await connect(Agent(silent, name="a"))
    with pytest.raises(RemoteError) as raised:
        await client.request("initialize", hello(offered))
    assert raised.value.code == -32022
    assert raised.value.data == {"requested": offered, "supported": [1, 2]}
    client.close()


@pytest.mark.requirement("CAP-1", "CAP-3", "CAP-7")
@pytest.mark.parametrize(
    ("params", "modes"),
    [
        (hello(1), set()),
        (hello(1, clientCapabilities=None), set()),
        (hello(1, clientCapabilities={"elicitation": {}}), set()),
        (hello(1, clientCapabilities={"elicitation": {"form": 3}}), set()),
        (hello(1, clientCapabilities={"elicitation": {"form": {}}}), {"form"}),
        (hello(1, capabilities={"elicitation": {"form": {}}}), set()),
        (hello(2, info={}, capabilities={"elicitation": {"url": {}}}), {"url"}),
    ],
)
async def test_capabilities_are_read_where_the_version_has_them(
    params: dict[str, Any], modes: set[str]
) -> None:
    client, served, _ = await connect(Agent(silent, name="a"))
    await client.request("initialize", params)
    assert served.elicitor is not None
    assert served.elicitor.modes == modes
    client.close()


@pytest.mark.parametrize("params", [{}, {"protocolVersion": "1"}, {"protocolVersion": True}])
async def test_a_malformed_initialize_is_answered(params: dict[str, Any]) -> None:
    client, _, _ = await connect(Agent(silent, name="a"))
    with pytest.raises(RemoteError) as raised:
        await client.request("initialize", params)
    assert raised.value.code == -32602
    client.close()


async def test_initialize_comes_first_and_once() -> None:
    client, _, _ = await connect(Agent(silent, name="a"))
    with pytest.raises(RemoteError) as early:
        await client.request("session/new", {"cwd": "/", "mcpServers": []})
    await client.request("initialize", hello(1))
    with pytest.raises(RemoteError) as again:
        await client.request("initialize", hello(1))
    assert (early.value.code, again.value.code) == (-32600, -32600)
    client.close()


@pytest.mark.parametrize(
    ("method", "params", "code"),
    [
        ("session/load", {}, -32601),
        ("_vendor/thing", None, -32601),
        ("session/new", {}, -32602),
        ("session/new", [], -32602),
        ("session/prompt", {"prompt": []}, -32602),
    ],
)
async def test_what_is_not_served_or_malformed_is_answered(
    method: str, params: object, code: int
) -> None:
    client, _, _ = await connect(Agent(silent, name="a"))
    await client.request("initialize", hello(1))
    with pytest.raises(RemoteError) as raised:
        await client.request(method, params)
    assert raised.value.code == code
    client.close()


async def test_a_turn_of_version_1_ends_with_its_answer() -> None:
    async def on_prompt(turn: Turn) -> StopReason:
        turn.think("hm")
        turn.say(f"You said {turn.text}.")
        turn.end_tool(turn.start_tool("Look", kind="read"))
        return "refusal"

    raw = Raw()
    client, _, _ = await connect(Agent(on_prompt, name="a"), raw)
    await client.request("initialize", hello(1))
    session: Any = await client.request("session/new", {"cwd": "/", "mcpServers": []})
    blocks = [{"type": "text", "text": "hi"}, {"type": "image"}, 5, {"type": "text", "text": "you"}]
    params = {"sessionId": session["sessionId"], "prompt": blocks}
    assert await client.request("session/prompt", params) == {"stopReason": "refusal"}
    assert [update["sessionUpdate"] for update in raw.told] == [
        "agent_thought_chunk",
        "agent_message_chunk",
        "tool_call",
        "tool_call_update",
    ]
    assert raw.told[1]["content"] == {"type": "text", "text": "You said hi\nyou."}
    client.close()


async def test_a_turn_of_version_2_ends_with_an_update() -> None:
    async def on_prompt(turn: Turn) -> None:
        turn.say("one")
        turn.say("two")
        turn.end_tool(turn.start_tool("Look"), "failed")

    raw = Raw()
    client, _, _ = await connect(Agent(on_prompt, name="a"), raw)
    await client.request("initialize", hello(2, info={"name": "c", "version": "1"}))
    session: Any = await client.request("session/new", {"cwd": "/"})
    blocks = [{"type": "text", "text": "hi"}]
    params = {"sessionId": session["sessionId"], "prompt": blocks}
    result: Any = await client.request("session/prompt", params)
    await raw.idle.wait()
    names = [update["sessionUpdate"] for update in raw.told]
    assert names == [
        "user_message",
        "state_update",
        "agent_message_chunk",
        "agent_message_chunk",
        "tool_call_update",
        "tool_call_update",
        "state_update",
    ]
    assert raw.told[0] == {
        "sessionUpdate": "user_message",
        "messageId": result["messageId"],
        "content": blocks,
    }
    assert raw.told[2]["messageId"] == raw.told[3]["messageId"] != result["messageId"]
    assert raw.told[-1]["stopReason"] == "end_turn"
    client.close()


@BOTH
@pytest.mark.requirement("UI-2")
async def test_a_turn_that_fails_tells_the_type_of_the_error_and_no_more(
    version: Version, caplog: pytest.LogCaptureFixture
) -> None:
    async def on_prompt(turn: Turn) -> None:
        try:
            raise KeyError(turn.text)
        except KeyError:
            raise RuntimeError(f"no {turn.text}") from NotAccepted("decline")

    async with joined(on_prompt, HeldPresenter(), version=version) as pair:
        session = await pair.session()
        if version is V1:
            with pytest.raises(RemoteError, match="RuntimeError") as raised:
                await session.prompt("typed")
            assert "typed" not in repr(raised.value.data)
        else:
            assert await session.prompt("typed") == "error"
            assert pair.updates[-1]["error"] == {
                "code": -32603,
                "message": "the agent failed with RuntimeError",
            }
    told = "".join(r.getMessage() for r in caplog.records if r.levelno >= logging.WARNING)
    assert "the turn failed with RuntimeError\n" in told
    assert 'raise RuntimeError(f"no {turn.text}")' in told, "the author sees the line"
    assert "That came after NotAccepted: the user did not accept: decline" in told
    assert "typed" not in told


async def test_an_author_who_debugs_reads_the_text_of_the_error(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def on_prompt(turn: Turn) -> None:
        raise RuntimeError(f"no {turn.text}")

    caplog.set_level(logging.DEBUG, "acp_elicitation.agent.serve")
    async with joined(on_prompt, HeldPresenter(), version=V1) as pair:
        with pytest.raises(RemoteError):
            await (await pair.session()).prompt("typed")
    assert "RuntimeError: no typed" in caplog.text


@BOTH
async def test_a_second_prompt_of_a_busy_session_is_refused(version: Version) -> None:
    begun, leave = asyncio.Event(), asyncio.Event()

    async def on_prompt(turn: Turn) -> None:
        begun.set()
        await leave.wait()

    async with joined(on_prompt, HeldPresenter(), version=version) as pair:
        session = await pair.session()
        turn = asyncio.create_task(session.prompt("go"))
        await begun.wait()
        params = {"sessionId": session.id, "prompt": []}
        with pytest.raises(RemoteError) as raised:
            await pair.client_end.request("session/prompt", params)
        assert raised.value.code == -32600
        leave.set()
        assert await turn == "end_turn"


@pytest.mark.requirement("REQ-5")
async def test_a_cancelled_prompt_request_cancels_its_turn() -> None:
    begun = asyncio.Event()
    ended: list[str] = []

    async def on_prompt(turn: Turn) -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("turn")

    async with joined(on_prompt, HeldPresenter(), version=V1) as pair:
        turn = asyncio.create_task((await pair.session()).prompt("go"))
        await begun.wait()
        turn.cancel()
        with pytest.raises(asyncio.CancelledError):
            await turn
    assert ended == ["turn"]


@BOTH
async def test_a_turn_whose_client_left_ends_quietly(
    version: Version, caplog: pytest.LogCaptureFixture
) -> None:
    begun = asyncio.Event()

    async def on_prompt(turn: Turn) -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            turn.say("too late")

    async with joined(on_prompt, HeldPresenter(), version=version) as pair:
        turn = asyncio.create_task((await pair.session()).prompt("go"))
        await begun.wait()
        pair.client_end.close()
        with pytest.raises(ConnectionLost):
            await turn
    assert "failed" not in caplog.text


class Consenting(Raw):
    """A client whose user consents to each link."""

    async def on_request(self, request: IncomingRequest) -> object:
        return {"action": "accept"}


@BOTH
@pytest.mark.requirement("RES-5")
async def test_a_link_that_is_waited_for_ends_with_the_connection(version: Version) -> None:
    waiting, ended = asyncio.Event(), asyncio.get_running_loop().create_future()

    async def on_prompt(turn: Turn) -> None:
        link = await turn.elicitor.link("Open it.", "https://a.example/", session=turn.session_id)
        waiting.set()
        try:
            await link.completed()
        except BaseException as error:
            ended.set_result(type(error))
            raise

    client, _, _ = await connect(Agent(on_prompt, name="a"), Consenting())
    offer: dict[str, Any] = {"elicitation": {"url": {}}}
    members = {"capabilities": offer, "clientCapabilities": offer, "info": {}}
    await client.request("initialize", hello(version.number, **members))
    session = await client.request("session/new", {"cwd": "/", "mcpServers": []})
    assert isinstance(session, dict)
    asking = asyncio.create_task(client.request("session/prompt", {**session, "prompt": []}))
    async with asyncio.timeout(10):
        await waiting.wait()
        client.close()
        assert await ended is ConnectionLost
    await asyncio.gather(asking, return_exceptions=True)


async def test_notifications_that_mean_nothing_are_ignored() -> None:
    client, _, _ = await connect(Agent(silent, name="a"))
    client.notify("session/cancel", {"sessionId": "ghost"})
    client.notify("session/cancel", [])
    client.notify("_vendor/ping", None)
    await client.request("initialize", hello(1))
    assert not client.closed
    client.close()


async def test_a_client_that_never_spoke_is_let_go() -> None:
    client, served, agent_end = await connect(Agent(silent, name="a"))
    client.close()
    await agent_end.wait_closed()
    await served.finished()
    assert served.elicitor is None


async def test_the_error_of_a_session_handler_reaches_the_client() -> None:
    async def on_session(new: object) -> None:
        raise ErrorReply(-32000, "sign in first")

    client, _, _ = await connect(Agent(silent, name="a", on_session=on_session))
    await client.request("initialize", hello(1))
    with pytest.raises(RemoteError) as raised:
        await client.request("session/new", {"cwd": "/"})
    assert raised.value.code == -32000
    client.close()


@BOTH
async def test_a_prompt_for_a_session_that_was_never_opened_is_refused(version: Version) -> None:
    async with joined(silent, HeldPresenter(), version=version) as pair:
        with pytest.raises(RemoteError) as raised:
            await pair.client_end.request("session/prompt", {"sessionId": "made up", "prompt": []})
        assert raised.value.code == -32002


LEAKY = """
import asyncio, sys
from acp_elicitation import Agent

class Connecting:
    def attach(self, elicitor):
        pass

    def check_outgoing(self, message):
        if b"token-of-the-vault" in message:
            raise ValueError

def check(message):
    if b"another-secret" in message:
        raise ValueError

async def on_prompt(turn):
    turn.say(turn.text)

own = check if "own" in sys.argv else None
agent = Agent(on_prompt, name="leaky", connecting=Connecting(), check_outgoing=own)
asyncio.run(agent.serve_stdio())
"""


@pytest.mark.requirement("URL-2")
@pytest.mark.parametrize(
    ("own", "said", "heard"),
    [
        ((), "token-of-the-vault", False),
        (("own",), "token-of-the-vault", False),
        (("own",), "another-secret", False),
        ((), "another-secret", True),
        (("own",), "no secret", True),
    ],
)
async def test_whoever_connects_accounts_sees_each_message_before_it_is_sent(
    own: tuple[str, ...], said: str, heard: bool
) -> None:
    agent = await spawn((sys.executable, "-c", LEAKY, *own), client := Raw())
    async with asyncio.timeout(30):
        await agent.connection.request("initialize", hello(1))
        session = await agent.connection.request("session/new", {"cwd": "/", "mcpServers": []})
        assert isinstance(session, dict)
        prompt = {**session, "prompt": [{"type": "text", "text": said}]}
        with contextlib.suppress(RemoteError):
            await agent.connection.request("session/prompt", prompt)
        await agent.stop()
    assert (said in str(client.told)) is heard

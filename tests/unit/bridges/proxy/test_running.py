"""The proxy between a client and a real process."""

import asyncio
import contextlib
import json
import random
import signal
import sys
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import pytest

from acp_elicitation.bridges.proxy.means import Means
from acp_elicitation.bridges.proxy.passing import ClientCalls
from acp_elicitation.bridges.proxy.running import AgentProcess, run_between
from acp_elicitation.client.prompts import FormPrompt, LinkPrompt, Presenter, Prompt, Reply
from acp_elicitation.client.responder import Responder
from acp_elicitation.protocol.answers import Accepted, Declined
from tests.unit.bridges.proxy.wires import End, wire

_LIMIT = 20.0
SESSION = {"sessionId": "s1"}
FORM = {"mode": "form", "message": "Which?", **SESSION}
CONFIRM = {**FORM, "requestedSchema": {"type": "object", "properties": {}}}
TEXT = {
    **FORM,
    "requestedSchema": {"type": "object", "properties": {"name": {"type": "string"}}},
}
ECHO = ["cat"]
# An agent that initialises, and then sends what it is told in `say`.
OBEYS = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message.get("method") == "initialize":
        got = message["params"]
        result = {"protocolVersion": got["protocolVersion"], "got": got}
        reply = {"id": message["id"], "result": result}
    elif message.get("method") == "say":
        reply = message["params"]
    elif message.get("method") == "exit":
        sys.exit(message["params"])
    else:
        reply = {"method": "heard", "params": message}
    print(json.dumps({"jsonrpc": "2.0", **reply}), flush=True)
"""
AGENT = [sys.executable, "-c", OBEYS]


class OneAnswer:
    """A presenter that gives one answer, or none until it is told."""

    def __init__(self, reply: Reply | None) -> None:
        self._reply = reply
        self.prompts: list[Prompt] = []
        self.asked = asyncio.Event()
        self.withdrawn = asyncio.Event()

    async def form(self, prompt: FormPrompt) -> Reply:
        return await self._answer(prompt)

    async def link(self, prompt: LinkPrompt) -> Reply:
        return await self._answer(prompt)

    async def withdraw(self, prompt: Prompt, why: Literal["withdrawn", "expired"]) -> None:
        self.withdrawn.set()

    async def _answer(self, prompt: Prompt) -> Reply:
        self.prompts.append(prompt)
        self.asked.set()
        if self._reply is None:
            await asyncio.get_running_loop().create_future()
        assert self._reply is not None
        return self._reply


@dataclass
class Proxied:
    """A client's end of a running proxy."""

    client: End
    agent: AgentProcess
    status: asyncio.Task[int]

    async def initialize(self, **capabilities: Any) -> dict[str, Any]:
        """Return the params of `initialize` as the agent got them."""
        self.client.tell(
            id=0,
            method="initialize",
            params={"protocolVersion": 1, "clientCapabilities": capabilities},
        )
        message = await self.client.hear_message()
        got: dict[str, Any] = message["result"]["got"]
        return got

    def have_said(self, **members: Any) -> None:
        """Have the agent send a message."""
        self.client.tell(method="say", params=members)

    async def told(self) -> dict[str, Any]:
        """Return the next message that the agent tells it got."""
        message = await self.client.hear_message()
        assert message["method"] == "heard"
        params: dict[str, Any] = message["params"]
        return params


@contextlib.asynccontextmanager
async def proxied(
    command: Sequence[str] = AGENT,
    *,
    presenter: Presenter | None = None,
    permission: bool = False,
    use_native: bool = True,
) -> AsyncIterator[Proxied]:
    """Run the proxy for the length of the block."""
    async with wire(limit=1024 * 1024) as (reader, writer, end):
        calls = ClientCalls(writer)
        means = Means(
            permission=calls.call if permission else None,
            presenter=presenter,
            version=lambda: responder.version,
        )
        responder = Responder(means, modes=means.modes)
        agent = await AgentProcess.start(command)
        status = asyncio.create_task(
            run_between(
                agent,
                reader,
                writer,
                responder=responder,
                calls=calls,
                command=command,
                use_native=use_native,
            )
        )
        try:
            yield Proxied(end, agent, status)
            end.leave()
            async with asyncio.timeout(_LIMIT):
                await status
        finally:
            status.cancel()
            agent.signal(signal.SIGKILL)
            await asyncio.wait([status])


def _messages(count: int) -> list[bytes]:
    """Messages of every kind, in every spelling that JSON has for them."""
    chance = random.Random(1)
    values = ['"\\u00e9"', "12345678901234567890123", "1.0", "1e3", "-0", "null", "{}", "[]",
              '{"_meta": {"z": [1, {"y": 2.50}], "a": 1}}', '"\\ud83d\\ude00"', "true"]  # fmt: skip
    lines = []
    for number in range(count):
        members = [
            f'"{name}":{chance.choice([" ", ""])}{chance.choice(values)}'
            for name in ("sessionId", "update", "zz", "_meta", "aa")
        ]
        method = chance.choice(["session/update", "_x/y", "m"])
        members += ['"jsonrpc": "2.0"', f'"method":"{method}"']
        if chance.random() < 0.3:
            members.append(f'"id":{chance.choice([str(number), f"{chr(34)}i{number}{chr(34)}"])}')
        chance.shuffle(members)
        lines.append(("{" + ", ".join(members) + "}\n").encode())
    return lines


@pytest.mark.requirement("FWD-1", "FWD-7", "FWD-8", "FWD-9")
async def test_ten_thousand_messages_pass_both_ways_as_the_bytes_that_they_were() -> None:
    async with proxied(ECHO) as proxy:
        lines = _messages(10_000)
        heard = []

        async def listen() -> None:
            for _ in lines:
                heard.append(await proxy.client.hear())

        listening = asyncio.create_task(listen())
        for line in lines:
            proxy.client.say(line)
            await proxy.client._writer.drain()
        await listening
        assert heard == lines


@pytest.mark.requirement("CAP-6")
async def test_what_the_proxy_can_answer_is_added_to_what_the_client_advertises() -> None:
    async with proxied(presenter=OneAnswer(None)) as proxy:
        got = await proxy.initialize(fs={"readTextFile": True}, elicitation={"url": {"x": 1}})
        assert got["clientCapabilities"] == {
            "fs": {"readTextFile": True},
            "elicitation": {"form": {}, "url": {"x": 1}},
        }


@pytest.mark.requirement("CAP-6")
async def test_without_any_means_nothing_is_added() -> None:
    async with proxied() as proxy:
        got = await proxy.initialize(fs={})
        assert got["clientCapabilities"] == {"fs": {}}


async def test_a_question_is_answered_in_the_place_of_a_client_that_cannot() -> None:
    presenter = OneAnswer(Accepted({"name": "Ada"}))
    async with proxied(presenter=presenter) as proxy:
        await proxy.initialize()
        proxy.have_said(id=7, method="elicitation/create", params=TEXT)
        answer = await proxy.told()
        assert answer["id"] == 7
        assert answer["result"] == {"action": "accept", "content": {"name": "Ada"}}
        assert presenter.prompts[0].asker.command == tuple(AGENT)


@pytest.mark.requirement("FWD-1", "FWD-8")
@pytest.mark.parametrize("mode", ["form", "telepathy"])
async def test_a_question_that_the_client_can_show_goes_to_the_client_as_it_came(
    mode: str,
) -> None:
    async with proxied(presenter=OneAnswer(None)) as proxy:
        await proxy.initialize(elicitation={"form": {}})
        asked = {**TEXT, "mode": mode, "unknown": [1.0, 12345678901234567890]}
        proxy.have_said(id=7, method="elicitation/create", params=asked)
        assert (await proxy.client.hear_message())["params"] == asked
        proxy.client.tell(id=7, result={"action": "decline"})
        assert (await proxy.told())["result"] == {"action": "decline"}


async def test_the_clients_own_way_is_left_aside_where_it_is_no_means() -> None:
    async with proxied(presenter=OneAnswer(Declined()), use_native=False) as proxy:
        await proxy.initialize(elicitation={"form": {}})
        proxy.have_said(id=7, method="elicitation/create", params=TEXT)
        assert (await proxy.told())["result"] == {"action": "decline"}


@pytest.mark.parametrize(
    ("outcome", "action"),
    [
        ({"outcome": "selected", "optionId": "answer-0"}, "accept"),
        ({"outcome": "selected", "optionId": "decline"}, "decline"),
        ({"outcome": "cancelled"}, "cancel"),
    ],
)
@pytest.mark.requirement("RES-1")
async def test_a_confirmation_becomes_a_permission_request(
    outcome: dict[str, str], action: str
) -> None:
    async with proxied(permission=True) as proxy:
        got = await proxy.initialize()
        assert got["clientCapabilities"]["elicitation"] == {"form": {}}
        proxy.have_said(id=7, method="elicitation/create", params=CONFIRM)
        asked = await proxy.client.hear_message()
        assert asked["method"] == "session/request_permission"
        assert asked["params"]["sessionId"] == "s1"
        proxy.client.tell(id=asked["id"], result={"outcome": outcome})
        answer = await proxy.told()
        assert answer["id"] == 7
        assert answer["result"]["action"] == action


async def test_a_permission_that_the_client_refuses_to_ask_is_no_answer() -> None:
    async with proxied(permission=True) as proxy:
        await proxy.initialize()
        proxy.have_said(id=7, method="elicitation/create", params=CONFIRM)
        asked = await proxy.client.hear_message()
        proxy.client.tell(id=asked["id"], error={"code": -32601, "message": "no"})
        assert (await proxy.told())["result"]["action"] == "cancel"


async def test_a_question_that_no_means_can_carry_is_cancelled_as_not_shown() -> None:
    async with proxied(permission=True) as proxy:
        await proxy.initialize()
        proxy.have_said(id=7, method="elicitation/create", params=TEXT)
        result = (await proxy.told())["result"]
        assert result["action"] == "cancel"
        assert "not-shown" in json.dumps(result["_meta"])


@pytest.mark.requirement("REQ-6")
async def test_an_agent_that_gives_up_takes_its_permission_request_back() -> None:
    async with proxied(permission=True) as proxy:
        await proxy.initialize()
        proxy.have_said(id=7, method="elicitation/create", params=CONFIRM)
        asked = await proxy.client.hear_message()
        proxy.have_said(method="$/cancel_request", params={"requestId": 7})
        cancel = await proxy.client.hear_message()
        assert cancel["method"] == "$/cancel_request"
        assert cancel["params"] == {"requestId": asked["id"]}
        assert (await proxy.told())["error"]["code"] == -32800
        proxy.client.tell(id=asked["id"], result={"outcome": {"outcome": "cancelled"}})  # late
        proxy.client.tell(method="_x")
        assert (await proxy.told())["method"] == "_x"


@pytest.mark.requirement("REQ-5")
async def test_a_cancelled_session_ends_its_question_and_the_notification_passes() -> None:
    presenter = OneAnswer(None)
    async with proxied(presenter=presenter) as proxy:
        await proxy.initialize()
        proxy.have_said(id=7, method="elicitation/create", params=TEXT)
        await presenter.asked.wait()
        proxy.client.tell(method="session/cancel", params=SESSION)
        heard = [await proxy.told(), await proxy.told()]
        assert {message.get("method") for message in heard} == {"session/cancel", None}
        (answer,) = [message for message in heard if "result" in message]
        assert answer["result"]["action"] == "cancel"
        assert presenter.withdrawn.is_set()


@pytest.mark.requirement("URL-7")
async def test_a_completion_goes_to_whoever_knows_the_link() -> None:
    async with proxied(presenter=OneAnswer(Accepted(None))) as proxy:
        await proxy.initialize()
        asked = {
            "mode": "url", "message": "Open", "url": "https://example.com/", "elicitationId": "e1",
            **SESSION,
        }  # fmt: skip
        proxy.have_said(id=7, method="elicitation/create", params=asked)
        assert (await proxy.told())["result"]["action"] == "accept"
        for known in ("e1", "e2"):
            params = {"elicitationId": known}
            proxy.have_said(method="elicitation/complete", params=params)
        assert (await proxy.client.hear_message())["params"] == {"elicitationId": "e2"}


@pytest.mark.parametrize(("status", "seen"), [(0, 0), (3, 3)])
async def test_the_agents_exit_status_is_the_proxys(status: int, seen: int) -> None:
    async with proxied() as proxy:
        proxy.client.tell(method="exit", params=status)
        async with asyncio.timeout(_LIMIT):
            assert await proxy.status == seen


async def test_a_signal_that_ends_the_agent_is_told_as_a_shell_does() -> None:
    async with proxied() as proxy:
        await proxy.initialize()
        proxy.agent.signal(signal.SIGKILL)
        async with asyncio.timeout(_LIMIT):
            assert await proxy.status == 128 + signal.SIGKILL
        proxy.agent.signal(signal.SIGTERM)  # it is gone: nothing happens


@pytest.mark.requirement("RES-5")
async def test_an_agent_that_crashes_takes_its_question_away() -> None:
    presenter = OneAnswer(None)
    async with proxied(presenter=presenter) as proxy:
        await proxy.initialize()
        proxy.have_said(id=7, method="elicitation/create", params=TEXT)
        await presenter.asked.wait()
        proxy.agent.signal(signal.SIGKILL)
        async with asyncio.timeout(_LIMIT):
            assert await presenter.withdrawn.wait()


@pytest.mark.requirement("RES-5")
async def test_a_client_that_leaves_ends_the_question_and_the_agent() -> None:
    presenter = OneAnswer(None)
    async with proxied(presenter=presenter) as proxy:
        await proxy.initialize()
        proxy.have_said(id=7, method="elicitation/create", params=TEXT)
        await presenter.asked.wait()
        proxy.client.leave()
        async with asyncio.timeout(_LIMIT):
            assert await proxy.status == 0
        assert presenter.withdrawn.is_set()

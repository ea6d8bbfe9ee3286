"""The proxy between a client and a real process."""

import asyncio
import json
import random
import signal

import pytest

from acp_elicitation.protocol.answers import Accepted, Declined
from tests.unit.bridges.proxy.proxied import (
    AGENT,
    CONFIRM,
    ECHO,
    LIMIT,
    SESSION,
    TEXT,
    OneAnswer,
    proxied,
)


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
async def test_messages_of_every_kind_pass_both_ways_as_the_bytes_that_they_were() -> None:
    async with proxied(ECHO) as proxy:
        lines = _messages(1_000)
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
        async with asyncio.timeout(LIMIT):
            assert await proxy.status == seen


async def test_a_signal_that_ends_the_agent_is_told_as_a_shell_does() -> None:
    async with proxied() as proxy:
        await proxy.initialize()
        proxy.agent.signal(signal.SIGKILL)
        async with asyncio.timeout(LIMIT):
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
        async with asyncio.timeout(LIMIT):
            assert await presenter.withdrawn.wait()


@pytest.mark.requirement("RES-5")
async def test_a_client_that_leaves_ends_the_question_and_the_agent() -> None:
    presenter = OneAnswer(None)
    async with proxied(presenter=presenter) as proxy:
        await proxy.initialize()
        proxy.have_said(id=7, method="elicitation/create", params=TEXT)
        await presenter.asked.wait()
        proxy.client.leave()
        async with asyncio.timeout(LIMIT):
            assert await proxy.status == 0
        assert presenter.withdrawn.is_set()

"""The demo agent, asked by a real client over its stdio."""

import asyncio
import sys
from typing import Any

import pytest

from acp_elicitation.agent.serve import AgentConnection
from acp_elicitation.cli.demo import press_the_button
from acp_elicitation.client.launch import Protocol, launch
from acp_elicitation.client.responder import Responder
from acp_elicitation.client.session import ClientConnection
from acp_elicitation.demo.agent import demo_agent
from acp_elicitation.demo.questions import ANNOUNCEMENT, POSTGRESQL, PROJECT, SQLITE
from acp_elicitation.presenters.answers import read_rules
from acp_elicitation.presenters.script import NoScriptedAnswer, ScriptPresenter
from acp_elicitation.protocol.capabilities import Mode
from acp_elicitation.protocol.handshake import Implementation
from acp_elicitation.protocol.reading import JsonObject
from acp_elicitation.protocol.schema import (
    BooleanProperty,
    IntegerProperty,
    MultiSelectProperty,
    NumberProperty,
    SelectProperty,
    StringProperty,
)
from acp_elicitation.protocol.version import V2
from acp_elicitation.wire.sockets import open_pair

PROJECT_RULE = {
    "when": {"property": "name"},
    "action": "accept",
    "content": {"name": "rose", "database": "none"},
}
LINK_RULE = {"when": {"mode": "url"}, "action": "accept", "open": True}
NO = {"action": "decline", "repeat": True}


async def said(
    *rules: object, protocol: Protocol = "2", modes: tuple[Mode, ...] = ("form", "url")
) -> str:
    """Return what the agent says in a turn in which `rules` answer."""
    unanswered: list[NoScriptedAnswer] = []
    texts: list[str] = []

    def take(_: str, update: JsonObject) -> None:
        if update.get("sessionUpdate") == "agent_message_chunk":
            texts.append(update["content"]["text"])

    script = ScriptPresenter(
        read_rules(list(rules)), open_url=press_the_button, on_unanswered=unanswered.append
    )
    command = (sys.executable, "-m", "acp_elicitation.demo")
    info = Implementation(name="test", version="1")
    responder = Responder(script, modes=modes)
    async with (
        asyncio.timeout(30),
        launch(command, responder, on_update=take, info=info, protocol=protocol) as running,
    ):
        session = await running.client.new_session("/")
        assert await session.prompt("Set up a project") == "end_turn"
    assert unanswered == []
    return "".join(texts)


@pytest.mark.parametrize("protocol", ["1", "2"])
async def test_the_whole_conversation_works_in_both_versions(protocol: Protocol) -> None:
    text = await said(PROJECT_RULE, LINK_RULE, NO, protocol=protocol)
    assert 'name = "rose"' in text
    assert "connected = true" in text
    assert text.endswith("No announcement, then. All done.\n")


@pytest.mark.parametrize(
    ("database", "settings"),
    [
        ("postgresql", 'settings = { version = "18", host = "localhost", port = 5432 }'),
        ("sqlite", 'settings = { file = "var/data.sqlite3", wal = true }'),
        ("none", "private = true\n    connected"),
    ],
)
async def test_what_is_asked_next_depends_on_the_database(database: str, settings: str) -> None:
    project: dict[str, Any] = {**PROJECT_RULE, "content": {"name": "rose", "database": database}}
    follow_up = {"when": {"message": "to be used"}, "action": "accept"}
    assert settings in await said(project, follow_up, NO)


async def test_every_no_is_respected() -> None:
    assert (await said(NO)).endswith("Understood, no project then.\n")
    cancel = {"action": "cancel", "repeat": True}
    assert (await said(cancel)).endswith("Ask me again when you know more.\n")
    project: dict[str, Any] = {**PROJECT_RULE, "content": {"name": "rose", "database": "sqlite"}}
    text = await said(project, cancel)
    assert "I take the usual settings for the database.\n" in text
    assert "I leave the repository unconnected.\n" in text
    assert text.endswith("I take that as a no: no announcement. All done.\n")


async def test_a_yes_to_the_announcement_is_taken_too() -> None:
    announce = {"when": {"message": "announce"}, "action": "accept"}
    text = await said(PROJECT_RULE, announce, NO)
    assert text.endswith("I would have announced it now. All done.\n")


async def test_a_page_that_nobody_opens_is_not_waited_for_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("acp_elicitation.demo.agent._PATIENCE", 0.01)
    handler = AgentConnection(demo_agent())
    script = ScriptPresenter(read_rules([PROJECT_RULE, {**LINK_RULE, "open": False}, NO]))
    texts: list[str] = []

    def take(_: str, update: JsonObject) -> None:
        if update.get("sessionUpdate") == "agent_message_chunk":
            texts.append(update["content"]["text"])

    client = ClientConnection(
        Responder(script), on_update=take, info=Implementation(name="test", version="1")
    )
    theirs, ours = await open_pair(handler, client)
    handler.attach(theirs)
    client.attach(ours)
    async with asyncio.timeout(30):
        await client.initialize(V2)
        session = await client.new_session("/")
        assert await session.prompt("Set up a project") == "end_turn"
    assert "Nobody approved it in time, so I leave the repository unconnected.\n" in texts
    ours.close()
    await theirs.wait_closed()


@pytest.mark.requirement("CAP-5")
@pytest.mark.parametrize(("modes", "missing"), [((), "form, url"), (("form",), "url")])
async def test_a_client_that_cannot_show_questions_is_told_so(
    modes: tuple[Mode, ...], missing: str
) -> None:
    text = await said(modes=modes)
    assert text.endswith(f"Your client cannot show questions ({missing} mode is missing).\n")


def test_the_questions_have_every_kind_of_property() -> None:
    schemas = (PROJECT, POSTGRESQL, SQLITE, ANNOUNCEMENT)
    kinds = {type(member) for schema in schemas for member in schema.properties.values()}
    assert kinds == {
        StringProperty,
        NumberProperty,
        IntegerProperty,
        BooleanProperty,
        SelectProperty,
        MultiSelectProperty,
    }
    assert ANNOUNCEMENT.properties == {}

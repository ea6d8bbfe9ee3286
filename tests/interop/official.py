"""The official SDKs as live peers: how each is started, and how a test meets it.

Owns: the commands of the peers, `meet` (our client with an official agent) and `visit` (an official
    client with our agent).
Deliberately does not know: what is right. Above it: the interop tests. Below it: peers/.
"""

import asyncio
import contextlib
import json
import os
import sys
from collections.abc import AsyncIterator, Iterable, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import pytest

from acp_elicitation.client.launch import Protocol, RunningAgent, launch
from acp_elicitation.client.prompts import Presenter, Prompt
from acp_elicitation.client.responder import Responder
from acp_elicitation.client.session import Session
from acp_elicitation.protocol.capabilities import Mode
from acp_elicitation.protocol.handshake import Implementation
from acp_elicitation.protocol.reading import JsonObject
from tests.held import HeldPresenter

HERE = Path(__file__).parent
QUESTIONS = json.loads((HERE / "peers/questions.json").read_text(encoding="utf-8"))
ASKING_AGENT = (sys.executable, str(HERE / "asking_agent.py"))
SECONDS = 30


class Peer(NamedTuple):
    """One official SDK in one version of the protocol."""

    title: str
    protocol: Protocol
    agent: tuple[str, ...]
    client: tuple[str, ...]


TS = "Interop (TypeScript) 1"
_TS_AGENT, _TS_CLIENT = (str(HERE / "peers" / name) for name in ("ts_agent.mjs", "ts_client.mjs"))
_PY_AGENT, _PY_CLIENT = (str(HERE / "peers" / name) for name in ("py_agent.py", "py_client.py"))
TYPESCRIPT_V1 = Peer(TS, "1", ("node", _TS_AGENT, "1"), ("node", _TS_CLIENT))
TYPESCRIPT_V2 = Peer(TS, "2", ("node", _TS_AGENT, "2"), ("node", _TS_CLIENT))
PYTHON_V1 = Peer(
    "Interop (Python) 1",
    "1",
    (sys.executable, _PY_AGENT, "1"),
    (sys.executable, _PY_CLIENT),
)
each_peer = pytest.mark.parametrize(
    "peer",
    [
        pytest.param(TYPESCRIPT_V1, id="typescript-v1"),
        pytest.param(TYPESCRIPT_V2, id="typescript-v2"),
        pytest.param(PYTHON_V1, id="python-v1"),
    ],
)


class Meeting:
    """Our client, ready for prompts, with an official agent."""

    def __init__(self, running: RunningAgent, session: Session, updates: list[JsonObject]) -> None:
        self.running = running
        self.session = session
        self.updates = updates
        self._started: list[asyncio.Task[JsonObject]] = []

    @property
    def responder(self) -> Responder:
        return self.running.client.responder

    async def run(self, scenario: str) -> JsonObject:
        """Send a scenario's name; return what the agent reports at the end of its turn."""
        del self.updates[:]
        reason = await self.session.prompt(scenario)
        return {**self._report(), "stop": reason}

    def start(self, scenario: str) -> asyncio.Task[JsonObject]:
        """Do so in a task, for a test that answers meanwhile."""
        task = asyncio.create_task(self.run(scenario))
        self._started.append(task)
        return task

    async def end(self) -> None:
        """Leave no turn behind, be it that the test has failed."""
        for task in self._started:
            task.cancel()
        await asyncio.gather(*self._started, return_exceptions=True)

    def say_shown(self) -> None:
        """Tell the agent that its question is on the screen."""
        self.running.client.connection.notify("_interop/shown", {})

    def _report(self) -> JsonObject:
        (report,) = _reports_in(self.updates)
        return report


def _reports_in(updates: Iterable[JsonObject]) -> list[JsonObject]:
    """What an official agent reported at the end of each turn."""
    return [
        json.loads(update["content"]["text"])
        for update in updates
        if update["sessionUpdate"] == "agent_message_chunk"
    ]


@contextlib.asynccontextmanager
async def meet(
    peer: Peer,
    presenter: Presenter,
    *,
    modes: Sequence[Mode] = ("form", "url"),
    protocol: Protocol | None = None,
) -> AsyncIterator[Meeting]:
    """Start the peer's agent and open a session with it. Within the block, time is limited."""
    updates: list[JsonObject] = []
    launched = launch(
        peer.agent,
        Responder(presenter, modes=modes),
        on_update=lambda _, update: updates.append(update),
        info=Implementation(name="acp-elicitation-tests", title=None, version="1"),
        protocol=protocol or peer.protocol,
        on_stderr=lambda _: None,
    )
    async with asyncio.timeout(SECONDS), launched as running:
        session = await running.client.new_session(str(HERE))
        meeting = Meeting(running, session, updates)
        try:
            yield meeting
        finally:
            await meeting.end()


class Patient(HeldPresenter):
    """A held presenter that a test can wait for to lose a question."""

    def __init__(self) -> None:
        super().__init__()
        self.gone = asyncio.Event()

    async def withdraw(self, prompt: Prompt, why: Literal["withdrawn", "expired"]) -> None:
        await super().withdraw(prompt, why)
        self.gone.set()


@contextlib.asynccontextmanager
async def meet_held(
    peer: Peer, *, modes: Sequence[Mode] = ("form", "url")
) -> AsyncIterator[tuple[Meeting, Patient]]:
    """Do so with the test as the user."""
    presenter = Patient()
    async with meet(peer, presenter, modes=modes) as meeting:
        yield meeting, presenter


class Visit(NamedTuple):
    """What an official client saw of an agent, and what our agent made of its answers."""

    seen: list[JsonObject]
    reports: list[JsonObject]
    stderr: str
    """All that both printed there, for the message of a failing test."""

    @property
    def official_reports(self) -> list[JsonObject]:
        """What an official agent reported."""
        return _reports_in(line["update"] for line in self.all("update"))

    def all(self, kind: str) -> list[JsonObject]:
        """What the client saw of one kind, in order."""
        return [line for line in self.seen if line["seen"] == kind]

    def one(self, kind: str) -> JsonObject:
        """The only thing of one kind that the client saw."""
        (line,) = self.all(kind)
        return line


async def start_client(
    peer: Peer,
    *prompts: str,
    policy: Sequence[JsonObject],
    elicitation: Any = ...,
    agent: Sequence[str] = ASKING_AGENT,
) -> asyncio.subprocess.Process:
    """Start the peer's client on an agent (ours); it goes through `prompts` and leaves.

    It answers by `policy`, and tells on stdout what it sees.
    """
    settings = {
        "ACP_VERSION": peer.protocol,
        "ACP_PROMPTS": json.dumps(prompts),
        "ACP_POLICY": json.dumps(policy),
    }
    if elicitation is not ...:
        settings["ACP_ELICITATION"] = json.dumps(elicitation)
    return await asyncio.create_subprocess_exec(
        *peer.client,
        *agent,
        env={**os.environ, **settings},
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )


async def end_of(process: asyncio.subprocess.Process, *, begun: bytes = b"") -> Visit:
    """Wait until the client has left; returns what it told, `begun` being what was read already."""
    # The agent has the client's stderr: both have ended when it ends.
    async with asyncio.timeout(SECONDS):
        stdout, stderr = await process.communicate()
    marker = b"REPORT "
    reports = [
        json.loads(line.removeprefix(marker))
        for line in stderr.splitlines()
        if line.startswith(marker)
    ]
    lines = (begun + stdout).splitlines()
    return Visit([json.loads(line) for line in lines], reports, stderr.decode())


async def visit(
    peer: Peer,
    *prompts: str,
    policy: Sequence[JsonObject],
    elicitation: Any = ...,
    agent: Sequence[str] = ASKING_AGENT,
) -> Visit:
    """Run the peer's client on an agent (ours) through `prompts`; it answers by `policy`."""
    return await end_of(
        await start_client(peer, *prompts, policy=policy, elicitation=elicitation, agent=agent)
    )

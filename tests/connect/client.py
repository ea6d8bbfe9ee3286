"""The client of an agent, and the person in front of it who consents to links.

Owns: starting the agent, what it says, which links it shows, and the completions that are heard.
Knows nothing of: what is behind a link. Above it: the tests of connecting.
Below it: `client.launch`.
"""

import asyncio
import contextlib
import json
import os
import signal
from collections.abc import AsyncIterator, Sequence
from typing import Literal

from acp_elicitation.client.launch import RunningAgent, launch
from acp_elicitation.client.prompts import FormPrompt, LinkPrompt, Prompt, Reply
from acp_elicitation.client.responder import Responder
from acp_elicitation.client.session import Session
from acp_elicitation.protocol.answers import Accepted, Cancelled, Declined
from acp_elicitation.protocol.handshake import Implementation
from acp_elicitation.protocol.reading import JsonObject

__all__ = ["Client", "Shown", "talking"]

_LIMIT = 30.0


class Shown:
    """A link that is before the user."""

    def __init__(self, prompt: LinkPrompt) -> None:
        self.url, self.message, self.id = prompt.url, prompt.message, prompt.request.elicitation_id
        self.reply: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()

    def consent(self) -> None:
        self.reply.set_result(Accepted(None))

    def decline(self) -> None:
        self.reply.set_result(Declined())


class Client:
    """One client, whose user is the test."""

    def __init__(self) -> None:
        self.shown: asyncio.Queue[Shown] = asyncio.Queue()
        self.completed: list[str] = []
        """The ids of all completions that came, in their order."""
        self.lines: list[bytes] = []
        """All that the agent has sent."""
        self.running: RunningAgent | None = None
        self.session: Session | None = None
        self._said: dict[str, list[str]] = {}
        self._news = asyncio.Condition()

    async def form(self, prompt: FormPrompt) -> Reply:
        return Cancelled()  # a link is never asked for by a form

    async def link(self, prompt: LinkPrompt) -> Reply:
        shown = Shown(prompt)
        self.shown.put_nowait(shown)
        return await shown.reply

    async def withdraw(self, prompt: Prompt, why: Literal["withdrawn", "expired"]) -> None:
        pass

    async def next_link(self) -> Shown:
        async with asyncio.timeout(_LIMIT):
            return await self.shown.get()

    async def has_heard(self, completion: str) -> None:
        """Return when the completion of this link has come."""
        async with asyncio.timeout(_LIMIT), self._news:
            await self._news.wait_for(lambda: completion in self.completed)

    async def ask(self, text: str) -> str:
        """Send a prompt in a session of its own; return all that the agent says to it."""
        assert self.running is not None
        session = await self.running.client.new_session("/")
        self._said[session.id] = []
        async with asyncio.timeout(_LIMIT):
            await session.prompt(text)
        return "".join(self._said.pop(session.id))

    def send_signal(self, number: int) -> None:
        """Send the agent a signal, such as `SIGKILL`."""
        assert self.running is not None
        os.kill(self.running.child.pid, number)

    async def kill(self) -> None:
        self.send_signal(signal.SIGKILL)
        assert self.running is not None
        await self.running.child.wait()

    def take_update(self, session_id: str, update: JsonObject) -> None:
        content = update.get("content")
        if isinstance(content, dict) and session_id in self._said:
            self._said[session_id].append(str(content.get("text", "")))

    def take_line(self, direction: Literal["in", "out"], line: bytes) -> None:
        if direction == "in":
            self.lines.append(line)
            if b'"elicitation/complete"' in line:
                self.completed.append(json.loads(line)["params"]["elicitationId"])
                task = asyncio.ensure_future(self._tell())
                task.add_done_callback(lambda _: None)

    async def _tell(self) -> None:
        async with self._news:
            self._news.notify_all()


@contextlib.asynccontextmanager
async def talking(command: Sequence[str], errors: list[bytes]) -> AsyncIterator[Client]:
    """Run an agent, and talk to it, for the length of the block; `errors` gets its stderr."""
    client = Client()
    async with launch(
        command,
        Responder(client, modes={"form", "url"}),
        on_update=client.take_update,
        info=Implementation(name="test", version="1"),
        protocol="1",
        on_stderr=errors.append,
        on_raw=client.take_line,
    ) as running:
        client.running = running
        yield client

"""The test's end of `told_agent.py`: a real agent process that asks what the test says."""

import asyncio
import contextlib
import json
import sys
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

from tests.serving import serving

__all__ = ["Asked", "ToldAgent", "told_agent"]

_LIMIT = 20.0
_PROGRAM = Path(__file__).with_name("told_agent.py")


class Asked:
    """One request of the agent to its client."""

    def __init__(self, agent: "ToldAgent", id: int) -> None:
        self._agent = agent
        self._id = id
        self.came: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()

    async def result(self) -> Any:
        """Return the result that the agent got; an error of the client fails the test."""
        async with asyncio.timeout(_LIMIT):
            came = await asyncio.shield(self.came)
        assert "result" in came, came
        return came["result"]

    def withdraw(self) -> None:
        """Have the agent cancel the request."""
        self._agent.order("withdraw", id=self._id)


class ToldAgent:
    """One agent process, once a client has started it by `command`."""

    def __init__(self, words: Sequence[str]) -> None:
        self.port = 0
        self._words = words
        self._turns: asyncio.Queue[str] = asyncio.Queue()
        self._over: asyncio.Queue[None] = asyncio.Queue()
        self._asked: dict[int, Asked] = {}
        self._writer: asyncio.StreamWriter | None = None

    @property
    def command(self) -> tuple[str, ...]:
        """What a client has to run."""
        return (sys.executable, str(_PROGRAM), str(self.port), *self._words)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Take what the agent tells."""
        self._writer = writer
        while line := await reader.readline():
            self._take(json.loads(line))

    def _take(self, told: dict[str, Any]) -> None:
        match told:
            case {"turn": text}:
                self._turns.put_nowait(text)
            case {"over": _}:
                self._over.put_nowait(None)
            case {"id": id}:
                self._asked[id].came.set_result(told)

    async def turn(self) -> str:
        """Return what the user said when a turn has begun; nothing can be ordered before."""
        async with asyncio.timeout(_LIMIT):
            return await self._turns.get()

    async def over(self) -> None:
        """Return when a turn is over."""
        async with asyncio.timeout(_LIMIT):
            await self._over.get()

    def order(self, do: str, **details: Any) -> None:
        """Have the agent do something now: say, think, tool, update, notify, stderr, end, leave."""
        assert self._writer is not None, "no turn has begun"
        self._writer.write(json.dumps({"do": do, **details}).encode() + b"\n")

    def ask(self, method: str, **params: Any) -> Asked:
        """Have it send a request; the session's id is added."""
        asked = Asked(self, len(self._asked))
        self._asked[len(self._asked)] = asked
        self.order("ask", id=len(self._asked) - 1, method=method, params=params)
        return asked

    async def withdraw_all(self) -> None:
        """Have it cancel what is unanswered, and return when that is done."""
        asked = [asked for asked in self._asked.values() if not asked.came.done()]
        for one in asked:
            one.withdraw()
        for one in asked:
            await one.came

    def form(self, message: str, properties: dict[str, Any], **schema: Any) -> Asked:
        """Have it ask with a form; `schema` are further members of the schema."""
        return self.ask(
            "elicitation/create",
            mode="form",
            message=message,
            requestedSchema={"type": "object", "properties": properties, **schema},
        )

    def link(self, message: str, url: str, id: str = "link-1") -> Asked:
        """Have it ask for consent to open a link."""
        return self.ask(
            "elicitation/create", mode="url", message=message, url=url, elicitationId=id
        )

    def complete(self, id: str = "link-1") -> None:
        """Have it say that a link is complete."""
        self.order("notify", method="elicitation/complete", params={"elicitationId": id})


@contextlib.asynccontextmanager
async def told_agent(*words: str) -> AsyncIterator[ToldAgent]:
    """Have an agent for the length of the block; `words` may be its name, title and version."""
    agent = ToldAgent(words)
    async with serving(agent.serve) as agent.port:
        yield agent

"""An agent that does what a test tells it, over a socket beside its stdio.

`python told_agent.py PORT`: it connects to 127.0.0.1:PORT with its first turn. Each line from there
is one order, each line to there is what came of one. See `told.py` for the test's end.
"""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from acp_elicitation.agent.serve import Agent
from acp_elicitation.agent.turn import Turn
from acp_elicitation.protocol.errors import ConnectionLost, RemoteError


class Orders:
    """The test's end of the socket."""

    def __init__(self) -> None:
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self._asked: dict[int, asyncio.Task[None]] = {}

    async def run(self, turn: Turn) -> None:
        """Do as told until the turn is to end."""
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", int(sys.argv[1]))
        self._tell(turn=turn.text)
        try:
            while line := await self._streams[0].readline():
                order = json.loads(line)
                if order["do"] == "end":
                    return
                self._follow(turn, order)
        finally:
            self._tell(over=True)

    def _follow(self, turn: Turn, order: dict[str, Any]) -> None:
        match order["do"]:
            case "ask":
                asking = self._ask(turn, order["id"], order["method"], order["params"])
                self._asked[order["id"]] = asyncio.create_task(asking)
            case "withdraw":
                self._asked[order["id"]].cancel()
            case "notify":
                turn._connection.notify(order["method"], order["params"])
            case "say":
                turn.say(order["text"])
            case "think":
                turn.think(order["text"])
            case "tool":
                turn.end_tool(turn.start_tool(order["text"]))
            case "update":
                turn.update(**order["update"])
            case "stderr":
                print(order["text"], file=sys.stderr, flush=True)
            case "leave":
                sys.exit(7)

    async def _ask(self, turn: Turn, id: int, method: str, params: dict[str, Any]) -> None:
        try:
            result = await turn._connection.request(
                method, {"sessionId": turn.session_id, **params}
            )
        except ConnectionLost:
            return
        except asyncio.CancelledError:
            self._tell(id=id, withdrawn=True)
        except RemoteError as error:
            self._tell(id=id, error={"code": error.code, "data": error.data})
        else:
            self._tell(id=id, result=result)

    def _tell(self, **what: Any) -> None:
        assert self._streams is not None
        self._streams[1].write(json.dumps(what).encode() + b"\n")


if __name__ == "__main__":
    name, title, version = sys.argv[2:] or ("told", "Told Agent", "1.0")
    agent = Agent(Orders().run, name=name, title=title, version=version)
    asyncio.run(agent.serve_stdio())

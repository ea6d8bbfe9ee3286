"""The proxy at work: an agent as a child process, the client at this end, and lines between them.

Owns: the two directions, and how they end: the client leaves, or the agent does.
Knows nothing of: questions. Above it: the command line. Below it: `passing`, `lines`, asyncio.
"""

import asyncio
import contextlib
import signal
from collections.abc import Sequence

from acp_elicitation.bridges.proxy.calls import ClientCalls
from acp_elicitation.bridges.proxy.lines import LineReader, LineTransport, LineWriter
from acp_elicitation.bridges.proxy.passing import PassingTransport
from acp_elicitation.bridges.proxy.tapping import OnLine, tapped
from acp_elicitation.client.responder import Responder

__all__ = ["AgentProcess", "run_between"]

_GRACE_SECONDS = 5.0
"""How long an agent may take to leave once its client has, and again once it was asked to."""


class AgentProcess:
    """The agent, started with its stdin and stdout to be spoken to, and our stderr."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self.reader = LineReader(process.stdout)
        self.writer = LineWriter(process.stdin)
        self._process = process

    @classmethod
    async def start(cls, command: Sequence[str]) -> "AgentProcess":
        """Start `command`. Raises OSError where that is not possible."""
        process = await asyncio.create_subprocess_exec(
            *command, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
        )
        return cls(process)

    async def ended(self) -> int:
        """Return its exit status as a shell says it: 128 and the signal where one ended it."""
        status = await self._process.wait()
        return status if status >= 0 else 128 - status

    async def stop(self) -> int:
        """Wait until it leaves, then ask it to, then end it; returns the exit status."""
        for step in (None, signal.SIGTERM):
            if step is not None:
                self.signal(step)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_GRACE_SECONDS):
                    return await self.ended()
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()
        return await self.ended()

    def signal(self, number: int) -> None:
        """Send it a signal, unless it has ended."""
        if self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self._process.send_signal(number)


async def run_between(
    agent: AgentProcess,
    client: LineReader,
    to_client: LineWriter,
    *,
    responder: Responder,
    calls: ClientCalls,
    command: Sequence[str] = (),
    use_native: bool = True,
    on_line: OnLine | None = None,
) -> int:
    """Pass everything on between the two until one of them leaves; returns the agent's exit status.

    Args:
        agent: the agent.
        client: what the client says.
        to_client: where it listens.
        responder: answers the questions that the client cannot.
        calls: the proxy's own calls of the client.
        command: the agent's command, for its user to see (UI-1).
        use_native: leave to the client the questions in the modes that it has itself.
        on_line: takes each line as the agent sent or got it.
    """
    transport = LineTransport(agent.reader, agent.writer)
    passing = PassingTransport(
        transport if on_line is None else tapped(transport, on_line),
        responder,
        command=command,
        use_native=use_native,
    )

    async def client_to_agent() -> None:
        with contextlib.suppress(ConnectionError):
            while (line := await client.read()) is not None:
                if not calls.take(line):
                    await passing.pass_on(line)

    async def agent_to_client() -> None:
        with contextlib.suppress(ConnectionError):
            while (line := await passing.receive()) is not None:
                await to_client.write(line)

    listening = asyncio.create_task(client_to_agent())
    speaking = asyncio.create_task(agent_to_client())
    try:
        await asyncio.wait([listening, speaking], return_when=asyncio.FIRST_COMPLETED)
        # Either the client has left, or reads no more, or the agent says nothing more: the agent is
        # to leave, and what it still says is passed on.
        responder.close()
        calls.lose()
        with contextlib.suppress(ConnectionError):
            await passing.close()
        status = await agent.stop()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_GRACE_SECONDS):  # a child of the agent may hold its stdout
                await asyncio.wait([speaking])
        return status
    finally:
        responder.close()
        calls.lose()
        for task in (listening, speaking):
            task.cancel()
        await asyncio.wait([listening, speaking])
        for task in (listening, speaking):
            if not task.cancelled() and (error := task.exception()) is not None:
                raise error

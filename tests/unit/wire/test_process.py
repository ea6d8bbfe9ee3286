"""A child process by itself."""

import asyncio
import os
import signal
import sys

from acp_elicitation.wire.process import Process, start


async def run(*command: str) -> Process:
    with open(os.devnull, "r+b") as null:
        return await start(
            command, stdin=null.fileno(), stdout=null.fileno(), cwd=None, env=None, on_stderr=None
        )


async def test_a_process_has_an_exit_status_and_is_not_signalled_after_its_end() -> None:
    process = await run(sys.executable, "-c", "raise SystemExit(7)")
    codes = [process.returncode, await process.ended, process.returncode]
    process.signal(signal.SIGKILL)  # its id may be another's by now
    await asyncio.sleep(0)
    assert [*codes, process.returncode] == [None, 7, 7, 7]
    process.close()


async def test_a_signal_goes_to_the_process() -> None:
    process = await run("/bin/sh", "-c", "kill -STOP $$")
    assert process.pid > 0
    process.signal(signal.SIGKILL)
    assert await process.ended == -signal.SIGKILL

"""How a contender is driven: commands in on stdin, seconds per question out on stdout.

Owns: the loop of commands, and the one way in which every Python contender is timed.
Deliberately does not know: what a question is or how it travels.
Above it: the contenders beside it, and benchmarks/run.py. Below it: nothing.
"""

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from time import perf_counter
from typing import Any

QUESTION: dict[str, Any] = json.loads(
    (Path(__file__).parent / "question.json").read_text(encoding="utf-8")
)

Ask = Callable[[], Awaitable[object]]
Measure = Callable[[int, int], Awaitable[float]]


async def seconds_each(ask: Ask, questions: int, at_once: int) -> float:
    """Seconds per question when `at_once` of `questions` are always under way."""

    async def one_after_another(count: int) -> None:
        for _ in range(count):
            await ask()

    share = max(1, questions // at_once)
    started = perf_counter()
    if at_once == 1:
        await one_after_another(share)
    else:
        await asyncio.gather(*(one_after_another(share) for _ in range(at_once)))
    return (perf_counter() - started) / (share * at_once)


async def obey(measure: Measure) -> None:
    """Read `{"questions": n, "at_once": n}` lines until stdin ends, answer each with seconds."""
    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        command = json.loads(line)
        seconds = await measure(command["questions"], command["at_once"])
        sys.stdout.write(f"{seconds!r}\n")
        sys.stdout.flush()
